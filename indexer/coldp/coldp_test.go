package coldp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/coldp"
	"bencao/indexer/finding"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

func source(tb testing.TB, files map[string]string) *archive.Archive {
	tb.Helper()
	return checklisttest.Archive(tb, "coldp.zip", files)
}

func read(tb testing.TB, files map[string]string) ([]names.Usage, []string, error) {
	tb.Helper()
	return checklisttest.Read(coldp.Open(source(tb, files)))
}

func TestNames(t *testing.T) {
	ginseng := names.Usage{ID: "1", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Status: names.Accepted, Family: "Araliaceae", IPNIID: "91472-1"}
	tests := []struct {
		name  string
		files map[string]string
		want  []names.Usage
	}{
		{"NameUsage", map[string]string{
			"NameUsage.tsv": "col:ID\tcol:parentID\tcol:status\tcol:scientificName\tcol:authorship\tcol:rank\tcol:family\tcol:nameAlternativeID\n" +
				"1\t9\taccepted\tPanax ginseng\tC.A.Mey.\tspecies\tAraliaceae\tipni:91472-1,gbif:5372262\n" +
				"2\t1\tsynonym\tPanax \"schinseng\tT.Nees\tspecies\t\t\n" +
				"3\t1\tmisapplied\tPanax japonicus\tauct.\tspecies\t\t\n" +
				"4\t\tbare name\tPanax nudus\t\tspecies\t\twfo:wfo-0000000001\n",
			"VernacularName.tsv": "taxonID\tname\tlanguage\tpreferred\n1\t棒槌\tzho\t\n1\t人参\tzho\ttrue\n1\tginseng\teng\ttrue\n",
		}, []names.Usage{
			func() names.Usage { u := ginseng; u.ChineseName = "人参"; return u }(),
			{ID: "2", AcceptedID: "1", Name: `Panax "schinseng`, Author: "T.Nees", Rank: "species", Status: names.Synonym},
			{ID: "3", AcceptedID: "1", Name: "Panax japonicus", Author: "auct.", Rank: "species", Status: names.Misapplied},
			{ID: "4", Name: "Panax nudus", Rank: "species", Status: names.Unplaced, WFOID: "wfo-0000000001"},
		}},
		{"names put together from parts", map[string]string{
			"name-usage.csv": "ID,status,genericName,specificEpithet,infraspecificEpithet,uninomial,notho,rank\n" +
				"1,accepted,Poa,annua,,,,species\n2,accepted,Poa,annua,reptans,,,variety\n3,accepted,Poa,jemtlandica,,,specific,species\n4,accepted,,,,Poa,,genus\n",
		}, []names.Usage{
			{ID: "1", Name: "Poa annua", Rank: "species", Status: names.Accepted},
			{ID: "2", Name: "Poa annua var. reptans", Rank: "variety", Status: names.Accepted},
			{ID: "3", Name: "Poa × jemtlandica", Rank: "species", Status: names.Accepted},
			{ID: "4", Name: "Poa", Rank: "genus", Status: names.Accepted},
		}},
		{"Name, Taxon and Synonym", map[string]string{
			"data/Name.csv":    "ID,scientificName,authorship,rank,link\nn1,Panax ginseng,C.A.Mey.,species,https://www.ipni.org/n/91472-1\nn2,Panax schinseng,T.Nees,species,\nn3,Panax nudus,,species,\n",
			"data/Taxon.csv":   "ID,nameID,family\n1,n1,Araliaceae\n",
			"data/Synonym.csv": "taxonID,nameID,status\n1,n2,\n",
			"metadata.yaml":    "title: x\n",
		}, []names.Usage{
			ginseng,
			{ID: "n2", AcceptedID: "1", Name: "Panax schinseng", Author: "T.Nees", Rank: "species", Status: names.Synonym},
			{ID: "n3", Name: "Panax nudus", Rank: "species", Status: names.Unplaced},
		}},
	}
	for _, tt := range tests {
		got, found, err := read(t, tt.files)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: error %v, findings %v; want none", tt.name, err, found)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: names (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestFindings(t *testing.T) {
	tests := []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{"NameUsage.tsv": "ID\tparentID\tstatus\tscientificName\n" +
			"1\t\taccepted\tPoa annua\n\n1\t\taccepted\tPoa bis\n2\t99\tsynonym\tPoa lost\n3\t\todd\tPoa odd\n4\t1\tsynonym\n5\t1\tsynonym\t\n"},
			[]string{
				`reject primary-key NameUsage.tsv:4 id "1"`,
				`warn vocabulary NameUsage.tsv:6 status "odd"`,
				`reject missing-cell NameUsage.tsv:7  "4"`,
				`reject constraint-error NameUsage.tsv:8 name "5"`,
				`warn dangling NameUsage.tsv:5 accepted id "99"`,
			}},
		{map[string]string{"Name.csv": "ID,scientificName\nn1,Poa annua\nn1,Poa bis\n", "Taxon.csv": "ID,nameID\n1,n1\n2,n9\n", "Synonym.csv": "taxonID,nameID\n7,n1\n"},
			[]string{
				`warn primary-key Name.csv:3 ID "n1"`,
				`reject foreign-key Taxon.csv:3 nameID "n9"`,
				`warn dangling Synonym.csv:2 accepted id "7"`,
			}},
	}
	for _, tt := range tests {
		_, found, err := read(t, tt.files)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.want, found); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
	}
}

