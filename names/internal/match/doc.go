// Package match finds the names of the names file that a text means. It reads a text into plain
// names, matches each of them once, and joins the results into one answer:
//
//	text ─read─▶ names ─look up─▶ found ─weigh─▶ []scored ─join─▶ result ─answer─▶ Response
//
//	"Panax ginsen C.A.Mey."
//	  read      one scientific name: key "panax ginsen", author "C.A.Mey."
//	  look up   exact → variant → fuzzy → higherRank: the first tier with a candidate
//	            ends it; here fuzzy, one edit: usage Panax ginseng, author same
//	  weigh     0.97 "1 edit, author same"; one candidate for each accepted name, the
//	            best first; equally good ones are marked as ambiguous
//	  answer    texts and identifiers of the usage, its concept and its species
//
// testdata/stages.txt shows three names after each stage. The option Explain of a query shows the
// same for any name.
//
// A cell has any number of names, a hybrid formula has parents, and a Chinese text has Chinese and
// scientific names: the best candidates of each name are joined. A Chinese name, pinyin, the name
// of a drug and an identifier resolve to usages directly, which are scored by the kind of the name.
// All these functions return a result, from which the answer is written once.
//
// Only buffers are kept from one name to the next. Package parse reads names, package cell splits
// cells, and package file knows the layout of the file. Start with [Index.Match] and
// question.resolve.
package match
