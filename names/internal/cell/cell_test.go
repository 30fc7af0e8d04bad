package cell_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bencao/internal/test/cases"
	"bencao/internal/test/testkit"
	"bencao/names/internal/build"
	"bencao/names/internal/cell"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
)

// must ends the test if there is an error.
var must = testkit.Must

// fewNames returns a names file with the names that the tests use.
func fewNames(tb testing.TB) *file.File {
	tb.Helper()
	b := build.New()
	list := b.Checklist(checklist.Checklist{Source: checklist.SourceWCVP, Name: "WCVP", Version: "13"})
	for i, name := range []string{
		"Quercus", "Quercus robur|L.", "Quercus petraea|(Matt.) Liebl.", "Rosa|L.", "Rosa gallica|L.", "Acer palmatum|Thunb.", "Acer japonicum|Thunb.",
		"Cornus kousa|Hance", "Gaultheria tomentosa|Kunth", "Mentha × piperita|L.", "Magnolia officinalis|Rehder & E.H.Wilson",
	} {
		name, author, _ := strings.Cut(name, "|")
		must(tb, list.Add(checklist.Usage{ID: string(rune('a' + i)), Name: name, Author: author, Status: checklist.Accepted}))
	}
	path := filepath.Join(tb.TempDir(), "names.idx")
	must(tb, b.WriteFile(path))
	f, err := file.Open(path)
	must(tb, err)
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	return f
}

func TestRead(t *testing.T) {
	r := cell.New(fewNames(t))
	for _, tt := range []struct{ text, names, family, unread string }{
		{"Quercus robur L.", "Quercus robur L.", "", ""},
		{"Quercus robur/petraea", "Quercus robur; Quercus petraea", "", ""},
		{"Quercus robur L. and Q. petraea (Matt.) Liebl.", "Quercus robur L.; Quercus petraea (Matt.) Liebl.", "", ""},
		{"Quercus robur x Q. petraea", "Quercus robur x Q. petraea", "", ""}, // a hybrid formula is one name
		{"Acer palmatum Thunb. et A. japonicum Thunb.", "Acer palmatum Thunb.; Acer japonicum Thunb.", "", ""},
		{"Rosales Rosaceae: Rosa gallica", "Rosa gallica", "Rosaceae", ""},
		{"Rosa > Rosa gallica", "Rosa gallica", "", ""},
		{"Det. A. Rehder 1921: Cornus kousa Hance, in fruit", "Cornus kousa Hance", "", ""},
		{"Cornus kousa Hance cut down yesterday", "Cornus kousa Hance", "", "cut down yesterday"},
		{"Cornus kousa Hance China, Hubei", "Cornus kousa Hance", "", "China, Hubei"},
		{"Gaultheria tomentosa kunth", "Gaultheria tomentosa Kunth", "", ""},
		{"Kousa dogwood (Cornus kousa)", "Cornus kousa", "", ""},
		{"Quercus robur1 x petraea2", "Quercus robur x petraea", "", ""}, // numbers of footnotes
		{"Quercus robur1 × Quercus petraea2 (Matt.) Liebl.", "Quercus robur × Quercus petraea (Matt.) Liebl.", "", ""},
		{"Rosa very thorny", "Rosa sp.", "", "very thorny"},
		{"Magnol ia officinalis", "Magnolia officinalis", "", ""},
		{"Mentha ? piperita", "Mentha × piperita", "", ""},
		{"Panax sp. Mount Hilditch (M.E. Trudgen 19134)", "Panax sp. Mount Hilditch (M.E. Trudgen 19134)", "", ""},
		{"Роза Rosa gallica", "Rosa gallica", "", ""},
		{"Rosaceae", "", "Rosaceae", ""},
		{"+", "", "", ""},
		{"Rosa and Quercus", "Rosa; Quercus", "", ""},
		{"Quercus (robur/petraea)", "Quercus robur; Quercus petraea", "", ""},
		{"Quercus robur–Cornus kousa", "Quercus robur; Cornus kousa", "", ""},
		{"Quercus robur with Cornus kousa", "Quercus robur; Cornus kousa", "", ""},
		{"Acer palmatum Thunb. ex Cornus kousa Hance", "Acer palmatum Thunb.", "", ""}, // in this text, ex means that the plant grew on a Cornus
		{"Apis mellifera ex Rosa gallica", "Apis mellifera ex Rosa gallica", "", ""},
		{"R. gallica (Rosa gallica)", "Rosa gallica", "", ""},
		{"genus: Rosa, species: gallica", "Rosa gallica", "", ""},
		{"Genus Rosa species gallica", "Rosa gallica", "", ""},
		{"Rosa gallica +.1", "Rosa gallica", "", ""},
		{"Rosa gallica_T", "Rosa gallica", "", ""},
		{"_Rosa gallica_ L.", "Rosa gallica L.", "", ""},
		{"Rosa ? gallica", "Rosa gallica", "", ""},
		{"Quercus robur, Q.petraea", "Quercus robur; Quercus petraea", "", ""},
		{"Quercus robur x", "Quercus robur", "", ""},
		{"Quercus robur L", "Quercus robur L", "", ""},
		{"Quercus robur T", "Quercus robur", "", ""},
		{"Dog rose (Rosa)", "Rosa sp.", "", "Dog rose"},
		{"Acer palmatum thunb. ex murray", "Acer palmatum Thunb. ex Murray", "", ""},
		{"Rosa gallica<br/>Cornus kousa", "Rosa gallica; Cornus kousa", "", ""},
		{"Rosa gallica<sup>1</sup> L.", "Rosa gallica L.", "", ""},
		{"Magno-\nlia officinalis", "Magnolia officinalis", "", ""},
	} {
		c := r.Read(tt.text)
		if got := strings.Join(c.Names, "; "); got != tt.names || c.Family != tt.family || c.Unread != tt.unread {
			t.Errorf("Read(%q) = %q, family %q, unread %q; want %q, %q, %q", tt.text, got, c.Family, c.Unread, tt.names, tt.family, tt.unread)
		}
	}
}

// FuzzRead checks any cell: its names and unread words must be valid UTF-8 without spaces at the
// ends, and there must not be more names than words.
func FuzzRead(f *testing.F) {
	for _, c := range cases.Read(f, "../../testdata/cells.txt") {
		f.Add(c.In)
	}
	r := cell.New(fewNames(f))
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || len(s) > 1024 {
			return
		}
		c := r.Read(s)
		if words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); len(c.Names) > len(words)+1 {
			t.Errorf("Read(%q) has %d names: %q", s, len(c.Names), c.Names)
		}
		for _, name := range append(c.Names, c.Unread) {
			if !utf8.ValidString(name) || strings.TrimSpace(name) != name {
				t.Errorf("Read(%q) = %q, unread %q", s, c.Names, c.Unread)
			}
		}
		for _, name := range c.Names {
			if name == "" {
				t.Errorf("Read(%q) has a name without letters: %q", s, c.Names)
			}
		}
	})
}
