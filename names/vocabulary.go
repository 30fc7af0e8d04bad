package names

import (
	"bencao/names/internal/vocabulary"
)

// Queries and their answers.
type (
	// Query asks for one name.
	Query = vocabulary.Query
	// InputError describes an invalid part of a query and how to fix it.
	InputError = vocabulary.InputError
	// Response is the answer to a [Query]. A name without matches has no results, which is not an
	// error.
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
	// Status is the status of a name in a checklist, in the words of WCVP.
	Status = vocabulary.Status
	// Record is one species of the database with all its names.
	Record = vocabulary.Record
	// RecordSynonym is another scientific name of a [Record].
	RecordSynonym = vocabulary.RecordSynonym
	// RecordAlias is another Chinese name of a [Record].
	RecordAlias = vocabulary.RecordAlias
)

// ParseStatus parses a status of WCVP, Darwin Core or ColDP, in upper or lower case. For an unknown
// word it returns [Unplaced] and false.
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
	// RegionChina is the only region that a [Query] can have.
	RegionChina = vocabulary.RegionChina
	// SourceWCVP is the source that has precedence if checklists disagree.
	SourceWCVP = vocabulary.SourceWCVP
)

// The match types of an [Entry], the strongest first.
const (
	MatchExact      = vocabulary.MatchExact
	MatchVariant    = vocabulary.MatchVariant
	MatchFuzzy      = vocabulary.MatchFuzzy
	MatchHigherRank = vocabulary.MatchHigherRank
)

// The kinds of lookup that find the parents of a hybrid formula and the species of a herb.
const (
	ViaHybridFormula = vocabulary.ViaHybridFormula
	ViaHerbName      = vocabulary.ViaHerbName
)

// The flags of an [Entry] that limit its use.
const (
	CultivarIgnored = vocabulary.CultivarIgnored // the name has a cultivar that is not in the checklists, so the answer is for the name without it
	Possible        = vocabulary.Possible        // no checklist states that the name means this taxon, but there is evidence
	Ambiguous       = vocabulary.Ambiguous       // several taxa fit the name about equally well
	Disagree        = vocabulary.Disagree        // another checklist gives the name another accepted name
	RowAbove        = vocabulary.RowAbove        // package bulk completed the query from a row above
)

// Thresholds for the scores of an [Entry].
const (
	ScoreTake = 0.9 // an unambiguous answer with this score or more can be accepted
	ScoreLook = 0.7 // an answer with this score or more needs a review; one with a lower score is unreliable
)
