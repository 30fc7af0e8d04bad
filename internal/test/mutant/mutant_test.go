package mutant_test

import (
	"bytes"
	"io/fs"
	"testing"

	"bencao/indexer/sample"
	"bencao/internal/test/mutant"
)

func load(t *testing.T) mutant.Sources {
	t.Helper()
	pkg, err := mutant.Load(sample.Package())
	if err != nil {
		t.Fatal(err)
	}
	s := mutant.Sources{Package: pkg}
	for _, c := range sample.Checklists() {
		f, err := mutant.Load(c.FS)
		if err != nil {
			t.Fatal(err)
		}
		s.Checklists = append(s.Checklists, mutant.Checklist{Key: c.Name, Folder: f})
	}
	return s
}

// TestMutantsDiffer checks that every mutant has a name of its own and damages exactly one source.
func TestMutantsDiffer(t *testing.T) {
	s := load(t)
	seen := map[string]bool{}
	for i, m := range mutant.All(s) {
		if seen[m.Name()] {
			t.Errorf("two mutants are called %s", m.Name())
		}
		seen[m.Name()] = true
		if i%37 != 0 {
			continue
		}
		bad, ok := m.Sources()
		if !ok {
			continue
		}
		if len(bad.Checklists) != len(s.Checklists) {
			continue
		}
		changed := differs(t, s.Package, bad.Package)
		for i, c := range s.Checklists {
			if differs(t, c.Folder, bad.Checklists[i].Folder) || c.Key != bad.Checklists[i].Key {
				changed = true
			}
		}
		if !changed {
			t.Errorf("%s changes nothing", m.Name())
		}
	}
	if len(seen) < 1000 {
		t.Errorf("%d mutants; want every table and column", len(seen))
	}
	t.Logf("%d mutants", len(seen))
}

// TestCuratorWorksEveryDay checks that the same seed gives the same edits, that every day changes
// the data, and that the number of species changes by at most a tenth.
func TestCuratorWorksEveryDay(t *testing.T) {
	a, b := mutant.NewCurator(load(t), 7), mutant.NewCurator(load(t), 7)
	before := a.Next()
	b.Next()
	for day := 2; day <= 6; day++ {
		s, same := a.Next(), b.Next()
		if differs(t, s.Package, same.Package) {
			t.Fatalf("day %d: two curators with the same seed differ", day)
		}
		if !differs(t, s.Package, before.Package) {
			t.Errorf("day %d: the curator changed nothing", day)
		}
		was, is := len(before.Package.Tables["species.csv"].Rows), len(s.Package.Tables["species.csv"].Rows)
		if is*10 < was*9 || is*9 > was*10 {
			t.Errorf("day %d: %d species after %d", day, is, was)
		}
		before = s
	}
}

func differs(t *testing.T, a, b mutant.Folder) bool {
	t.Helper()
	x, y := a.FS(), b.FS()
	if len(x) != len(y) {
		return true
	}
	for path := range x {
		was, err := fs.ReadFile(x, path)
		if err != nil {
			t.Fatal(err)
		}
		if is, err := fs.ReadFile(y, path); err != nil || !bytes.Equal(was, is) {
			return true
		}
	}
	return false
}
