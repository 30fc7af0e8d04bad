// Package check compares a build with the previous snapshot. A build that lost data, or in which
// data lost their meaning, must not replace a good snapshot:
//
//	previous snapshot ─New─▶ Checker ─Sources─▶ before anything is built
//	                                 ─Tables──▶ after the rows are read
//	                                 ─Links───▶ after formulas are linked to species
//	                                 ─Matches─▶ after names are reconciled
//	                                 ─Write───▶ stores the profile for the next build
//
// Each step judges its measures and returns an [*Error] if a check refuses the build. Each refusal
// is also a finding, and [Checker.Measures] lists all results.
//
// The package builds and publishes nothing. Start reading at ledger.go: every check calls
// ledger.judge, which compares a verdict with its limit.
package check

import (
	"log/slog"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/store/snapshot"
)

// Checker holds the checks of one build.
type Checker struct {
	limits Limits
	log    *finding.Log
	logger *slog.Logger
	// data is the data directory. before is the manifest of the previous snapshot, or nil if there
	// is none. past is the profile in that snapshot.
	data   string
	before *snapshot.Manifest
	past   past
	ledger *ledger
	// previous lists the snapshots whose package can be compared with that of this build, in order
	// of preference.
	previous []snapshot.Manifest
	// sources are the sources of this build. profiles are the profiles of these sources, by table.
	// touched has the records that changed, by table and by the hash of their key.
	sources  []Source
	profiles map[string]*profile.Profile
	touched  map[string]map[uint64]bool
	// removed has the fingerprints of the keys of removed rows, by table. orphans counts removed
	// rows, by table: only those that referred to a record of another table, if that record was
	// removed too.
	removed map[string]map[uint16]bool
	orphans map[string]int
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
	// Profiles holds the profiles of the tables, the checklists and the derived data, by table.
	Profiles map[string]*profile.Profile `json:"profiles"`
	// Created is the package's own date.
	Created string `json:"created"`
	// Nights lists this build and the builds before it, the newest first.
	Nights []pastBuild `json:"nights"`
}

// pastBuild holds the losses of a published build, for the checks of later builds.
type pastBuild struct {
	// Loss is the share of rows or cells that were lost, less the share that were gained, by
	// measure.
	Loss map[string]float64 `json:"loss"`
	// Reset lists the measures that the operator allowed to fail. For these measures, the losses in
	// this build and in earlier builds no longer count.
	Reset []string `json:"reset"`
}

// ReadError returns the error that prevented the sources from being profiled. When the rows are
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
