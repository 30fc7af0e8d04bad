// Package cell takes a cell of a list, a label or a line of print apart before
// its names are parsed.
//
//	mend      characters   "Coffea arÃ¡bica"                  broken encodings, markup, identifiers
//	preface   before       "Det. J. Smith 1998: Rosaceae …"   labels, families, common names
//	next      names        "Quercus robur/petraea"            each name, with its genus
//	tail      behind       "Cornus kousa Hance, in fruit"     authors in small letters, remarks
//	ocr       words        "Camel1ia", "Magnol ia"            what a machine read wrongly
//
// Each stage goes by the words of the checklists, which it asks of a
// [Dictionary]: where "Quercus robur" stands a name begins, whatever stands
// before it. What the reader does not know it leaves as it is, for the parser;
// a cell that is a name and nothing else comes out as it went in.
package cell
