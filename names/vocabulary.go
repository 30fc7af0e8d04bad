package names

import (
	"bencao/names/internal/vocabulary"
)

// What is asked and answered.
type (
	// Query asks for one name.
	Query = vocabulary.Query
	// InputError says which part of a query cannot be used and how to mend it.
	InputError = vocabulary.InputError
	// Response answers one [Query]. A name that nothing fits has no results
	// and is no error.
	Response = vocabulary.Response
	// Entry is one candidate of a [Response].
	Entry = vocabulary.Entry
)

// What goes into the names file.
type (
	// Checklist names a list of names that is matched against.
	Checklist = vocabulary.Checklist
	// Usage is one row of a checklist: a name and what the checklist thinks
	// of it.
	Usage = vocabulary.Usage
	// Status is the standing of a name in a checklist, in WCVP's terms.
	Status = vocabulary.Status
	// Record is one species of the database with all the names that lead to
	// it.
	Record = vocabulary.Record
	// RecordSynonym is another scientific name of a [Record].
	RecordSynonym = vocabulary.RecordSynonym
	// RecordAlias is another Chinese name of a [Record].
	RecordAlias = vocabulary.RecordAlias
)

// ParseStatus reads a status as WCVP, a Darwin Core Archive or ColDP writes
// it, in any case. It reports false for a word that it does not know, with
// [Unplaced], which claims least.
func ParseStatus(s string) (Status, bool) { return vocabulary.ParseStatus(s) }

// The statuses that a checklist may give a name.
const (
	Accepted         = vocabulary.Accepted
	Synonym          = vocabulary.Synonym
	Illegitimate     = vocabulary.Illegitimate
	Invalid          = vocabulary.Invalid
	Orthographic     = vocabulary.Orthographic
	Misapplied       = vocabulary.Misapplied
	Unplaced         = vocabulary.Unplaced
	ArtificialHybrid = vocabulary.ArtificialHybrid
)

const (
	// DefaultLimit and MaxLimit bound the number of results of a [Query].
	DefaultLimit = vocabulary.DefaultLimit
	MaxLimit     = vocabulary.MaxLimit
	// RegionChina is the region that the lists of China know.
	RegionChina = vocabulary.RegionChina
	// SourceWCVP is the source of the checklist that wins where checklists
	// disagree.
	SourceWCVP = vocabulary.SourceWCVP
)

// The kinds of likeness of an [Entry], the strongest first.
const (
	MatchExact      = vocabulary.MatchExact
	MatchVariant    = vocabulary.MatchVariant
	MatchFuzzy      = vocabulary.MatchFuzzy
	MatchHigherRank = vocabulary.MatchHigherRank
)

// What led to the best result of a [Response]: the parents of a hybrid, or the name
// of a drug.
const (
	ViaHybridFormula = vocabulary.ViaHybridFormula
	ViaDrugName      = vocabulary.ViaDrugName
)

// Flags of an [Entry] that change what it is good for.
const (
	CultivarIgnored = vocabulary.CultivarIgnored // the name has more than was found
	Possible        = vocabulary.Possible        // the taxon may be the one, nobody says so
)

// Bands of the scores of an [Entry].
const (
	ScoreTake = 0.9 // from here on an answer is taken, if nothing else fits as well
	ScoreLook = 0.7 // from here on it is worth a look; below, nothing is used unseen
)
