package datapackage_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// full is a package with every table and every column, with rows out of order and text that is hard
// to write.
var full = complete(map[string]string{
	"species.csv": "entry_id,guid,chinese_name,chinese_name_pinyin,scientific_name,author,rank,family,family_chinese,genus,genus_chinese,url\n" +
		"2,,,,Cafe\u0301 arabica,,species,,,,,\n" +
		"1,89786201-E69B-5049-A01B-D47ED69ADA7B,人参,rén shēn,Panax ginseng,C.A.Mey.,Species,Araliaceae,五加科,Panax,人参属,https://example.org/1\n" +
		"-7,,\"a \"\"b\"\", c\",,Aus bus,\"x\r\ny\rz\",clan,,,,,\n",
	"synonyms.csv": "species_id,name,author,rank,status\n2,Panax schinseng,T.Nees,species,Synonym\n1,Panax b,,,\n1,Panax a,,,odd word\n",
	"aliases.csv":  "species_id,name,kind,source\n1,棒槌,local,FRPS\n1,人衔,historical,\n2,咖啡,,\n",
	"flora.csv":    "id,species_id,flora,name_in_flora,chinese_name_in_flora,volume,page,url\n9,1,FRPS,Panax ginseng,人参,54,180–183,https://example.org/f\n3,1,FOC,Panax ginseng,,13,,\n",
	"papers.csv": "id,title,authors,source,year,doi,pubmed_id,url\np2,NULL,,,,,,\n" +
		"p1,=1+1,\"A, B\",J,1998,10.1/x,123,https://example.org/p\n\" \\.\",,,,,,,\n",
	"species_papers.csv": "species_id,paper_id\n2,p2\n1,p2\n1,p1\n",
	"formulas.csv": "entry_id,guid,name,name_pinyin,composition,efficacy,indications,preparation,dynasty,year,original_author,original_source,compilation,url\n" +
		"9,,桂枝汤,guì zhī tāng,桂枝（三两）,解肌,太阳中风,\"水煮\n三升\",东汉,219,张仲景,《伤寒论》,上,https://example.org/9\n8,,麻黄汤,,,,,,,-200,,,,\n7,,甲,,,,,,,,,,,\n",
	"formula_ingredients.csv": "formula_id,seq,herb,dose,note,role\n9,2,芍药,三两,,臣\n9,-1,桂枝,三两,去皮,君\n8,0,麻黄,,,\n",
	"formula_codes.csv":       "formula_id,system,code,label\n9,local,2,\n9,local,10,x\n9,GB/T 31773-2015,01,桂枝汤\n",
	"herb_species.csv":        "herb,species_id,part,authority,preferred,plain,from_year,to_year\n人参,1,根,ChP,yes,,,600\n人参,2,,,,,601,\n乙,1,root,,False,人参,,\n丙,,,,,,,\n",
	"species_formulas.csv":    "species_id,formula_id,evidence\n2,8,\n1,9,book\n1,8,\n",
	"formula_similarity.csv":  "formula_id,other_id,method,value\n9,8,jaccard,0.1\n9,8,euclidean,1e-9\n8,9,jaccard,-0\n",
	"uses.csv": "id,species_id,collection,name_cited,category,part,description,ethnic_group,country,region,reference\n" +
		"9007199254740993,1,folk,Panax,medicine,root,tonic,Korean,CN,Jilin,book\n-3,1,general,,,,,,,,\n",
	"name_matches.csv": "species_id,match_source,match_type,score,accepted_name,accepted_author,accepted_family,taxon_status,wcvp_id,ipni_id,wfo_id,chinese_name_col_china,checklist_version\n" +
		"2,,,,Coffea arabica,,,,,,,,\n1,WCVP,exact,0.30000000000000004,Panax ginseng,C.A.Mey.,Araliaceae,Accepted,146697,91472-1,wfo-0000263606,人参,WCVP v13\n",
})

// complete adds the columns of text that a file lacks, and fills them, so that the tests here cover
// new columns too.
func complete(files map[string]string) map[string]string {
	for _, table := range datapackage.Schema() {
		all, err := csv.NewReader(strings.NewReader(files[table.Name+".csv"])).ReadAll()
		if err != nil {
			panic(err)
		}
		known := len(all[0])
		for _, c := range table.Columns {
			if c.Type != "string" || slices.Contains(all[0], c.Name) {
				continue
			}
			all[0] = append(all[0], c.Name)
			for i := range all[1:] {
				all[i+1] = append(all[i+1], fmt.Sprint(c.Name, " ", i))
			}
		}
		if len(all[0]) > known {
			var b strings.Builder
			_ = csv.NewWriter(&b).WriteAll(all) // writing to a strings.Builder does not fail
			files[table.Name+".csv"] = b.String()
		}
	}
	return files
}

