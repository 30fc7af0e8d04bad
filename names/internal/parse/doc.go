// Package parse reads botanical names as people write them.
//
//	Clean     characters   "Salvia&nbsp;miltiorhiza  Bge. [sic]"  entities, dashes, look-alikes
//	unframe   the text     "3. Salvia …"                          numbers, bullets, quotes around it
//	listed    whole names  "Salvia miltiorhiza Bge."              as the checklists write them: done
//	strip     set aside    [sic]  'Alba'  †                       what is about the name
//	words     tokens       Salvia · miltiorhiza · Bge.            split, rank words and signs apart
//	grammar   productions  genus · epithet · author               see grammar.go
//	finish    a Name       canonical name, author, keys
//
// Most names are written as the checklists have them and stop at listed. What
// the grammar does not know goes to gnparser, which knows the oddities of two
// centuries of literature but takes three times as long.
//
// The package knows the words of the checklists by a [Dictionary] only, and
// nothing of how names are matched.
package parse
