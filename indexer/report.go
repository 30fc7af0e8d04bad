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

// Outcome says how a run ended.
type Outcome string

const (
	// Published means that a new snapshot is current.
	Published Outcome = "published"
	// Unchanged means that the current snapshot is already built from the same
	// sources by the same program.
	Unchanged Outcome = "unchanged"
	// Refused means that a gate kept the old snapshot.
	Refused Outcome = "refused"
	// DryRun means that everything was built and checked, and nothing
	// published, as asked.
	DryRun Outcome = "dry run"
	// Failed means that nothing was published because something went wrong.
	Failed Outcome = "failed"
)

// Report says what a run did. It is the snapshot's report.json; that of the
// last run, whether it published or not, stands in the data directory as
// last-report.json, and that of the last dry run as dry-run-report.json.
type Report struct {
	Outcome    Outcome   `json:"outcome"`
	Error      string    `json:"error,omitempty"`
	Snapshot   string    `json:"snapshot,omitempty"` // the current one after the run
	Before     string    `json:"before,omitempty"`   // the one that the run was compared with
	Program    string    `json:"program"`
	StartedAt  time.Time `json:"startedAt"`
	FinishedAt time.Time `json:"finishedAt"`
	Phases     []Phase   `json:"phases"`

	Sources  []SourceReport         `json:"sources"`
	Tables   map[string]TableReport `json:"tables"`
	Findings []finding.Count        `json:"findings"`
	Measures []check.Measure        `json:"measures"` // what the gates looked at
	// Noticed are differences from the snapshot before that no gate refused.
	Noticed []finding.Finding `json:"noticed"`
	// Allow are the flags that allow everything for which gates refused the night.
	Allow          []string                `json:"allow,omitempty"`
	Reconciliation Reconciliation          `json:"reconciliation"`
	Pinyin         PinyinReport            `json:"pinyin"`
	Herbs          HerbReport              `json:"herbs"`
	Similarity     SimilarityReport        `json:"similarity"`
	SelfCheck      []CheckReport           `json:"selfCheck"`
	Changes        map[string]TableChanges `json:"changes"` // against the snapshot that was current before
	Bytes          map[string]int64        `json:"bytes"`   // by file or folder of the snapshot
	// Public says what became of the public snapshot; nil if none was to be built.
	Public *PublicReport `json:"public,omitempty"`
	// RootExpiresAt is until when the root of trust holds, by which mirrors follow;
	// nil if there is none.
	RootExpiresAt *time.Time `json:"rootExpiresAt,omitempty"`
	// Mail says what became of the mail about the run; nil if none was to be sent.
	Mail *MailReport `json:"mail,omitempty"`
}

// PublicReport says what became of the public snapshot.
type PublicReport struct {
	Data     string           `json:"data"` // its data directory
	Outcome  Outcome          `json:"outcome"`
	Snapshot string           `json:"snapshot,omitempty"` // the current one after the run
	Bytes    map[string]int64 `json:"bytes"`              // by file or folder
}

// MailReport says whether word of a run was sent.
type MailReport struct {
	// Error is why it was not; empty if it was.
	Error string `json:"error,omitempty"`
}

