package store_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/internal/null"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

const site = "https://bencao.example"

// data returns two species, three similar formulas, two papers and two herbs.
func data() *store.Data {
	year := int32(219)
	score := 0.98
	return &store.Data{
		Species: []store.Species{
			{
				SpeciesDetail: store.SpeciesDetail{
					EntryID: 7, GUID: "00000000-0000-5000-8000-000000000007",
					ChineseName: "人参", ChineseNamePinyin: "rén shēn", ScientificName: "Panax ginseng",
					Author: "C.A.Mey.", Rank: "species", Family: "Araliaceae",
					NameMatch: &store.NameMatchInfo{MatchSource: "WCVP", MatchType: "exact", Score: &score, AcceptedName: "Panax ginseng"},
				},
				Num:      0,
				Synonyms: []store.Synonym{{ID: 1, Name: "Panax schinseng", Author: "Nees"}, {ID: 2, Name: "Aralia ginseng"}},
				Flora:    []store.FloraTreatment{{ID: 3, Flora: "FRPS", Volume: "54"}},
				Uses:     []store.PlantUse{{ID: 4, Collection: "folk", Category: "medicine"}},
				Papers:   []store.Num{1},
				Formulas: []store.Num{0, 1},
			},
			{SpeciesDetail: store.SpeciesDetail{EntryID: 8, GUID: "00000000-0000-5000-8000-000000000008", ScientificName: "Salix \"<alba>\"", URL: "https://elsewhere.example/8"}, Num: 1},
		},
		Formulas: []store.Formula{
			{
				FormulaDetail: store.FormulaDetail{
					EntryID: 1, GUID: "00000000-0000-5000-9000-000000000001", Name: "人参汤", Year: &year,
					Composition: `a string that holds ,"codes":null, and \u0001`,
					Codes:       []store.FormulaCode{{System: "local", Code: "A1"}},
				},
				Num:         0,
				Ingredients: []store.Ingredient{{Seq: 1, Herb: "柳枝", Plain: []string{"柳"}, Species: []store.Num{1}}, {Seq: 2, Herb: "人参", Plain: []string{"人参"}, Dose: "三两", Species: []store.Num{0}}},
				SimilarEuclidean: []store.Similar{
					{Formula: 1, Value: 0.1},
					{Formula: 2, Value: 0.2},
				},
				SimilarJaccard: []store.Similar{
					{Formula: 2, Value: 0.5},
				},
			},
			{FormulaDetail: store.FormulaDetail{EntryID: 2, GUID: "00000000-0000-5000-9000-000000000002", Name: "独参汤"}, Num: 1},
			{FormulaDetail: store.FormulaDetail{EntryID: 3, GUID: "00000000-0000-5000-9000-000000000003", Name: `,"sharedHerbs":null`, URL: "https://elsewhere.example/f3"}, Num: 2, Ingredients: []store.Ingredient{{Plain: []string{"人参", "柳"}}}},
		},
		Papers: []store.Paper{
			{PaperSummary: store.PaperSummary{ID: "a", Title: "First"}, Num: 0},
			{PaperSummary: store.PaperSummary{ID: "doi:10.1/x?y", DOI: "10.1/x?y"}, Num: 1},
		},
		Herbs: []store.Herb{
			{
				Num: 0, GUID: "00000000-0000-5000-a000-000000000001", Name: "人参", NamePinyin: "rén shēn", Latin: []string{"Ginseng Radix et Rhizoma", "Ginseng Radix"},
				Aliases: []store.HerbName{{Reading: store.Reading{Name: "神草", Pinyin: "shén cǎo"}, Kind: "book"}}, Forms: []string{"红参"}, Kind: "plant",
				Species: []store.HerbSource{
					{Species: 0, ChineseName: "人参", ScientificName: "Panax ginseng", Part: "root", ToYear: &year},
					{Species: 1, ScientificName: "Salix \"<alba>\"", FromYear: &year},
					{Species: 0, ChineseName: "人参", ScientificName: "Panax ginseng", Part: "leaf"},
				},
				Formulas: []store.Num{0, 1}, Written: []store.HerbWritten{{Herb: "人参", Formulas: 2}}, With: []store.HerbTogether{{Herb: 1, Formulas: 1}},
			},
			{Num: 1, GUID: "00000000-0000-5000-a000-000000000002", Name: "石", Kind: "mineral", NoPlant: true, VariantOf: []store.HerbVariant{{Herb: 0, How: "part"}}},
		},
		Stats: store.SiteStats{PlantTaxa: 2, ComputedAt: time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)},
	}
}

