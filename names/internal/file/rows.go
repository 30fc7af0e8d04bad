package file

import "bencao/names/internal/vocabulary"

// Usage is a row of 16 bytes, four to a cache line. The usages of a key are adjacent, and so are
// their texts: a lookup reads one slot, one or two rows, and a few cache lines of texts.
type Usage struct {
	Texts        uint32 // position of its texts in Names, see texts.go
	Concept      uint32 // the head of its concept, see [bencao/names/internal/build]
	Rank, Family uint16 // indexes of Words
	Checklist    uint8
	Status       vocabulary.StatusNumber
	Group        uint8 // usages with the same key and group are one name
	Bits         Bits
}

// Bits are the properties of a [Usage].
type Bits uint8

// The properties of a usage.
const (
	ProParte Bits = 1 << iota
	Hybrid        // the name has a hybrid sign
	Ranked        // the name has a rank word
	Placed        // has an accepted name in its checklist
	Own           // is its own accepted name
	Joined        // has an edge to the concept of a checklist of higher priority
	First         // is the first usage of its key
	Listed        // has an entry in Members; its position follows the texts
)

// Has reports whether b and c have a bit in common.
func (b Bits) Has(c Bits) bool { return b&c != 0 }

// Key is one key. Its rest ends where that of the next row begins. [Data.FirstOf] finds its usages.
type Key struct {
	Rest uint32 // position of the part after the genus
	Mask uint32 // letters of the part after the genus
}

// Genus is one genus.
type Genus struct {
	Name uint32 // position of its name
	Key  uint32 // first key
	Mask uint32 // letters of its name
}

// Record is one species of the database.
type Record struct {
	EntryID uint32
	GUID    uint32 // start in Shared
	Usage   uint32 // its name
}

// Edge is the reason why a name belongs, or may belong, to a concept of a checklist that does not
// have it.
type Edge struct {
	Usage  uint32 // the name
	To     uint32 // the head of the concept
	Via    uint32 // the evidence: a synonym, another spelling
	Reason Reason
}

// Reason is the kind of evidence of an edge.
type Reason uint32

// The kinds of evidence.
const (
	NoReason   Reason = iota
	ByAutonym         // the species of an autonym
	BySynonym         // the checklist has a synonym of the record with the same epithet and author
	BySpelling        // the checklist has the name in another spelling, with the same author
	ByBasionym        // the checklist has a name that has the same type by its authors; not joined
	ByOpinion         // the checklist has another synonym of the record; not joined
	numReasons
)

// Possible reports whether an edge only suggests a concept and does not join it.
func (r Reason) Possible() bool { return r == ByBasionym || r == ByOpinion }

// Label is a folded Chinese name or pinyin, and its target.
type Label struct {
	Text  uint32 // start in Shared
	Usage uint32
	Kind  uint32
}

// The kinds of labels, the strongest first.
const (
	LabelName    = iota // Chinese name of a record
	LabelList           // Chinese name in a checklist
	LabelAlias          // other Chinese name of a record
	LabelAutonym        // name with a note such as 原变种, which means the autonym
	LabelPinyin         // pinyin of the name
	LabelPinyin2        // pinyin of an alias
	LabelHerb           // name of a drug that the package assigns to a record
	LabelNoPlant        // name of a drug that is no plant; usage is unused
	numLabels
)

// None means no row.
const None = ^uint32(0)
