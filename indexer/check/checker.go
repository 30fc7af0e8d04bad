// Package gate keeps a night that lost data, or in which data lost their
// meaning, from replacing a good one:
//
//	last snapshot ─Open─▶ Checker ─Sources─▶ before anything is built
//	                            ─Tables──▶ when the rows are read
//	                            ─Links───▶ when formulas lead to species
//	                            ─Matches─▶ when names are reconciled
//	                            ─Write───▶ what the next night finds
//
// Each step judges its measures and returns an [*Error] if a gate is closed.
// What it found is a finding for each closed gate, and [Checker.Measures].
//
// The package builds nothing and knows nothing of publishing.
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

// Checker is one run before its gates.
type Checker struct {
	limits Limits
	log    *finding.Log
	logger *slog.Logger
	// data is the data directory, before the last good snapshot's manifest or
	// nil, past what that says of its sources.
	data   string
	before *snapshot.Manifest
	past   past
	ledger *ledger
	// remembered are the snapshots with whose package tonight may be compared, the
	// last good one first.
	previous []snapshot.Manifest
	// sources are tonight's, profiles their shapes by table, touched the records
	// that changed, by the hash of their key.
	sources  []Source
	profiles map[string]*profile.Profile
	touched  map[string]map[uint64]bool
	// gone are the keys' fingerprints of removed rows, orphans how many rows went
	// with a record of another table that they belonged to, by table.
	removed map[string]map[uint16]bool
	orphans map[string]int
	readErr error
	now     time.Time
}

// Source is one of tonight's sources, the data package first.
type Source struct {
	// Key is [Package], or [Checklist] of what the operator calls a list.
	Key string
	snapshot.Source
	Archive *archive.Archive
	// Columns are those of the package's column map.
	Columns map[string]map[string]string
	// Without are tables of the package that are not read.
	Without []string
	// Files are those that a list's names are read from.
	Files []checklist.File
}

// Package is what gates call the data package.
const Package = "package"

// Checklist is what reports and gates call the rows of a checklist.
func Checklist(key string) string { return "checklist:" + key }

// past is what a snapshot says to the night after it.
type past struct {
	// Profiles are the shapes of its tables and checklists, and of what was
	// derived from them, by table.
	Profiles map[string]*profile.Profile `json:"profiles"`
	// Created is the package's own date.
	Created string `json:"created"`
	// Nights are this one and those before.
	Nights []pastBuild `json:"nights"`
}

// night is what a published night left behind for those after it.
type pastBuild struct {
	// Loss is, by measure, the share that was lost net.
	Loss map[string]float64 `json:"loss"`
	// Reset are the measures that the operator allowed anything: what was lost
	// then or before counts no more.
	Reset []string `json:"reset"`
}

// Unread is why shapes could not be taken. Who reads the rows says it better;
// if nobody does, nothing may be published.
func (c *Checker) ReadError() error { return c.readErr }

// Noticed are differences from the last good snapshot that no gate refused, and
// that a person should look at.
func (c *Checker) Noticed() []finding.Finding {
	return append([]finding.Finding{}, c.ledger.noticed...)
}

// Measures are what the gates looked at so far.
func (c *Checker) Measures() []Measure { return append([]Measure{}, c.ledger.measures...) }

// Age says how old a source is: made when it says itself that it was made, and
// written when its newest file was; nil when nobody says.
func (s Source) Age() (made, written *time.Time) { return s.madeAt(), newestFile(s.Archive) }
