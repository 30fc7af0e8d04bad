package datapackage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// source returns a package of files. If files lacks a datapackage.json, the package gets one that
// names every CSV.
func source(tb testing.TB, files map[string]string) *archive.Archive {
	tb.Helper()
	fsys := fstest.MapFS{}
	var resources []map[string]string
	for name, body := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(body)}
		if table, ok := strings.CutSuffix(name, ".csv"); ok {
			resources = append(resources, map[string]string{"name": table, "path": name})
		}
	}
	if files["datapackage.json"] == "" {
		b, err := json.Marshal(map[string]any{"name": "test", "version": "1", "resources": resources})
		must(tb, err)
		fsys["datapackage.json"] = &fstest.MapFile{Data: b}
	}
	src, err := archive.FromFS("test", fsys, archive.Limits{})
	must(tb, err)
	return src
}

// read reads a package that must be readable.
func read(tb testing.TB, files map[string]string, opt datapackage.Options) (*datapackage.Package, []finding.Finding) {
	tb.Helper()
	var log finding.Log
	p, err := datapackage.Read(context.Background(), source(tb, files), opt, &log)
	if err != nil {
		tb.Fatalf("read: %v", err)
	}
	return p, log.Kept()
}

// show formats a finding as one line, without its hint.
func show(f finding.Finding) string {
	s := fmt.Sprintf("%s %s %s %s", f.Severity, f.Code, f.Table, f.File)
	if f.Line > 0 {
		s += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column != "" {
		s += " " + f.Column
	}
	if f.Value != "" {
		s += fmt.Sprintf(" %q", f.Value)
	}
	return s + ": " + f.Message
}

// TestFindings reads the packages in testdata and compares the findings with the file findings of
// each package. Findings about missing tables count only if the package has its own descriptor.
func TestFindings(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			must(t, err)
			files, want := map[string]string{}, ""
			for _, f := range a.Files {
				if f.Name == "findings" {
					want = string(f.Data)
					continue
				}
				files[f.Name] = string(f.Data)
			}
			var log finding.Log
			p, err := datapackage.Read(context.Background(), source(t, files), datapackage.Options{}, &log)
			var got strings.Builder
			for _, f := range log.Kept() {
				got.WriteString(show(f) + "\n")
				if f.Hint == "" && f.Severity != finding.Warn {
					t.Errorf("%s: has no hint", show(f))
				}
			}
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got.String(), "\n")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if fatal := log.Total(finding.Fatal) > 0; fatal != (err != nil) || fatal != (p == nil) {
				t.Errorf("read gives package %v and error %v; want a package unless something is fatal", p != nil, err)
			}
			if p != nil {
				checkTables(t, p, log.Kept())
			}
		})
	}
}

// checkTables checks the row counts of a package: every row is either kept or rejected, and each
// rejected row has a finding.
func checkTables(t *testing.T, p *datapackage.Package, found []finding.Finding) {
	t.Helper()
	for _, table := range p.Tables {
		if table.Kept+table.Rejected != table.Rows {
			t.Errorf("table %s: %d kept and %d rejected of %d rows", table.Name, table.Kept, table.Rejected, table.Rows)
		}
		lines := map[int]bool{}
		for _, f := range found {
			if f.Table == table.Name && f.Severity == finding.Reject {
				lines[f.Line] = true
			}
		}
		if len(lines) != table.Rejected {
			t.Errorf("table %s: %d rows rejected, findings on %d lines", table.Name, table.Rejected, len(lines))
		}
	}
}

