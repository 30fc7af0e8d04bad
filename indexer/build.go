package indexer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"bencao/indexer/check"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/herb"
	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/patterns"
	"bencao/names"
	"bencao/names/pinyin"
	"bencao/store"
)

// PackageFile is the data package that a snapshot contains. The package has the accepted rows of
// the sources. Indexing it again builds the same snapshot. In a folder of its own it has the derived
// tables with which the checks of the next build compare.
const PackageFile = check.PackageFile

// build is the state of one snapshot that is being built.
type build struct {
	*run
	dir         string // the draft's folder
	pkg         *datapackage.Package
	data        *store.Data
	herbs       *herb.Herbs
	model       *pinyin.Model       // derives pinyin for names that have none
	lists       []datapackage.Table // row counts of the checklists
	places      []datapackage.Table // row counts of the checklists' tables of distribution
	names       *names.Builder      // builds names.idx; nil after writeNames
	givenPinyin map[int32]bool      // entry ids of the species whose pinyin the package gives
	selfChecks  []ownSearch
	written     *packageWriter
}

// prepare reads the sources and completes the records: pinyin, links, order and similarity.
func (b *build) prepare(ctx context.Context) error {
	steps := []struct {
		phase string
		do    func(context.Context) error
	}{
		{"read package", b.read},
		{"read checklists", b.readLists},
		{"pinyin", b.addPinyin},
		{"link and order", b.link},
		{"similarity", b.compare},
		{"patterns", b.patterns},
	}
	for _, s := range steps {
		if err := b.clock.phase(s.phase, func() error { return s.do(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) read(ctx context.Context) (err error) {
	rows := 0
	b.pkg, err = datapackage.Read(ctx, b.sources.pkg, datapackage.Options{
		Columns:  b.cfg.Package.Columns,
		Exclude:  b.cfg.excluded,
		Empty:    b.checks.EmptyWords(),
		Progress: func(_ string, n int) { rows = n; b.clock.tick(rows, 0) },
	}, b.log)
	if err != nil {
		return err
	}
	for _, t := range b.pkg.Tables {
		b.report.Tables[t.Name] = TableReport{Read: t.Rows, Rejected: t.Rejected, Kept: t.Kept}
		b.report.Sources[0].Rows += t.Rows
	}
	return b.checks.Rows(ctx, b.pkg)
}

// readLists reads the names of all checklists. At the same time, it writes the package into the
// snapshot. It must write the package before the later phases, because they change the package's
// records.
func (b *build) readLists(ctx context.Context) error {
	b.names = names.NewBuilder()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(b.writePackage)
	g.Go(func() error { return b.readTaxa(ctx) })
	return g.Wait()
}

// rejected returns the number of rows of a checklist that have been rejected so far.
func (b *build) rejected(list string) int {
	n := 0
	for _, c := range b.log.Counts() {
		if c.Table == list && c.Severity == finding.Reject {
			n += c.Count
		}
	}
	return n
}

// packageWriter writes [PackageFile].
type packageWriter struct {
	file *os.File
	sum  hash.Hash
	datapackage.Writer
}

// writePackage writes the tables of the package into the snapshot.
func (b *build) writePackage() (err error) {
	if err := b.writeDataset(); err != nil {
		return err
	}
	w := &packageWriter{sum: sha256.New()}
	if w.file, err = os.Create(b.path(PackageFile)); err != nil {
		return err
	}
	b.written = w
	w.Writer, err = datapackage.NewWriter(io.MultiWriter(w.file, w.sum), b.pkg)
	return err
}

// finishPackage adds the tables that the checks compare to the package, and writes its description
// for other programs.
func (b *build) finishPackage() error {
	w := b.written
	b.written = nil
	if err := errors.Join(w.Close(b.checks.Tables()), w.file.Close()); err != nil {
		return err
	}
	return b.writeCroissant(hex.EncodeToString(w.sum.Sum(nil)))
}

// closeFiles closes the files of a build that failed.
func (b *build) closeFiles() error {
	if b.written == nil {
		return nil
	}
	return b.written.file.Close()
}

// addPinyin gives every Chinese name its pinyin. If the package gives the pinyin of a name,
// addPinyin keeps it. For other names, a model that is trained on the given pinyin derives it.
func (b *build) addPinyin(context.Context) error {
	b.model = pinyin.Train(b.pkg.PinyinPairs())
	r := &b.report.Pinyin
	r.Learned, _ = b.model.Learned()
	orDerived := func(name, given string) string {
		switch {
		case name == "":
		case given != "":
			r.Given++
		default:
			r.Derived++
			return b.model.Read(name)
		}
		return given
	}
	b.givenPinyin = map[int32]bool{}
	for i := range b.pkg.Species {
		s := &b.pkg.Species[i]
		b.givenPinyin[s.EntryID] = s.ChineseName != "" && s.ChineseNamePinyin != ""
		s.ChineseNamePinyin = store.Text(orDerived(string(s.ChineseName), string(s.ChineseNamePinyin)))
		for j := range s.Aliases {
			a := &s.Aliases[j]
			a.Pinyin = orDerived(a.Name, a.Pinyin)
		}
		b.clock.tick(i+1, len(b.pkg.Species)+len(b.pkg.Formulas))
	}
	for i := range b.pkg.Formulas {
		f := &b.pkg.Formulas[i]
		f.NamePinyin = store.Text(orDerived(string(f.Name), string(f.NamePinyin)))
		b.clock.tick(len(b.pkg.Species)+i+1, len(b.pkg.Species)+len(b.pkg.Formulas))
	}
	return nil
}

func (b *build) link(ctx context.Context) error {
	b.herbs = herb.New(b.pkg)
	if b.cfg.AllHerbSources {
		b.herbs.CountAll()
	}
	b.herbs.AddHerbs(b.pkg, b.model.Read)
	b.data = data(b.pkg)
	order(b.data, link(b.pkg, b.herbs))
	b.pkg.SpeciesPapers, b.pkg.SpeciesFormulas = nil, nil // the records now hold these links
	b.data.Herbs = b.herbs.Records(b.pkg, b.data, b.model.Read)
	b.reviewHerbs()
	return b.checks.Links(ctx, b.derived())
}

// derived returns the derived data that the checks compare with those of the previous build.
func (b *build) derived() check.Derived {
	return check.Derived{Data: b.data, Package: b.pkg, Resolves: b.herbs.Resolves, GivenPinyin: b.givenPinyin}
}

// patterns builds the data of package patterns and then reviews the herbs.
func (b *build) patterns(ctx context.Context) error {
	b.data.Patterns = patterns.Build(b.data)
	return b.reviewSameHerbs(ctx)
}

func (b *build) compare(ctx context.Context) error {
	if b.cfg.excludes("formula_similarity") {
		return nil
	}
	if b.pkg.Table("formula_similarity").Present {
		takeSimilarity(b.data, b.pkg.Similarity)
		return nil
	}
	return compareFormulas(ctx, b.data, &b.report.Similarity)
}

// writeNames writes the names index: the names of all checklists, the species and the herbs.
func (b *build) writeNames(context.Context) error {
	if err := b.checks.Lists(slices.Concat(b.lists, b.places)); err != nil {
		return err
	}
	for i := range b.data.Species {
		s := &b.data.Species[i]
		if err := b.names.Record(nameRecord(s)); err != nil {
			b.log.Add(finding.Finding{
				Severity: finding.Warn, Code: finding.Name, Table: "species", Column: "scientific_name", Value: string(s.ScientificName),
				Message: fmt.Sprintf("species %d cannot be found by its scientific name: %v", s.EntryID, err),
				Hint:    "correct the name",
			})
		}
	}
	for _, d := range b.herbs.Herbs {
		b.names.Herb(d.Name, d.Species)
	}
	b.names.HerbNames()
	err := b.names.WriteFile(filepath.Join(b.dir, names.FileName))
	b.names = nil
	return err
}

func nameRecord(s *store.Species) names.Record {
	r := names.Record{
		EntryID: s.EntryID, GUID: s.GUID, ChineseName: string(s.ChineseName), Pinyin: string(s.ChineseNamePinyin),
		ScientificName: string(s.ScientificName), Author: string(s.Author), Rank: string(s.Rank), Family: string(s.Family), GenusChinese: string(s.GenusChinese),
		Synonyms: make([]names.RecordSynonym, len(s.Synonyms)),
		Aliases:  make([]names.RecordAlias, len(s.Aliases)),
	}
	for i, x := range s.Synonyms {
		r.Synonyms[i] = names.RecordSynonym{Name: x.Name, Author: x.Author, Rank: x.Rank, Status: x.Status}
	}
	for i, x := range s.Aliases {
		r.Aliases[i] = names.RecordAlias{Name: x.Name, Pinyin: x.Pinyin}
	}
	return r
}

// writeFiles writes the store and the search indexes concurrently, at most one per processor at a
// time.
func (b *build) writeFiles(ctx context.Context) error {
	d := b.data
	d.Stats = siteStats(d, b.opt.Now())
	d.Regions = b.regions()
	if len(b.cfg.excluded) > 0 {
		d.Withheld = store.Composition | store.Similarity
	}
	var (
		mu   sync.Mutex // guards done
		done = map[string]int{}
	)
	total := 2 * (len(d.Species) + len(d.Formulas) + len(d.Papers) + len(d.Herbs))
	tick := func(file string) func(n, of int) {
		return func(n, _ int) {
			mu.Lock()
			defer mu.Unlock()
			done[file] = n
			sum := 0
			for n := range maps.Values(done) {
				sum += n
			}
			b.clock.tick(sum, total)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, write := range []func() error{ // the slowest first
		func() error { return store.Write(ctx, b.path(store.FileName), d, tick(store.FileName)) },
		func() error {
			return index.Build(ctx, b.path(mappings.PapersDir), mappings.Papers, d.Papers, tick(mappings.PapersDir))
		},
		func() error {
			return index.Build(ctx, b.path(mappings.FormulasDir), mappings.Formulas, d.Formulas, tick(mappings.FormulasDir))
		},
		func() error {
			return index.Build(ctx, b.path(mappings.SpeciesDir), mappings.Species, d.Species, tick(mappings.SpeciesDir))
		},
		func() error {
			return index.Build(ctx, b.path(mappings.HerbsDir), mappings.Herbs, d.Herbs, tick(mappings.HerbsDir))
		},
	} {
		g.Go(write)
	}
	return g.Wait()
}

// release drops the records so that the garbage collector can free them.
func (b *build) release() { b.pkg, b.data, b.herbs, b.model, b.givenPinyin = nil, nil, nil, nil, nil }

func (b *build) path(file string) string { return filepath.Join(b.dir, file) }

// tables returns the number of records by table, for the manifest and for the checks of the next
// build.
func (b *build) tables() map[string]int {
	out := map[string]int{}
	for _, t := range slices.Concat(b.pkg.Tables, b.lists) {
		out[t.Name] = t.Kept
	}
	return out
}
