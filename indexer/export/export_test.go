package export_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/coldp"
	"bencao/indexer/datapackage"
	"bencao/indexer/dwca"
	"bencao/indexer/export"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/test/testkit"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// source returns a data package with values that are hard to write.
func source(tb testing.TB) *archive.Archive {
	tb.Helper()
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"datapackage.json": `{"name": "herbarium", "title": "Plants: \"all\" & <more>", "version": "2026.11", "created": "2026-11-20T00:00:00Z",
			"description": "An abstract.", "homepage": "https://example.org/", "contributors": [{"title": "Li Ming", "role": "author"},
				{"title": "Wang Fang", "email": "wang@example.org", "role": "maintainer", "organization": "Herbarium"}],
			"licenses": [{"name": "CC-BY-4.0", "path": "https://creativecommons.org/licenses/by/4.0/"}],
			"resources": [{"name": "species", "path": "species.csv"}, {"name": "synonyms", "path": "synonyms.csv"}, {"name": "aliases", "path": "aliases.csv"}]}`,
		"species.csv": "entry_id,chinese_name,chinese_name_pinyin,scientific_name,author,rank,family,genus,url\n" +
			"1,人参,rén shēn,Panax ginseng,C.A.Mey.,species,Araliaceae,Panax,https://example.org/1\n" +
			"2,,,Ranunculus hispidus var. hispidus,Michx.,variety,Ranunculaceae,Ranunculus,\n" +
			"3,三七,,\"Panax\tnoto\n\"\"ginseng\"\"\",,species,,,\n" +
			"4,,,Poa × jemtlandica,\"(Almq.) K.Richt.\",hybrid,,,\n",
		"synonyms.csv": "id,species_id,name,author,rank,status\n1,1,Panax schinseng,T.Nees,species,homotypic\n2,1,Panax x,,,orthographic\n" +
			"3,1,Panax y,L.,species,misapplied\n4,2,Ranunculus z,L.,species,pro parte\n5,2,Ranunculus w,L.,,odd\n6,2,Ranunculus v,L.,,\n",
		"aliases.csv": "species_id,name,kind,source\n1,棒槌,local,FRPS\n1,人参,standard,FRPS\n2,毛茛,alias,\n4,jemt,ethnic,\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	src, err := archive.FromFS("herbarium", fsys, archive.Limits{})
	must(tb, err)
	return src
}

// saved writes an export and opens it.
func saved(tb testing.TB, src *archive.Archive, format, out string) *archive.Archive {
	tb.Helper()
	entries, err := export.Builtin().Entries(context.Background(), export.Source{Package: src}, format)
	must(tb, err)
	path := filepath.Join(tb.TempDir(), out)
	must(tb, export.Builtin().Save(context.Background(), path, entries, false))
	a, err := archive.Open(path, archive.Limits{})
	must(tb, err)
	tb.Cleanup(func() { a.Close() })
	return a
}

// list is an open checklist in either format.
type list interface {
	Meta() checklist.Meta
	Names(context.Context, string, *finding.Log) iter.Seq2[names.Usage, error]
}

func open(tb testing.TB, format string, src *archive.Archive) list {
	tb.Helper()
	var l list
	var err error
	if format == "dwca" {
		l, err = dwca.Open(src)
	} else {
		l, err = coldp.Open(src)
	}
	if err != nil {
		tb.Fatalf("%s is not read: %v", format, err)
	}
	return l
}

// read returns all names of a list. The test fails if reading them gives findings.
func read(tb testing.TB, l list) []names.Usage {
	tb.Helper()
	var log finding.Log
	var all []names.Usage
	for u, err := range l.Names(context.Background(), "test", &log) {
		must(tb, err)
		all = append(all, u)
	}
	for _, f := range log.Kept() {
		tb.Errorf("finding in the written list: %v", f)
	}
	return all
}