func TestRead(t *testing.T) {
	year := int32(219)
	score := 0.75
	preferred := true
	ginseng, from, to := int32(1), int32(-200), int32(1911)
	p, found := read(t, map[string]string{
		"datapackage.json": `{"name": "test", "title": "A test", "version": "7", "created": "2026-01-01T00:00:00Z",
			"licenses": [{"name": "CC0-1.0"}], "resources": [
			{"name": "formula_ingredients", "path": "i.csv"}, {"name": "formulas", "path": "f.csv", "dialect": {"delimiter": ";"}},
			{"name": "species", "path": "data/s.csv", "schema": {"fields": [], "missingValues": ["", "NULL"]}}, {"name": "synonyms", "path": "y.csv"},
			{"name": "aliases", "path": "a.csv"}, {"name": "flora", "path": "l.csv"}, {"name": "papers", "path": "p.csv"},
			{"name": "species_papers", "path": "sp.csv"}, {"name": "formula_codes", "path": "c.csv"}, {"name": "herb_species", "path": "h.csv"},
			{"name": "species_formulas", "path": "sf.csv"}, {"name": "formula_similarity", "path": "m.csv"}, {"name": "uses", "path": "u.csv"},
			{"name": "name_matches", "path": "n.csv"}]}`,
		"data/s.csv": "\uFEFFentry_id,guid,chinese_name,chinese_name_pinyin,scientific_name,author,rank,family,family_chinese,genus,genus_chinese,url\r\n" +
			"1,89786201-E69B-5049-A01B-D47ED69ADA7B, 人参 ,rén shēn,Panax ginseng,C.A.Mey.,Species,Araliaceae,五加科,Panax,人参属,https://example.org/1\r\n" +
			"2,,NULL,,Cafe\u0301 arabica,,species,,,,,\r\n",
		"y.csv":  "id,species_id,name,author,rank,status\n5,1,Panax schinseng,T.Nees,species,synonym\n",
		"a.csv":  "species_id,name,kind,source\n1,棒槌,local,FRPS\n",
		"l.csv":  "species_id,flora,name_in_flora,chinese_name_in_flora,volume,page,url\n1,FRPS,Panax ginseng,人参,54,180–183,https://example.org/f\n1,FOC,Panax ginseng,,13,,\n",
		"p.csv":  "id,title,authors,source,year,doi,pubmed_id,url\np1,Ginseng,\"A, B\",J,1998,10.1/x,123,https://example.org/p\n",
		"sp.csv": "species_id,paper_id\n1,p1\n",
		"f.csv": "entry_id;name;name_pinyin;composition;efficacy;indications;preparation;dynasty;year;original_author;original_source;compilation;url\n" +
			"9;桂枝汤;guì zhī tāng;桂枝（三两）;解肌;太阳中风;水煮;东汉;219;张仲景;《伤寒论》;上;https://example.org/9\n",
		"i.csv":  "formula_id,seq,herb,dose,note,role\n9,2,芍药,三两,,臣\n9,1,桂枝,三两,去皮,君\n",
		"c.csv":  "formula_id,system,code,label\n9,GB/T 31773-2015,01,桂枝汤\n",
		"h.csv":  "herb,species_id,part,authority,preferred,plain,from_year,to_year\n人参,1,根,ChP,true,人参,-200,1911\n石膏,,,,,,,\n",
		"sf.csv": "species_id,formula_id,evidence\n1,9,book\n",
		"m.csv":  "formula_id,other_id,method,value\n9,9,Jaccard,0.5\n",
		"u.csv":  "id,species_id,collection,name_cited,category,part,description,ethnic_group,country,region,reference\n3,1,folk,Panax,medicine,root,tonic,Korean,CN,Jilin,book\n",
		"n.csv":  "species_id,match_source,match_type,score,accepted_name,wcvp_id\n1,WCVP,exact,0.75,Panax ginseng,146697\n2,,,,Coffea arabica,\n",
	}, datapackage.Options{})
	if len(found) > 0 {
		t.Errorf("findings in a package without a fault: %v", found)
	}
	want := &datapackage.Package{
		Name: "test", Title: "A test", Version: "7", Created: "2026-01-01T00:00:00Z", Licenses: []datapackage.License{{Name: "CC0-1.0"}},
		Species: []store.Species{
			{
				SpeciesDetail: store.SpeciesDetail{
					EntryID: 1, GUID: "89786201-e69b-5049-a01b-d47ed69ada7b", ChineseName: "人参", ChineseNamePinyin: "rén shēn",
					ScientificName: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Family: "Araliaceae", FamilyChinese: "五加科",
					Genus: "Panax", GenusChinese: "人参属", URL: "https://example.org/1",
				},
				Synonyms: []store.Synonym{{ID: 5, Name: "Panax schinseng", Author: "T.Nees", Rank: "species", Status: "synonym"}},
				Aliases:  []store.Alias{{Name: "棒槌", Kind: "local", Source: "FRPS"}},
				Flora: []store.FloraTreatment{
					{ID: 1, Flora: "FRPS", NameInFlora: "Panax ginseng", ChineseNameInFlora: "人参", Volume: "54", Page: "180–183", URL: "https://example.org/f"},
					{ID: 2, Flora: "FOC", NameInFlora: "Panax ginseng", Volume: "13"},
				},
				Uses: []store.PlantUse{{ID: 3, Collection: "folk", NameCited: "Panax", Category: "medicine", Part: "root", Description: "tonic",
					EthnicGroup: "Korean", Country: "CN", Region: "Jilin", Reference: "book"}},
			},
			{SpeciesDetail: store.SpeciesDetail{EntryID: 2, GUID: datapackage.GUID("species", 2), ScientificName: "Café arabica", Rank: "species"}},
		},
		Formulas: []store.Formula{{
			FormulaDetail: store.FormulaDetail{
				EntryID: 9, GUID: datapackage.GUID("formulas", 9), Name: "桂枝汤", NamePinyin: "guì zhī tāng", Composition: "桂枝（三两）",
				Efficacy: "解肌", Indications: "太阳中风", Preparation: "水煮", Dynasty: "东汉", Year: &year, OriginalAuthor: "张仲景",
				OriginalSource: "《伤寒论》", Compilation: "上", URL: "https://example.org/9",
				Codes: []store.FormulaCode{{System: "GB/T 31773-2015", Code: "01", Label: "桂枝汤"}},
			},
			Ingredients: []store.Ingredient{{Seq: 1, Herb: "桂枝", Dose: "三两", Note: "去皮", Role: "君"}, {Seq: 2, Herb: "芍药", Dose: "三两", Role: "臣"}},
		}},
		Papers: []store.Paper{{PaperSummary: store.PaperSummary{ID: "p1", Title: "Ginseng", Authors: "A, B", Source: "J", Year: "1998", DOI: "10.1/x", PubMedID: "123", URL: "https://example.org/p"}}},

		SpeciesPapers: []datapackage.SpeciesPaper{{SpeciesID: 1, PaperID: "p1"}},
		HerbSpecies: []datapackage.HerbSpecies{
			{Herb: "人参", SpeciesID: &ginseng, Part: "根", Authority: "ChP", Preferred: &preferred, Plain: "人参", FromYear: &from, ToYear: &to},
			{Herb: "石膏"},
		},
		SpeciesFormulas: []datapackage.SpeciesFormula{{SpeciesID: 1, FormulaID: 9, Evidence: "book"}},
		Similarity:      []datapackage.Similarity{{FormulaID: 9, OtherID: 9, Method: "jaccard", Value: 0.5}},
		NameMatches: []datapackage.NameMatch{
			{SpeciesID: 1, NameMatchInfo: store.NameMatchInfo{MatchSource: "WCVP", MatchType: "exact", Score: &score, AcceptedName: "Panax ginseng", WCVPID: "146697"}},
			{SpeciesID: 2, NameMatchInfo: store.NameMatchInfo{MatchSource: "database", MatchType: "exact", AcceptedName: "Coffea arabica"}},
		},
	}
	for _, table := range p.Tables {
		if !table.Present || table.Rejected != 0 || table.Kept == 0 {
			t.Errorf("table %+v; want it present with all rows kept", table)
		}
	}
	p.Tables = nil
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("package (-want +got):\n%s", diff)
	}
}

