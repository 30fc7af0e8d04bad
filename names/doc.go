// Package names reads botanical and Chinese names and matches them against
// checklists.
//
// A name comes in three forms:
//
//	verbatim   "Salvia miltiorhiza Bge."   as the source wrote it
//	canonical  "Salvia miltiorhiza"        epithets, rank words and hybrid signs only
//	key        "salvia miltiorhiza"        folded, for look-up
//
// At night a [Builder] writes the names of all checklists and of the database
// into one file. By day an [Index] maps it into memory and answers:
//
//	Usage, Record ─Builder─▶ names.idx ─Open─▶ Index
//	Query ──────────────────────────────────▶ Index.Match ─▶ Response
//
// [Index.Match] looks a name up tier by tier and says how far each answer can
// be trusted:
//
//	identifier → exact → variant → fuzzy → higherRank → none
//
// The API, the bulk command and the nightly reconciliation all go through
// Match, so that the same name gets the same answer everywhere. The package
// knows nothing of HTTP and does not read the checklists' own file formats.
//
// The work is done in the rooms of names/internal; here stand the vocabulary
// and the way in.
package names
