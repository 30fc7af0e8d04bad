// Package region is the geography of plants: the continents, regions and botanical countries of the
// World Geographical Scheme for Recording Plant Distributions (WGSRPD).
//
//	level 1   3     Asia-Temperate
//	level 2   36    China
//	level 3   CHC   China South-Central
//	level 4   CHC-YN, which only some sources have; regions.txt lists none
//
// regions.txt has the regions of levels 1 to 3; its first lines describe its format. An operator can
// replace it. The package does not know where a plant grows. Start with [Table.Find].
package region

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"bencao/names/han"

	"golang.org/x/text/unicode/norm"
)

// Region is one place of the scheme.
type Region struct {
	// Code is 3, 36, CHC or CHC-YN. Its form gives the level.
	Code string
	// Level is 1 for a continent to 4 for a unit of a botanical country.
	Level int
	// Parent is the code of the region around this one, of the level above. It is "" at level 1.
	Parent string
	// Name and Chinese are "" for a region of level 4 that the table does not list.
	Name, Chinese string
	// Country is a code of ISO 3166-1 with two letters, or "" if the region is in several countries.
	Country string
	// Latitude and Longitude, in degrees, are of a point in the middle. They are 0 for a region of
	// level 4 that the table does not list.
	Latitude, Longitude float64
}

// Table holds the regions of a file. Many goroutines may use it.
type Table struct {
	text    []byte
	regions []Region
	places  map[string]int // codes to places in regions
	names   map[string]int // folded codes and names to places in regions
}

//go:embed regions.txt
var builtin []byte

// Default returns the table of regions.txt. It panics if a line cannot be read, because the file is
// part of the program.
var Default = sync.OnceValue(func() *Table {
	t, err := read("names/region/regions.txt", builtin)
	if err != nil {
		panic(err)
	}
	return t
})

// maxText limits the size of a table, in bytes. The program's own has 26 kB.
const maxText = 1 << 20

// Open reads a file that an operator wrote: see [Parse].
func Open(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Parse reads a table that an operator wrote. name is the name of its file, for errors. The table
// must have all regions of [Default], with names and parents as the operator wants them.
func Parse(name string, text []byte) (*Table, error) {
	t, err := read(name, text)
	if err != nil {
		return nil, err
	}
	for _, r := range Default().regions {
		if _, ok := t.places[r.Code]; !ok {
			return nil, fmt.Errorf("%s: %s (%s) is missing; checklists use its code, so keep the line and change its names", name, r.Code, r.Name)
		}
	}
	return t, nil
}

func read(name string, text []byte) (*Table, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%s: is larger than %d bytes; it is no table of regions", name, maxText)
	}
	t := &Table{text: text, places: map[string]int{}, names: map[string]int{}}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\uFEFF")) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := t.add(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return t, nil
}

// levels has the forms of codes, by level.
var levels = [...]*regexp.Regexp{
	1: regexp.MustCompile(`^[0-9]$`),
	2: regexp.MustCompile(`^[0-9]{2}$`),
	3: regexp.MustCompile(`^[A-Z]{3}$`),
	4: regexp.MustCompile(`^[A-Z]{3}-[A-Z]{2}$`),
}

// level returns the level of a code, or 0 if it has the form of none.
func level(code string) int {
	return max(0, slices.IndexFunc(levels[:], func(form *regexp.Regexp) bool { return form != nil && form.MatchString(code) }))
}

var country = regexp.MustCompile(`^([A-Z]{2})?$`)

// add adds the region of a line.
func (t *Table) add(line string) error {
	if !utf8.ValidString(line) {
		return fmt.Errorf("is not UTF-8; save the file as UTF-8")
	}
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if len(cells) != 7 {
		return fmt.Errorf("has %d cells; write code | parent | English name | Chinese name | country | latitude longitude | other names", len(cells))
	}
	r := Region{Code: cells[0], Level: level(cells[0]), Parent: cells[1], Name: cells[2], Chinese: cells[3], Country: cells[4]}
	above, known := t.places[r.Parent]
	switch {
	case r.Level == 0:
		return fmt.Errorf("code is %q; write a code such as 3, 36, CHC or CHC-YN", r.Code)
	case r.Level == 1 && r.Parent != "":
		return fmt.Errorf("%s is a continent, but has the parent %s; leave the cell empty", r.Code, r.Parent)
	case r.Level > 1 && (!known || t.regions[above].Level != r.Level-1):
		return fmt.Errorf("%s has the parent %q; name a region of level %d that an earlier line describes", r.Code, r.Parent, r.Level-1)
	case fold(r.Name) == "" || fold(r.Chinese) == "":
		return fmt.Errorf("%s needs an English and a Chinese name", r.Code)
	case !country.MatchString(r.Country):
		return fmt.Errorf("%s has the country %q; write two capital letters, or nothing for several countries", r.Code, r.Country)
	}
	if at, ok := t.places[r.Code]; ok {
		return fmt.Errorf("%s is listed already, as %s", r.Code, t.regions[at].Name)
	}
	var err error
	if r.Latitude, r.Longitude, err = point(cells[5]); err != nil {
		return fmt.Errorf("%s: %w", r.Code, err)
	}
	place := len(t.regions)
	t.regions = append(t.regions, r)
	t.places[r.Code] = place
	for _, name := range append([]string{r.Code, r.Name, r.Chinese}, strings.Split(cells[6], ";")...) {
		key := fold(name)
		at, taken := t.names[key]
		switch {
		case key == "":
		case !taken:
			t.names[key] = place
		case !slices.ContainsFunc(t.Path(r.Code), func(around Region) bool { return around.Code == t.regions[at].Code }):
			return fmt.Errorf("%s and %s are both called %s; give one another name", t.regions[at].Code, r.Code, strings.TrimSpace(name))
		}
	}
	return nil
}

