package file

import "bencao/names/internal/vocabulary"

// Usage is one usage in the file: 16 bytes, four in a line of the processor's
// cache. The usages of a key stand together, and
// so do their texts: a look-up reads a slot, a row or two, and a few lines of
// texts, whatever else the file holds.
type Usage struct {
	Texts        uint32 // start of its texts in Names, see texts.go
	Concept      uint32 // the usage that heads its concept and stands for it, see [bencao/names/internal/build]
	Rank, Family uint16 // numbers of Words
	Checklist    uint8
	Status       vocabulary.StatusNumber
	Group        uint8 // usages of a key that have one group are one name
	Bits         Bits
}

// Bits are what is true of a [Usage].
type Bits uint8

// The bits of a usage.
const (
	ProParte Bits = 1 << iota
	Hybrid        // the name has a hybrid sign
	Ranked        // the name has a rank word
	Placed        // its checklist has an accepted name for it
	Own           // which is itself
	Joined        // an edge leads from it into the concept of a better list
	First         // it is the first usage of its key
	Listed        // Members tells of it: the last four bytes of its texts say where
)

// Has says whether b has some bit of c.
func (b Bits) Has(c Bits) bool { return b&c != 0 }

// Key is one key; what begins in it ends where the next row's begins. Its usages
// are those that the bits of all say, see [Data.FirstOf].
type Key struct {
	Rest uint32 // start of what follows the genus
	Mask uint32 // letters in what follows the genus
}

// Genus is one genus.
type Genus struct {
	Name uint32 // start of its name
	Key  uint32 // first key
	Mask uint32 // letters in its name
}

// Record is one species of the database.
type Record struct {
	EntryID uint32
	GUID    uint32 // start in Shared
	Usage   uint32 // its name
}

// Edge says why a name stands in a concept of a list that does not have it, or
// may stand there.
type Edge struct {
	Usage  uint32 // the name
	To     uint32 // the head of the concept
	Via    uint32 // what speaks for it: a synonym, another spelling
	Reason Reason
}

// Reason is what an edge rests on.
type Reason uint32

// The reasons of edges.
const (
	NoReason   Reason = iota
	ByAutonym         // the species includes its autonym
	BySynonym         // the better list has a synonym that the database gives, with its epithet and by the same author
	BySpelling        // it has the name in another spelling, by the same author
	ByBasionym        // it has a name of the same type as far as authors show it; possible only
	ByOpinion         // it has another synonym that the database gives; possible only
	numReasons
)

// Possible says that an edge joins nothing.
func (r Reason) Possible() bool { return r == ByBasionym || r == ByOpinion }

// Label is a Chinese name, folded, or a pinyin reading, with what it
// leads to.
type Label struct {
	Text  uint32 // start in Shared
	Usage uint32
	Kind  uint32
}

// Kinds of labels, the strongest first.
const (
	LabelName    = iota // Chinese name of a record
	LabelList           // Chinese name in a checklist
	LabelAlias          // other Chinese name of a record
	LabelAutonym        // name with a note such as 原变种: of the type of the species, not the species
	LabelPinyin         // pinyin of the name
	LabelPinyin2        // pinyin of an alias
	LabelHerb           // name of a drug, as the package leads it to a record
	LabelNoPlant        // name of a drug that the package knows as no plant; the usage says nothing
	numLabels
)

// None is the number of no row.
const None = ^uint32(0)
