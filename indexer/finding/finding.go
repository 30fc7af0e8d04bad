// Package finding describes problems in a source: the file and line, the value, and how to fix it.
//
// The severity decides what happens to the data:
//
//	fatal   nothing is built
//	reject  the row is left out
//	warn    the row is kept
//
// If the Frictionless framework has a code for a problem, this package uses that code, so that
// other tools understand it. The other codes are defined here. The package does not know the
// tables. Start with [Log].
package finding

import (
	"errors"
	"fmt"
	"strings"

	"bencao/internal/rows"
)

// Severity is the effect of a finding on the data.
type Severity string

// These are the severities, from worst to mildest.
const (
	Fatal  Severity = "fatal"
	Reject Severity = "reject"
	Warn   Severity = "warn"
)

// Code is the kind of a finding.
type Code string

// These codes are defined by the Frictionless framework.
const (
	Package        Code = "package-error"    // datapackage.json itself
	Source         Code = "source-error"     // a file is missing, too large or not a table
	Encoding       Code = "encoding-error"   // bytes that are not UTF-8
	MissingLabel   Code = "missing-label"    // a column is missing
	ExtraLabel     Code = "extra-label"      // a column that is not read
	BlankLabel     Code = "blank-label"      // a column without a name
	IncorrectLabel Code = "incorrect-label"  // a header that disagrees with the description
	DuplicateLabel Code = "duplicate-label"  // two columns with the same name
	BlankRow       Code = "blank-row"        // an empty line
	MissingCell    Code = "missing-cell"     // a row with too few cells
	ExtraCell      Code = "extra-cell"       // a row with too many cells
	Type           Code = "type-error"       // not a number, not a UUID …
	Constraint     Code = "constraint-error" // empty but required, out of range
	Unique         Code = "unique-error"     // a value that must be unique occurs twice
	PrimaryKey     Code = "primary-key"      // two rows with the same key
	ForeignKey     Code = "foreign-key"      // the referenced row does not exist
)

// These codes are defined by this program.
const (
	Quoting    Code = "quoting"     // a stray or unclosed quotation mark
	Size       Code = "size"        // a cell, a row or a file over its limit
	Vocabulary Code = "vocabulary"  // a word that is not in the column's vocabulary
	Year       Code = "year"        // an impossible or implausible year
	Dose       Code = "dose"        // a dose that cannot be read
	Family     Code = "family"      // a family name without the ending of a family
	Name       Code = "name"        // a name with an odd form, or with which a search does not find its record
	Glyph      Code = "glyph"       // a described, private, lost or invisible character
	Herb       Code = "herb"        // contradictory rows of herbs; ingredients that are probably not herbs
	Unlinked   Code = "unlinked"    // a herb in formulas that is in no table of herbs
	Dissent    Code = "dissent"     // a source of a herb that is not in the pharmacopoeia
	Unlisted   Code = "unlisted"    // herbs that the text of a formula names but that are missing from its ingredients
	SharedName Code = "shared-name" // one Chinese name for several species
	Untitled   Code = "untitled"    // a paper without a title
	Dangling   Code = "dangling"    // an accepted name that is missing from the checklist
	Cycle      Code = "cycle"       // names that are each other's synonyms
	Table      Code = "table"       // a table that is missing or is not read
	EmptyWord  Code = "empty-word"  // words such as NULL that stand for empty cells
	Link       Code = "link"        // values of a column that are no web addresses or identifiers
	Shrink     Code = "shrink"      // a table much smaller than in the previous snapshot
	Rejects    Code = "rejects"     // too large a share of a table's rows rejected
	Growth     Code = "growth"      // a table much larger than in the previous snapshot
	Vanished   Code = "vanished"    // a table, checklist or column that disappeared or was renamed
	Changes    Code = "changes"     // too many records or cells that differ from the previous snapshot
	MovedGUID  Code = "moved-guid"  // a GUID that belongs to another record than in the previous snapshot
	Emptied    Code = "emptied"     // too many cells that became empty, or too many derived facts that were lost
	Sense      Code = "sense"       // data that are not plausible
	Older      Code = "older"       // a source older than in the previous snapshot
	Unfinished Code = "unfinished"  // a file that ends within a row
	Digest     Code = "digest"      // content that differs from the digest in the package
	Cut        Code = "cut"         // more findings of a kind than are listed
)

// Finding is one problem in a source. Its error message has the form "species.csv:1042: guid is
// empty".
type Finding struct {
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`
	Table    string   `json:"table"`         // table of the data package, or checklist
	File     string   `json:"file"`          // path inside the source
	Line     int      `json:"line,omitzero"` // physical line from 1; 0 if the problem has no line
	Column   string   `json:"column"`        // the column's name in the file
	Value    string   `json:"value"`         // the cell's value, truncated to 200 runes
	Message  string   `json:"message"`       // the problem
	Hint     string   `json:"hint"`          // how to fix it
}

// Error returns the finding in one line.
func (f Finding) Error() string {
	var b strings.Builder
	place := f.File
	if place == "" {
		place = f.Table
	}
	b.WriteString(place)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if f.Column != "" && f.Value != "" {
		fmt.Fprintf(&b, "%s %q: ", f.Column, f.Value)
	}
	b.WriteString(f.Message)
	if f.Hint != "" {
		b.WriteString("; " + f.Hint)
	}
	return b.String()
}

// Of converts an error of the row reader to a fatal finding. It returns other errors unchanged.
func Of(err error) error {
	var wrong *rows.Error
	if !errors.As(err, &wrong) {
		return err
	}
	code := map[rows.Kind]Code{rows.Encoding: Encoding, rows.Quoting: Quoting, rows.Size: Size, rows.Page: Source}[wrong.Kind]
	return Finding{Severity: Fatal, Code: code, File: wrong.File, Line: wrong.Line, Value: truncate(wrong.Value), Message: wrong.Message, Hint: wrong.Hint}
}

// maxValue is the maximum number of runes of a finding's value.
const maxValue = 200

// truncate shortens a value to 200 runes of valid UTF-8.
func truncate(s string) string {
	if len(s) <= maxValue {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	n := 0
	for i := range s {
		if n == maxValue {
			return strings.ToValidUTF8(s[:i], "\uFFFD") + "…"
		}
		n++
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
