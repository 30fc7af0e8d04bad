package mappings_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// must ends the test if there is an error.
var must = testkit.Must

// few returns a few records, for tests that build an index.
func few() []store.Species {
	return []store.Species{
		{SpeciesDetail: store.SpeciesDetail{EntryID: 7, ChineseName: "人参", ChineseNamePinyin: "rén shēn", ScientificName: "Panax ginseng", Rank: "species"}, Num: 0},
		{
			SpeciesDetail: store.SpeciesDetail{
				EntryID: 9, ChineseName: "三七", ChineseNamePinyin: "sān qī", ScientificName: "Panax notoginseng", Rank: "species",
			},
			Num:      1,
			Synonyms: []store.Synonym{{Name: "Panax pseudoginseng var. notoginseng"}, {Name: "Aralia quinquefolia"}},
			Aliases:  []store.Alias{{Name: "田七", Pinyin: "tián qī"}},
		},
		{SpeciesDetail: store.SpeciesDetail{EntryID: 8, ScientificName: "Salvia nubicola", Rank: "species"}, Num: 2},
	}
}

func buildFew(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "species.bleve")
	must(t, index.Build(context.Background(), dir, mappings.Species, few()))
	return dir
}

// TestEmptyTables builds, opens and searches indexes of empty tables.
func TestEmptyTables(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for _, table := range []struct {
		name  string
		build func(dir string) error
		open  func(dir string) (*search.Searcher, error)
	}{
		{"species", func(d string) error { return index.Build(ctx, d, mappings.Species, nil) }, openSpecies},
		{"formulas", func(d string) error { return index.Build(ctx, d, mappings.Formulas, nil) }, openFormulas},
		{"papers", func(d string) error { return index.Build(ctx, d, mappings.Papers, nil) }, openPapers},
		{"herbs", func(d string) error { return index.Build(ctx, d, mappings.Herbs, nil) }, openHerbs},
	} {
		d := filepath.Join(dir, table.name)
		if err := table.build(d); err != nil {
			t.Fatalf("%s: %v", table.name, err)
		}
		ix, err := table.open(d)
		if err != nil {
			t.Fatalf("%s: %v", table.name, err)
		}
		for _, q := range []search.Query{{Size: 5}, {Text: "人参", Size: 5}, {Text: "ginseng", Dynasty: "宋", Size: 5}, {Text: "10.1/a", Size: 5}, {Dynasty: "宋", Size: 5}} {
			if hits := ask(t, ix, q); hits.Total != 0 || len(hits.Nums) != 0 || hits.Nums == nil {
				t.Errorf("%s: %+v finds %v in an empty index, want an empty list", table.name, q, hits)
			}
		}
		closeAll(t, ix)
	}
}

// TestReadOnlyFiles opens an index twice at the same time. The files of the index are read-only, as
// in a mirror.
func TestReadOnlyFiles(t *testing.T) {
	dir := buildFew(t)
	modes := func(file, folder fs.FileMode) {
		if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(path, folder|0o200) // so that the test can remove them
			}
			return errors.Join(err, os.Chmod(path, file))
		}); err != nil {
			t.Fatal(err)
		}
	}
	modes(0o444, 0o555)
	a, err := search.Open(dir, mappings.Species)
	must(t, err)
	b, err := search.Open(dir, mappings.Species)
	must(t, err)
	for _, ix := range []*search.Searcher{a, b} {
		if hits := ask(t, ix, search.Query{Text: "人参", Size: 9}); !slices.Equal(hits.Nums, []store.Num{0}) {
			t.Errorf("人参 finds %v, want record 0", hits.Nums)
		}
	}
	closeAll(t, a, b)
}

// TestBuildLeavesNothingElse checks that a build leaves only the files of the index,
// and that all users may read them.
func TestBuildLeavesNothingElse(t *testing.T) {
	dir := buildFew(t)
	entries, err := os.ReadDir(filepath.Dir(dir))
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("%d entries lie beside the index, want none: %v", len(entries)-1, entries)
	}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o044 != 0o044 {
			t.Errorf("%s has mode %v; a mirror cannot copy it", path, info.Mode())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestBuildStops checks that a build ends with its context and leaves no temporary
// files.
func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if err := index.Build(ctx, filepath.Join(dir, "a"), mappings.Species, few()); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".build-*")); err != nil || len(left) > 0 {
		t.Errorf("left %v (%v)", left, err)
	}
}