// open writes d and opens it for reading.
func open(tb testing.TB, d *store.Data) *store.Tx {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "store.bolt")
	must(tb, store.Write(context.Background(), path, d, nil))
	must(tb, os.Chmod(path, 0o444))
	s, err := store.Open(path)
	must(tb, err)
	tx, err := s.Begin()
	must(tb, err)
	tb.Cleanup(func() {
		tx.Close()
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return tx
}

// appender is an answer that can be rendered.
type appender interface {
	Append(dst []byte, site string, show store.Parts) []byte
}

// decode renders an answer with the given parts and decodes it. The JSON must equal the encoder's
// output.
func decode[T any](tb testing.TB, t appender, show store.Parts) T {
	tb.Helper()
	b := t.Append(nil, store.EscapeSite(site), show)
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		tb.Fatalf("%s: %v", b, err)
	}
	var want strings.Builder
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	must(tb, enc.Encode(v))
	if diff := cmp.Diff(strings.TrimSuffix(want.String(), "\n"), string(b)); diff != "" {
		tb.Errorf("rendered bytes differ from the encoder's (-encoder +rendered):\n%s", diff)
	}
	return v
}

func TestSpecies(t *testing.T) {
	d := data()
	tx := open(t, d)
	n, ok := tx.SpeciesNum(d.Species[0].GUID)
	if !ok || n != 0 {
		t.Fatalf("SpeciesNum = %d, %v; want 0, true", n, ok)
	}
	detail := decode[store.SpeciesDetail](t, tx.SpeciesDetail(n), 0)
	score := 0.98
	want := store.SpeciesDetail{
		EntryID: 7, GUID: d.Species[0].GUID, ChineseName: "人参", ChineseNamePinyin: "rén shēn",
		ScientificName: "Panax ginseng", Author: "C.A.Mey.", Rank: "species", Family: "Araliaceae",
		NameMatch: &store.NameMatchInfo{MatchSource: "WCVP", MatchType: "exact", Score: &score, AcceptedName: "Panax ginseng"},
		Synonyms:  []string{"Panax schinseng Nees", "Aralia ginseng"},
		Formulas:  2, FloraTreatments: 1, UseRecords: 1, Papers: 1,
		URL: site + "/species/" + d.Species[0].GUID,
	}
	if diff := cmp.Diff(want, detail); diff != "" {
		t.Errorf("detail (-want +got):\n%s", diff)
	}
	sum := decode[store.SpeciesSummary](t, tx.SpeciesSummary(n), 0)
	if sum.AcceptedName != "Panax ginseng" || string(sum.URL) != want.URL {
		t.Errorf("summary = %+v; want the accepted name and the address of the detail", sum)
	}
	if got := decode[[]store.FloraTreatment](t, tx.SpeciesFlora(n), 0); len(got) != 1 || got[0].Volume != "54" {
		t.Errorf("flora = %+v; want volume 54", got)
	}
	if got := decode[[]store.PlantUse](t, tx.SpeciesUses(n), 0); len(got) != 1 || got[0].Collection != "folk" {
		t.Errorf("uses = %+v; want one of the collection folk", got)
	}
	papers := decode[[]store.PaperSummary](t, tx.SpeciesPapers(n), 0)
	if len(papers) != 1 || papers[0].URL != site+"/papers/doi:10.1%2Fx%3Fy" {
		t.Errorf("papers = %+v; want one whose identifier is escaped in its address", papers)
	}
	if diff := cmp.Diff([]store.Num{0, 1}, tx.SpeciesFormulas(n)); diff != "" {
		t.Errorf("formulas (-want +got):\n%s", diff)
	}
}

