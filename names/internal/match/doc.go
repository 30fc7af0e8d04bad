// Package match says which names of the names file a text means. A text goes
// through four stages, each a function from a value to a value:
//
//	text ─parse─▶ parse.Name ─look up─▶ found ─weigh─▶ []scored ─answer─▶ Response
//
//	"Panax ginsen C.A.Mey."
//	  parse     key "panax ginsen", author "C.A.Mey."
//	  look up   identifier → exact → variant → fuzzy → higherRank: the first
//	            tier that has a candidate ends it; here fuzzy, one edit:
//	            usage Panax ginseng, concept 146697, author same
//	  weigh     0.97 "1 edit, author same"; best first, one for each accepted
//	            name, those that no score tells apart ambiguous
//	  answer    texts and identifiers of the usage, its concept and its species
//
// A text that is an identifier, a Chinese name or pinyin is looked up by what
// it is (label.go, chinese.go) and weighed and answered in the same way.
//
// What a stage needs is passed to it: the file as the question may see it
// (view), the steps that explain asks for, the buffers. Nothing is remembered
// between two names.
package match
