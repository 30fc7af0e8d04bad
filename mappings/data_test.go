package mappings_test

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/internal/test/indextest"
	"bencao/internal/test/leak"
	"bencao/internal/test/race"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/pinyin"
	"bencao/store"
)

// pack is a data package and the snapshot that was built from it.
type pack struct {
	*indextest.Build
	species, formulas, papers, herbs *search.Searcher
	store                            *store.Store
	checklists                       search.Checklists
	naming                           sync.Once
	names                            map[string]map[string]bool // folded names by table; built once
}

// samplePack is the package that is embedded in the program, with its checklists. fullPack is the
// full-size package, with two checklists.
var (
	samplePack = sync.OnceValues(func() (*pack, error) { return packOf(sampleWithChecklists) })
	fullPack   = sync.OnceValues(func() (*pack, error) {
		return packOf(func(ctx context.Context, dir string) (*indextest.Build, error) {
			return indextest.Run(ctx, dir, fullZip, fullChecklists...)
		})
	})
)

// sampleWithChecklists builds the sample with its checklists and with testdata/unplaced. This
// checklist has a name that WCVP assigns to no accepted name. The checklists of the sample lack such
// names, because they have only names of the sample's species.
func sampleWithChecklists(ctx context.Context, dir string) (*indextest.Build, error) {
	return indextest.WithChecklists(ctx, dir, filepath.Join("testdata", "unplaced"))
}

// untrained is a pinyin model that has not learned the names of the data.
var untrained = sync.OnceValue(func() *pinyin.Model { return pinyin.Train(nil) })

// fullZip and fullChecklists are set by full, closers by packOf.
var (
	fullZip        string
	fullChecklists []string
	closers        []func() error
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // Bleve logs the bytes of damaged files
	leak.Main(m, func() error {
		var errs []error
		for _, f := range closers {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	})
}

// packOf builds a snapshot and opens its indexes. All tests share the folder of the snapshot, which
// TestMain removes.
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
	return &pack{Build: n, species: c.Species, formulas: c.Formulas, papers: c.Papers, herbs: c.Herbs, store: c.Store, checklists: c.Checklists()}, nil
}

func openSpecies(dir string) (*search.Searcher, error)  { return search.Open(dir, mappings.Species) }
func openFormulas(dir string) (*search.Searcher, error) { return search.Open(dir, mappings.Formulas) }
func openPapers(dir string) (*search.Searcher, error)   { return search.Open(dir, mappings.Papers) }
func openHerbs(dir string) (*search.Searcher, error)    { return search.Open(dir, mappings.Herbs) }

// indexes returns the indexes of species, formulas, papers and herbs.
func (p *pack) indexes() []*search.Searcher {
	return []*search.Searcher{p.species, p.formulas, p.papers, p.herbs}
}

// full returns the full-size package.
func full(tb testing.TB) *pack {
	tb.Helper()
	if race.On || testing.Short() {
		tb.Skip("NOT TESTED: the full package takes too long under -race and -short")
	}
	fullZip = fullsize.Path(tb, "data/china-plants.zip")
	fullChecklists = []string{fullsize.Path(tb, "data/wcvp.zip"), fullsize.Path(tb, "data/wfo-dwca.zip")}
	p, err := fullPack()
	must(tb, err)
	return p
}

// sample returns the package that is embedded in the program.
func sample(tb testing.TB) *pack {
	tb.Helper()
	p, err := samplePack()
	must(tb, err)
	return p
}

// endpoint returns the index of an endpoint. label returns a record's name in the form in which
// testdata gives expected hits.
func (p *pack) endpoint(name string) (ix *search.Searcher, label func(store.Num) string) {
	switch name {
	case "species":
		return p.species, func(n store.Num) string { return string(p.Species[n].ChineseName) }
	case "formulas":
		return p.formulas, func(n store.Num) string { return string(p.Formulas[n].Name) }
	case "herbs":
		return p.herbs, func(n store.Num) string { return p.Herbs[n].Name }
	}
	return p.papers, func(n store.Num) string { return string(p.Papers[n].Title) }
}

// splitSyllables splits pinyin into syllables without tones.
func splitSyllables(py string) []string {
	return strings.Fields(strings.ReplaceAll(pinyin.Letters(py), "ü", "v"))
}
