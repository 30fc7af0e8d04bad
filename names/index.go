package names

import (
	"bencao/names/internal/build"
	"bencao/names/internal/family"
	"bencao/names/internal/file"
	"bencao/names/internal/match"
)

// FileName is the name of the names file in a snapshot.
const FileName = "names.idx"

// Format is the version of the file format, which rises with every change of the format. [Open]
// refuses files of other versions.
const Format = file.Format

// ErrDamaged is the error for a file that is damaged or is not a names file.
var ErrDamaged = file.ErrDamaged

// Index answers queries from a names file. It is safe for use by many goroutines.
type Index = match.Index

// Open maps the names file at path into memory. The caller must have verified the file against the
// manifest of its snapshot. The error wraps [ErrDamaged] if the file is incomplete or a number in it
// leads nowhere. The file must not change while the index is open.
func Open(path string) (*Index, error) { return match.Open(path) }

// Outcome says in which way a species of the database resolved to an accepted name of the
// checklists.
type Outcome = match.Outcome

// The outcomes of [Index.Reconcile]. "The name" is the name of the species in the database.
const (
	OutcomeExact     = match.OutcomeExact     // the name is the accepted name
	OutcomeVariant   = match.OutcomeVariant   // the name is the accepted name except for orthography
	OutcomeFuzzy     = match.OutcomeFuzzy     // the name is the accepted name except for a few letters
	OutcomeSynonym   = match.OutcomeSynonym   // the name is a synonym, in the same spelling or in another
	OutcomeAmbiguous = match.OutcomeAmbiguous // several accepted names fit the name equally well
	OutcomeNone      = match.OutcomeNone
)

// Builder collects checklists and records and writes the names file.
type Builder = build.Builder

// ChecklistBuilder adds the rows of one checklist.
type ChecklistBuilder = build.ChecklistBuilder

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder { return build.New() }

// CheckName returns nil if a name can go into the names file, or else an error with the reason.
// [ChecklistBuilder.Add] refuses the same names. A reader of checklists calls CheckName to add the
// line number to the error.
func CheckName(name string) error { return build.CheckName(name) }

// SameFamily reports whether some list treats the families a and b as one: their names are equal,
// one is a part of the other, both are parts of a third, or old floras include the genera of one in
// the other.
func SameFamily(a, b string) bool { return family.Same(a, b) }
