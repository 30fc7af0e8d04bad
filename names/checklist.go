package names

import "bencao/names/internal/checklist"

// The content of the names file.
type (
	// Checklist identifies a checklist.
	Checklist = checklist.Checklist
	// Usage is one row of a checklist: a name and its status.
	Usage = checklist.Usage
	// Facts is what a checklist says about a name beside its place in the list.
	Facts = checklist.Facts
	// Status is the status of a name in a checklist, in the words of WCVP.
	Status = checklist.Status
	// Record is one species of the database with all its names.
	Record = checklist.Record
	// RecordSynonym is another scientific name of a [Record].
	RecordSynonym = checklist.RecordSynonym
	// RecordAlias is another Chinese name of a [Record].
	RecordAlias = checklist.RecordAlias
)

// ParseStatus parses a status of WCVP, Darwin Core or ColDP, in upper or lower case. For an unknown
// word it returns [Unplaced] and false.
func ParseStatus(s string) (Status, bool) { return checklist.ParseStatus(s) }

// The statuses that a checklist may give a name.
const (
	Accepted         = checklist.Accepted
	Synonym          = checklist.Synonym
	Illegitimate     = checklist.Illegitimate
	Invalid          = checklist.Invalid
	Orthographic     = checklist.Orthographic
	Misapplied       = checklist.Misapplied
	Unplaced         = checklist.Unplaced
	ArtificialHybrid = checklist.ArtificialHybrid
)

// SourceWCVP is the source that has precedence if checklists disagree.
const SourceWCVP = checklist.SourceWCVP
