// Package mappings holds the search tables: the fields by which species, formulas, papers and herbs
// are found, filtered and sorted.
//
// Each row of a table is a [Field]. The index, the documents, the queries and the schema in the
// manifest follow from the rows:
//
//	record ── Values ──▶ texts ── Analyzer ──▶ terms ──▶ index
//	query  ── read   ──▶ script, sounds, words ── Analyzer ──▶ terms ──▶ postings
//
// A record matches a query in one or more [Way]s: by the whole value, by its prefix, by a part of
// it, and so on. A field gives each way a tier from 1 to [MaxTier]. Hits are sorted by tier, then
// by record number, which is the record's place in the answer order of its table. The order is
// total and does not depend on statistics, and every total is exact. Ways that tolerate mistakes
// are tried only if all stricter ways found nothing.
//
// Package index builds and opens the indexes, and package search answers queries. This package does
// not know HTTP, sources, or how records are stored. Start with species.go and way.go.
package mappings
