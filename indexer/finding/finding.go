// Package finding says what is wrong in a source: which file and line, what is
// there, and how to mend it.
//
// Severity decides what happens to the data:
//
//	fatal   nothing is built
//	reject  the row is left out
//	warn    the row stays
//
// Codes are those of the Frictionless framework where it has one, so that other
// tools and we speak alike, and our own for what only botany needs.
package finding

import (
	"errors"
	"fmt"
	"strings"

	"bencao/internal/rows"
)

// Severity says what a finding does to the data.
type Severity string

// The severities, from worst to mildest.
const (
	Fatal  Severity = "fatal"
	Reject Severity = "reject"
	Warn   Severity = "warn"
)

// Code names the kind of a finding.
type Code string

// Codes of the Frictionless framework.
const (
	Package        Code = "package-error"    // datapackage.json itself
	Source         Code = "source-error"     // a file is missing, too large or not a table
	Encoding       Code = "encoding-error"   // bytes that are not UTF-8
	MissingLabel   Code = "missing-label"    // a column is missing
	ExtraLabel     Code = "extra-label"      // a column that nobody reads
	BlankLabel     Code = "blank-label"      // a column without a name
	IncorrectLabel Code = "incorrect-label"  // a header that disagrees with the description
	DuplicateLabel Code = "duplicate-label"  // two columns of one name
	BlankRow       Code = "blank-row"        // a line with nothing in it
	MissingCell    Code = "missing-cell"     // a row with too few cells
	ExtraCell      Code = "extra-cell"       // a row with too many cells
	Type           Code = "type-error"       // not a number, not a UUID …
	Constraint     Code = "constraint-error" // empty but required, out of range
	Unique         Code = "unique-error"     // a value that must be unique stands twice
	PrimaryKey     Code = "primary-key"      // two rows of one key
	ForeignKey     Code = "foreign-key"      // the row that is referred to does not exist
)

// Codes of ours.
const (
	Quoting    Code = "quoting"     // a stray or unclosed quotation mark
	Size       Code = "size"        // a cell, a row or a file over its limit
	Vocabulary Code = "vocabulary"  // a word that the column's list lacks
	Year       Code = "year"        // a year that cannot be
	Dose       Code = "dose"        // a dose that cannot be read
	Family     Code = "family"      // a family without a family's ending
	Name       Code = "name"        // a scientific name with an odd form
	Glyph      Code = "glyph"       // a character that is not there: described, private, lost; or that nobody sees
	Herb       Code = "herb"        // rows of herbs that contradict each other, ingredients that are hardly herbs
	Unlinked   Code = "unlinked"    // a herb of formulas that no row of a table of herbs knows
	Unlisted   Code = "unlisted"    // herbs that the text of a formula names and no ingredient has
	SharedName Code = "shared-name" // one Chinese name for several species
	Dangling   Code = "dangling"    // a checklist's accepted name that is not in it
	Cycle      Code = "cycle"       // names that are each other's synonyms
	Table      Code = "table"       // a table that is absent, or that nobody reads
	Shrink     Code = "shrink"      // a table much smaller than in the last snapshot
	Rejects    Code = "rejects"     // too large a share of a table rejected
	Growth     Code = "growth"      // a table much larger than in the last snapshot
	Vanished   Code = "vanished"    // a table, a checklist or a column that was there, or another name of it
	Changes    Code = "changes"     // too many records or cells that differ from the last snapshot's
	MovedGUID  Code = "moved-guid"  // a GUID that belongs to another record than in the last snapshot
	Emptied    Code = "emptied"     // too many cells, or what follows from them, that are empty now
	Sense      Code = "sense"       // data that make no sense by themselves
	Older      Code = "older"       // a source older than the last snapshot's
	Unfinished Code = "unfinished"  // a file that ends within a row
	Digest     Code = "digest"      // bytes other than the package states
	Cut        Code = "cut"         // more findings of a kind than are listed
)

// Finding is one thing that is wrong in a source. As an error it reads
// "species.csv:1042: guid is empty".
type Finding struct {
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`
	Table    string   `json:"table"`         // the data package's table, or the checklist
	File     string   `json:"file"`          // inside the source
	Line     int      `json:"line,omitzero"` // physical line from 1; 0 when no line is to blame
	Column   string   `json:"column"`        // the column's name in the file
	Value    string   `json:"value"`         // what stands there, cut at 200 runes
	Message  string   `json:"message"`       // what is wrong
	Hint     string   `json:"hint"`          // how to mend it
}

// Error is the finding in one line.
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

// Of gives what a reader of rows says as a fatal finding. Other errors pass
// through.
func Of(err error) error {
	var wrong *rows.Error
	if !errors.As(err, &wrong) {
		return err
	}
	code := map[rows.Kind]Code{rows.Encoding: Encoding, rows.Quoting: Quoting, rows.Size: Size}[wrong.Kind]
	return Finding{Severity: Fatal, Code: code, File: wrong.File, Line: wrong.Line, Value: clip(wrong.Value), Message: wrong.Message, Hint: wrong.Hint}
}

// maxValue is how many runes of a value a finding keeps.
const maxValue = 200

// clip cuts a value to 200 runes of valid UTF-8.
func clip(s string) string {
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
