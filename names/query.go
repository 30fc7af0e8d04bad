package names

import "bencao/names/internal/answer"

// Queries and their answers.
type (
	// Query asks for one name.
	Query = answer.Query
	// InputError describes an invalid part of a query and how to fix it.
	InputError = answer.InputError
	// Response is the answer to a [Query]. A name without matches has no results, which is not an
	// error.
	Response = answer.Response
	// Entry is one candidate of a [Response].
	Entry = answer.Entry
	// ListedAs is a name in a checklist.
	ListedAs = answer.ListedAs
	// Range is what a checklist says about an accepted name.
	Range = answer.Range
)

// Missing reports whether a text is empty or states that there is no value, as n/a does. A [Query]
// with such a hint is matched as if it had no hint.
func Missing(text string) bool { return answer.Missing(text) }

// IsRegion reports whether a text can be the region of a [Query]: [RegionChina], or a code of level 3
// of package region, such as CHC.
func IsRegion(text string) bool { return answer.IsRegion(text) }

const (
	// DefaultLimit and MaxLimit are the default and the largest limit of a [Query].
	DefaultLimit = answer.DefaultLimit
	MaxLimit     = answer.MaxLimit
	// RegionChina is the region of a [Query] that has no code.
	RegionChina = answer.RegionChina
)

// The match types of an [Entry], the strongest first.
const (
	MatchExact      = answer.MatchExact
	MatchVariant    = answer.MatchVariant
	MatchFuzzy      = answer.MatchFuzzy
	MatchHigherRank = answer.MatchHigherRank
)

// AuthorDiffers is the authorMatch of an [Entry] whose author is another person.
const AuthorDiffers = answer.AuthorDiffers

// The kinds of lookup that find the parents of a hybrid formula, the species of a herb and nothing.
const (
	ViaHybridFormula = answer.ViaHybridFormula
	ViaHerbName      = answer.ViaHerbName
	ViaNone          = answer.ViaNone
)

// The flags of an [Entry] that limit its use.
const (
	CultivarIgnored = answer.CultivarIgnored // the name has a cultivar that is not in the checklists, so the answer is for the name without it
	Possible        = answer.Possible        // no checklist states that the name means this taxon, but there is evidence
	Ambiguous       = answer.Ambiguous       // several taxa fit the name about equally well
	Disagree        = answer.Disagree        // another checklist gives the name another accepted name
	FamilyDiffers   = answer.FamilyDiffers   // the family of the query is another
	RowAbove        = answer.RowAbove        // package bulk completed the query from a row above
)

// Thresholds for the scores of an [Entry].
const (
	ScoreTake = 0.9 // an unambiguous answer with this score or more can be accepted
	ScoreLook = 0.7 // an answer with this score or more needs a review; one with a lower score is unreliable
)
