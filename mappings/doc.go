// Package mappings says how species, formulas and papers are searched, builds
// their indexes and answers from them.
//
// A table of [Field] rows says what a record is found by ([Species],
// [Formulas], [Papers]). From the rows follow the index's fields, the documents
// and the query:
//
//	record ── Values ──▶ texts ── Analyzer ──▶ terms ──▶ index
//	query  ── read   ──▶ script, sounds, words ── Analyzer ──▶ terms ──▶ postings
//
// A record is found in some [Way] (whole, as prefix, inside …), and a row gives
// each way a tier from 1 to 100. Hits stand by tier, then by number, which is
// the record's place in the answer order of its table: no statistics decide,
// the order is total, and every total is exact. Ways that forgive mistakes are
// tried only when all stricter ones found nothing, whatever the page.
//
// The package knows nothing of HTTP, of where records come from, or of how
// they are stored.
package mappings
