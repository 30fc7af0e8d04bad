package dwca_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/dwca"
	"bencao/indexer/finding"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

const terms = "http://rs.tdwg.org/dwc/terms/"

// describe returns a meta.xml. Its core has the given attributes and one column for each given
// term.
func describe(attributes string, columns ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="%sTaxon" %s><files><location>taxon.txt</location></files><id index="0"/>`, terms, attributes)
	for i, c := range columns {
		fmt.Fprintf(&b, `<field index="%d" term="%s%s"/>`, i, terms, c)
	}
	return b.String() + `</core></archive>`
}

const tabs = `encoding="UTF-8" linesTerminatedBy="\n" fieldsTerminatedBy="\t" fieldsEnclosedBy="" ignoreHeaderLines="1"`

func source(tb testing.TB, files map[string]string) *archive.Archive {
	tb.Helper()
	return checklisttest.Archive(tb, "dwca.zip", files)
}

func read(tb testing.TB, files map[string]string) ([]names.Usage, []string, error) {
	tb.Helper()
	return checklisttest.Read(dwca.Open(source(tb, files)))
}

func TestNames(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []names.Usage
	}{
		{"World Flora Online", map[string]string{
			"meta.xml": describe(tabs, "taxonID", "scientificNameID", "scientificName", "taxonRank", "scientificNameAuthorship", "family", "nomenclaturalStatus", "taxonomicStatus", "acceptedNameUsageID"),
			"taxon.txt": "taxonID\tscientificNameID\tscientificName\ttaxonRank\tscientificNameAuthorship\tfamily\tnomenclaturalStatus\ttaxonomicStatus\tacceptedNameUsageID\n" +
				"wfo-0000263606\turn:lsid:ipni.org:names:91472-1\tPanax ginseng\tspecies\tC.A.Mey.\tAraliaceae\tValid\tAccepted\t\n" +
				"wfo-0000000001\t\tPanax \"schinseng\tspecies\tT.Nees\tAraliaceae\tIllegitimate\tSynonym\twfo-0000263606\n" +
				"wfo-0000000002\t\tPanax dubia\tspecies\t\tAraliaceae\t\tUnchecked\t\n",
		}, []names.Usage{
			{ID: "wfo-0000263606", Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Status: names.Accepted, Family: "Araliaceae", IPNIID: "91472-1"},
			{ID: "wfo-0000000001", AcceptedID: "wfo-0000263606", Name: `Panax "schinseng`, Author: "T.Nees", Rank: "species", Status: names.Illegitimate, Family: "Araliaceae"},
			{ID: "wfo-0000000002", Name: "Panax dubia", Rank: "species", Status: names.Unplaced, Family: "Araliaceae"},
		}},
		{"authors in the name, CRLF, ids as addresses", map[string]string{
			"meta.xml": describe(tabs, "taxonID", "scientificName", "scientificNameAuthorship", "acceptedNameUsageID"),
			"taxon.txt": "taxonID\tscientificName\tscientificNameAuthorship\tacceptedNameUsageID\r\n" +
				"1\tRanunculus hispidus Michaux var. hispidus\tMichaux\t1\r\n" +
				"http://www.worldfloraonline.org/taxon/wfo-0000000009\tRanunculus caricetorum Greene\tGreene\t1\r\n",
		}, []names.Usage{
			{ID: "1", AcceptedID: "1", Name: "Ranunculus hispidus var. hispidus", Author: "Michaux", Status: names.Accepted},
			{ID: "wfo-0000000009", AcceptedID: "1", Name: "Ranunculus caricetorum", Author: "Greene", Status: names.Synonym},
		}},
		{"standard's defaults: commas and quotation marks, no header, a default value", map[string]string{
			"meta.xml": `<archive><core rowType="` + terms + `Taxon"><files><location>taxon.txt</location></files><id index="0"/>` +
				`<field index="1" term="` + terms + `scientificName"/><field term="` + terms + `family" default="Araliaceae"/><field index="2" term="` + terms + `taxonRank" default="species"/></core></archive>`,
			"taxon.txt": "7,\"Panax, ginseng\",\n8,\"Panax \"\"x\"\"\",variety\n",
		}, []names.Usage{
			{ID: "7", Name: "Panax, ginseng", Rank: "species", Status: names.Accepted, Family: "Araliaceae"},
			{ID: "8", Name: `Panax "x"`, Rank: "variety", Status: names.Accepted, Family: "Araliaceae"},
		}},
		{"marks that are not doubled", map[string]string{
			"meta.xml":  describe(`fieldsEnclosedBy="&quot;" fieldsTerminatedBy="\t"`, "taxonID", "scientificName"),
			"taxon.txt": "\"1\"\t\"Panax \"x\" ginseng\"\n2\tPanax \"y\"\n",
		}, []names.Usage{{ID: "1", Name: `Panax "x" ginseng`, Status: names.Accepted}, {ID: "2", Name: `Panax "y"`, Status: names.Accepted}}},
		{"single marks, canonical name", map[string]string{
			"meta.xml":  describe(`fieldsEnclosedBy="'" fieldsTerminatedBy=";"`, "taxonID", "scientificName", "canonicalName", "scientificNameAuthorship"),
			"taxon.txt": "'1';'Panax ginseng (x)';'Panax ginseng';'C.A.''Mey.'\n",
		}, []names.Usage{{ID: "1", Name: "Panax ginseng", Author: "C.A.'Mey.", Status: names.Accepted}}},
		{"Chinese names from an extension", map[string]string{
			"sub/meta.xml": `<archive><core rowType="Taxon" fieldsTerminatedBy="\t" fieldsEnclosedBy=""><files><location>taxon.txt</location></files><id index="0"/><field index="1" term="` + terms + `scientificName"/></core>` +
				`<extension rowType="http://rs.gbif.org/terms/1.0/VernacularName" fieldsTerminatedBy="\t" fieldsEnclosedBy="" ignoreHeaderLines="1"><files><location>v.txt</location></files><coreid index="0"/>` +
				`<field index="1" term="` + terms + `vernacularName"/><field index="2" term="http://purl.org/dc/terms/language"/><field index="3" term="http://rs.gbif.org/terms/1.0/isPreferredName"/></extension></archive>`,
			"sub/taxon.txt": "1\tPanax ginseng\n2\tPanax notoginseng\n",
			"sub/v.txt":     "id\tname\tlang\tpreferred\n1\t棒槌\tzh\t\n1\tginseng\ten\ttrue\n1\t人参\tzh-CN\ttrue\n2\tオタネ\tja\t\n",
			"a.txt":         "keeps the folder from being the root",
		}, []names.Usage{
			{ID: "1", Name: "Panax ginseng", Status: names.Accepted, ChineseName: "人参"},
			{ID: "2", Name: "Panax notoginseng", Status: names.Accepted},
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
	_, found, err := read(t, map[string]string{
		"meta.xml": describe(tabs, "taxonID", "scientificNameAuthorship", "scientificName", "taxonomicStatus", "acceptedNameUsageID"),
		"taxon.txt": "taxonID\tscientificName\tscientificNameAuthorship\ttaxonomicStatus\tacceptedNameUsageID\n" +
			"1\tL.\tPoa annua\taccepted\t1\n" +
			"\n" +
			"2\tL.\tPoa dubia\tdubious\t\n" +
			"1\tL.\tPoa bis\taccepted\t\n" +
			"3\tL.\n" +
			"4\tL.\tPoa lost\tsynonym\t99\n" +
			"5\tL.\t\tsynonym\t1\n" +
			"6\tL.\tPoa a\tsynonym\t7\n" +
			"7\tL.\tPoa b\tsynonym\t6\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`warn incorrect-label taxon.txt:1 scientificName ""`,
		`warn incorrect-label taxon.txt:1 scientificNameAuthorship ""`,
		`warn vocabulary taxon.txt:4 taxonomicStatus "dubious"`,
		`reject primary-key taxon.txt:5 id "1"`,
		`reject missing-cell taxon.txt:6  "3"`,
		`reject constraint-error taxon.txt:8 name "5"`,
		`warn dangling taxon.txt:7 accepted id "99"`,
		`warn cycle taxon.txt:9 accepted id "7"`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestFatal(t *testing.T) {
	good := describe(tabs, "taxonID", "scientificName")
	edit := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	taxa := "taxonID\tscientificName\n1\tPanax\n"
	for name, tt := range map[string]struct {
		meta, taxa string
		want       string
		line       int
	}{
		"not XML":            {"<archive>\n<core", taxa, "not the description", 2},
		"other XML":          {"<eml/>", taxa, "not the description", 0},
		"no core":            {"<archive/>", taxa, "no core", 0},
		"occurrences":        {edit("Taxon", "Occurrence"), taxa, `"Occurrence"`, 0},
		"file missing":       {edit("taxon.txt", "none.txt"), taxa, "no file none.txt", 0},
		"file outside":       {edit("taxon.txt", "../../etc/passwd"), taxa, "no file ../../etc/passwd", 0},
		"file elsewhere":     {edit("taxon.txt", "https://example.org/t"), taxa, "is at", 0},
		"two files":          {edit("</location>", "</location><location>x</location>"), taxa, "2 files", 0},
		"other encoding":     {edit("UTF-8", "ISO-8859-1"), taxa, "ISO-8859-1", 0},
		"other line ends":    {edit(`linesTerminatedBy="\n"`, `linesTerminatedBy="\r"`), taxa, "lines end", 0},
		"no separator":       {edit(`fieldsTerminatedBy="\t"`, `fieldsTerminatedBy=""`), taxa, "separated by", 0},
		"strange enclosure":  {edit(`fieldsEnclosedBy=""`, `fieldsEnclosedBy="ab"`), taxa, "enclosed by", 0},
		"huge index":         {edit(`index="1"`, `index="99999999"`), taxa, "99999999", 0},
		"negative index":     {edit(`index="1"`, `index="-1"`), taxa, "-1", 0},
		"a billion headers":  {edit(`Lines="1"`, `Lines="1000000000"`), taxa, `ignoreHeaderLines of the rows of type Taxon is "1000000000"`, 0},
		"101 headers":        {edit(`Lines="1"`, `Lines="101"`), taxa, `"101"`, 0},
		"negative header":    {edit(`Lines="1"`, `Lines="-1"`), taxa, `"-1"`, 0},
		"odd header":         {edit(`Lines="1"`, `Lines="one"`), taxa, `"one"`, 0},
		"vernacular headers": {edit("</archive>", `<extension rowType="http://rs.gbif.org/terms/1.0/VernacularName" ignoreHeaderLines="99999999999999999999"><files><location>taxon.txt</location></files></extension></archive>`), taxa, `VernacularName is "99999999999999999999"`, 0},
		"no scientific name": {edit("scientificName", "x"), taxa, "scientificName", 0},
		"not UTF-8":          {good, taxa + "2\tPan\xe4x\n", "not UTF-8", 3},
		"endless row":        {good, taxa + strings.Repeat("x", 9<<20), "more than", 3},
		"billion laughs":     {`<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><archive>&b;</archive>`, taxa, "not the description", 1},
	} {
		_, _, err := read(t, map[string]string{"meta.xml": tt.meta, "taxon.txt": tt.taxa})
		var f finding.Finding
		if !errors.As(err, &f) || f.Severity != finding.Fatal || !strings.Contains(f.Message, tt.want) || f.Line != tt.line {
			t.Errorf("%s: error %v; want a fatal finding with %q on line %d", name, err, tt.want, tt.line)
		}
	}
}

// TestMoreHeadersThanRows checks that a file shorter than its declared header simply has no rows.
func TestMoreHeadersThanRows(t *testing.T) {
	meta := strings.Replace(describe(tabs, "taxonID", "scientificName"), `Lines="1"`, `Lines="100"`, 1)
	got, _, err := read(t, map[string]string{"meta.xml": meta, "taxon.txt": "taxonID\tscientificName\n1\tPanax\n"})
	if err != nil || len(got) != 0 {
		t.Errorf("names %v, error %v; want neither", got, err)
	}
	_, _, err = read(t, map[string]string{"meta.xml": strings.Replace(meta, `Lines="100"`, `Lines="101"`, 1), "taxon.txt": "1\tPanax\n"})
	if want := `meta.xml: ignoreHeaderLines of the rows of type Taxon is "101"; write how many lines of header the file has, from 0 to 100`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestMeta(t *testing.T) {
	files := map[string]string{
		"meta.xml":  strings.Replace(describe(tabs, "taxonID", "scientificName"), "<archive", `<archive metadata="about.xml"`, 1),
		"taxon.txt": "taxonID\tscientificName\nwfo-0000000001\tPanax\n",
	}
	for eml, want := range map[string][2]string{
		`<eml:eml xmlns:eml="x" packageId="3f8a/v37.15"><dataset><title xml:lang="eng">Plants of
			Canada</title><pubDate>2020-01-01</pubDate></dataset></eml:eml>`: {"Plants of Canada", "v37.15"},
		`<eml><dataset><title>WFO</title><pubDate> 2026-06-21 </pubDate></dataset></eml>`: {"WFO", "2026-06-21"},
		`broken`: {"", ""},
	} {
		files["about.xml"] = eml
		c, err := dwca.Open(source(t, files))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Meta(); got.Name != want[0] || got.Version != want[1] || got.Source != "WFO" {
			t.Errorf("%.40s…: %+v; want name %q, version %q, source WFO by its ids", eml, got, want[0], want[1])
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add(describe(tabs, "taxonID", "scientificName"), "taxonID\tscientificName\n1\tPanax\n")
	f.Add(describe(`fieldsEnclosedBy="'"`, "taxonID", "scientificName", "acceptedNameUsageID"), "1,'Panax',2\n2,'x','1'\n")
	for _, bomb := range xmlBombs(10) {
		f.Add(bomb, "taxonID\tscientificName\n1\tPanax\n")
	}
	f.Fuzz(func(t *testing.T, meta, taxa string) {
		checkXML(t, meta)
		got, _, _ := read(t, map[string]string{"meta.xml": meta, "taxon.txt": taxa})
		seen := map[string]bool{}
		for _, u := range got {
			if u.ID == "" || u.Name == "" || u.Status == "" || seen[u.ID] {
				t.Errorf("%q gives %+v; want a unique id, a name and a status", taxa, u)
			}
			seen[u.ID] = true
		}
	})
}

// xmlBombs returns XML documents in which an element, an attribute or another construct is repeated
// n times.
func xmlBombs(n int) []string {
	in := func(text string) string {
		return `<archive metadata="eml.xml"><core rowType="Taxon">` + text + `</core></archive>`
	}
	var attributes strings.Builder
	for i := range n {
		fmt.Fprintf(&attributes, ` a%d=""`, i)
	}
	return []string{
		in(strings.Repeat("<field/>", n)), in("<files>" + strings.Repeat("<location/>", n) + "</files>"), in("<a" + attributes.String() + "/>"),
		in(strings.Repeat("<a>", n)), in(strings.Repeat("<a>", n) + strings.Repeat("</a>", n)), in(strings.Repeat("&lt;", n)), in(strings.Repeat("<!---->", n)),
		strings.Repeat("<extension/>", n), "<archive>" + strings.Repeat("<extension/>", n) + "</archive>", in(strings.Repeat(`<a xmlns:a="b">`, n)),
		`<!DOCTYPE a [<!ENTITY a "` + strings.Repeat("a", n) + `"><!ENTITY b "` + strings.Repeat("&a;", n) + `">]>` + in("&b;"), in("<" + strings.Repeat("a", n) + "/>"),
		in(`<field term="` + strings.Repeat("/", n) + `" index="1"/>`), in(strings.Repeat(`<field term="x" index="9999"/>`, n)), "<!DOCTYPE " + strings.Repeat("<", n),
		"<eml><dataset>" + strings.Repeat("<title>x</title>", n) + "</dataset></eml>", "<eml><dataset><title>" + strings.Repeat("x", n) + "</title></dataset></eml>",
	}
}

// TestXMLBombs checks that neither meta.xml nor the metadata makes the reader use more memory than
// the size of the file justifies.
func TestXMLBombs(t *testing.T) {
	for _, bomb := range xmlBombs(100_000) {
		checkXML(t, bomb)
	}
}

// checkXML opens two archives and checks the memory that this takes. The text is the meta.xml of
// one archive and the metadata of the other.
func checkXML(t *testing.T, text string) {
	t.Helper()
	for _, files := range []map[string]string{
		{"meta.xml": text, "taxon.txt": "taxonID\tscientificName\n1\tPanax\n"},
		{"meta.xml": describe(tabs, "taxonID", "scientificName"), "eml.xml": text, "taxon.txt": "taxonID\tscientificName\n1\tPanax\n"},
	} {
		src := source(t, files)
		// The limit covers all memory that is ever allocated, including memory that is freed again.
		testkit.LimitAlloc(t, testkit.MaxAlloc(2*len(text)), func() {
			if c, err := dwca.Open(src); err == nil && len(c.Meta().Name) > len(text) {
				t.Errorf("%.80q has the name %.80q", text, c.Meta().Name)
			}
		})
	}
}