func TestSpeciesWithoutSublists(t *testing.T) {
	d := data()
	tx := open(t, d)
	sum := decode[store.SpeciesSummary](t, tx.SpeciesSummary(1), 0)
	if sum.URL != "https://elsewhere.example/8" || sum.ChineseName != "" {
		t.Errorf("summary = %+v; want the operator's address and no Chinese name", sum)
	}
	for name, got := range map[string]appender{
		"flora": tx.SpeciesFlora(1), "uses": tx.SpeciesUses(1), "papers": tx.SpeciesPapers(1),
	} {
		if list := string(got.Append(nil, site, 0)); list != "[]" {
			t.Errorf("%s = %s; want []", name, list)
		}
	}
	if got := tx.SpeciesFormulas(1); len(got) != 0 {
		t.Errorf("formulas = %v; want none", got)
	}
}

func TestFormulaDetailShowsOnlyItsParts(t *testing.T) {
	d := data()
	tx := open(t, d)
	for _, tt := range []struct {
		show                    store.Parts
		composition, similarity bool
	}{
		{0, false, false},
		{store.Composition, true, false},
		{store.Similarity, false, true},
		{store.Composition | store.Similarity, true, true},
	} {
		got := decode[store.FormulaDetail](t, tx.FormulaDetail(0, tt.show), tt.show)
		if (got.Ingredients != nil) != tt.composition || (got.Codes != nil) != tt.composition {
			t.Errorf("parts %b: ingredients %v, codes %v; want shown %v", tt.show, got.Ingredients, got.Codes, tt.composition)
		}
		if (got.SimilarJaccard != nil) != tt.similarity || (got.SimilarEuclidean != nil) != tt.similarity {
			t.Errorf("parts %b: jaccard %v, euclidean %v; want shown %v", tt.show, got.SimilarJaccard, got.SimilarEuclidean, tt.similarity)
		}
		for name, list := range map[string][]store.SimilarFormula{"euclidean": got.SimilarEuclidean, "jaccard": got.SimilarJaccard} {
			for _, s := range list {
				if (s.SharedHerbs != nil) != tt.composition {
					t.Errorf("parts %b: %s shows the shared herbs %v; want shown %v", tt.show, name, s.SharedHerbs, tt.composition)
				}
			}
		}
		if got.Composition != d.Formulas[0].Composition {
			t.Errorf("composition = %q; want it verbatim", got.Composition)
		}
	}
	got := decode[store.FormulaDetail](t, tx.FormulaDetail(0, store.Composition|store.Similarity), store.Composition|store.Similarity)
	if u := got.Ingredients[1].Species[0].URL; u != site+"/species/"+d.Species[0].GUID {
		t.Errorf("address of the herb's species = %q", u)
	}
	if u := got.Ingredients[0].Species[0].URL; u != "https://elsewhere.example/8" {
		t.Errorf("address of the herb's species = %q; want the operator's", u)
	}
	if s := got.SimilarJaccard[0]; s.GUID != d.Formulas[2].GUID || s.Value != 0.5 || s.SharedHerbs[1] != "人参" {
		t.Errorf("similar formula = %+v", s)
	}
}

