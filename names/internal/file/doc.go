// Package file lays out names.idx, the names file of a snapshot: every name of
// every checklist and of the database, and the tables by which they are found.
// It is written once (Write) and then mapped into memory (Open); a row of the
// file is a row in Go, and only identifiers are packed. It knows nothing of how
// names are parsed, compared or scored.
//
//	"panax ginseng"              a key, see spelling.AppendKey
//	      │ hash
//	      ▼
//	Slots ──▶ Usage 4711  Panax ginseng  C.A.Mey.  WCVP       ┐ the usages of a key
//	          Usage 4712  Panax ginseng  Baill.    CoL-China  ┘ stand together
//	            │ Concept                │ Texts       │ Members of the concept's head
//	            ▼                        ▼             ▼
//	          Usage of the           name, author,   Usages under which CoL-China
//	          accepted name          identifiers     and the database have the taxon
//
//	Tables ─▶ what else leads to a key, a genus, a usage or a label: the
//	          orthographic epithets, the orthographic genus, a genus with
//	          letters left out, an identifier, a Chinese name
//
// What is found elsewhere is not written a second time. Keys stand in the order
// of their genera, so that a key tells its genus, and epithets within a stretch
// of keys are those of a genus; a bit tells where the usages of a key begin; a
// text that the usage before has too is not there again. A hash stands in slots
// and tables with as many bits as the number beside it leaves of a word, since
// who finds a row compares the texts anyway.
package file