func TestAbsentTables(t *testing.T) {
	p, found := read(t, map[string]string{"species.csv": "entry_id,scientific_name,rank\n1,Panax ginseng,species\n"}, datapackage.Options{})
	for _, f := range found {
		t.Errorf("found %s; a package needs only the table species; package check compares it with the previous package", show(f))
	}
	if table := p.Table("papers"); table.Present || table.Rows != 0 {
		t.Errorf("table papers = %+v; want it absent", table)
	}
	if table := p.Table("species"); !table.Present || table.Kept != 1 {
		t.Errorf("table species = %+v; want one row", table)
	}
}

func TestColumns(t *testing.T) {
	files := map[string]string{"species.csv": "编号,学名,Rang\n1,Panax ginseng,species\n"}
	p, _ := read(t, files, datapackage.Options{Columns: map[string]map[string]string{
		"species": {"编号": "entry_id", "学名": "scientific_name", "rang": "rank"},
	}})
	if len(p.Species) != 1 || p.Species[0].ScientificName != "Panax ginseng" {
		t.Errorf("species = %+v; want Panax ginseng", p.Species)
	}
	for name, columns := range map[string]map[string]map[string]string{
		"table":  {"specis": {"a": "entry_id"}},
		"column": {"species": {"a": "entry"}},
	} {
		var log finding.Log
		_, err := datapackage.Read(context.Background(), source(t, files), datapackage.Options{Columns: columns}, &log)
		if err == nil || !strings.Contains(err.Error(), "species, ") && !strings.Contains(err.Error(), "entry_id, ") {
			t.Errorf("columns map with an unknown %s: error %v; want one that lists the known names", name, err)
		}
	}
}

