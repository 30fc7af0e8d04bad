// Package reconcile is the W3C Reconciliation Service API 0.2 over what the
// API answers: with it OpenRefine, and programs like it, find the plants of a
// list and fetch what is known of them. A name is matched as names.match does.
//
//	query ─names.match─▶ Response ─candidates─▶ ids, scores ─extend─▶ properties
package reconcile