// point reads a latitude and a longitude, in degrees.
func point(s string) (latitude, longitude float64, err error) {
	parts := strings.Fields(s)
	if len(parts) == 2 {
		var other error
		latitude, err = strconv.ParseFloat(parts[0], 64)
		longitude, other = strconv.ParseFloat(parts[1], 64)
		if err == nil && other == nil && latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180 {
			return latitude, longitude, nil
		}
	}
	return 0, 0, fmt.Errorf("the point is %q; write a latitude from -90 to 90 and a longitude from -180 to 180, such as 29 105", s)
}

// fold returns the form of a name that is used to compare names. It has only the letters and digits,
// in lower case and without accents, simplified, and full words for I. and Is.
func fold(name string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(norm.NFKD.String(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		word = strings.Map(func(r rune) rune {
			if unicode.IsMark(r) {
				return -1
			}
			return han.Rune(unicode.ToLower(r))
		}, word)
		switch word {
		case "i":
			word = "island"
		case "is":
			word = "islands"
		}
		b.WriteString(word)
	}
	return b.String()
}

// Text returns the text from which the table was read.
func (t *Table) Text() []byte { return bytes.Clone(t.text) }

// All returns the regions in the order of the file, in which each follows its parent.
func (t *Table) All() []Region { return slices.Clone(t.regions) }

// Get returns the region with a code. A region of level 4 that the table does not list is known if
// its botanical country is.
func (t *Table) Get(code string) (Region, bool) {
	if at, ok := t.places[code]; ok {
		return t.regions[at], true
	}
	if level(code) == 4 {
		if _, ok := t.places[code[:3]]; ok {
			return Region{Code: code, Level: 4, Parent: code[:3]}, true
		}
	}
	return Region{}, false
}

// Find returns the region that text means: a code, which may have the prefix TDWG:, or a name in
// English or Chinese. Case, accents, spaces, hyphens and the form of characters do not matter. If a
// region and one inside it have the same name (Mongolia), Find returns the larger one.
func (t *Table) Find(text string) (Region, bool) {
	text = strings.TrimSpace(text)
	if prefix, code, ok := strings.Cut(text, ":"); ok && strings.EqualFold(strings.TrimSpace(prefix), "TDWG") {
		text = strings.TrimSpace(code)
	}
	if at, ok := t.names[fold(text)]; ok {
		return t.regions[at], true
	}
	return t.Get(strings.ToUpper(text))
}

// Path returns the regions around a region, from level 1 down, and the region itself. It returns nil
// if the table does not know the code.
func (t *Table) Path(code string) []Region {
	var path []Region
	for r, ok := t.Get(code); ok; r, ok = t.Get(r.Parent) {
		path = append(path, r)
	}
	slices.Reverse(path)
	return path
}

// Parts returns the regions of level 3 inside a region, in the order of the file. A region of level 3
// is its only part; one of level 4 has none.
func (t *Table) Parts(code string) []Region {
	var parts []Region
	for _, r := range t.regions {
		if r.Level == 3 && slices.ContainsFunc(t.Path(r.Code), func(around Region) bool { return around.Code == code }) {
			parts = append(parts, r)
		}
	}
	return parts
}

// Within returns the regions of the table inside a region, of all levels, in the order of the file.
func (t *Table) Within(code string) []Region {
	inside := map[string]bool{code: true}
	var all []Region
	for _, r := range t.regions { // a region follows its parent
		if inside[r.Parent] {
			inside[r.Code] = true
			all = append(all, r)
		}
	}
	return all
}

// Compare compares two codes by their order in tables: that of the file. A region of level 4 that the
// table does not list follows its botanical country, and unknown codes come last.
func (t *Table) Compare(a, b string) int {
	return cmp.Or(cmp.Compare(t.place(a), t.place(b)), strings.Compare(a, b))
}

// place returns the place of a region in the file, or else that of its parent.
func (t *Table) place(code string) int {
	r, ok := t.Get(code)
	if !ok {
		return len(t.regions)
	}
	if at, listed := t.places[code]; listed {
		return at
	}
	return t.places[r.Parent]
}