func TestFatal(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		code  finding.Code
		want  string
	}{
		"no names":       {map[string]string{"Name.csv": "ID\n"}, finding.Source, "neither"},
		"no status":      {map[string]string{"NameUsage.csv": "ID,scientificName,taxonomicstatus\n1,Poa,accepted\n"}, finding.MissingLabel, "status"},
		"no taxon id":    {map[string]string{"Name.csv": "ID\nn1\n", "Taxon.csv": "ID\n1\n"}, finding.MissingLabel, "nameid"},
		"not UTF-8":      {map[string]string{"NameUsage.csv": "ID,status,scientificName\n1,accepted,Poa ann\xfca\n"}, finding.Encoding, "not UTF-8"},
		"empty":          {map[string]string{"NameUsage.csv": ""}, finding.Source, "empty"},
		"broken yaml":    {map[string]string{"NameUsage.csv": "ID\n", "metadata.yaml": "title: [\n"}, finding.Package, "YAML"},
		"large metadata": {map[string]string{"NameUsage.csv": "ID\n", "metadata.yaml": strings.Repeat("# x\n", 1<<19)}, finding.Package, "bytes"},
		"open quote":     {map[string]string{"NameUsage.csv": "ID,status,scientificName\n1,accepted,\"Poa\n"}, finding.Quoting, "quotation"},
	} {
		_, _, err := read(t, tt.files)
		var f finding.Finding
		if !errors.As(err, &f) || f.Severity != finding.Fatal || f.Code != tt.code || !strings.Contains(f.Message, tt.want) {
			t.Errorf("%s: error %v; want a fatal finding %s with %q", name, err, tt.code, tt.want)
		}
	}
}

func TestMeta(t *testing.T) {
	for text, want := range map[string][2]string{
		"title: A list\nalias: AL\nversion: 2.1\nissued: 2024-08-29\n":   {"A list", "2.1"},
		"alias: AL\nissued: 2024-08-29\n":                                {"AL", "2024-08-29"},
		`{"title": "J", "version": "v3"}`:                                {"J", "v3"},
		`{"title": "J", "version": 12, "agents": [{"title": "no"}]}`:     {"J", "12"},
		"---\r\n\"title\": 'A: list'\r\nversion: \"v1\" # that\r\n":      {"A: list", "v1"},
		"\ufefftitle: >\n  A\n  list\n\nversion:\n  v2\n":                {"A list", "v2"},
		"agents: &a\n  title: no\nsource: *a\ntitle: 名录\nissued: 2024\n": {"名录", "2024"},
		"": {"", ""},
	} {
		c, err := coldp.Open(source(t, map[string]string{"NameUsage.csv": "ID\n", "metadata.yaml": text}))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := c.Meta(); got.Name != want[0] || got.Version != want[1] {
			t.Errorf("%q: name %q and version %q, want %q", text, got.Name, got.Version, want)
		}
	}
}

// TestYAMLBomb checks that metadata with anchors that multiply its size is read or refused quickly.
func TestYAMLBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i, i, i, i, i, i, i)
	}
	b.WriteString("title: bomb\n")
	c, err := coldp.Open(source(t, map[string]string{"NameUsage.csv": "ID\n", "metadata.yaml": b.String()}))
	if err == nil && c.Meta().Name != "bomb" {
		t.Errorf("name %q, want bomb", c.Meta().Name)
	}
}