// written returns a package as a zip.
func written(tb testing.TB, p *datapackage.Package) []byte {
	tb.Helper()
	var b bytes.Buffer
	must(tb, archive.Pack(&b, p.Entries()))
	return b.Bytes()
}

// again reads a written package and returns it. The test fails if a row is rejected.
func again(tb testing.TB, zip []byte) *datapackage.Package {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "package.zip")
	must(tb, os.WriteFile(name, zip, 0o600))
	src, err := archive.Open(name, archive.Limits{})
	must(tb, err)
	defer src.Close()
	var log finding.Log
	p, err := datapackage.Read(context.Background(), src, datapackage.Options{}, &log)
	if err != nil {
		tb.Fatalf("the written package cannot be read: %v", err)
	}
	for _, f := range log.Kept() {
		if f.Severity == finding.Reject {
			tb.Errorf("the written package has a rejected row: %s", show(f))
		}
	}
	return p
}

// checkRoundTrip checks that reading the written package gives p again, and that writing this
// result gives the same bytes.
func checkRoundTrip(tb testing.TB, p *datapackage.Package) {
	tb.Helper()
	first := written(tb, p)
	back := again(tb, first)
	for i := range p.Tables { // the written package lacks rejected rows, which is no error
		p.Tables[i].Rows, p.Tables[i].Rejected = p.Tables[i].Kept, 0
	}
	if diff := cmp.Diff(p, back); diff != "" {
		tb.Errorf("package that was written and read again (-before +after):\n%s", diff)
	}
	if !bytes.Equal(first, written(tb, back)) {
		tb.Error("the package that was read again is written as different bytes")
	}
}

func TestWrite(t *testing.T) {
	p, found := read(t, full, datapackage.Options{})
	for _, f := range found {
		if f.Severity == finding.Reject || f.Code == finding.ExtraLabel {
			t.Errorf("the test package is not valid: %s", show(f))
		}
	}
	p.Title, p.Version, p.Created = "A <title> & \"more\"", "7", "2026-01-01T00:00:00Z"
	p.Description, p.Homepage = "An <abstract>", "https://example.org/"
	p.Contributors = []datapackage.Contributor{{Title: "Wang Fang", Email: "wang@example.org", Role: "maintainer", Organization: "Herbarium"}, {Title: "Li Ming"}}
	p.Licenses = []datapackage.License{{Name: "CC-BY-4.0", Title: "Attribution", Path: "https://example.org/by"}, {Name: "CC0-1.0"}}
	checkRoundTrip(t, p)
}

// TestWriteEveryColumn checks that full fills every column of every table, so that the test of
// writing covers new columns too.
func TestWriteEveryColumn(t *testing.T) {
	p, _ := read(t, full, datapackage.Options{})
	for _, e := range p.Entries() {
		name, isTable := strings.CutSuffix(e.Name, ".csv")
		if !isTable {
			continue
		}
		var b bytes.Buffer
		must(t, e.Write(&b))
		rows, err := csv.NewReader(&b).ReadAll()
		must(t, err)
		for i, column := range rows[0] {
			if !slices.ContainsFunc(rows[1:], func(cells []string) bool { return cells[i] != "" }) {
				t.Errorf("%s.%s is empty in every written row, but full must have a value for it", name, column)
			}
		}
	}
	if want := len(datapackage.Schema()) + 1; len(p.Entries()) != want {
		t.Errorf("%d files, want %d: full lacks a table", len(p.Entries()), want)
	}
}

// TestWriteAbsentTables checks that an absent table is still absent after writing and reading, and
// that an empty table is still empty.
func TestWriteAbsentTables(t *testing.T) {
	p, _ := read(t, map[string]string{
		"species.csv":          "entry_id,scientific_name,rank\n1,Panax ginseng,species\n",
		"species_formulas.csv": "species_id,formula_id\n",
	}, datapackage.Options{})
	checkRoundTrip(t, p)
	back := again(t, written(t, p))
	if !back.Table("species_formulas").Present || back.Table("papers").Present {
		t.Errorf("tables %+v; want species_formulas without rows, and no papers", back.Tables)
	}
}