func TestChecklistsAreReadBack(t *testing.T) {
	one, two, three, four := datapackage.GUID("species", 1), datapackage.GUID("species", 2), datapackage.GUID("species", 3), datapackage.GUID("species", 4)
	for _, format := range []string{"dwca", "coldp"} {
		// Only Darwin Core has a status for misspellings.
		slip := names.Synonym
		if format == "dwca" {
			slip = names.Orthographic
		}
		want := []names.Usage{
			{ID: one, Name: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Family: "Araliaceae", Status: names.Accepted, ChineseName: "人参"},
			{ID: "synonym-1", AcceptedID: one, Name: "Panax schinseng", Author: "T.Nees", Rank: "species", Family: "Araliaceae", Status: names.Synonym, Facts: names.Facts{Homotypic: format == "dwca"}},
			{ID: "synonym-2", AcceptedID: one, Name: "Panax x", Family: "Araliaceae", Status: slip},
			{ID: "synonym-3", AcceptedID: one, Name: "Panax y", Author: "L.", Rank: "species", Family: "Araliaceae", Status: names.Misapplied},
			{ID: two, Name: "Ranunculus hispidus var. hispidus", Author: "Michx.", Rank: "variety", Family: "Ranunculaceae", Status: names.Accepted, ChineseName: "毛茛"},
			{ID: "synonym-4", AcceptedID: two, Name: "Ranunculus z", Author: "L.", Rank: "species", Family: "Ranunculaceae", Status: names.Synonym},
			{ID: "synonym-5", AcceptedID: two, Name: "Ranunculus w", Author: "L.", Family: "Ranunculaceae", Status: names.Synonym},
			{ID: "synonym-6", AcceptedID: two, Name: "Ranunculus v", Author: "L.", Family: "Ranunculaceae", Status: names.Synonym},
			{ID: three, Name: `Panax noto "ginseng"`, Rank: "species", Status: names.Accepted, ChineseName: "三七"},
			{ID: four, Name: "Poa × jemtlandica", Author: "(Almq.) K.Richt.", Rank: "hybrid", Status: names.Accepted},
		}
		for _, out := range []string{"folder", "packed.zip"} {
			l := open(t, format, saved(t, source(t), format, out))
			if diff := cmp.Diff(want, read(t, l)); diff != "" {
				t.Errorf("%s as %s: names (-written +read):\n%s", format, out, diff)
			}
			m := l.Meta()
			if m.Name != `Plants: "all" & <more>` || strings.TrimPrefix(m.Version, "v") != "2026.11" {
				t.Errorf("%s: the list has the name %q and the version %q, want the package's title and version", format, m.Name, m.Version)
			}
		}
	}
}

// TestSampleAsChecklist writes and reads every name of the sample in both formats.
func TestSampleAsChecklist(t *testing.T) {
	src, err := archive.FromFS("sample", sample.Package(), archive.Limits{})
	must(t, err)
	p, err := datapackage.Read(context.Background(), src, datapackage.Options{}, &finding.Log{})
	must(t, err)
	type name struct{ Name, Author, Chinese string }
	var want []name
	for _, s := range p.Species {
		chinese := string(s.ChineseName)
		if chinese == "" && len(s.Aliases) > 0 {
			chinese = s.Aliases[0].Name
		}
		want = append(want, name{string(s.ScientificName), string(s.Author), chinese})
		for _, x := range s.Synonyms {
			want = append(want, name{x.Name, x.Author, ""})
		}
	}
	for _, format := range []string{"dwca", "coldp"} {
		var got []name
		for _, u := range read(t, open(t, format, saved(t, src, format, "out"))) {
			got = append(got, name{u.Name, u.Author, u.ChineseName})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: names (-written +read):\n%s", format, diff)
		}
	}
}

// TestXML checks that meta.xml and eml.xml contain what their standards require.
func TestXML(t *testing.T) {
	a := saved(t, source(t), "dwca", "folder")
	for file, want := range map[string][]string{
		"meta.xml": {`<archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">`, `rowType="http://rs.tdwg.org/dwc/terms/Taxon"`,
			`fieldsTerminatedBy="\t"`, `<id index="0"></id>`, `<coreid index="0"></coreid>`, `<field index="1" term="http://rs.tdwg.org/dwc/terms/vernacularName"></field>`},
		"eml.xml": {`<eml:eml xmlns:eml="eml://ecoinformatics.org/eml-2.1.1"`, `packageId="herbarium/v2026.11"`, "<pubDate>2026-11-20</pubDate>",
			`<ulink url="https://creativecommons.org/licenses/by/4.0/">`, "<citetitle>CC-BY-4.0</citetitle>", "<para>An abstract.</para>",
			"<surName>Wang Fang</surName>", "<electronicMailAddress>wang@example.org</electronicMailAddress>", "<organizationName>Li Ming</organizationName>"},
	} {
		text := content(t, a, file)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %s:\n%s", file, w, text)
			}
		}
		dec := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
}

