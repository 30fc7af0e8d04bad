// Package names reads botanical names and matches them against checklists.
//
// A name comes in three forms:
//
//	verbatim   "Salvia miltiorhiza Bge."   as the source wrote it
//	canonical  "Salvia miltiorhiza"        epithets, rank words and hybrid signs only
//	key        "salvia miltiorhiza"        folded, for look-up
//
// [Index] holds the names of all checklists and of the database in one file
// that is mapped into memory; a [Builder] writes it. [Index.Match] cleans and
// parses a verbatim name, looks it up tier by tier and says how far each
// answer can be trusted:
//
//	identifier → exact → variant → fuzzy → higherRank → none
//
// The API, the bulk command and the nightly reconciliation all go through
// Match, so that the same name gets the same answer everywhere. The package
// knows nothing of HTTP and does not read the checklists' own file formats.
package names
