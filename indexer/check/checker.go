// Package check compares a build with the previous snapshot, so that a build that lost data, or in
// which data lost their meaning, does not replace a good snapshot:
//
//	previous snapshot ─New─▶ Checker ─Sources─▶ before anything is built
//	                                 ─Tables──▶ after the rows are read
//	                                 ─Links───▶ after formulas are linked to species
//	                                 ─Matches─▶ after names are reconciled
//	                                 ─Write───▶ stores the profile for the next build
//
// Each step judges its measures and returns an [*Error] if a check refuses the build. Every refusal
// is also a finding, and [Checker.Measures] lists all results.
//
// The package builds and publishes nothing. Begin with ledger.go: everything passes through
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
	// data is the data directory, before the manifest of the previous snapshot (nil if there is
	// none), and past the profile that this snapshot keeps.
	data   string
	before *snapshot.Manifest
	past   past
	ledger *ledger
	// previous lists the snapshots whose package can be compared with this build's, the preferred
	// one first.
	previous []snapshot.Manifest
	// sources are this build's. profiles are their profiles by table. touched are the records that
	// changed, by table and by the hash of their key.
	sources  []Source
	profiles map[string]*profile.Profile
	touched  map[string]map[uint64]bool
	// removed holds, by table, the fingerprints of the keys of removed rows. orphans counts, by
	// table, the rows that were removed together with a record of another table that they refer to.
	removed map[string]map[uint16]bool
	orphans map[string]int
	readErr error
	now     time.Time
}

// Source is one source of a build. The data package comes first.
type Source struct {
	// Key is [Package], or the result of [Checklist] for the operator's name of a checklist.
	Key string
	snapshot.Source
	Archive *archive.Archive
	// Columns is the package's column map.
	Columns map[string]map[string]string
	// Without lists the tables of the package that are not read.
	Exclude []string
	// Files lists the files that a checklist's names are read from.
	Files []checklist.File
}

// Package is the name of the data package in checks and reports.
const Package = "package"

// Checklist returns the name of a checklist's rows in checks and reports.
func Checklist(key string) string { return "checklist:" + key }

// past is the data that a snapshot keeps for the checks of later builds.
type past struct {
	// Profiles are the profiles of its tables, its checklists and its derived data, by table.
	Profiles map[string]*profile.Profile `json:"profiles"`
	// Created is the package's own date.
	Created string `json:"created"`
	// Nights lists this build and the builds before it, the newest first.
	Nights []pastBuild `json:"nights"`
}

// pastBuild is the losses that a published build leaves for the checks of later builds.
type pastBuild struct {
	// Loss is the net share that was lost, by measure.
	Loss map[string]float64 `json:"loss"`
	// Reset lists the measures that the operator allowed: losses up to this build no longer count.
	Reset []string `json:"reset"`
}

// ReadError returns the error that prevented profiles from being taken. The reader of the rows
// normally reports the same problem with a better message; if it does not, the caller must not
// publish.
func (c *Checker) ReadError() error { return c.readErr }

// Noticed returns the differences from the previous snapshot that are within the limits but should
// be looked at.
func (c *Checker) Noticed() []finding.Finding {
	return append([]finding.Finding{}, c.ledger.noticed...)
}

// Measures returns the results so far.
func (c *Checker) Measures() []Measure { return append([]Measure{}, c.ledger.measures...) }

// Age returns the date that a source states, and the modification time of its newest file. Either
// is nil if it is unknown.
func (s Source) Age() (made, written *time.Time) { return s.madeAt(), newestFile(s.Archive) }
