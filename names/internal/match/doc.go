// Package match finds the names of the names file that a text means. It reads a text into plain
// names, matches each of them once, and joins the results into one answer. A name passes these
// stages in order, each in a file of its own; none calls an earlier one:
//
//	"Panax ginsen C.A.Mey."
//	  read      package parse   one scientific name: key "panax ginsen", author "C.A.Mey."
//	  look up   tiers.go        hits, tier by tier: exact → variant → fuzzy → higherRank; here
//	            fuzzy.go        fuzzy, one edit: key "panax ginseng"
//	  expand    expand.go       the candidates of the hits: usage Panax ginseng, author same
//	  choose    lookup.go       the candidates that count; the first tier that has some ends the lookup
//	  weigh     score.go        0.97 "1 edit, author same"
//	  order     order.go        one candidate for each accepted name, the best first; equally
//	                            good ones are marked as ambiguous
//	  answer    entry.go        texts and identifiers of the usage, its concept and its species
//
// testdata/stages.txt shows three names after each stage. The option Explain of a query gives the
// same explanation for any name.
//
// A text comes down to its names file by file, and none of the files uses an earlier one:
//
//	match.go     any text, or an identifier
//	list.go      a Chinese text with several names
//	chinese.go   one Chinese name, and the scientific name or pharmaceutical Latin beside it
//	latin.go     a text in Latin letters, also pharmaceutical Latin
//	cell.go      a cell with any number of names, in any form
//	name.go      one scientific name, which it takes through the stages, or a hybrid formula
//
// The functions for all these kinds of text return a result. Chinese names, pinyin, names of herbs and
// identifiers resolve to usages directly; their scores depend on the kind of the name. The answer is
// written once, from the final result.
//
// Only buffers are kept from one name to the next. Package parse reads names, package cell splits
// cells, and package file knows the layout of the file. Start with [Index.Match] and
// question.resolve; lookup.go has the loop over the tiers.
package match
