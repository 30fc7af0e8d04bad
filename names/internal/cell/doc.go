// Package cell splits a table cell, a label or a line of print into names, before package parse
// reads them.
//
//	characters  repair   "Coffea arÃ¡bica"                  encodings, markup, identifiers
//	preface     before   "Det. J. Smith 1998: Rosaceae …"   labels, families, common names
//	separators  between  "Quercus robur/petraea"            each name, with its genus
//	tail        after    "Cornus kousa Hance, in fruit"     authors in lower case, remarks
//	ocr         words    "Camel1ia", "Magnol ia"            errors of character recognition
//
// Each stage looks up words of the checklists in a [Dictionary]: "Quercus robur" starts a name
// after any text. The reader leaves unknown text to the parser, so it returns a cell with one plain
// name unchanged. The package does not match names. Start with [Reader.Read].
package cell