// TestFindingsNameTheFilesColumn checks that a finding names the column as the file does, because
// people look for the column in the file.
func TestFindingsNameTheFilesColumn(t *testing.T) {
	_, found := read(t, map[string]string{"species.csv": "编号,scientific_name,rank\nx,Panax ginseng,species\n"},
		datapackage.Options{Columns: map[string]map[string]string{"species": {"编号": "entry_id"}}})
	i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.Code == finding.Type })
	if i < 0 || found[i].Column != "编号" {
		t.Errorf("findings %v; want a type-error of column 编号", found)
	}
}

func TestGUID(t *testing.T) {
	// These GUIDs must never change, since other databases refer to them.
	for want, got := range map[string]string{
		"18efc692-f208-54b2-a15a-1f77b49a6d3e": datapackage.GUID("species", 1),
		"b336b581-d8d1-5a3d-afc5-bdd7605b31a5": datapackage.GUID("formulas", 1),
	} {
		if got != want {
			t.Errorf("GUID = %s, want %s", got, want)
		}
	}
}

func TestNotADataPackage(t *testing.T) {
	src, err := archive.FromFS("test", fstest.MapFS{"species.csv": {}}, archive.Limits{})
	must(t, err)
	var log finding.Log
	_, err = datapackage.Read(context.Background(), src, datapackage.Options{}, &log)
	var f finding.Finding
	if !errors.As(err, &f) || f.Code != finding.Source || !strings.Contains(f.Hint, "species.csv") {
		t.Errorf("error %v; want a finding that lists the files found", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var log finding.Log
	_, err := datapackage.Read(ctx, source(t, map[string]string{"species.csv": "entry_id,scientific_name,rank\n"}), datapackage.Options{}, &log)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// FuzzRead checks that any bytes in a table give a package whose rows follow the rules, or a fatal
// finding.
func FuzzRead(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range cases {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(string(file.Data), "formula_id,seq,herb\n1,1,人参\n")
		}
	}
	f.Fuzz(func(t *testing.T, species, ingredients string) {
		var log finding.Log
		p, err := datapackage.Read(context.Background(), source(t, map[string]string{
			"species.csv": species, "formulas.csv": "entry_id,name\n1,a\n2,b\n", "formula_ingredients.csv": ingredients,
		}), datapackage.Options{}, &log)
		if err != nil {
			if log.Total(finding.Fatal) == 0 {
				t.Errorf("error %v without a fatal finding", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range p.Species {
			if s.ScientificName == "" || s.Rank == "" || len(s.GUID) != 36 || seen[s.GUID] {
				t.Errorf("species %+v breaks the rules", s)
			}
			seen[s.GUID] = true
		}
		checkTables(t, p, log.Kept())
	})
}

// TestControlCharacters checks that control characters do not spoil names. The names index refuses
// such characters, and no query can contain them.
func TestControlCharacters(t *testing.T) {
	p, found := read(t, map[string]string{"species.csv": "entry_id,scientific_name,author,rank,chinese_name\n" +
		"1,Pa\x00nax ginseng,\"Mey\x1b\nC.\",species,人\u0085参\n2,\"Aralia\nelata\",,species,\x7f\n"}, datapackage.Options{})
	if s := p.Species[0]; s.ScientificName != "Panax ginseng" || s.Author != "Mey\nC." || s.ChineseName != "人参" {
		t.Errorf("species %+v; want it without control characters, but with the author's line break", s)
	}
	if p.Species[1].ChineseName != "" {
		t.Errorf("Chinese name %q of a lone control character; want none", p.Species[1].ChineseName)
	}
	got := map[string]int{}
	for _, f := range found {
		if f.Code == finding.Glyph || f.Code == finding.Name {
			got[fmt.Sprintf("%s %s:%d %s", f.Code, f.File, f.Line, f.Column)]++
		}
	}
	want := map[string]int{
		"glyph species.csv:2 scientific_name": 1, "glyph species.csv:2 author": 1, "glyph species.csv:3 chinese_name": 1,
		"glyph species.csv:5 chinese_name": 1, "name species.csv:4 scientific_name": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestColumnsWithOtherSeparators checks that the error for a table with a wrong separator names the
// separator. The error must not only say that all columns are missing.
func TestColumnsWithOtherSeparators(t *testing.T) {
	for sign, want := range map[string]string{"\t": "tabs", ";": "semicolons", "|": "vertical bars"} {
		text := strings.ReplaceAll("entry_id,scientific_name,rank\n1,Panax ginseng,species\n", ",", sign)
		var log finding.Log
		_, err := datapackage.Read(context.Background(), source(t, map[string]string{"species.csv": text}), datapackage.Options{}, &log)
		if err == nil || !strings.Contains(err.Error(), "separated by "+want) {
			t.Errorf("a table separated by %q: error %v; want one that names %s as the separator", sign, err, want)
		}
	}
}
