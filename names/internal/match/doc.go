// Package match finds the names of the names file that a text means. It reads a text into plain
// names, matches each of them once, and joins the results into one answer:
//
//	text ─read─▶ names ─look up─▶ found ─weigh─▶ []scored ─join─▶ result ─answer─▶ Response
//
//	"Panax ginsen C.A.Mey."
//	  read      one scientific name: key "panax ginsen", author "C.A.Mey."
//	  look up   exact → variant → fuzzy → higherRank: the first tier with a candidate
//	            ends the lookup; here fuzzy, one edit: usage Panax ginseng, author same
//	  weigh     0.97 "1 edit, author same"; one candidate for each accepted name, the
//	            best first; equally good ones are marked as ambiguous
//	  answer    texts and identifiers of the usage, its concept and its species
//
// testdata/stages.txt shows three names after each stage. The option Explain of a query gives the
// same explanation for any name.
//
// A text can have several names: a cell has any number of them, a hybrid formula has parents, and a
// Chinese text can have both Chinese and scientific names. The answer then joins the best
// candidates of each name. A Chinese name, pinyin, the name of a herb and an identifier resolve to
// usages directly. Their scores depend on the kind of the name. The functions for all these kinds
// of text return a result. The answer is written once, from the final result.
//
// Only buffers are kept from one name to the next. Package parse reads names, package cell splits
// cells, and package file knows the layout of the file. Start with [Index.Match] and
// question.resolve.
package match
