package names_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bencao/internal/test/cases"
	"bencao/names"
	"bencao/names/internal/answer"
)

func TestOpenRefusesDamage(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.idx")
	writeFixture(t, good)
	data, err := os.ReadFile(good)
	must(t, err)
	bad := filepath.Join(dir, "bad.idx")
	refused := func(why string, content []byte) {
		t.Helper()
		must(t, os.WriteFile(bad, content, 0o644))
		ix, err := names.Open(bad)
		if err == nil {
			t.Errorf("%s: opened; want an error", why)
			if err := ix.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	refused("empty", nil)
	refused("not a names file", bytes.Repeat([]byte("x"), 4096))
	for _, n := range []int{1, 23, 24, 100, len(data) / 2, len(data) - 1} {
		refused("cut short", data[:n])
	}
	refused("longer", append(bytes.Clone(data), 0))
	if _, err := names.Open(filepath.Join(dir, "none.idx")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there gives %v, want os.ErrNotExist", err)
	}
}

// TestWriteFileIsReproducible checks that the same checklists give the same names file, byte by
// byte.
func TestWriteFileIsReproducible(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		file := filepath.Join(dir, "names.idx")
		writeFixture(t, file)
		data, err := os.ReadFile(file)
		must(t, err)
		files[i] = data
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("writing the same names twice gives different files")
	}
}

func TestBuilderRefusesNames(t *testing.T) {
	c := names.NewBuilder().Checklist(names.Checklist{Source: "x"})
	for _, name := range []string{"", " ", "×", "\xff", string(bytes.Repeat([]byte("a"), 300))} {
		if err := c.Add(names.Usage{Name: name}); err == nil {
			t.Errorf("Add took the name %q", name)
		}
	}
	long := names.Usage{Name: "Panax ginseng", Author: string(bytes.Repeat([]byte("A"), 20_000))}
	if err := c.Add(long); err == nil {
		t.Error("Add took an author of 20,000 bytes, which the file has no room for")
	}
}

func TestEmptyIndex(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names.idx")
	must(t, names.NewBuilder().WriteFile(file))
	ix, err := names.Open(file)
	must(t, err)
	defer ix.Close()
	for _, q := range []string{"Panax ginseng C.A.Mey.", "P. ginseng", "人参", "ren shen", "91472-1", "A b × c d"} {
		r, err := ix.Match(names.Query{Name: q})
		if err != nil || len(r.Results) != 0 || r.MatchedVia != answer.ViaNone && r.MatchedVia != answer.ViaHybridFormula {
			t.Errorf("Match(%q) in an empty index = %s, %v; want nothing", q, render(r), err)
		}
	}
}

func TestMatchFromManyGoroutines(t *testing.T) {
	ix := fixture(t)
	list := cases.Read(t, filepath.Join("testdata", "match.txt"))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				c := list[(i+g)%len(list)]
				r, err := ix.Match(names.Query{Name: c.In})
				if err != nil || render(r) != c.Want {
					t.Errorf("%s: %s, %v; want %s", c.In, render(r), err, c.Want)
					return
				}
				if _, _, err := ix.Reconcile(names.Query{Name: c.In}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// FuzzOpen changes bytes of a names file. If the file opens, it must answer without a panic.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	file := filepath.Join(dir, "names.idx")
	writeFixture(f, file)
	good, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(16), []byte{1})
	// Change the beginning, the middle and the end of each section.
	for i := range binary.LittleEndian.Uint32(good[12:]) {
		entry := 24 + 16*i
		from, size := binary.LittleEndian.Uint32(good[entry:]), binary.LittleEndian.Uint32(good[entry+8:])
		for _, at := range []uint32{entry, from, from + size/2, from + size - 4} {
			for _, change := range [][]byte{{1}, {0, 0, 0, 0}, {7, 7, 7, 7}, {0xff, 0xff, 0xff, 0xff}} {
				f.Add(at, change)
			}
		}
	}
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		data := bytes.Clone(good)
		copy(data[int(at)%len(data):], change)
		file := filepath.Join(t.TempDir(), "names.idx")
		must(t, os.WriteFile(file, data, 0o644))
		ix, err := names.Open(file)
		if err != nil {
			return
		}
		for _, q := range []string{"Panax ginseng", "Paanx gniseng", "Citrus aurantium", "丹参", "ren shen", "91472-1", "P. ginseng", "Malva sp.", "Cisus dicolor Bl."} {
			if _, err := ix.Match(names.Query{Name: q, Explain: true}); err != nil {
				t.Error(err)
			}
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
}

// FuzzMatch matches any text. Match must not panic, must give the same answer a second time, and
// must sort the results.
func FuzzMatch(f *testing.F) {
	for _, c := range cases.Read(f, filepath.Join("testdata", "match.txt")) {
		f.Add(c.In)
	}
	ix := fixture(f)
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ix.Match(names.Query{Name: s})
		if bad := (*names.InputError)(nil); err != nil && !errors.As(err, &bad) {
			t.Errorf("Match(%q): %v", s, err)
		}
		again, _ := ix.Match(names.Query{Name: s})
		if render(r) != render(again) {
			t.Errorf("Match(%q) gives %s, then %s", s, render(r), render(again))
		}
		for i := 1; i < len(r.Results) && r.MatchedVia != answer.ViaHybridFormula; i++ {
			if r.Results[i].Score > r.Results[i-1].Score {
				t.Errorf("Match(%q) is out of order: %s", s, render(r))
			}
		}
		if err == nil && (len(r.Results) == 0) != (r.MatchedVia == answer.ViaNone) {
			t.Errorf("Match(%q): matchedVia %s with %d results", s, r.MatchedVia, len(r.Results))
		}
	})
}
