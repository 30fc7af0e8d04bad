package checklist_test

import (
	"context"
	"iter"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/coldp"
	"bencao/indexer/csvmap"
	"bencao/indexer/dwca"
	"bencao/indexer/finding"
	"bencao/indexer/wcvp"
	"bencao/internal/test/checklisttest"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// list is the interface that the checklists of all formats implement.
type list interface {
	Meta() checklist.Meta
	Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error]
}

// TestRealChecklists reads the real checklists. Each checklist must be recognised only as its own
// format, must yield all its names, and must give exactly the known findings.
func TestRealChecklists(t *testing.T) {
	formats := []struct {
		name      string
		recognise func(*archive.Archive) bool
		open      func(*archive.Archive) (list, error)
	}{
		{"WCVP", wcvp.Recognise, func(a *archive.Archive) (list, error) { return wcvp.Open(a) }},
		{"Darwin Core Archive", dwca.Recognise, func(a *archive.Archive) (list, error) { return dwca.Open(a) }},
		{"ColDP", coldp.Recognise, func(a *archive.Archive) (list, error) { return coldp.Open(a) }},
		{"CSV", csvmap.Recognise, func(a *archive.Archive) (list, error) { return csvmap.Open(a, nil) }},
	}
	tests := []struct {
		file     string
		meta     checklist.Meta
		statuses map[names.Status]int
		with     counts
		found    map[finding.Kind]int
	}{
		{"wcvp.zip",
			checklist.Meta{Source: "WCVP", Name: "World Checklist of Vascular Plants", Version: "2026-06-01", Format: "WCVP"},
			map[names.Status]int{names.Accepted: 427198, names.Synonym: 114968, names.Unplaced: 52536, names.Illegitimate: 873, names.Invalid: 247, names.Orthographic: 10},
			counts{Author: 408719, IPNI: 487979},
			map[finding.Kind]int{{Table: "list", Severity: finding.Warn, Code: finding.Dangling}: 284}},
		{"wfo-dwca.zip",
			checklist.Meta{Source: "WFO", Name: "World Flora Online names, extract of 2026-06", Version: "2026-06-21", Format: "Darwin Core Archive"},
			map[names.Status]int{names.Accepted: 427257, names.Unplaced: 63405},
			counts{Author: 291722, IPNI: 484442}, nil},
		{"col-china.zip",
			checklist.Meta{Source: "CoL-China", Name: "Catalogue of Life China", Version: "2024", Format: "CSV"},
			map[names.Status]int{names.Accepted: 47470},
			counts{Chinese: 47290},
			map[finding.Kind]int{
				{Table: "list", Severity: finding.Reject, Code: finding.PrimaryKey}: 4,
				{Table: "list", Severity: finding.Warn, Code: finding.MissingCell}:  1,
			}},
		{"sample-sources/dwca_small.zip",
			checklist.Meta{Name: "Database of Vascular Plants of Canada (VASCAN)", Version: "v37.15", Format: "Darwin Core Archive"},
			map[names.Status]int{names.Accepted: 385, names.Synonym: 515}, counts{Author: 884}, nil},
		{"sample-sources/coldp_small.zip",
			checklist.Meta{Name: "Sample of the Database of Vascular Plants of Canada (VASCAN)", Version: "2024-08-29", Format: "ColDP"},
			map[names.Status]int{names.Accepted: 385, names.Synonym: 515}, counts{Author: 884}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			src := checklisttest.Full(t, tt.file)
			var l list
			for _, f := range formats {
				if !f.recognise(src) {
					continue
				}
				if f.name != tt.meta.Format {
					if f.name != "CSV" { // CSV is tried last and also accepts Darwin Core terms
						t.Errorf("taken for %s", f.name)
					}
					continue
				}
				var err error
				if l, err = f.open(src); err != nil {
					t.Fatal(err)
				}
			}
			if l == nil {
				t.Fatalf("not recognised as %s", tt.meta.Format)
			}
			if diff := cmp.Diff(tt.meta, l.Meta()); diff != "" {
				t.Errorf("metadata of the list (-want +got):\n%s", diff)
			}
			var log finding.Log
			statuses, with := map[names.Status]int{}, counts{}
			for u, err := range l.Names(context.Background(), "list", &log) {
				if err != nil {
					t.Fatal(err)
				}
				statuses[u.Status]++
				with.add(u)
			}
			if diff := cmp.Diff(tt.statuses, statuses); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.with, with); diff != "" {
				t.Errorf("names that have an author, an IPNI identifier or a Chinese name (-want +got):\n%s", diff)
			}
			found := map[finding.Kind]int{}
			for _, c := range log.Counts() {
				found[c.Kind] = c.Count
			}
			if len(found)+len(tt.found) > 0 {
				if diff := cmp.Diff(tt.found, found); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// counts has the number of names with an author, with an IPNI identifier and with a Chinese name.
type counts struct{ Author, IPNI, Chinese int }

func (c *counts) add(u names.Usage) {
	if u.Author != "" {
		c.Author++
	}
	if u.IPNIID != "" {
		c.IPNI++
	}
	if u.ChineseName != "" {
		c.Chinese++
	}
}
