// Package index keeps the terms and values of a table's records in files of
// Bleve, and gives out the records that have a term.
//
//	records ─┬─ terms ──▶ documents ── Bleve ──▶ parts ── merged ──▶ one segment
//	         └─ values ──▶ values.gz                in species.bleve/store
//
//	term   ── [Reader.Find] ──▶ [Postings]      from the segment, mapped into memory
//	record ── [Index.Values] ──▶ names          read into memory
//
// Postings are the records that have a term, in a Roaring bitmap
// (https://roaringbitmap.org). Bleve's own search, scores and analysis are not
// used: docs/decisions says why.
package index
