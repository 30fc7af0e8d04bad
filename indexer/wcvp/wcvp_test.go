package wcvp_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/indexer/wcvp"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

const header = "plant_name_id|ipni_id|taxon_rank|taxon_status|family|taxon_name|taxon_authors|accepted_plant_name_id|hybrid_formula\n"

func source(tb testing.TB, files fstest.MapFS) *archive.Archive {
	tb.Helper()
	src, err := archive.FromFS("wcvp", files, archive.Limits{})
	must(tb, err)
	return src
}

// read reads a list until its end or a fatal error.
func read(tb testing.TB, text string) ([]names.Usage, []string, error) {
	tb.Helper()
	return checklisttest.Read(wcvp.Open(source(tb, fstest.MapFS{"wcvp_names.csv": {Data: []byte(text)}})))
}

func TestNames(t *testing.T) {
	got, found, err := read(t, header+
		"1|77199696-1|Species|Accepted|Poaceae|Poa × nannfeldtii|(H.Scholz) Nosov|1|P. annua × P. supina\n"+
		"2||Form|Synonym|Poaceae|Poa alpina f. \"vivipara|(L.) B.Boivin|1|\n"+
		"3||Species|Artificial Hybrid|Poaceae|Poa × x||3|\n"+
		"4||Species|Unplaced|Poaceae|Poa nemo|Auct.||\n")
	must(t, err)
	want := []names.Usage{
		{ID: "1", AcceptedID: "1", Name: "Poa × nannfeldtii", Author: "(H.Scholz) Nosov", Rank: "species", Status: names.Accepted,
			Family: "Poaceae", IPNIID: "77199696-1", Facts: names.Facts{HybridFormula: "P. annua × P. supina"}},
		{ID: "2", AcceptedID: "1", Name: `Poa alpina f. "vivipara`, Author: "(L.) B.Boivin", Rank: "form", Status: names.Synonym, Family: "Poaceae"},
		{ID: "3", AcceptedID: "3", Name: "Poa × x", Rank: "species", Status: names.ArtificialHybrid, Family: "Poaceae"},
		{ID: "4", Name: "Poa nemo", Author: "Auct.", Rank: "species", Status: names.Unplaced, Family: "Poaceae"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if len(found) > 0 {
		t.Errorf("findings in a list without a fault: %v", found)
	}
}

func TestFindings(t *testing.T) {
	got, found, err := read(t, strings.NewReplacer("|ipni_id", "|ipni", "|hybrid_formula", "").Replace(header)+
		"1||Species|Accepted|Poaceae|Poa annua|L.|1\n"+
		"\n"+
		"2||Species|Accepted|Poaceae|Poa pratensis|L.|\n"+
		"3||Species|Synonym|Poaceae|Poa dangling||99\n"+
		"4||Species|Perhaps|Poaceae|Poa dubia||1\n"+
		"1||Species|Accepted|Poaceae|Poa bis||1\n"+
		"5||Species|Accepted|Poaceae||L.|5\n"+
		"6||Species|Accepted\n"+
		"7|x|y|z|a|b|c|d|e\n"+
		"8||Species|Accepted|Poaceae|×|L.|8\n")
	must(t, err)
	want := []string{
		`warn missing-label wcvp_names.csv:1 ipni_id ""`,
		`warn constraint-error wcvp_names.csv:4 accepted_plant_name_id "2"`,
		`warn vocabulary wcvp_names.csv:6 taxon_status "Perhaps"`,
		`reject primary-key wcvp_names.csv:7 id "1"`,
		`reject constraint-error wcvp_names.csv:8 name "5"`,
		`reject missing-cell wcvp_names.csv:9  "6"`,
		`reject extra-cell wcvp_names.csv:10  "7"`,
		`reject name wcvp_names.csv:11 name "×"`,
		`warn dangling wcvp_names.csv:5 accepted id "99"`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(got) != 4 || got[1].AcceptedID != "2" || got[3].Status != names.Unplaced {
		t.Errorf("names = %+v; want 4, the second its own accepted name, the last unplaced", got)
	}
}

func TestFatal(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		code finding.Code
		line int
	}{
		"no status":   {"plant_name_id|taxon_name|taxon_statsu|accepted_plant_name_id\n", finding.MissingLabel, 1},
		"not a WCVP":  {"a,b\n", finding.Source, 0},
		"not UTF-8":   {header + "1||Species|Accepted|Poaceae|Poa ann\xfca|L.|1|\n", finding.Encoding, 2},
		"endless row": {header + "1|" + strings.Repeat("x", 9<<20), finding.Size, 2},
	} {
		_, _, err := read(t, tt.text)
		var f finding.Finding
		if !errors.As(err, &f) || f.Severity != finding.Fatal || f.Code != tt.code || f.Line != tt.line {
			t.Errorf("%s: error %v; want a fatal finding %s on line %d", name, err, tt.code, tt.line)
		}
	}
}

func TestVersion(t *testing.T) {
	list := &fstest.MapFile{Data: []byte(header), ModTime: time.Date(2026, 6, 1, 3, 0, 0, 0, time.UTC)}
	var sheet bytes.Buffer
	w := zip.NewWriter(&sheet)
	part, err := w.Create("xl/sharedStrings.xml")
	must(t, err)
	fmt.Fprint(part, "<sst><si><t>World Checklist of Vascular Plants</t></si><si><t>Version 14</t></si></sst>")
	must(t, w.Close())
	for want, files := range map[string]fstest.MapFS{
		"2026-06-01": {"wcvp_names.csv": list},
		"v13":        {"wcvp_names.csv": list, "README.txt": {Data: []byte("WCVP version: 13, published 2024")}},
		"v14":        {"wcvp_names.csv": list, "README_WCVP.xlsx": {Data: sheet.Bytes()}},
	} {
		c, err := wcvp.Open(source(t, files))
		must(t, err)
		if got := c.Meta(); got.Version != want || got.Source != "WCVP" {
			t.Errorf("version %q of %q, want %q of WCVP", got.Version, got.Source, want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add(header + "1||Species|Accepted|Poaceae|Poa annua|L.|1|\n2||f.|Synonym||Poa|x|1|\n")
	f.Add(header + "1||||||\n\n1|2|1|1\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, _, _ := read(t, text)
		seen := map[string]bool{}
		for _, u := range got {
			if u.ID == "" || u.Name == "" || u.Status == "" || seen[u.ID] {
				t.Errorf("%q gives %+v; want a unique id, a name and a status", text, u)
			}
			seen[u.ID] = true
		}
	})
}

// TestPlaces reads a table of distribution: its marks, a row that has only a continent, and rows that
// cannot be used.
func TestPlaces(t *testing.T) {
	src := source(t, fstest.MapFS{"wcvp_names.csv": {Data: []byte(header)}, "wcvp_distribution.csv": {Data: []byte(
		"plant_locality_id|plant_name_id|continent_code_l1|continent|region_code_l2|region|area_code_l3|area|introduced|extinct|location_doubtful\n" +
			"1|7|3|ASIA-TEMPERATE|36|China|CHS|China Southeast|0|0|0\n" +
			"2|7|1|EUROPE|10|Northern Europe|GRB|Great Britain|1|1|0\n" +
			"3|8|3|ASIA-TEMPERATE|||||0|0|1\n" +
			"4||3|ASIA-TEMPERATE|36|China|CHS|China Southeast|0|0|0\n" +
			"5|9|||||||0|0|0\n")}})
	l, err := wcvp.Open(src)
	must(t, err)
	var log finding.Log
	var got []checklist.Place
	for p, err := range l.Places(t.Context(), "wcvp", &log) {
		must(t, err)
		got = append(got, p)
	}
	want := []checklist.Place{
		{ID: "7", Code: "CHS", Name: "China Southeast"}, {ID: "7", Code: "GRB", Name: "Great Britain", Introduced: true, Status: checklist.Extinct},
		{ID: "8", Code: "3", Name: "ASIA-TEMPERATE", Status: checklist.Doubtful},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if n := log.Total(finding.Reject); n != 2 || len(l.Files()) != 2 {
		t.Errorf("%d rows are rejected, and the list has %d files; want 2 rows, without a name and without a place, and 2 files", n, len(l.Files()))
	}
}

// TestPublication checks that volume and page follow the work as POWO prints them.
func TestPublication(t *testing.T) {
	got, _, err := read(t, "plant_name_id|ipni_id|taxon_rank|taxon_status|family|taxon_name|taxon_authors|accepted_plant_name_id|hybrid_formula|place_of_publication|volume_and_page|publication_author\n"+
		"1||Species|Accepted|Poaceae|Poa nemoralis|L.|1||Sp. Pl.|: 69|\n2||Species|Accepted|Poaceae|Poa annua|L.|2||Fl. Angl.|, ed. 2: 412|\n"+
		"3||Species|Accepted|Poaceae|Poa alpina|L.|3||Fl. Brit. India|7: 341|J.D.Hooker\n4||Species|Accepted|Poaceae|Poa nemo|L.|4||||\n")
	must(t, err)
	for i, want := range []string{"Sp. Pl.: 69", "Fl. Angl., ed. 2: 412", "J.D.Hooker, Fl. Brit. India 7: 341", ""} {
		if got[i].Publication != want {
			t.Errorf("%s is published in %q, want %q", got[i].Name, got[i].Publication, want)
		}
	}
}
