package mappings_test

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"testing"

	"bencao/internal/fullsize"
	"bencao/internal/indextest"
	"bencao/internal/leak"
	"bencao/internal/race"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/pinyin"
	"bencao/store"
)

// pack is what a night published of a data package.
type pack struct {
	*indextest.Build
	species, formulas, papers, herbs *search.Searcher
	naming                           sync.Once
	names                            map[string]map[string]bool // as names are compared, by table; made once
}

// samplePack is the package that ships with the program, fullPack the full-size one.
var (
	samplePack = sync.OnceValues(func() (*pack, error) { return packOf(indextest.Sample) })
	fullPack   = sync.OnceValues(func() (*pack, error) {
		return packOf(func(ctx context.Context, dir string) (*indextest.Build, error) {
			return indextest.Run(ctx, dir, fullZip)
		})
	})
)

// untrained reads names aloud as somebody does who knows no names.
var untrained = sync.OnceValue(func() *pinyin.Model { return pinyin.Train(nil) })

// fullZip and closers belong to full and TestMain.
var (
	fullZip string
	closers []func() error
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // Bleve writes the bytes of damaged files there
	leak.Main(m, func() error {
		var errs []error
		for _, f := range closers {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	})
}

// packOf builds a snapshot and opens its indexes. The folder outlives the test that
// asks first; TestMain removes it.
func packOf(run func(ctx context.Context, dir string) (*indextest.Build, error)) (*pack, error) {
	dir, err := os.MkdirTemp("", "mappings")
	if err != nil {
		return nil, err
	}
	closers = append(closers, func() error { return os.RemoveAll(dir) })
	n, err := run(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	c, err := n.Open()
	if err != nil {
		return nil, err
	}
	closers = append(closers, c.Close)
	return &pack{Build: n, species: c.Species, formulas: c.Formulas, papers: c.Papers, herbs: c.Herbs}, nil
}

func openSpecies(dir string) (*search.Searcher, error)  { return search.Open(dir, mappings.Species) }
func openFormulas(dir string) (*search.Searcher, error) { return search.Open(dir, mappings.Formulas) }
func openPapers(dir string) (*search.Searcher, error)   { return search.Open(dir, mappings.Papers) }
func openHerbs(dir string) (*search.Searcher, error)    { return search.Open(dir, mappings.Herbs) }

// indexes are those of species, formulas, papers and herbs.
func (p *pack) indexes() []*search.Searcher {
	return []*search.Searcher{p.species, p.formulas, p.papers, p.herbs}
}

// full is the full-size package.
func full(tb testing.TB) *pack {
	tb.Helper()
	if race.On || testing.Short() {
		tb.Skip("NOT TESTED: the full package takes too long under -race and -short")
	}
	fullZip = fullsize.Path(tb, "data/china-plants.zip")
	p, err := fullPack()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// sample is the package that ships with the program.
func sample(tb testing.TB) *pack {
	tb.Helper()
	p, err := samplePack()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// endpoint is what a kind of endpoint searches: its index, and the names that
// judged queries expect.
func (p *pack) endpoint(name string) (ix *search.Searcher, label func(store.Num) string) {
	switch name {
	case "species":
		return p.species, func(n store.Num) string { return p.Species[n].ChineseName }
	case "formulas":
		return p.formulas, func(n store.Num) string { return p.Formulas[n].Name }
	case "herbs":
		return p.herbs, func(n store.Num) string { return p.Herbs[n].Name }
	}
	return p.papers, func(n store.Num) string { return p.Papers[n].Title }
}

// splitSyllables cuts pinyin into syllables in plain letters.
func splitSyllables(py string) []string {
	return strings.Fields(strings.ReplaceAll(pinyin.Letters(py), "ü", "v"))
}
