package names

import (
	"bencao/names/internal/build"
	"bencao/names/internal/file"
	"bencao/names/internal/match"
)

// FileName is what the names file is called in a snapshot.
const FileName = "names.idx"

// Format is raised whenever the names file is laid out otherwise. A file of
// another format is refused by [Open].
const Format = file.Format

// ErrDamaged is returned for a names file that is not whole, or not one.
var ErrDamaged = file.ErrDamaged

// Index answers from a names file. It is safe for use by many goroutines.
type Index = match.Index

// Open maps the names file at path. A file that is not whole gives an error
// that wraps [ErrDamaged]; so does a file that was changed. The file must not
// be changed while the index is open.
func Open(path string) (*Index, error) { return match.Open(path) }

// Outcome says how a species of the database reached an accepted name of the
// checklists.
type Outcome = match.Outcome

// The outcomes of [Index.Reconcile].
const (
	OutcomeExact     = match.OutcomeExact     // its name is the accepted one
	OutcomeVariant   = match.OutcomeVariant   // but for orthography
	OutcomeFuzzy     = match.OutcomeFuzzy     // but for a few letters
	OutcomeSynonym   = match.OutcomeSynonym   // its name is a synonym, alike in whatever way
	OutcomeAmbiguous = match.OutcomeAmbiguous // several accepted names fit as well
	OutcomeNone      = match.OutcomeNone
)

// Builder gathers checklists and records and writes the names file.
type Builder = build.Builder

// ChecklistBuilder adds the rows of one checklist.
type ChecklistBuilder = build.ChecklistBuilder

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder { return build.New() }

// CheckName says why a name can't go into the names file, or nil.
// [ChecklistBuilder.Add] refuses such a name; who reads a checklist knows the
// line to blame.
func CheckName(name string) error { return build.CheckName(name) }

// SameFamily says whether two families are one, or the one a part of the
// other, or both of a third, as some list sees them.
func SameFamily(a, b string) bool { return match.SameFamily(a, b) }
