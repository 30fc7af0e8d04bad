// Package search answers queries from the indexes.
//
//	q ─read─▶ Reading ─for each stage, row and way: find─▶ postings ─collect by tier─▶ Hits
//
// Package matchers finds. Hits stand by tier, then by number, which is the record's
// place in the answer order of its table: no statistics decide, the order is total,
// and every total is exact, whatever the page.
//
// Every stage passes a value to the next; nothing is remembered between two
// queries but buffers. "How one query is answered, stage by stage" in docs/search.md follows one.
package search
