// Package file defines names.idx, the names file of a snapshot: every name of every checklist and
// of the database, and the tables by which they are found. [Write] writes it once, [Open] maps it
// into memory. A row has the same bytes in the file as in memory, so it needs no decoding. Only
// identifiers are packed. The package knows nothing of how names are parsed, compared or scored.
//
//	"panax ginseng"              a key, see spelling.AppendKey
//	      │ hash
//	      ▼
//	Slots ──▶ Usage 4711  Panax ginseng  C.A.Mey.  WCVP       ┐ the usages of a key
//	          Usage 4712  Panax ginseng  Baill.    CoL-China  ┘ are adjacent
//	            │ Concept                │ Texts       │ Members of the concept's head
//	            ▼                        ▼             ▼
//	          Usage of the           name, author,   names of the taxon in CoL-China
//	          accepted name          identifiers     and the database
//
//	Tables ─▶ other ways to find a key, a genus, a usage or a label: the
//	          orthographic epithets, the orthographic genus, a genus with
//	          letters missing, an identifier, a Chinese name
//
// Derivable data are not stored. Keys are sorted by genus, so that the position of a key gives its
// genus. A bit marks the first usage of a key. A text that is equal to that of the previous usage
// is not repeated. Slots and tables store only as many bits of a hash as fit into a word beside the
// row number. The caller compares the texts anyway.
package file
