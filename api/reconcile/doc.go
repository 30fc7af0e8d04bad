// Package reconcile implements the W3C Reconciliation Service API 0.2. OpenRefine and similar
// programs use this API to find the plants that the names in a list mean, and to fetch properties
// of these plants. Names are matched as names.match matches them. All data come from the API
// ([Asking]). Begin with [New] and [Service.ServeHTTP].
//
//	query ─names.match─▶ Response ─candidates─▶ ids, scores ─extend─▶ properties
package reconcile
