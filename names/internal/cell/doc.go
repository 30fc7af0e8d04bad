// Package cell splits a table cell, a label or a line of print into names, before package parse
// reads them.
//
//	stage       handles                                            example
//
//	characters  encodings, markup, identifiers                     "Coffea arÃ¡bica"
//	preface     labels, families, common names before the names    "Det. J. Smith 1998: Rosaceae …"
//	separators  separators; each name gets its genus               "Quercus robur/petraea"
//	tail        authors in lower case and remarks after a name     "Cornus kousa Hance, in fruit"
//	ocr         errors of character recognition                    "Camel1ia", "Magnol ia"
//
// Each stage looks up words of the checklists in a [Dictionary]: wherever "Quercus robur" occurs in
// a text, a name starts. Text that no stage recognises is left to the parser. A cell with one plain
// name is returned unchanged. The package does not match names. Start with [Reader.Read].
package cell
