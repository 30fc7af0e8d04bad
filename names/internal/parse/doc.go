// Package parse parses botanical names as people write them.
//
//	Clean     characters   "Salvia&nbsp;miltiorhiza  Bge. [sic]"  entities, dashes, look-alikes
//	unframe   the text     "3. Salvia …"                          numbers, bullets, quotes around it
//	exact     whole names  "Salvia miltiorhiza Bge."              in the dictionary as written: done
//	strip     annotations  [sic]  'Alba'  !                       are removed and recorded
//	words     tokens       Salvia · miltiorhiza · Bge.            rank words and signs apart
//	grammar   productions  genus · epithet · author               see grammar.go
//	finish    a Name       canonical name, author, keys
//
// testdata/stages.txt shows two names after each stage.
//
// Most names are in the checklists as written and need only the first three stages. Names that the
// grammar does not know are parsed by gnparser. It covers more of the literature than the grammar
// but takes three times as long.
//
// The package looks up names of the checklists only in a [Dictionary]. It does not match names.
// Start with [Parser.Parse]. To extend the grammar, see productions.
package parse
