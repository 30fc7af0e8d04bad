// Package made makes sources of any size for measurements: a data package and three checklists, as
// large as a country's flora and all its formulas, or a part of that.
//
// Everything is made from the sample that the program embeds, the table of herbs and a list of
// words, so that the sources have realistic proportions: a few large genera and many small ones,
// word frequencies by Zipf's law, formulas that share a name and most of their herbs, and a few
// species with most of the papers. The same scale gives the same bytes on every machine.
package made

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"bencao/indexer/sample"
)

// Numbers of records at scale 1.
const (
	fullNames    = 1_400_000 // names of all checklists together
	fullSpecies  = 45_000
	fullFormulas = 100_000
	fullPapers   = 1_000_000
	fullLinks    = 500_000
	fullUses     = 300_000
)

// Names of the folders and files that [Write] writes, for command lines.
const (
	PackageDir = "package"
	WCVPDir    = "wcvp"
	WFODir     = "wfo"
	ChinaDir   = "china"
)

// half is the suffix of the folder in which sources are made until they are complete.
const half = ".half"

// Whole returns an error with advice if the sources in a folder are incomplete.
func Whole(dir string) error {
	dir = filepath.Clean(dir)
	if strings.HasSuffix(dir, half) {
		return fmt.Errorf("%s is half made; name a folder that is whole", dir)
	}
	if _, err := os.Lstat(dir + half); err == nil {
		return halfMade(dir)
	}
	return nil
}

func halfMade(dir string) error {
	return fmt.Errorf("%s is half made, by a run that is still at work or was killed; if none is, remove it and make the sources again", dir+half)
}

// Write makes sources in the folder dir, which must be empty or missing. scale is the share of the
// full size, from 0.0001 to 10. Write fills a folder of another name and renames it when it is
// complete.
func Write(ctx context.Context, dir string, scale float64) error {
	if !(scale >= 0.0001 && scale <= 10) {
		return fmt.Errorf("scale is %v; use a number from 0.0001 to 10, where 1 is the full size", scale)
	}
	if err := Empty(dir); err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		dir = to
		if err := os.Remove(dir); err != nil { // the folder is empty
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(dir+half, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return halfMade(dir)
	}
	if err != nil {
		return err
	}
	if err = fill(ctx, dir+half, scale); err == nil {
		err = os.Rename(dir+half, dir)
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(dir+half))
	}
	return err
}

// fill makes sources in the folder dir.
func fill(ctx context.Context, dir string, scale float64) error {
	for _, sub := range []string{PackageDir, WCVPDir, WFODir, ChinaDir} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	src, err := readSample()
	if err != nil {
		return err
	}
	m := &maker{dir: dir, scale: scale, sample: src, words: newWords(src)}
	for _, step := range []func() error{
		m.describe, m.checklists, m.species, m.herbSpecies, m.formulas, m.papers, m.uses,
	} {
		if err := step(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Empty returns an error if a folder has files.
func Empty(dir string) error {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && len(list) > 0:
		return fmt.Errorf("%s is not empty; name a folder that is, or is not there", dir)
	}
	return err
}

// maker holds the sources that are made so far.
type maker struct {
	dir    string
	scale  float64
	sample *source
	words  *words

	genera []genus
	names  []name // names of WCVP
	taken  []taxon
}

// of returns full, a number of records at scale 1, multiplied by the scale. It returns at least 1.
func (m *maker) of(full int) int { return max(1, int(math.Round(float64(full)*m.scale))) }

// random returns the random source for a table. Each table has its own, so that a change of one
// table does not change the others.
func random(table string) *rand.Rand {
	var seed uint64
	for _, b := range []byte(table) {
		seed = seed*131 + uint64(b)
	}
	return rand.New(rand.NewPCG(seed, 20261122))
}

// describe copies the description of the sample's package, because the tables have the same
// columns.
func (m *maker) describe() error {
	b, err := fs.ReadFile(sample.Package(), "datapackage.json")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(m.dir, PackageDir, "datapackage.json"), b, 0o644); err != nil {
		return err
	}
	// The table formula_codes exists but has no rows.
	return m.table("formula_codes", func(func(...string)) {})
}

// table writes a table of the package with the columns of the sample's table.
func (m *maker) table(name string, rows func(add func(cells ...string))) error {
	header := m.sample.header[name]
	return m.file(filepath.Join(PackageDir, name+".csv"), func(w *bufio.Writer) error {
		writeCSV(w, header)
		var bad error
		rows(func(cells ...string) {
			if len(cells) != len(header) && bad == nil {
				bad = fmt.Errorf("table %s: a row of %d cells, want %d", name, len(cells), len(header))
			}
			writeCSV(w, cells)
		})
		return bad
	})
}

// file writes a file below the folder.
func (m *maker) file(path string, write func(w *bufio.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(m.dir, path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush() // returns the first error of any write
}
