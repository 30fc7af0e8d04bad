package names

import (
	"bencao/names/internal/vocabulary"
)

// Queries and their answers.
type (
	// Query asks for one name.
	Query = vocabulary.Query
	// InputError tells which part of a query cannot be used and how to correct it.
	InputError = vocabulary.InputError
	// Response answers one [Query]. Without a fitting name it has no results, which is no error.
	Response = vocabulary.Response
	// Entry is one candidate of a [Response].
	Entry = vocabulary.Entry
)

// The content of the names file.
type (
	// Checklist identifies a checklist.
	Checklist = vocabulary.Checklist
	// Usage is one row of a checklist: a name and its status.
	Usage = vocabulary.Usage
	// Status is the status of a name in a checklist, in the terms of WCVP.
	Status = vocabulary.Status
	// Record is one species of the database with all its names.
	Record = vocabulary.Record
	// RecordSynonym is another scientific name of a [Record].
	RecordSynonym = vocabulary.RecordSynonym
	// RecordAlias is another Chinese name of a [Record].
	RecordAlias = vocabulary.RecordAlias
)

// ParseStatus parses a status as WCVP, Darwin Core Archives or ColDP write it, in any case. For an
// unknown word it returns [Unplaced] and false.
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
	// DefaultLimit and MaxLimit are the default and the largest limit of a [Query].
	DefaultLimit = vocabulary.DefaultLimit
	MaxLimit     = vocabulary.MaxLimit
	// RegionChina is the region of the lists of China.
	RegionChina = vocabulary.RegionChina
	// SourceWCVP is the source of the checklist that takes precedence where checklists disagree.
	SourceWCVP = vocabulary.SourceWCVP
)

// The kinds of likeness of an [Entry], the strongest first.
const (
	MatchExact      = vocabulary.MatchExact
	MatchVariant    = vocabulary.MatchVariant
	MatchFuzzy      = vocabulary.MatchFuzzy
	MatchHigherRank = vocabulary.MatchHigherRank
)

// Kinds of names through which the best result of a [Response] was found: the parents of a
// hybrid, or the name of a drug.
const (
	ViaHybridFormula = vocabulary.ViaHybridFormula
	ViaDrugName      = vocabulary.ViaDrugName
)

// Flags of an [Entry] that limit its use.
const (
	CultivarIgnored = vocabulary.CultivarIgnored // the name has a cultivar that is not in the checklists
	Possible        = vocabulary.Possible        // the taxon may be meant, but no checklist states it
	Ambiguous       = vocabulary.Ambiguous       // several taxa fit about equally well
	Disagree        = vocabulary.Disagree        // another checklist has the name in another taxon
	RowAbove        = vocabulary.RowAbove        // package bulk took a part of the query from a row above
)

// Bands of the scores of an [Entry].
const (
	ScoreTake = 0.9 // from this score on, accept an unambiguous answer
	ScoreLook = 0.7 // from this score on, review an answer; below it, do not use answers without review
)