// TestWriteWhateverOrder checks that rows in another order give the same package. The rows of all
// tables have ids in this test, because rows without ids are numbered in file order.
func TestWriteWhateverOrder(t *testing.T) {
	files := map[string]string{}
	for name, text := range full {
		files[name] = text
	}
	files["synonyms.csv"] = "id,species_id,name\n12,1,Panax b\n11,1,Panax a\n13,2,Coffea x\n"
	p, _ := read(t, files, datapackage.Options{})
	want := written(t, p)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 20 {
		for name, text := range files {
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			must(t, err)
			random.Shuffle(len(rows)-1, func(i, j int) { rows[1+i], rows[1+j] = rows[1+j], rows[1+i] })
			var b strings.Builder
			must(t, csv.NewWriter(&b).WriteAll(rows))
			files[name] = b.String()
		}
		p, _ := read(t, files, datapackage.Options{})
		if !bytes.Equal(written(t, p), want) {
			t.Fatalf("shuffle %d: rows in another order are written as different bytes", n)
		}
	}
}

// TestWriteProseLikeRows checks that a cell whose lines look like rows can be read again. If commas
// separated the cells, the reader would see an unclosed quotation mark that swallows rows, and
// report an error.
func TestWriteProseLikeRows(t *testing.T) {
	for _, marks := range []string{",", ",\t", ",\t|"} {
		var line strings.Builder
		for _, m := range marks {
			line.WriteString(strings.Repeat("word"+string(m), 9))
		}
		files := map[string]string{
			"datapackage.json": `{"name": "prose", "resources": [{"name": "species", "path": "s.csv"}, {"name": "papers", "path": "p.csv", "dialect": {"delimiter": ";"}}]}`,
			"s.csv":            "entry_id,scientific_name,rank\n1,Panax ginseng,species\n",
			"p.csv":            fmt.Sprintf("id;authors\n1;\"%[1]s\n%[1]s\nend\"\n", line.String()),
		}
		p, found := read(t, files, datapackage.Options{})
		if len(p.Papers) != 1 {
			t.Fatalf("marks %q: the paper is not read: %v", marks, found)
		}
		checkRoundTrip(t, p)
	}
}

// TestMadeGUIDStandsOnce checks that a row cannot have the GUID that is derived for another row,
// whichever of the two comes first.
func TestMadeGUIDStandsOnce(t *testing.T) {
	made, other := "1,,Panax ginseng,species\n", "2,"+datapackage.GUID("species", 1)+",Panax b,species\n"
	for _, rows := range []string{made + other, other + made} {
		p, found := read(t, map[string]string{"species.csv": "entry_id,guid,scientific_name,rank\n" + rows}, datapackage.Options{})
		if len(p.Species) != 1 || !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Code == finding.Unique }) {
			t.Errorf("%d species of one GUID, findings %v; want one species and a %s", len(p.Species), found, finding.Unique)
		}
	}
}

// TestWriteRealPackage writes and reads the full-size package.
func TestWriteRealPackage(t *testing.T) {
	var log finding.Log
	p, err := datapackage.Read(context.Background(), checklisttest.Full(t, "china-plants.zip"), datapackage.Options{}, &log)
	must(t, err)
	checkRoundTrip(t, p)
}

func BenchmarkWrite(b *testing.B) {
	var log finding.Log
	p, err := datapackage.Read(context.Background(), checklisttest.Full(b, "china-plants.zip"), datapackage.Options{}, &log)
	must(b, err)
	for b.Loop() {
		must(b, archive.Pack(io.Discard, p.Entries()))
	}
}

// FuzzWrite checks that writing and reading any readable package gives the same package.
func FuzzWrite(f *testing.F) {
	for _, text := range []string{full["species.csv"], "entry_id,scientific_name,rank,author\n1,a,b,\"x\r\r\ny\"\n", "entry_id,scientific_name,rank\n1,\"\u2028 a\u3000\",\x00\n"} {
		f.Add(text, full["aliases.csv"], full["papers.csv"])
	}
	f.Fuzz(func(t *testing.T, species, aliases, papers string) {
		var log finding.Log
		p, err := datapackage.Read(context.Background(), source(t, map[string]string{
			"species.csv": species, "aliases.csv": aliases, "papers.csv": papers,
		}), datapackage.Options{}, &log)
		if err == nil {
			checkRoundTrip(t, p)
		}
	})
}
