package indexer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"bencao/indexer/check"
	"bencao/indexer/finding"
	"bencao/internal/durable"
)

// Outcome is the result of a run.
type Outcome string

const (
	// Published means that a new snapshot is current.
	Published Outcome = "published"
	// Unchanged means that nothing was built, because the same program built the current snapshot
	// from the same sources.
	Unchanged Outcome = "unchanged"
	// Refused means that a check refused the build and the old snapshot stays current.
	Refused Outcome = "refused"
	// DryRun means that everything was built and checked but, as requested, not published.
	DryRun Outcome = "dry run"
	// Held means that the sources are those of a snapshot that was withdrawn and is held, so nothing
	// was built.
	Held Outcome = "held"
	// Failed means that an error ended the run and nothing was published.
	Failed Outcome = "failed"
)

// Report describes a run. A snapshot contains the report of the run that built it as report.json.
// The data directory contains the report of the last run, published or not, as last-report.json,
// and the report of the last dry run as dry-run-report.json.
type Report struct {
	Outcome    Outcome   `json:"outcome"`
	Error      string    `json:"error,omitempty"`
	Snapshot   string    `json:"snapshot,omitempty"` // the current snapshot after the run
	Before     string    `json:"before,omitempty"`   // the previous snapshot, with which the build was compared
	Program    string    `json:"program"`
	StartedAt  time.Time `json:"startedAt"`
	FinishedAt time.Time `json:"finishedAt"`
	Phases     []Phase   `json:"phases"`

	Sources  []SourceReport         `json:"sources"`
	Tables   map[string]TableReport `json:"tables"`
	Findings []finding.Count        `json:"findings"`
	Measures []check.Measure        `json:"measures"` // the results of all checks
	// Noticed lists differences from the previous snapshot that are within all limits but that
	// someone should look at.
	Noticed []finding.Finding `json:"noticed"`
	// Allow lists the flags that together allow everything that was refused.
	Allow          []string                `json:"allow,omitempty"`
	Reconciliation Reconciliation          `json:"reconciliation"`
	Pinyin         PinyinReport            `json:"pinyin"`
	Herbs          HerbReport              `json:"herbs"`
	Similarity     SimilarityReport        `json:"similarity"`
	SelfCheck      []CheckReport           `json:"selfCheck"`
	Changes        map[string]TableChanges `json:"changes"` // since the previous snapshot
	Bytes          map[string]int64        `json:"bytes"`   // by file or folder of the snapshot
	// Public describes the public snapshot; nil if the run built none.
	Public *PublicReport `json:"public,omitempty"`
	// RootExpiresAt is the expiry date of the root of trust; nil if there is none.
	RootExpiresAt *time.Time `json:"rootExpiresAt,omitempty"`
}

// PublicReport describes the public snapshot.
type PublicReport struct {
	Data     string           `json:"data"` // its data directory
	Outcome  Outcome          `json:"outcome"`
	Snapshot string           `json:"snapshot,omitempty"` // the current snapshot after the run
	Bytes    map[string]int64 `json:"bytes"`              // by file or folder
}