// Phase is one step of a run.
type Phase struct {
	Name       string  `json:"name"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	// PeakBytes is the most memory the process held until the phase ended.
	PeakBytes int64 `json:"peakBytes"`
}

// SourceReport is one input.
type SourceReport struct {
	Key     string `json:"key"`  // package, or the checklist's: checklist:wcvp
	Kind    string `json:"kind"` // data package, WCVP, Darwin Core Archive …
	Name    string `json:"name"`
	Version string `json:"version"`
	Path    string `json:"path"` // base name
	SHA256  string `json:"sha256"`
	Bytes   int64  `json:"bytes"`
	Rows    int    `json:"rows"`
	// Dated is when the source says that it was made, Modified when its newest
	// file was written; nil when nobody says.
	Dated    *time.Time `json:"dated,omitempty"`
	Modified *time.Time `json:"modified,omitempty"`
	// NewestRecord is when its newest record was made or changed, if its rows say.
	NewestRecord *time.Time `json:"newestRecord,omitempty"`
}

// TableReport counts the rows of a table.
type TableReport struct {
	Read     int `json:"read"`
	Rejected int `json:"rejected"`
	Kept     int `json:"kept"`
}

// Reconciliation counts how the species reach an accepted name.
type Reconciliation struct {
	Species   int `json:"species"`
	Operator  int `json:"operator"`  // the operator's own match
	Exact     int `json:"exact"`     // same spelling, an accepted name
	Variant   int `json:"variant"`   // same name, other orthography
	Fuzzy     int `json:"fuzzy"`     // letters differ
	Synonym   int `json:"synonym"`   // same spelling, a synonym
	Ambiguous int `json:"ambiguous"` // several accepted names; none is taken
	None      int `json:"none"`
	// Examples shows the first of each kind that a person should look at.
	Examples map[string][]string `json:"examples"`
}

// PinyinReport says where readings come from.
type PinyinReport struct {
	Given   int `json:"given"`   // by the operator
	Learned int `json:"learned"` // names that the reading was learned from
	Derived int `json:"derived"`
}

// SimilarityReport says what the formulas were compared by.
type SimilarityReport struct {
	Formulas     int `json:"formulas"`
	PlainHerbs   int `json:"plainHerbs"`
	Doses        int `json:"doses"`
	UnknownDoses int `json:"unknownDoses"`
}

// HerbReport says where the herbs of formulas lead.
type HerbReport struct {
	Linked   int `json:"linked"`   // ingredients that lead to a species
	NoPlant  int `json:"noPlant"`  // ingredients that are known to be no plant
	Unlinked int `json:"unlinked"` // ingredients that lead nowhere
	Together int `json:"together"` // ingredients in which herbs were run together
	Doubtful int `json:"doubtful"` // ingredients that read as if they were no herb
	// Incomplete is how many formulas have a text that names herbs which no ingredient
	// has.
	Incomplete int `json:"incomplete"`
	// Records is how many herbs have a record; Sourced of them have species, NoPlants
	// are known to be no plants, and of the rest neither is known.
	Records  int `json:"records"`
	Sourced  int `json:"sourced"`
	NoPlants int `json:"noPlants"`
	// Once is how many plain names lead nowhere and stand only once.
	Once int `json:"once"`
	// First are the plain names that lead nowhere, the most frequent first.
	First []HerbCount `json:"first"`
}

// HerbCount is how often a plain name stands in formulas.
type HerbCount struct {
	Herb  string `json:"herb"`
	Count int    `json:"count"`
}

// CheckReport is one self-check of the written files.
type CheckReport struct {
	Name    string   `json:"name"`
	Checked int      `json:"checked"`
	Failed  int      `json:"failed"`
	First   []string `json:"first"` // the first failures
}

// TableChanges compares a table with that of the snapshot before.
type TableChanges struct {
	Before       int      `json:"before"`
	After        int      `json:"after"`
	Added        int      `json:"added"`
	Removed      int      `json:"removed"`
	Changed      int      `json:"changed"`
	AddedFirst   []string `json:"addedFirst"` // the first keys, in order
	RemovedFirst []string `json:"removedFirst"`
	ChangedFirst []string `json:"changedFirst"`
}

// LastReport is the report of the last run, in the data directory.
const LastReport = "last-report.json"

// LastFindings is what it found, beside it.
const LastFindings = "last-findings.csv"

// ReportFile is the report of the run that built a snapshot, in the snapshot.
const ReportFile = "report.json"

// FindingsFile is what it found, beside it.
const FindingsFile = "findings.csv"

// files of a report of a dry run in the data directory.
const (
	dryReportName   = "dry-run-report.json"
	dryFindingsName = "dry-run-findings.csv"
)

// write puts the report and the findings into a folder.
func (r *Report) write(folder, report, findings string, log *finding.Log) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	var list bytes.Buffer
	if err := log.WriteCSV(&list); err != nil {
		return err
	}
	// Servers and people may read the last ones at any moment.
	var errs []error
	if err := durable.WriteFile(filepath.Join(folder, report), append(b, '\n'), durable.Options{}); err != nil {
		errs = append(errs, fmt.Errorf("write report: %w", err))
	}
	if err := durable.WriteFile(filepath.Join(folder, findings), list.Bytes(), durable.Options{}); err != nil {
		errs = append(errs, fmt.Errorf("write findings: %w", err))
	}
	return errors.Join(errs...)
}
