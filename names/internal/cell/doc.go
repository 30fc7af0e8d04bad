// Package cell splits a table cell, a label or a line of print into names, before package
// parse reads them.
//
//	characters  repair   "Coffea arÃ¡bica"                  encodings, markup, identifiers
//	preface     before   "Det. J. Smith 1998: Rosaceae …"   labels, families, common names
//	separators  between  "Quercus robur/petraea"            each name, with its genus
//	tail        after    "Cornus kousa Hance, in fruit"     authors in lower case, remarks
//	ocr         words    "Camel1ia", "Magnol ia"            errors of character recognition
//
// Each stage asks a [Dictionary] for the words of the checklists: "Quercus robur" starts a name,
// whatever precedes it. Text that the reader does not know is left to the parser, so a cell with
// one plain name is returned unchanged. The package does not match names. Begin with [Reader.Read].
package cell
