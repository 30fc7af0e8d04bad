package checklist_test

import (
	"fmt"
	"strings"
	"testing"

	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

func TestIdentifiers(t *testing.T) {
	for in, want := range map[string][2]string{ // want has the IPNI and the WFO identifier
		"urn:lsid:ipni.org:names:57415-2": {"57415-2", ""},
		"https://www.ipni.org/n/91472-1":  {"91472-1", ""},
		"https://www.ipni.org/?q=x":       {"", ""},
		"ipni:91472-1":                    {"91472-1", ""},
		"91472-1":                         {"91472-1", ""},
		"91472":                           {"", ""},
		"a-1":                             {"", ""},
		"":                                {"", ""},
		"wfo-0000263606":                  {"", "wfo-0000263606"},
		"WFO-0000263606":                  {"", "wfo-0000263606"},
		"http://www.worldfloraonline.org/taxon/wfo-0000263606": {"", "wfo-0000263606"},
		"wfo-0000263606-2024-12":                               {"", "wfo-0000263606"},
		"wfo-123":                                              {"", ""},
		"wfo-00002636ab":                                       {"", ""},
	} {
		if got := [2]string{checklist.IPNI(in), checklist.WFO(in)}; got != want {
			t.Errorf("IPNI and WFO identifiers in %q = %q, want %q", in, got, want)
		}
	}
}

func TestRank(t *testing.T) {
	for in, want := range map[string]string{
		"Species": "species", "VARIETY": "variety", "subsp.": "subspecies", "ssp": "subspecies", "f.": "form", "forma": "form", " var. ": "variety", "proles": "proles", "": "",
	} {
		if got := checklist.Rank(in); got != want {
			t.Errorf("rank of %q = %q, want %q", in, got, want)
		}
	}
}

func TestWithoutAuthor(t *testing.T) {
	tests := []struct{ name, author, want string }{
		{"Equisetopsida C. Agardh", "C. Agardh", "Equisetopsida"},
		{"Ranunculus hispidus Michaux var. hispidus", "Michaux", "Ranunculus hispidus var. hispidus"},
		{"Clematis tangutica (Maximowicz) Korshinsky var. tangutica", "(Maximowicz) Korshinsky", "Clematis tangutica var. tangutica"},
		{"Panax ginseng", "C.A.Mey.", "Panax ginseng"},
		{"Panax ginseng", "", "Panax ginseng"},
		{"Panax", "Panax", "Panax"},
		{"", "L.", ""},
	}
	for _, tt := range tests {
		if got := checklist.WithoutAuthor(tt.name, tt.author); got != tt.want {
			t.Errorf("%q without %q = %q, want %q", tt.name, tt.author, got, tt.want)
		}
	}
}

func TestStatus(t *testing.T) {
	tests := []struct {
		word, id, accepted string
		want               names.Status
		known              bool
	}{
		{"Accepted", "1", "1", names.Accepted, true},
		{"heterotypic synonym", "1", "2", names.Synonym, true},
		{"", "1", "2", names.Synonym, true},
		{"", "1", "1", names.Accepted, true},
		{"", "1", "", names.Accepted, true},
		{"gibberish", "1", "2", names.Unplaced, false},
	}
	for _, tt := range tests {
		if got, known := checklist.Status(tt.word, tt.id, tt.accepted); got != tt.want || known != tt.known {
			t.Errorf("status of %q (id %s, accepted %s) = %q, %v; want %q, %v", tt.word, tt.id, tt.accepted, got, known, tt.want, tt.known)
		}
	}
}

// TestAudit audits rows of the form "id accepted-id name", with - for an empty cell. It compares
// the kept rows and the findings with the expected ones.
func TestAudit(t *testing.T) {
	tests := []struct {
		name string
		rows []string
		kept string
		want []string
	}{
		{"in order", []string{"1 1 A", "2 1 B", "3 - C"}, "1 2 3", nil},
		{"accepted name comes later", []string{"2 1 B", "1 1 A"}, "2 1", nil},
		{"dangling", []string{"1 9 A", "2 8 B", "8 - C"}, "1 2 8", []string{"warn dangling 1 9"}},
		{"id twice", []string{"1 1 A", "1 2 B", "2 - C"}, "1 2", []string{"reject primary-key 2 1"}},
		{"nothing there", []string{"- - A", "2 - -"}, "", []string{"reject constraint-error 1 A", "reject constraint-error 2 2"}},
		{"circle of two", []string{"1 2 A", "2 1 B"}, "1 2", []string{"warn cycle 1 2"}},
		{"circle of three and a tail", []string{"4 1 D", "1 2 A", "2 3 B", "3 1 C"}, "4 1 2 3", []string{"warn cycle 2 2"}},
		{"chain", []string{"1 2 A", "2 3 B", "3 3 C"}, "1 2 3", nil},
		{"two circles", []string{"1 2 A", "2 1 B", "3 4 C", "4 3 D"}, "1 2 3 4", []string{"warn cycle 1 2", "warn cycle 3 4"}},
	}
	for _, tt := range tests {
		var log finding.Log
		audit := checklist.NewAudit("list", &log)
		var kept []string
		for i, row := range tt.rows {
			cells := strings.Split(strings.ReplaceAll(row, "-", ""), " ")
			u := names.Usage{ID: cells[0], AcceptedID: cells[1], Name: cells[2]}
			if audit.Keep(&u, "f.csv", i+1) {
				kept = append(kept, u.ID)
			}
		}
		audit.End()
		var found []string
		for _, f := range log.Kept() {
			if f.Table != "list" || f.File != "f.csv" {
				t.Errorf("%s: finding of list %q and file %q; want list and f.csv", tt.name, f.Table, f.File)
			}
			found = append(found, fmt.Sprintf("%s %s %d %s", f.Severity, f.Code, f.Line, f.Value))
		}
		if got := strings.Join(kept, " "); got != tt.kept {
			t.Errorf("%s: kept %q, want %q", tt.name, got, tt.kept)
		}
		if diff := cmp.Diff(tt.want, found); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", tt.name, diff)
		}
	}
}