// Phase is one step of a run.
type Phase struct {
	Name       string  `json:"name"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	// PeakBytes is the maximum memory, in bytes, that the process has used up to the end of the
	// phase.
	PeakBytes int64 `json:"peakBytes"`
}

// SourceReport describes one source.
type SourceReport struct {
	Key     string `json:"key"`  // package, or a checklist such as checklist:wcvp
	Kind    string `json:"kind"` // data package, WCVP, Darwin Core Archive …
	Name    string `json:"name"`
	Version string `json:"version"`
	Path    string `json:"path"` // base name
	SHA256  string `json:"sha256"`
	Bytes   int64  `json:"bytes"`
	Rows    int    `json:"rows"`
	// Dated is the date that the source states. Modified is the modification time of the source's
	// newest file. Each time is nil if it is unknown.
	Dated    *time.Time `json:"dated,omitempty"`
	Modified *time.Time `json:"modified,omitempty"`
	// NewestRecord is the newest date among the source's records; nil if they have no dates.
	NewestRecord *time.Time `json:"newestRecord,omitempty"`
}

// TableReport counts the rows of a table.
type TableReport struct {
	Read     int `json:"read"`
	Rejected int `json:"rejected"`
	Kept     int `json:"kept"`
}

// Reconciliation counts the species by how they were matched to accepted names.
type Reconciliation struct {
	Species   int `json:"species"`
	Operator  int `json:"operator"`  // the operator's own match
	Exact     int `json:"exact"`     // same spelling, an accepted name
	Variant   int `json:"variant"`   // same name, other orthography
	Fuzzy     int `json:"fuzzy"`     // letters differ
	Synonym   int `json:"synonym"`   // same spelling, a synonym
	Ambiguous int `json:"ambiguous"` // several accepted names, so none is chosen
	None      int `json:"none"`
	// Examples lists the first species by outcome of the match, so that someone can look at them.
	// It has no exact matches.
	Examples map[string][]string `json:"examples"`
}

// PinyinReport counts the pinyin readings by where they come from.
type PinyinReport struct {
	Given   int `json:"given"`   // by the operator
	Learned int `json:"learned"` // names on which the model was trained
	Derived int `json:"derived"`
}

// SimilarityReport counts the formulas, herbs and doses from which similar formulas were computed.
type SimilarityReport struct {
	Formulas     int `json:"formulas"`
	PlainHerbs   int `json:"plainHerbs"`
	Doses        int `json:"doses"`
	UnknownDoses int `json:"unknownDoses"`
}

// HerbReport counts the ingredients of formulas by whether they resolve to species.
type HerbReport struct {
	Linked   int `json:"linked"`   // ingredients that resolve to a species
	NoPlant  int `json:"noPlant"`  // ingredients that are known not to be plants
	Unlinked int `json:"unlinked"` // ingredients that do not resolve
	Together int `json:"together"` // ingredients that name several herbs
	Doubtful int `json:"doubtful"` // ingredients that do not look like a herb
	// Incomplete counts formulas whose text names a herb that is missing from the ingredients.
	Incomplete int `json:"incomplete"`
	// Records counts the herbs that have a record. Sourced counts the records with a source
	// species, and NoPlants the records of herbs that are known not to be plants. The source of the
	// other herbs is unknown.
	Records  int `json:"records"`
	Sourced  int `json:"sourced"`
	NoPlants int `json:"noPlants"`
	// Once counts the plain names that resolve to no species and occur only once in all formulas
	// together.
	Once int `json:"once"`
	// First lists the plain names that resolve to no species, the most frequent first.
	First []HerbCount `json:"first"`
	// Merged lists the names in formulas that the program counts as names of another herb record,
	// the most frequent first.
	Merged []MergedName `json:"merged"`
	// Candidates lists pairs of herbs that may be the same herb and that no table relates. Pairs
	// whose herbs seldom occur together come first. Then follow pairs of herbs that are the same
	// part of one plant, and pairs of frequent herbs.
	Candidates []HerbCandidate `json:"candidates"`
}

// HerbCount counts how often a plain name occurs in formulas.
type HerbCount struct {
	Herb  string `json:"herb"`
	Count int    `json:"count"`
}

// MergedName is a name in formulas that the program counts as a name of the record Herb.
type MergedName struct {
	Name     string `json:"name"`
	Herb     string `json:"herb"`
	Formulas int    `json:"formulas"` // number of formulas with the name
	// Source tells why Name counts as a name of Herb. It is the book that names/herb/names.txt
	// gives, or "herb_species". Source is empty if the reason is the table of herbs.
	Source string `json:"source"`
	// Line is the line in names/herb/names.txt; 0 if the name is not there.
	Line int `json:"line,omitempty"`
}

// HerbCandidate is a pair of herbs that may be the same herb.
type HerbCandidate struct {
	Herb          string  `json:"herb"`
	Formulas      int     `json:"formulas"`
	Other         string  `json:"other"`
	OtherFormulas int     `json:"otherFormulas"`
	Together      int     `json:"together"` // number of formulas with both
	Expected      float64 `json:"expected"` // number of formulas with both to expect by chance
	Plant         bool    `json:"plant"`    // both herbs are the same part of one plant
	// Says is the conclusion from Together. "seldom" means that the herbs occur together less often
	// than by chance, as two names of one herb do. "often" means that they do not. "few" means that
	// there are too few formulas to tell.
	Says string `json:"says"`
}

// CheckReport is the result of one self-check of the written files.
type CheckReport struct {
	Name    string   `json:"name"`
	Checked int      `json:"checked"`
	Failed  int      `json:"failed"`
	First   []string `json:"first"` // the first failures
}

// TableChanges counts the differences of a table from the previous snapshot.
type TableChanges struct {
	Before       int      `json:"before"`
	After        int      `json:"after"`
	Added        int      `json:"added"`
	Removed      int      `json:"removed"`
	Changed      int      `json:"changed"`
	AddedFirst   []string `json:"addedFirst"` // the first keys of added records, in order
	RemovedFirst []string `json:"removedFirst"`
	ChangedFirst []string `json:"changedFirst"`
}

// LastReport is the name of the last run's report in the data directory.
const LastReport = "last-report.json"

// LastFindings is the name of the last run's findings in the data directory.
const LastFindings = "last-findings.csv"

// ReportFile is the name of the report in a snapshot.
const ReportFile = "report.json"

// FindingsFile is the name of the findings in a snapshot.
const FindingsFile = "findings.csv"

// These are the names of a dry run's report and findings in the data directory.
const (
	dryReportName   = "dry-run-report.json"
	dryFindingsName = "dry-run-findings.csv"
)

// write writes the report and the findings to a folder.
func (r *Report) write(folder, report, findings string, log *finding.Log) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	var list bytes.Buffer
	if err := log.WriteCSV(&list); err != nil {
		return err
	}
	// Replace the files atomically, because a server or a person may read them at any moment.
	var errs []error
	if err := durable.WriteFile(filepath.Join(folder, report), append(b, '\n'), durable.Options{}); err != nil {
		errs = append(errs, fmt.Errorf("write report: %w", err))
	}
	if err := durable.WriteFile(filepath.Join(folder, findings), list.Bytes(), durable.Options{}); err != nil {
		errs = append(errs, fmt.Errorf("write findings: %w", err))
	}
	return errors.Join(errs...)
}