// TestBuildTellsProgress checks that the last call of the progress function reports all records.
func TestBuildTellsProgress(t *testing.T) {
	last, total := -1, -1
	err := index.Build(context.Background(), filepath.Join(t.TempDir(), "a"), mappings.Species, few(), func(d, n int) { last, total = d, n })
	if err != nil || last != 3 || total != 3 {
		t.Errorf("ended with %d of %d records (%v), want 3 of 3", last, total, err)
	}
}

// TestDamaged flips bytes throughout an index, as the disk of a running server may do. A flip may
// have no effect, because Bleve does not verify the data that it reads. A panic of Bleve must become
// an error.
func TestDamaged(t *testing.T) {
	dir := buildFew(t)
	matches, err := filepath.Glob(filepath.Join(dir, "store", "*.zap"))
	if err != nil || len(matches) != 1 {
		t.Fatalf("the index has the segments %v (%v), want one", matches, err)
	}
	good, err := os.ReadFile(matches[0])
	must(t, err)
	failed := 0
	for at := 0; at < len(good); at += 37 {
		bad := slices.Clone(good)
		bad[at] ^= 0xff
		must(t, os.WriteFile(matches[0], bad, 0o644))
		ix, err := search.Open(dir, mappings.Species)
		if err != nil {
			failed++
			continue
		}
		for _, q := range []string{"人参", "renshen", "panax", "notoginseng", "panax gingseng", "人身", "sq"} {
			if _, err := ix.Search(context.Background(), search.Query{Text: q, Size: 5}); err != nil {
				failed++
				if !strings.Contains(err.Error(), "damaged") && !strings.Contains(err.Error(), "read") {
					t.Errorf("byte %d: error %q does not say what is wrong", at, err)
				}
			}
		}
		closeAll(t, ix)
	}
	if failed == 0 {
		t.Error("no flipped byte was noticed; the test flips the wrong file")
	}
}

// TestOpenErrors checks the errors for directories that are not an index.
func TestOpenErrors(t *testing.T) {
	empty := t.TempDir()
	for _, dir := range []string{filepath.Join(empty, "missing"), empty} {
		if ix, err := search.Open(dir, mappings.Species); err == nil {
			closeAll(t, ix)
			t.Errorf("%s was opened as an index", dir)
		} else if !strings.Contains(err.Error(), dir) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %q does not say which index is missing", err)
		}
	}
}

// TestSelfCheckFinds checks that the self-check reports a record that is missing from the index,
// and a wrong number of records.
func TestSelfCheckFinds(t *testing.T) {
	ix, err := search.Open(buildFew(t), mappings.Species)
	must(t, err)
	defer closeAll(t, ix)
	records := few()
	records[2].ChineseName = store.Text(strings.Repeat("鼠尾草", search.MaxQuery)) // no query
	if got, err := search.Check(context.Background(), ix, mappings.Species, records); err != nil || len(got.Failures) > 0 || got.Checked != 7 {
		t.Errorf("a good index: %d values, failures %v (%v), want 7 and none", got.Checked, got.Failures, err)
	}
	records[1].ChineseName = "西洋参"
	got, err := search.Check(context.Background(), ix, mappings.Species, records)
	if err != nil || len(got.Failures) != 1 {
		t.Fatalf("a name that the index lacks: failures %v (%v), want 1", got.Failures, err)
	}
	if want := (search.Failure{Num: 1, Field: "chineseName", Value: "西洋参"}); got.Failures[0] != want {
		t.Errorf("the failure is %+v, want %+v", got.Failures[0], want)
	}
	if _, err := search.Check(context.Background(), ix, mappings.Species, records[:2]); err == nil {
		t.Error("an index with a record too many passed")
	}
}

