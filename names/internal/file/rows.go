package file

import (
	"bencao/names/internal/checklist"
)

// Usage is a row of 16 bytes, so that four rows fit into a cache line. The usages of a key are
// adjacent, and so are their texts. A lookup therefore reads one slot, one or two rows, and a few
// cache lines of texts.
type Usage struct {
	Texts        uint32 // position of the usage's texts in Names, see texts.go
	Concept      uint32 // the head of the concept of the usage, see [bencao/names/internal/build]
	Rank, Family uint16 // indexes in Words
	Checklist    uint8
	Status       checklist.StatusNumber
	Group        uint8 // usages with the same key and group are one name
	Bits         Bits
}

// Bits is a set of properties of a [Usage].
type Bits uint8

// The properties of a usage.
const (
	ProParte Bits = 1 << iota
	Hybrid        // the name has a hybrid sign
	Ranked        // the name has a rank word
	Placed        // the name has an accepted name in its checklist
	Own           // the name is its own accepted name
	Joined        // an edge joins the name to the concept of a checklist of higher priority
	First         // the usage is the first one of its key
	Listed        // the usage has an entry in Members; the position of the entry follows the texts
)

// Has reports whether b and c have a bit in common.
func (b Bits) Has(c Bits) bool { return b&c != 0 }

// Key is one key, without its genus. The rest of a key ends where the rest of the next row starts.
// [Data.FirstOf] finds the usages of a key.
type Key struct {
	Rest uint32 // position of the part after the genus
	Mask uint32 // editdistance.Mask of the part after the genus
}

// Genus is one genus.
type Genus struct {
	Name uint32 // position of its name in GenusNames
	Key  uint32 // number of its first key
	Mask uint32 // editdistance.Mask of its name
}

// Record is one species of the database.
type Record struct {
	EntryID uint32
	GUID    uint32 // position of the GUID in Shared
	Usage   uint32 // the usage of its accepted name
}

// Edge connects a name with a concept of a checklist that does not have the name, and gives the
// reason. If [Reason.Possible] is true, the name may belong to the concept but is not joined to it.
type Edge struct {
	Usage  uint32 // the usage of the name
	To     uint32 // the head of the concept
	Via    uint32 // the evidence: the usage of a synonym or of another spelling
	Reason Reason
}

// Reason is the kind of evidence of an edge.
type Reason uint32

// The kinds of evidence.
const (
	NoReason   Reason = iota
	ByAutonym         // the name is an autonym, and the concept is that of its species
	BySynonym         // the checklist has a synonym of the record, with the epithet of the record's name and an agreeing author
	BySpelling        // the checklist has the name in another spelling, with the same author
	ByBasionym        // the authors suggest that a name of the checklist has the same type; a possible edge
	ByOpinion         // the checklist has a synonym of the record, with another epithet than the record's name; a possible edge
	numReasons
)

// Possible reports whether an edge with this reason only suggests a concept, without joining the
// name to it.
func (r Reason) Possible() bool { return r == ByBasionym || r == ByOpinion }

// Label assigns a folded Chinese name, or pinyin, to a usage.
type Label struct {
	Text  uint32 // position of the text in Shared
	Usage uint32
	Kind  uint32
}

// The kinds of labels, starting with the strongest evidence for a plant.
const (
	LabelName    = iota // Chinese name of a record
	LabelList           // Chinese name in a checklist
	LabelAlias          // other Chinese name of a record
	LabelAutonym        // Chinese name with a note such as 原变种, which names an autonym
	LabelPinyin         // pinyin of a Chinese name
	LabelPinyin2        // pinyin of an alias
	LabelHerb           // name of a herb that the data package assigns to a record
	LabelNoPlant        // name of a herb that is not a plant; its Usage has no meaning
	numLabels
)

// None is a row number that means no row.
const None = ^uint32(0)
