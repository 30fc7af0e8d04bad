package csvmap_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/indexer/csvmap"
	"bencao/indexer/finding"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

func source(tb testing.TB, name, text string) *archive.Archive {
	tb.Helper()
	return checklisttest.Archive(tb, "list.zip", map[string]string{name: text})
}

func read(src *archive.Archive, columns map[string]string) ([]names.Usage, []string, error) {
	return checklisttest.Read(csvmap.Open(src, columns))
}

func TestNames(t *testing.T) {
	tests := []struct {
		name    string
		file    string
		text    string
		columns map[string]string
		want    []names.Usage
	}{
		{"Catalogue of Life China", "col-china-2024.csv", "物种拉丁名,物种中文名,科拉丁名,科中文名\nPanax ginseng,人参,Araliaceae,五加科\n", nil,
			[]names.Usage{{ID: "Panax ginseng", Name: "Panax ginseng", Status: names.Accepted, Family: "Araliaceae", ChineseName: "人参"}}},
		{"synonyms by name", "a.csv", "学名,命名人,中文名,接受名,名称状态\nPanax ginseng,C.A.Mey.,人参,,accepted\nPanax schinseng,T.Nees,,Panax ginseng C.A.Mey.,synonym\n", nil,
			[]names.Usage{
				{ID: "Panax ginseng C.A.Mey.", Name: "Panax ginseng", Author: "C.A.Mey.", Status: names.Accepted, ChineseName: "人参"},
				{ID: "Panax schinseng T.Nees", AcceptedID: "Panax ginseng C.A.Mey.", Name: "Panax schinseng", Author: "T.Nees", Status: names.Synonym},
			}},
		{"Darwin Core terms", "taxa.tsv", "taxonID\tscientificName\tscientificNameAuthorship\ttaxonRank\ttaxonomicStatus\tacceptedNameUsageID\n1\tPanax ginseng C.A.Mey.\tC.A.Mey.\tSPECIES\taccepted\t\n", nil,
			[]names.Usage{{ID: "1", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Status: names.Accepted}}},
		{"our own fields", "a.csv", "name,author,status,accepted_id,id,ipni_id,wfo_id\nPanax ginseng,C.A.Mey.,,,7,urn:lsid:ipni.org:names:91472-1,wfo-0000263606\n", nil,
			[]names.Usage{{ID: "7", Name: "Panax ginseng", Author: "C.A.Mey.", Status: names.Accepted, IPNIID: "91472-1", WFOID: "wfo-0000263606"}}},
		{"labels of two maps: the one that reads most", "taxa.csv", "学名,中文名,taxonID,scientificName,scientificNameAuthorship,taxonRank\n人参,人参,1,Panax ginseng,C.A.Mey.,species\n", nil,
			[]names.Usage{{ID: "1", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Status: names.Accepted}}},
		{"a map, semicolons and quotes", "a.txt", "\"Taxon\";\"Familie\"\n\"Panax ginseng\";\"Araliaceae; s.l.\"\n", map[string]string{"taxon": "name", "Familie": "family"},
			[]names.Usage{{ID: "Panax ginseng", Name: "Panax ginseng", Status: names.Accepted, Family: "Araliaceae; s.l."}}},
	}
	for _, tt := range tests {
		src := source(t, tt.file, tt.text)
		if tt.columns == nil && !csvmap.Recognise(src) {
			t.Errorf("%s: not recognised", tt.name)
		}
		got, found, err := read(src, tt.columns)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: error %v, findings %v; want none", tt.name, err, found)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: names (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestFindings(t *testing.T) {
	got, found, err := read(source(t, "a.csv", "学名,中文名,科拉丁名,名称状态\n"+
		"Asplenium × wangii,王氏铁角蕨,Aspleniaceae,accepted\n"+
		"Asplenium × wangii,,Aspleniaceae,accepted\n"+
		",\"无\n名\",x,accepted\n"+
		"Skimmia japonica\n"+
		"Poa annua,,Poaceae,perhaps\n"), nil)
	must(t, err)
	want := []string{
		`reject primary-key a.csv:3 id "Asplenium × wangii"`,
		`reject constraint-error a.csv:4 name ""`,
		`warn missing-cell a.csv:6  "Skimmia japonica"`,
		`warn vocabulary a.csv:7 status "perhaps"`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(got) != 3 {
		t.Errorf("names = %+v; want 3", got)
	}
}

func TestVersion(t *testing.T) {
	for file, want := range map[string]string{"col-china-2024.csv": "2024", "names_20240131.csv": "20240131", "names-2024-01.csv": "2024-01", "names.csv": ""} {
		c, err := csvmap.Open(source(t, file, "物种拉丁名,物种中文名\nPanax,人参属\n"), nil)
		must(t, err)
		if got := c.Meta(); got.Version != want || got.Source != "CoL-China" {
			t.Errorf("%s: version %q of %q, want %q of CoL-China", file, got.Version, got.Source, want)
		}
	}
}

func TestRefused(t *testing.T) {
	if csvmap.Recognise(source(t, "a.csv", "学名,产地\nPanax ginseng,吉林\n")) {
		t.Error("a list of plants and places is recognised by the label of its name column alone")
	}
	src := source(t, "a.csv", "Taxon,Familie\nPanax,x\n")
	if csvmap.Recognise(src) {
		t.Error("a CSV of unknown columns is recognised")
	}
	for want, columns := range map[string]map[string]string{
		"columns map":  nil,
		`"Taxonname"`:  {"Taxonname": "name"},
		"none of id":   {"Taxon": "nmae"},
		"as the name;": {"Familie": "family"},
	} {
		if _, err := csvmap.Open(src, columns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("map %v: error %v; want one with %q", columns, err, want)
		}
	}
	_, _, err := read(source(t, "a.csv", "学名,中文名\nPanax,\n\xc8\xcb\xb2\xce\n"), nil)
	var f finding.Finding
	if !errors.As(err, &f) || f.Code != finding.Encoding || f.Line != 3 {
		t.Errorf("GBK in a list: error %v; want a fatal finding encoding-error on line 3", err)
	}
	database, err := archive.FromFS("db", fstest.MapFS{"datapackage.json": {}, "synonyms.csv": {Data: []byte("name,author,rank\n")}}, archive.Limits{})
	must(t, err)
	if csvmap.Recognise(database) {
		t.Error("the tables of a database are taken for a checklist")
	}
}

func FuzzNames(f *testing.F) {
	f.Add("物种拉丁名,物种中文名\nPanax ginseng,人参\n", "name")
	f.Add("taxonID;scientificName;status\n1;\"Panax\n\";x\n", "id")
	f.Fuzz(func(t *testing.T, text, field string) {
		for _, columns := range []map[string]string{nil, {"name": "name", "x": field}} {
			got, _, _ := read(source(t, "a.csv", text), columns)
			seen := map[string]bool{}
			for _, u := range got {
				if u.ID == "" || u.Name == "" || u.Status == "" || seen[u.ID] {
					t.Errorf("%q gives %+v; want a unique id, a name and a status", text, u)
				}
				seen[u.ID] = true
			}
		}
	})
}