// TestHerbs reads a herb with all fields and a herb with few. The lists that come from formulas
// must be shown only with [store.Composition].
func TestHerbs(t *testing.T) {
	d := data()
	tx := open(t, d)
	n, ok := tx.HerbNum(d.Herbs[0].GUID)
	if !ok || n != 0 {
		t.Fatalf("HerbNum = %d, %v; want 0, true", n, ok)
	}
	year := int32(219)
	d.Herbs[0].Apart = []store.HerbApart{{Herb: 1, Source: "中国药典"}}
	d.Herbs[0].LeftYear, d.Herbs[0].LeftBy = 2005, "2005年版"
	d.Herbs[0].Others = []store.HerbSource{{Species: 1, ScientificName: "Salix nigra", Evidence: []store.HerbEvidence{{By: "pharmacopoeia", Source: "中国药典", Edition: "2010"}}}}
	d.Herbs[0].Absent = []store.HerbAbsent{{ScientificName: "Salix rubra", Evidence: []store.HerbEvidence{{By: "other"}}}}
	d.Herbs[0].Meant = []store.HerbMeant{{Herb: 1, ToYear: &year, Source: "本草纲目"}}
	d.Herbs[0].InText = 3
	d.Herbs[0].Doses = []store.HerbDose{{Dynasty: "唐", Doses: 3, Quarter: 1, Median: 2, Quarter3: 4}}
	tx = open(t, d)
	want := store.HerbDetail{
		GUID: d.Herbs[0].GUID, Name: "人参", NamePinyin: "rén shēn", LatinNames: []string{"Ginseng Radix et Rhizoma", "Ginseng Radix"},
		Aliases: []string{"神草"}, Names: []store.HerbCalled{{Name: "人参", Kind: "standard"}, {Name: "神草", Kind: "book"}}, ProcessedForms: []string{"红参"}, Parts: []string{}, Kind: "plant", VariantOf: []store.HerbNamed{},
		Absent:    []store.HerbAbsent{{ScientificName: "Salix rubra", Evidence: []store.HerbEvidence{{By: "other"}}}},
		NameMeant: []store.HerbMeaning{{GUID: d.Herbs[1].GUID, Name: "石", ToYear: &year, Source: "本草纲目", URL: site + "/herbs/" + d.Herbs[1].GUID}}, ConfusedWith: []store.HerbBook{{GUID: d.Herbs[1].GUID, Name: "石", Source: "中国药典", URL: site + "/herbs/" + d.Herbs[1].GUID}}, Left: &store.HerbLeft{Year: 2005, Source: "2005年版"}, Formulas: 2,
		Species: []store.HerbOrigin{
			{GUID: d.Species[0].GUID, ChineseName: "人参", ScientificName: "Panax ginseng", Part: "root", ToYear: &year, URL: site + "/species/" + d.Species[0].GUID, Counted: true, Evidence: []store.HerbEvidence{}},
			{GUID: d.Species[1].GUID, ScientificName: "Salix \"<alba>\"", FromYear: &year, URL: "https://elsewhere.example/8", Counted: true, Evidence: []store.HerbEvidence{}},
			{GUID: d.Species[0].GUID, ChineseName: "人参", ScientificName: "Panax ginseng", Part: "leaf", URL: site + "/species/" + d.Species[0].GUID, Counted: true, Evidence: []store.HerbEvidence{}},
			{GUID: d.Species[1].GUID, ScientificName: "Salix nigra", URL: "https://elsewhere.example/8", Evidence: []store.HerbEvidence{{By: "pharmacopoeia", Source: "中国药典", Edition: "2010"}}},
		},
		URL: site + "/herbs/" + d.Herbs[0].GUID,
	}
	if diff := cmp.Diff(want, decode[store.HerbDetail](t, tx.HerbDetail(0), store.Similarity)); diff != "" {
		t.Errorf("without composition (-want +got):\n%s", diff)
	}
	want.WrittenAs = []store.HerbText{{Herb: "人参", Formulas: 2}}
	want.InText, want.Doses = new(int32(3)), d.Herbs[0].Doses
	want.GoesWith = []store.HerbBeside{{GUID: d.Herbs[1].GUID, Name: "石", Formulas: 1, URL: site + "/herbs/" + d.Herbs[1].GUID}}
	if diff := cmp.Diff(want, decode[store.HerbDetail](t, tx.HerbDetail(0), store.Composition)); diff != "" {
		t.Errorf("with composition (-want +got):\n%s", diff)
	}
	sum := decode[store.HerbSummary](t, tx.HerbSummary(0), 0)
	if diff := cmp.Diff([]string{"Panax ginseng", "Salix \"<alba>\"", "Salix nigra", "Salix rubra"}, sum.ScientificNames); diff != "" || sum.LatinName != "Ginseng Radix et Rhizoma" || sum.Formulas != 2 {
		t.Errorf("summary = %+v", sum)
	}
	stone := decode[store.HerbDetail](t, tx.HerbDetail(1), store.Composition)
	if !stone.NoPlant || stone.WrittenAs == nil || stone.GoesWith == nil || stone.VariantOf[0].Name != "人参" || len(tx.HerbFormulas(1)) != 0 {
		t.Errorf("a herb without formulas = %+v", stone)
	}
	if got := tx.HerbFormulas(0); len(got) != 2 || got[1] != 1 {
		t.Errorf("formulas = %v; want 0 and 1", got)
	}
}