// TestSelfCheckOfTitles checks titles that are too long for a query, with spaces and without, and a title
// that nobody can search for.
func TestSelfCheckOfTitles(t *testing.T) {
	titles := []string{"Flora of China", strings.Repeat("Flora of Chinas ", 40), strings.Repeat("中国植物志", 120), "???"}
	papers := make([]store.Paper, len(titles))
	for n, title := range titles {
		papers[n] = store.Paper{PaperSummary: store.PaperSummary{Title: store.Text(title)}, Num: store.Num(n)}
	}
	dir := filepath.Join(t.TempDir(), mappings.PapersDir)
	must(t, index.Build(t.Context(), dir, mappings.Papers, papers))
	ix, err := openPapers(dir)
	must(t, err)
	defer closeAll(t, ix)
	if got, err := search.Check(t.Context(), ix, mappings.Papers, papers); err != nil || len(got.Failures) > 0 || got.Checked != 3 {
		t.Errorf("a good index: %d values, failures %v (%v), want 3 and none", got.Checked, got.Failures, err)
	}
	papers[0].Title, papers[1].Title = "Fauna of China", store.Text(strings.Repeat("Fauna of Chinas ", 40))
	if got, err := search.Check(t.Context(), ix, mappings.Papers, papers); err != nil || len(got.Failures) != 2 {
		t.Errorf("titles that the index lacks: failures %v (%v), want 2", got.Failures, err)
	}
}

// TestSynonymsAreNotMixed checks that a hit has all words of a query in the same synonym.
func TestSynonymsAreNotMixed(t *testing.T) {
	ix, err := search.Open(buildFew(t), mappings.Species)
	must(t, err)
	defer closeAll(t, ix)
	for q, want := range map[string]int{"aralia quinquefolia": 1, "aralia notoginseng": 0, "panax quinquefolia": 0, "pseudoginseng notoginseng": 1} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 5}); hits.Total != want {
			t.Errorf("%q finds %d, want %d", q, hits.Total, want)
		}
	}
}

// TestChineseTitles checks that Chinese titles are found by pairs of neighbouring
// characters, and that shorter titles come first.
func TestChineseTitles(t *testing.T) {
	papers := []store.Paper{
		{PaperSummary: store.PaperSummary{ID: "a", Title: "人参皂苷的研究进展及其在临床中的应用"}, Num: 0},
		{PaperSummary: store.PaperSummary{ID: "b", Title: "三七与人参的比较"}, Num: 1},
		{PaperSummary: store.PaperSummary{ID: "c", Title: "参与式研究"}, Num: 2},
		{PaperSummary: store.PaperSummary{ID: "d", Title: "Ｐａｎａｘ ginseng の研究"}, Num: 3},
	}
	dir := filepath.Join(t.TempDir(), "papers")
	must(t, index.Build(context.Background(), dir, mappings.Papers, papers))
	ix, err := search.Open(dir, mappings.Papers)
	must(t, err)
	defer closeAll(t, ix)
	for q, want := range map[string][]store.Num{
		"人参":      {1, 0},
		"皂苷":      {0},
		"人参 比较":   {1},
		"参":       {2, 1, 0},
		"研究":      {3, 2, 0},
		"panax":   {3},
		"皂苷 仪器":   {0}, // no title contains both
		"人参 仪器 ほ": {1, 0},
	} {
		if hits := ask(t, ix, search.Query{Text: q, Size: 9}); !slices.Equal(hits.Nums, want) {
			t.Errorf("%q finds %v, want %v", q, hits.Nums, want)
		}
	}
}

