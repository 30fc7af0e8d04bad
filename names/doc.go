// Package names parses botanical and Chinese names and matches them against checklists.
//
// A name comes in three forms:
//
//	verbatim   "Salvia miltiorhiza Bge."   as the source wrote it
//	canonical  "Salvia miltiorhiza"        without the author
//	key        "salvia miltiorhiza"        folded, for lookup
//
// The nightly build writes the names of all checklists and of the database into one file with a
// [Builder]. An [Index] maps the file into memory and answers queries:
//
//	Usage, Record ─Builder─▶ names.idx ─Open─▶ Index
//	Query ──────────────────────────────────▶ Index.Match ─▶ Response
//
// [Index.Match] looks a name up tier by tier and gives each candidate a score, which says how far
// it can be trusted:
//
//	identifier → exact → variant → fuzzy → higherRank → none
//
// The API, the command match and the nightly build all call Match, so the same name has the same
// answer everywhere. The package does not know HTTP or the file formats of checklists.
//
// The packages in names/internal do the work; this package has the entry points.
// Start with [Index.Match], then read package names/internal/match.
package names