// TestPublishersRules checks exports against the rules of checklist publishers: the elements that
// the GBIF Metadata Profile requires, in the order of its schema, the terms that GBIF expects of a
// checklist, and the metadata and columns that ColDP defines.
func TestPublishersRules(t *testing.T) {
	a := saved(t, source(t), "dwca", "folder")
	text := content(t, a, "eml.xml")
	at := -1
	for _, required := range []string{"<title>", "<creator>", "<metadataProvider>", "<pubDate>", "<language>", "<abstract>", "<intellectualRights>", "<coverage>", "<taxonRankValue>Plantae<", "<contact>"} {
		i := strings.Index(text, required)
		if i < at || i < 0 {
			t.Errorf("eml.xml lacks %s, or has it out of order:\n%s", required, text)
		}
		at = i
	}
	header, row, _ := strings.Cut(content(t, a, "taxon.txt"), "\n")
	terms, cells := strings.Split(header, "\t"), strings.Split(strings.SplitN(row, "\n", 2)[0], "\t")
	for term, want := range map[string]string{"taxonID": "", "scientificName": "Panax ginseng C.A.Mey.", "taxonRank": "species", "kingdom": "Plantae", "nomenclaturalCode": "ICN", "taxonomicStatus": "accepted"} {
		if i := slices.Index(terms, term); i < 0 || cells[i] == "" || want != "" && cells[i] != want {
			t.Errorf("taxon.txt: %s of the first row of %q is not %q", term, cells, want)
		}
	}

	a = saved(t, source(t), "coldp", "folder")
	metadata := content(t, a, "metadata.yaml")
	for _, want := range []string{"title: ", `description: "An abstract."`, "issued: ", "version: ", `license: "CC-BY-4.0"`, "taxonomicScope: ", `creator: [{"organisation":"Li Ming"}]`,
		`contact: {"organisation":"Herbarium","family":"Wang Fang","email":"wang@example.org"}`, `url: "https://example.org/"`} {
		if !strings.Contains("\n"+metadata, "\n"+want) {
			t.Errorf("metadata.yaml lacks %s:\n%s", want, metadata)
		}
	}
	header, row, _ = strings.Cut(content(t, a, "NameUsage.tsv"), "\n")
	if !strings.Contains(header, "col:kingdom\t") || !strings.Contains(header, "\tcol:code\t") || !strings.Contains(row, "\tICN\t") {
		t.Errorf("NameUsage.tsv lacks the kingdom or the code of names: %s", header)
	}
}

func content(tb testing.TB, a *archive.Archive, name string) string {
	tb.Helper()
	for _, e := range a.Entries() {
		if e.Name != name {
			continue
		}
		var b bytes.Buffer
		must(tb, e.Write(&b))
		return b.String()
	}
	tb.Fatalf("there is no %s; the files are %v", name, a.Files())
	return ""
}

func TestUnknownFormat(t *testing.T) {
	_, err := export.Builtin().Entries(context.Background(), export.Source{Package: source(t)}, "xlsx")
	if err == nil || !strings.Contains(err.Error(), "use datapackage, dwca, coldp") {
		t.Errorf("error %v; want one that lists the formats", err)
	}
}

// files returns the entries of a folder with the contents of files. It follows symbolic links.
func files(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(tb, err)
	for _, e := range entries {
		if e.IsDir() {
			all[e.Name()] = strings.Join(slices.Sorted(keys(files(tb, filepath.Join(dir, e.Name())))), " ")
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(tb, err)
		all[e.Name()] = string(b)
	}
	return all
}

func keys(m map[string]string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