// yamlBombs returns documents for which the YAML library takes minutes or gigabytes, or that refer
// to themselves.
func yamlBombs(n int) []string {
	var merge strings.Builder
	merge.WriteString("a0: &a0 {x: 1}\n")
	for i := range min(n, 30) {
		fmt.Fprintf(&merge, "a%d: &a%d {<<: [*a%d, *a%d, *a%d, *a%d]}\n", i+1, i+1, i, i, i, i)
	}
	inField := strings.ReplaceAll(strings.TrimSuffix(merge.String(), "\n"), "\n", ", ")
	return []string{
		merge.String() + "title: bomb\n", "title: {" + inField + "}\n", "title:\n  " + strings.ReplaceAll(merge.String(), "\n", "\n  ") + "\n",
		"title: |\n  " + strings.ReplaceAll(merge.String(), "\n", "\n  ") + "\n",
		"title: " + strings.Repeat("[", n) + strings.Repeat("]", n), "title: " + strings.Repeat("{a: ", n) + strings.Repeat("}", n),
		"title: x" + strings.Repeat(" - ", n), "title: x" + strings.Repeat("\n  - ", n), "title: a" + strings.Repeat(" !a", n),
		strings.Repeat("- ", n) + "a", strings.Repeat("? ", n), strings.Repeat("!a ", n), strings.Repeat(": ", n), strings.Repeat("---\na\n", n),
		strings.Repeat("title: x\n", n), strings.Repeat("# a\n", n), "title: \"" + strings.Repeat("\\n", n) + "\"", "title: &a *a\n", "title: &a [*a]\n",
		`{"title": ` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}", `{"title": "x", "a": [` + strings.Repeat("{},", n) + "0]}",
	}
}

// checkMetadata checks that metadata is read or refused within limited memory.
func checkMetadata(t *testing.T, text string) {
	src := source(t, map[string]string{"NameUsage.csv": "ID\n", "metadata.yaml": text})
	testkit.LimitAlloc(t, testkit.MaxAlloc(len(text)), func() {
		c, err := coldp.Open(src)
		if wrong := (finding.Finding{}); err != nil && !errors.As(err, &wrong) {
			t.Errorf("%.80q gives %v, want a finding", text, err)
		} else if err == nil && len(c.Meta().Name) > 3*len(text) { // up to three times as long is right, because a byte of invalid UTF-8 becomes U+FFFD, which has three bytes
			t.Errorf("%.80q has the name %.80q", text, c.Meta().Name)
		}
	})
}

// TestMetadataBombs checks that no metadata takes more memory than its size allows.
func TestMetadataBombs(t *testing.T) {
	for _, n := range []int{1000, 200_000} {
		for _, text := range yamlBombs(n) {
			checkMetadata(t, text)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	for _, text := range append(yamlBombs(5), "title: x\nversion: 1.2\n", "title: >\n  a\n  b\n", "title: 0\xbe\xbe\xbe\xbe", `{"title": "x", "version": 2}`) {
		f.Add(text)
	}
	f.Fuzz(checkMetadata)
}

func FuzzNames(f *testing.F) {
	f.Add("ID\tparentID\tstatus\tscientificName\n1\t\taccepted\tPoa\n", "ID,nameID\n1,1\n", "title: x\n")
	f.Add("ID,scientificName\nn1,Poa\n", "ID,nameID\n1,n1\n", "")
	f.Fuzz(func(t *testing.T, list, taxa, meta string) {
		for _, files := range []map[string]string{
			{"NameUsage.tsv": list, "VernacularName.csv": taxa, "metadata.yaml": meta}, {"Name.csv": list, "Taxon.csv": taxa, "Synonym.csv": list},
		} {
			got, _, _ := read(t, files)
			seen := map[string]bool{}
			for _, u := range got {
				if u.ID == "" || u.Name == "" || u.Status == "" || seen[u.ID] {
					t.Errorf("%q gives %+v; want a unique id, a name and a status", files, u)
				}
				seen[u.ID] = true
			}
		}
	})
}

// TestPlaces reads the table of distribution in the words of newer and of older versions of the format.
func TestPlaces(t *testing.T) {
	l, err := coldp.Open(checklisttest.Archive(t, "list", map[string]string{
		"NameUsage.tsv": "ID\tstatus\tscientificName\n1\taccepted\tAus bus\n",
		"Distribution.tsv": "taxonID\tareaID\tarea\tgazetteer\tstatus\testablishmentMeans\n" +
			"1\tCHS\tChina Southeast\ttdwg\t\t\n1\t\tGRB\ttdwg\talien\t\n1\tca-ab\tAlberta\tiso\t\tintroduced\n" +
			"1\t\tthe hills\ttext\tuncertain\t\n1\tJAP\t\ttdwg\tabsent\t\n1\t\t\ttdwg\t\t\n",
	}))
	testkit.Must(t, err)
	var log finding.Log
	var got []checklist.Place
	for p, err := range l.Places(t.Context(), "list", &log) {
		testkit.Must(t, err)
		got = append(got, p)
	}
	want := []checklist.Place{
		{ID: "1", Code: "CHS", Name: "China Southeast"}, {ID: "1", Code: "GRB", Introduced: true}, {ID: "1", Code: "ISO:ca-ab", Name: "Alberta", Introduced: true},
		{ID: "1", Name: "the hills", Status: checklist.Doubtful},
	}
	if diff := cmp.Diff(want, got); diff != "" || log.Total(finding.Reject) != 1 {
		t.Errorf("places (-want +got), and %d rows rejected, want 1:\n%s", log.Total(finding.Reject), diff)
	}
}