// TestOrders checks the answer orders, which determine the record numbers.
func TestOrders(t *testing.T) {
	year := func(y int32) *int32 { return &y }
	species := []store.Species{
		{SpeciesDetail: store.SpeciesDetail{EntryID: 5, ChineseName: "人参", Rank: "species"}},
		{SpeciesDetail: store.SpeciesDetail{EntryID: 4, ChineseName: "三七(原变种)", Rank: "variety"}},
		{SpeciesDetail: store.SpeciesDetail{EntryID: 3, ChineseName: "西洋参", Rank: "species"}},
		{SpeciesDetail: store.SpeciesDetail{EntryID: 2, ChineseName: "三七", Rank: "species"}}, // has the most formulas, so it comes first
		{SpeciesDetail: store.SpeciesDetail{EntryID: 1, Rank: "species"}},
	}
	known := map[int32]mappings.Prominence{2: {Formulas: 10}, 3: {Papers: 1}}
	var ids []int32
	for _, i := range sorted(len(species), mappings.SpeciesOrder(species, func(i int) mappings.Prominence { return known[species[i].EntryID] })) {
		ids = append(ids, species[i].EntryID)
	}
	if want := []int32{2, 5, 3, 1, 4}; !slices.Equal(ids, want) {
		t.Errorf("species are in the order %v, want %v", ids, want)
	}
	formulas := []store.Formula{
		{FormulaDetail: store.FormulaDetail{EntryID: 1, Name: "桂枝加桂汤", Year: year(219)}},
		{FormulaDetail: store.FormulaDetail{EntryID: 2, Name: "桂枝汤"}},
		{FormulaDetail: store.FormulaDetail{EntryID: 3, Name: "桂枝汤", Year: year(652)}},
		{FormulaDetail: store.FormulaDetail{EntryID: 4, Name: "桂枝汤", Year: year(219)}},
		{FormulaDetail: store.FormulaDetail{EntryID: 5, Name: "桂枝散", Year: year(652)}},
		{FormulaDetail: store.FormulaDetail{EntryID: 6}},
	}
	ids = nil
	for _, i := range sorted(len(formulas), mappings.FormulaOrder(formulas, mappings.Standings(formulas))) {
		ids = append(ids, formulas[i].EntryID)
	}
	if want := []int32{4, 1, 5, 3, 2, 6}; !slices.Equal(ids, want) {
		t.Errorf("formulas are in the order %v, want %v", ids, want)
	}
	papers := []store.Paper{{PaperSummary: store.PaperSummary{ID: "a", Title: "B", Year: "1999"}}, {PaperSummary: store.PaperSummary{ID: "b", Title: "A"}}, {PaperSummary: store.PaperSummary{ID: "c", Title: "A", Year: "2020 [2021]"}}, {PaperSummary: store.PaperSummary{ID: "d", Title: "A", Year: "1999"}}}
	var keys []string
	for _, i := range sorted(len(papers), mappings.PaperOrder(papers)) {
		keys = append(keys, papers[i].ID)
	}
	if want := []string{"c", "d", "a", "b"}; !slices.Equal(keys, want) {
		t.Errorf("papers are in the order %v, want %v", keys, want)
	}
	herbs := []store.Herb{{GUID: "a", Name: "肉桂"}, {GUID: "b", Name: "甘草", Formulas: []store.Num{1, 2}}, {GUID: "c", Name: "桂"}, {GUID: "d", Name: "人参"}}
	slices.SortFunc(herbs, func(a, b store.Herb) int { return mappings.CompareHerbs(&a, &b) })
	keys = nil
	for _, h := range herbs {
		keys = append(keys, h.GUID)
	}
	if want := []string{"b", "c", "d", "a"}; !slices.Equal(keys, want) {
		t.Errorf("herbs are in the order %v, want %v", keys, want)
	}
}

// TestTables checks the rows of the tables: unique names, tiers up to 100, and a field
// of characters for each field of pinyin.
func TestTables(t *testing.T) {
	checkTable(t, "species", mappings.Species)
	checkTable(t, "formulas", mappings.Formulas)
	checkTable(t, "papers", mappings.Papers)
	checkTable(t, "herbs", mappings.Herbs)
}

func checkTable[R any](t *testing.T, table string, fields []mappings.Field[R]) {
	t.Helper()
	analyzers := make(map[string]mappings.Analyzer)
	for _, f := range fields {
		if _, ok := analyzers[f.Name]; ok || f.Name == "" || strings.ContainsAny(f.Name, ". ") {
			t.Errorf("%s: the name of field %q is empty, used twice, or has a dot or a space", table, f.Name)
		}
		analyzers[f.Name] = f.Analyzer
		for way, tier := range f.Tiers {
			if tier > 100 {
				t.Errorf("%s: field %s has tier %d for %q; 100 is the best", table, f.Name, tier, mappings.Way(way))
			}
		}
	}
	for _, f := range fields {
		if a, ok := analyzers[f.Characters]; (f.Analyzer == mappings.Pinyin || f.Analyzer == mappings.Initials) != (ok && a == mappings.Chinese) {
			t.Errorf("%s: field %s sounds %q; a row of pinyin or initials needs a row of Chinese names, others have none", table, f.Name, f.Characters)
		}
	}
}

// sorted returns the numbers from 0 to n-1 in the order of a comparison.
func sorted(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, compare)
	return out
}
