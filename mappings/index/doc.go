// Package index stores the terms and values of a table's records in files of Bleve, and returns the
// records that have a term.
//
//	records ─┬─ terms ──▶ documents ── Bleve ──▶ segments ── merged ──▶ one segment
//	         └─ values ──▶ values.gz                in species.bleve/store
//
//	term   ── [Reader.Find] ──▶ [Postings]      from the segment, mapped into memory
//	record ── [Index.Values] ──▶ names          from memory
//
// [Postings] are the numbers of the records with a term, in a Roaring bitmap
// (https://roaringbitmap.org). The package does not use Bleve's search, scores and analysis;
// docs/decisions/bleve.md gives the reasons. It does not interpret queries; package matchers does.
// Start with [Build] and [Open].
package index
