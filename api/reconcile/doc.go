// Package reconcile implements the W3C Reconciliation Service API 0.2. OpenRefine and similar
// programs use it to find the plants of a list and to fetch their properties. Names are matched as
// names.match matches them. The package does not know the indexes: it answers from a [Source], which
// is a snapshot or another server. Begin with [New] and [Service.ServeHTTP].
//
//	query ─names.match─▶ Response ─candidates─▶ ids, scores ─extend─▶ properties
package reconcile
