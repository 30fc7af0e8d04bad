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

// Open maps the names file at path into memory. The error wraps [ErrDamaged] if the file is
// incomplete or was changed. The file must not change while the index is open.
func Open(path string) (*Index, error) { return match.Open(path) }

// Outcome is the way in which a species of the database resolves to an accepted name of the
// checklists.
type Outcome = match.Outcome

// The outcomes of [Index.Reconcile], for the name of the species.
const (
	OutcomeExact     = match.OutcomeExact     // it is the accepted name
	OutcomeVariant   = match.OutcomeVariant   // it is the accepted name except for orthography
	OutcomeFuzzy     = match.OutcomeFuzzy     // it is the accepted name except for a few letters
	OutcomeSynonym   = match.OutcomeSynonym   // it is a synonym, spelt alike or not
	OutcomeAmbiguous = match.OutcomeAmbiguous // several accepted names fit equally well
	OutcomeNone      = match.OutcomeNone
)

// Builder collects checklists and records and writes the names file.
type Builder = build.Builder

// ChecklistBuilder adds the rows of one checklist.
type ChecklistBuilder = build.ChecklistBuilder

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder { return build.New() }

// CheckName returns an error that says why a name cannot go into the names file, or nil.
// [ChecklistBuilder.Add] refuses such names too, but the reader of a checklist can add the line
// number.
func CheckName(name string) error { return build.CheckName(name) }

// SameFamily reports whether some list treats two families as one: they are equal, one is a part of
// the other, or both are parts of a third.
func SameFamily(a, b string) bool { return family.Same(a, b) }
