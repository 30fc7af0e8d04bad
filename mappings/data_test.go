package mappings_test

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/internal/fullsize"
	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/names/pinyin"
	"bencao/store"

	"golang.org/x/sync/errgroup"
)

// pack is a data package with its indexes.
type pack struct {
	species  []store.Species
	formulas []store.Formula
	papers   []store.Paper

	dir          string
	speciesIndex *search.Searcher
	formulaIndex *search.Searcher
	paperIndex   *search.Searcher
	pairs        []pinyin.Pair // of the source
	buildTime    map[string]time.Duration
	size         map[string]int64
}

var fullPack = sync.OnceValues(func() (*pack, error) {
	// The folder outlives the test that asks first; TestMain removes it.
	dir, err := os.MkdirTemp("", "mappings")
	if err != nil {
		return nil, err
	}
	tempDirs = append(tempDirs, dir)
	z, err := zip.OpenReader(fullZip)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var sub fs.FS = z
	if m, err := fs.Glob(z, "*/species.csv"); err == nil && len(m) == 1 {
		if sub, err = fs.Sub(z, filepath.Dir(m[0])); err != nil {
			return nil, err
		}
	}
	return loadPack(sub, dir)
})

// fullZip and tempDirs belong to full and TestMain.
var (
	fullZip  string
	tempDirs []string
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, d := range tempDirs {
		os.RemoveAll(d)
	}
	os.Exit(code)
}