func TestSharedHerbs(t *testing.T) {
	got := decode[store.FormulaDetail](t, open(t, data()).FormulaDetail(0, store.Composition|store.Similarity), store.Composition|store.Similarity).SimilarEuclidean
	if len(got) != 2 || got[0].SharedHerbs == nil || len(got[0].SharedHerbs) != 0 || strings.Join(got[1].SharedHerbs, " ") != "柳 人参" {
		t.Errorf("similar formulas = %+v; want no herb shared with the first, which is [], and 柳 and 人参 with the second", got)
	}
}

func TestUnknownRecords(t *testing.T) {
	tx := open(t, data())
	for _, guid := range []string{"", "x", strings.Repeat("x", 100_000), "00000000-0000-5000-9000-000000000001"} {
		if n, ok := tx.SpeciesNum(guid); ok {
			t.Errorf("SpeciesNum(%.40q) = %d; want none", guid, n)
		}
	}
	if got := tx.SpeciesDetail(99); got != nil {
		t.Errorf("SpeciesDetail(99) = %s; want nil", got)
	}
}

func TestEmptyStore(t *testing.T) {
	tx := open(t, &store.Data{})
	if n := tx.Count(store.TableSpecies) + tx.Count(store.TableFormulas) + tx.Count(store.TablePapers) + tx.Count(store.TableHerbs); n != 0 {
		t.Errorf("counts add up to %d; want 0", n)
	}
	if len(tx.Stats()) == 0 {
		t.Error("no statistics; want zeros")
	}
}

func TestWriteRefuses(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*store.Data)
		want  string
	}{
		{"the same guid twice", func(d *store.Data) { d.Species[1].GUID = d.Species[0].GUID }, "occurs twice"},
		{"a number that is not the index", func(d *store.Data) { d.Formulas[1].Num = 5 }, "formula 1 has number 5"},
		{"the mark in a record", func(d *store.Data) { d.Papers[0].Title = "\x01" }, "control character U+0001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := data()
			tt.spoil(d)
			err := store.Write(context.Background(), filepath.Join(t.TempDir(), "store.bolt"), d, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v; want one that says %q", err, tt.want)
			}
		})
	}
}

func TestOpenRefusesAnotherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.bolt")
	if _, err := store.Open(path); err == nil {
		t.Error("a missing file opens; want an error")
	}
	must(t, os.WriteFile(path, []byte("not a store"), 0o644))
	if _, err := store.Open(path); err == nil {
		t.Error("a file that is no store opens; want an error")
	}
}

func TestTextIsNullWhenEmpty(t *testing.T) {
	got, err := json.Marshal([]null.Text{"", "a"})
	if err != nil || string(got) != `[null,"a"]` {
		t.Errorf("got %s, %v; want [null,\"a\"]", got, err)
	}
}

func BenchmarkAppendDetail(b *testing.B) {
	tx := open(b, data())
	t := tx.FormulaDetail(0, store.Composition)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = t.Append(buf[:0], site, store.Composition)
	}
}

func TestCompare(t *testing.T) {
	before := open(t, data())
	d := data()
	d.Species[1].Author = "L."
	d.Formulas[0].SimilarJaccard = nil
	d.Papers[1].Title = "Second"
	d.Species[1].Papers, d.Papers[0].Species = []store.Num{0}, []store.Num{1}
	d.Herbs[0].With = nil
	d.Herbs[1].NoPlant = false
	after := open(t, d)
	for table, want := range map[store.Table][]string{
		// The first species lists the second paper, whose title changed.
		store.TableSpecies:  {d.Species[0].GUID, d.Species[1].GUID},
		store.TableFormulas: nil,
		store.TablePapers:   {"a", "doi:10.1/x?y"}, // the first paper now lists a species
		store.TableHerbs:    {d.Herbs[1].GUID},
	} {
		got := store.Compare(table, before, after)
		if n := int(before.Count(table)); got.Before != n || got.After != n || len(got.Added)+len(got.Removed) > 0 {
			t.Errorf("%s: %+v; want %d records before and after, all known", table, got, n)
		}
		if diff := cmp.Diff(want, got.Changed); diff != "" {
			t.Errorf("%s changed (-want +got):\n%s", table, diff)
		}
	}
}
