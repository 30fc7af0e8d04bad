// Package index keeps the terms and values of a table's records in files of
// Bleve, and gives out the records that have a term.
//
//	records ── terms ──▶ documents ── Bleve ──▶ one segment in species.bleve/
//	                                             │
//	term ── [Reader.Find] ──▶ [Postings]         ├ inverted index: term → records
//	record ── [Index.Values] ──▶ names           └ stored values, read into memory
//
// Postings are the records that have a term, in a Roaring bitmap
// (https://roaringbitmap.org). Bleve's own search, scores and analysis are not
// used: docs/decisions says why.
package index
