// Package check compares a build with the previous snapshot. A build that lost data, or in which
// data lost their meaning, must not replace a good snapshot:
//
//	previous snapshot ─New─▶ Checker ─Sources─▶ the files: whole? older? checklists: by counts
//	                                 ─Rows────▶ the rows of the package
//	                                 ─Links───▶ after formulas are linked to species
//	                                 ─Matches─▶ after names are reconciled
//	                                 ─Write───▶ stores what later builds need
//
// The rows of the package, and the links and matches that the build derives, are compared one by one
// with those in the previous snapshot's package. The rows of checklists are not kept, so checklists
// are compared by their counts.
//
// Each step judges its measures and returns an [*Error] if a check refuses the build. Each refusal
// is also a finding, and [Checker.Measures] lists all results.
//
// The package builds and publishes nothing. Start reading at rules.go: it lists all checks.
package check

import (
	"log/slog"
	"slices"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/indexer/rowdiff"
	"bencao/store/snapshot"
)

// Checker holds the checks of one build.
type Checker struct {
	limits Limits
	log    *finding.Log
	logger *slog.Logger
	// data is the data directory. before is the manifest of the previous snapshot, or nil if there
	// is none. past is what that snapshot keeps for this
	// build.
	data   string
	before *snapshot.Manifest
	past   past
	ledger *ledger
	// previous lists the snapshots whose package can be compared with that of this build, in order
	// of preference.
	previous []snapshot.Manifest
	sources  []Source
	files    []*file
	// touched has the keys of changed records, by table, for tables whose changes are allowed.
	touched map[string]map[string]bool
	// left is past.Left for the next build.
	left    map[string][][]uint64
	derived []datapackage.Computed
	readErr error
	now     time.Time
}

// Source is one source of a build. The data package comes first.
type Source struct {
	// Key is [Package] for the data package. For a checklist it is [Checklist] of the operator's
	// name for the checklist.
	Key string
	snapshot.Source
	Archive *archive.Archive
	// Columns is the package's column map.
	Columns map[string]map[string]string
	// Exclude lists the tables of the package that the build does not read.
	Exclude []string
	// Files lists the files from which a checklist's names are read.
	Files []checklist.File
}

// Package is the name of the data package in checks and reports.
const Package = "package"

// Checklist returns the name of a checklist's rows in checks and reports.
func Checklist(key string) string { return "checklist:" + key }

// past is the data that a snapshot keeps for the checks of later builds.
type past struct {
	// Files has the profiles of the files, by the name of their table.
	Files map[string]*profile.Profile `json:"files"`
	// Created is the package's own date.
	Created string `json:"created"`
	// Sums has a number for each check that sums over builds, by check, table and column: the share
	// of rows or cells that failed in the builds so far, less the share that became good again.
	Sums map[string]float64 `json:"sums"`
	// Left has, by table and column, the cells whose values earlier builds changed: a list for each
	// build, the newest first. See [rowdiff.Column].Left.
	Left map[string][][]uint64 `json:"left,omitempty"`
}

// These bounds limit what past.Left keeps: the last builds, and the cells of a column in a build. A
// build that changes more cells of a column needs the operator's consent.
const maxLeftBuilds, maxLeftCells = 30, 100_000

// earlier returns the function [rowdiff.Spec].Earlier for a table.
func (c *Checker) earlier(table string) func(column string, cell uint64) bool {
	left := map[string]map[uint64]bool{}
	return func(column string, cell uint64) bool {
		if left[column] == nil {
			left[column] = map[uint64]bool{}
			for _, cells := range c.past.Left[table+" "+column] {
				for _, is := range cells {
					left[column][is] = true
				}
			}
		}
		return left[column][cell]
	}
}

// remember keeps the changed cells of a table's columns for later builds.
func (c *Checker) remember(table string, columns []rowdiff.Column) {
	for _, of := range columns {
		key := table + " " + of.Name
		cells := of.Left
		if len(cells) > maxLeftCells {
			cells = nil
		}
		lists := append([][]uint64{cells}, c.past.Left[key]...)
		lists = lists[:min(len(lists), maxLeftBuilds)]
		if slices.ContainsFunc(lists, func(cells []uint64) bool { return len(cells) > 0 }) {
			c.left[key] = lists
		}
	}
}

// ReadError returns the error that prevented the sources from being counted. When the rows are
// read later, the same problem normally occurs again, with a better message than this error. If it
// does not, the caller must not publish.
func (c *Checker) ReadError() error { return c.readErr }

// Noticed returns the differences from the previous snapshot that are within the limits but that
// someone should look at.
func (c *Checker) Noticed() []finding.Finding {
	return append([]finding.Finding{}, c.ledger.noticed...)
}

// Measures returns the results so far.
func (c *Checker) Measures() []Measure { return append([]Measure{}, c.ledger.measures...) }

// Age returns the date that a source states, and the modification time of its newest file. Each
// time is nil if it is unknown.
func (s Source) Age() (made, written *time.Time) { return s.madeAt(), newestFile(s.Archive) }