// full is the full-size package.
func full(tb testing.TB) *pack {
	tb.Helper()
	if raceEnabled || testing.Short() {
		tb.Skip("NOT TESTED: the full package takes too long under -race and -short")
	}
	fullZip = fullsize.Path(tb, "data/china-plants.zip")
	p, err := fullPack()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// table reads a CSV and calls f with each row's cells by column; a missing
// table has no rows.
func table(fsys fs.FS, name string, f func(cell func(string) string)) error {
	file, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	r := csv.NewReader(file)
	header, err := r.Read()
	if err != nil {
		return err
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		f(func(column string) string {
			if i := slices.Index(header, column); i >= 0 {
				return row[i]
			}
			return ""
		})
	}
}

// loadPack reads a package and builds its indexes.
func loadPack(fsys fs.FS, dir string) (*pack, error) {
	p, err := readPack(fsys, dir)
	if err != nil {
		return nil, err
	}
	return p, p.build()
}

// readPack reads a package as the indexer does and numbers its records.
func readPack(fsys fs.FS, dir string) (*pack, error) {
	p := &pack{dir: dir, buildTime: make(map[string]time.Duration), size: make(map[string]int64)}
	number := func(s string) int64 {
		n, _ := strconv.ParseInt(s, 10, 64) // empty is 0
		return n
	}
	byID := make(map[string]int)
	byHerb := make(map[string][]string)
	popular := make(map[int32]int)
	popularFormula := make(map[int32]int)
	err := errors.Join(
		table(fsys, "species.csv", func(c func(string) string) {
			byID[c("entry_id")] = len(p.species)
			p.species = append(p.species, store.Species{
				EntryID: int32(number(c("entry_id"))), GUID: c("guid"), ChineseName: c("chinese_name"), ChineseNamePinyin: c("chinese_name_pinyin"),
				ScientificName: c("scientific_name"), Author: c("author"), Rank: c("rank"),
			})
		}),
		table(fsys, "aliases.csv", func(c func(string) string) {
			if i, ok := byID[c("species_id")]; ok {
				p.species[i].Aliases = append(p.species[i].Aliases, store.Alias{Name: c("name")})
			}
		}),
		table(fsys, "synonyms.csv", func(c func(string) string) {
			if i, ok := byID[c("species_id")]; ok {
				p.species[i].Synonyms = append(p.species[i].Synonyms, store.Synonym{Name: c("name")})
			}
		}),
		table(fsys, "formulas.csv", func(c func(string) string) {
			f := store.Formula{EntryID: int32(number(c("entry_id"))), GUID: c("guid"), Name: c("name"), NamePinyin: c("name_pinyin"), Dynasty: c("dynasty")}
			if y := c("year"); y != "" {
				n := int32(number(y))
				f.Year = &n
			}
			p.formulas = append(p.formulas, f)
		}),
		table(fsys, "papers.csv", func(c func(string) string) {
			p.papers = append(p.papers, store.Paper{ID: c("id"), Title: c("title"), Year: c("year"), DOI: c("doi"), PubMedID: c("pubmed_id")})
		}),
		table(fsys, "herb_species.csv", func(c func(string) string) { byHerb[c("herb")] = append(byHerb[c("herb")], c("species_id")) }),
		table(fsys, "formula_ingredients.csv", func(c func(string) string) {
			for _, id := range byHerb[c("herb")] {
				popular[int32(number(id))]++
				popularFormula[int32(number(c("formula_id")))]++
			}
		}),
		table(fsys, "species_papers.csv", func(c func(string) string) { popular[int32(number(c("species_id")))]++ }),
		table(fsys, "uses.csv", func(c func(string) string) { popular[int32(number(c("species_id")))]++ }),
	)
	if err != nil {
		return nil, err
	}
	for i := range p.species {
		if s := &p.species[i]; s.ChineseName != "" && s.ChineseNamePinyin != "" {
			p.pairs = append(p.pairs, pinyin.Pair{Name: s.ChineseName, Pinyin: s.ChineseNamePinyin})
		}
	}
	model := pinyin.Train(slices.Values(p.pairs))
	for i := range p.species {
		s := &p.species[i]
		if s.ChineseNamePinyin == "" {
			s.ChineseNamePinyin = model.Read(s.ChineseName)
		}
		for k := range s.Aliases {
			s.Aliases[k].Pinyin = model.Read(s.Aliases[k].Name)
		}
	}
	for i := range p.formulas {
		if f := &p.formulas[i]; f.NamePinyin == "" {
			f.NamePinyin = model.Read(f.Name)
		}
	}
	slices.SortFunc(p.species, func(a, b store.Species) int {
		return order(mappings.LessSpecies(&a, &b, popular[a.EntryID], popular[b.EntryID]))
	})
	slices.SortFunc(p.formulas, func(a, b store.Formula) int {
		return order(mappings.LessFormulas(&a, &b, popularFormula[a.EntryID], popularFormula[b.EntryID]))
	})
	slices.SortFunc(p.papers, func(a, b store.Paper) int { return order(mappings.LessPapers(&a, &b)) })
	for i := range p.species {
		p.species[i].Num = store.Num(i)
	}
	for i := range p.formulas {
		p.formulas[i].Num = store.Num(i)
	}
	for i := range p.papers {
		p.papers[i].Num = store.Num(i)
	}
	return p, nil
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

func (p *pack) build() error {
	ctx := context.Background()
	var g errgroup.Group
	var mu sync.Mutex // guards buildTime and size
	for _, b := range []struct {
		name  string
		build func(dir string) error
		open  func(dir string) (*search.Searcher, error)
		index **search.Searcher
	}{
		{"species", func(d string) error { return index.Build(ctx, d, mappings.Species, p.species) }, openSpecies, &p.speciesIndex},
		{"formulas", func(d string) error { return index.Build(ctx, d, mappings.Formulas, p.formulas) }, openFormulas, &p.formulaIndex},
		{"papers", func(d string) error { return index.Build(ctx, d, mappings.Papers, p.papers) }, openPapers, &p.paperIndex},
	} {
		g.Go(func() error {
			dir := filepath.Join(p.dir, b.name)
			start := time.Now()
			if err := b.build(dir); err != nil {
				return err
			}
			took, size := time.Since(start), int64(0)
			var err error
			if *b.index, err = b.open(dir); err != nil {
				return err
			}
			err = filepath.Walk(dir, func(_ string, info fs.FileInfo, err error) error {
				if err == nil && !info.IsDir() {
					size += info.Size()
				}
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			p.buildTime[b.name], p.size[b.name] = took.Round(time.Millisecond), size
			return err
		})
	}
	return g.Wait()
}

// endpoint is what a kind of endpoint searches: its index, and the names that
// judged queries expect.
func (p *pack) endpoint(name string) (ix *search.Searcher, label func(store.Num) string) {
	switch name {
	case "species":
		return p.speciesIndex, func(n store.Num) string { return p.species[n].ChineseName }
	case "formulas":
		return p.formulaIndex, func(n store.Num) string { return p.formulas[n].Name }
	}
	return p.paperIndex, func(n store.Num) string { return p.papers[n].Title }
}

// splitSyllables cuts pinyin into syllables in plain letters.
func splitSyllables(py string) []string {
	return strings.Fields(strings.ReplaceAll(pinyin.Letters(py), "ü", "v"))
}

func openSpecies(dir string) (*search.Searcher, error)  { return search.Open(dir, mappings.Species) }
func openFormulas(dir string) (*search.Searcher, error) { return search.Open(dir, mappings.Formulas) }
func openPapers(dir string) (*search.Searcher, error)   { return search.Open(dir, mappings.Papers) }
