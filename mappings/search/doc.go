// Package search answers queries from the indexes.
//
//	q ─ reading.Read ─▶ Reading ─ matchers ─▶ postings ─ hits.Collector ─▶ Hits
//
// Hits are sorted by tier, then by record number, which is the record's place in the answer order
// of its table. Totals are exact. Between two queries, a Searcher keeps buffers and derived
// columns, but no answers. The section "One query, stage by stage" in ARCHITECTURE.md has examples.
//
// The package does not know records or HTTP: its answers are record numbers. Start with [Searcher].
package search
