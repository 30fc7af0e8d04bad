package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"bencao/store"
)

// page is the size in bytes of a page of the store's file.
var page = os.Getpagesize()

// manyPages returns the file of a store whose buckets have several levels of pages. It cuts off the
// unused pages at the end.
func manyPages(tb testing.TB) []byte {
	tb.Helper()
	d := data()
	for n := range 2000 {
		d.Species = append(d.Species, store.Species{
			Num: store.Num(2 + n), EntryID: int32(100 + n), GUID: fmt.Sprintf("00000000-0000-5000-8000-%012d", 100+n), ScientificName: fmt.Sprint("Panax ", n),
		})
	}
	// The answers of this species need several pages each.
	d.Species[2].Uses = []store.Use{{ID: 5, Collection: string(bytes.Repeat([]byte("当归 "), 9000))}}
	path := filepath.Join(tb.TempDir(), "store.bolt")
	if err := store.Write(context.Background(), path, d, nil); err != nil {
		tb.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	used := 0
	for at := 0; at < len(b); at += page {
		if !bytes.Equal(b[at:at+16], make([]byte, 16)) {
			used = at + page
		}
	}
	if used < 100*page {
		tb.Fatalf("the store has %d pages only", used/page)
	}
	return b[:used]
}

// readAll reads every answer of the store's file at path. It returns an error if the file cannot be
// opened. It panics where a server would panic.
func readAll(tb testing.TB, path string) error {
	tb.Helper()
	s, err := store.Open(path)
	if err != nil {
		return err
	}
	defer func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	}()
	tx, err := s.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	var out []byte
	tx.Stats()
	tx.SpeciesNum("00000000-0000-5000-8000-000000000150")
	tx.FormulaNum("00000000-0000-5000-9000-000000000002")
	tx.HerbNum("00000000-0000-5000-a000-000000000001")
	for n := range store.Num(2100) {
		for _, t := range []appender{
			tx.SpeciesSummary(n), tx.SpeciesDetail(n), tx.SpeciesFlora(n), tx.SpeciesUses(n), tx.SpeciesPapers(n),
			tx.FormulaSummary(n), tx.FormulaDetail(n, store.Similarity), tx.PaperSpecies(n), tx.PaperSummary(n), tx.HerbSummary(n), tx.HerbDetail(n),
		} {
			out = t.Append(out[:0], site, 0)
		}
		tx.SpeciesFormulas(n)
		tx.HerbFormulas(n)
	}
	return nil
}

// TestDamagedPages damages the pages of a store. Every damaged file must be refused, or all its
// answers must be readable without a panic, an endless loop, or a read outside the file. The
// answers may be wrong: the checksums of the snapshot protect against wrong answers.
func TestDamagedPages(t *testing.T) {
	good := manyPages(t)
	used := len(good) / page
	path := filepath.Join(t.TempDir(), "store.bolt")
	if err := os.WriteFile(path, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := readAll(t, path); err != nil {
		t.Fatalf("the store is refused before it is damaged: %v", err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	refused, opened := 0, 0
	seeds := 400
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		bad := bytes.Clone(good)
		pick := func() []byte {
			at := page * rnd.IntN(used)
			return bad[at : at+page]
		}
		switch p := pick(); seed % 5 {
		case 0:
			p[rnd.IntN(16)] ^= 1 << rnd.IntN(8)
		case 1:
			p[16+rnd.IntN(160)] ^= 1 << rnd.IntN(8)
		case 2:
			copy(p, pick())
		case 3:
			// Overwrite the page with another page but keep its number. The links may then form a
			// circle.
			head := bytes.Clone(p[:8])
			copy(p, pick())
			copy(p, head)
		case 4:
			bad = bad[:rnd.IntN(used*page)]
		}
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("seed %d: panic: %v", seed, p)
				}
			}()
			err := readAll(t, path)
			if err == nil {
				opened++
				return
			}
			refused++
			if !errors.Is(err, store.ErrDamaged) && !strings.Contains(err.Error(), "has schema") {
				t.Errorf("seed %d: error %q, want one that says that the file is damaged", seed, err)
			}
		}()
	}
	if refused < seeds/3 || opened < seeds/8 {
		t.Errorf("%d damaged files are refused and %d can be opened, want many of both; the test damages the wrong bytes", refused, opened)
	}
	t.Logf("%d refused, %d opened", refused, opened)
}

// FuzzCheckPages changes bytes of a store's file. Every changed file must be refused, or all its
// answers must be readable.
func FuzzCheckPages(f *testing.F) {
	good := manyPages(f)
	f.Add(uint32(0), []byte{1})
	f.Add(uint32(page+16), []byte{0xff, 0xff})
	f.Add(uint32(3*page+16), []byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint32(5*page+10), []byte{0xff, 0xff})
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		bad := bytes.Clone(good)
		copy(bad[int(at)%len(bad):], change)
		path := filepath.Join(t.TempDir(), "store.bolt")
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := readAll(t, path); err != nil && !errors.Is(err, store.ErrDamaged) && !strings.Contains(err.Error(), "has schema") {
			t.Errorf("error %q, want one that says that the file is damaged", err)
		}
	})
}

// TestTemplateWithoutEnd renders a template whose part has no end mark. The part must not be shown.
func TestTemplateWithoutEnd(t *testing.T) {
	for _, mark := range []string{"\x02", "\x04"} {
		got := string(store.Template(`{"a":1,"b":`+mark+`"secret"`).Append(nil, site, 0))
		if got != `{"a":1,"b":null` {
			t.Errorf("mark %q without its end mark gives %s, want null for the rest", mark, got)
		}
	}
}

// FuzzTemplateReader checks that a Reader renders the same bytes as Append in chunks of any size.
func FuzzTemplateReader(f *testing.F) {
	f.Add([]byte("{\"a\":\x02[1]\x03,\"b\":\x04\"x\"\x05,\"url\":\"\x01/y\"}"), "https://x.example", byte(1), 3)
	f.Add([]byte("\x01\x02\x03\x04"), "", byte(0), 1)
	f.Fuzz(func(t *testing.T, text []byte, site string, show byte, piece int) {
		if piece < 1 || piece > 1<<20 {
			t.Skip()
		}
		want := store.Template(text).Append(nil, site, store.Parts(show))
		r := store.Template(text).Reader(site, store.Parts(show))
		if r.Len() != len(want) {
			t.Errorf("its length is %d, want %d", r.Len(), len(want))
		}
		var got []byte
		for b := make([]byte, piece); ; {
			n, err := r.Read(b)
			got = append(got, b[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil || n == 0 {
				t.Fatalf("%d bytes, %v after %q", n, err, got)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("read: %q, appended: %q", got, want)
		}
	})
}
