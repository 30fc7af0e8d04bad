package mappings_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/internal/test/noplants"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/herb"
)

// TestNothingInSilence searches for herbs that are not plants and for folk names without a record.
// If there are hits, the verdict must say that a mistake was tolerated or that only a part of a
// name matches. A folk name may instead find its plant. In the sample, a name in the table of herbs
// may find any plant.
func TestNothingInSilence(t *testing.T) {
	t.Run("sample", func(t *testing.T) { nothingInSilence(t, sample(t), true) })
	t.Run("full", func(t *testing.T) { nothingInSilence(t, full(t), false) })
}

func nothingInSilence(t *testing.T, p *pack, small bool) {
	for _, file := range []string{"nonplants.tsv", "folk.tsv"} {
		asked, marked := 0, 0
		for name, means := range columnsOf(t, file) {
			asked++
			hits := ask(t, p.species, search.Query{Text: name, Size: 20})
			if hits.Total > 0 && hits.Verdict != (mappings.Verdict{}) {
				marked++
			}
			if hits.Total == 0 || hits.Verdict != (mappings.Verdict{}) {
				continue
			}
			var found []string
			for _, n := range hits.Nums {
				found = append(found, string(p.Species[n].ScientificName))
			}
			if !slices.Contains(found, means) && !(small && herb.Lookup(name) != nil) {
				t.Errorf("%s %s finds %q, unmarked", file, name, found)
			}
		}
		if asked < 30 {
			t.Errorf("%s has %d names, 30 are wanted", file, asked)
		}
		t.Logf("%s: of %d names %d find something that is marked", file, asked, marked)
	}
}

// TestNoPlants searches for every name of the animals, minerals, fungi, algae and made drugs in the
// table of herbs. No plant may have the name, but for the names in both.txt. A single character finds
// the names that contain it.
func TestNoPlants(t *testing.T) {
	t.Run("sample", func(t *testing.T) { noPlants(t, sample(t)) })
	t.Run("full", func(t *testing.T) { noPlants(t, full(t)) })
}

func noPlants(t *testing.T, p *pack) {
	for d, name := range noplants.Names(t, filepath.Join("..", "names", "herb", "testdata", "both.txt")) {
		if utf8.RuneCountInString(name) == 1 {
			continue
		}
		hits := ask(t, p.species, search.Query{Text: name, Size: 1})
		if hits.Total > 0 && hits.Verdict == (mappings.Verdict{}) {
			t.Errorf("%s of %s, which is no plant, finds %s", name, d.Name, p.Species[hits.Nums[0]].ScientificName)
		}
	}
}

// columnsOf yields the first two columns of a table in testdata.
func columnsOf(t *testing.T, file string) func(yield func(name, other string) bool) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	must(t, err)
	return func(yield func(name, other string) bool) {
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			cells := strings.Split(lines.Text(), "\t")
			if cells[0] != "name" && !yield(cells[0], cells[1]) {
				return
			}
		}
	}
}

// verdicts are the verdicts that queries have on the sample. A verdict says how the best hits match.
var verdicts = []struct {
	table, query string
	want         mappings.Verdict
}{
	{"species", "人参", mappings.Verdict{}},
	{"species", "renshen", mappings.Verdict{}},
	{"formulas", "桂枝 芍药 生姜 大枣 芒硝", mappings.Verdict{Forgiven: "herbsLeftOut"}},
	{"species", "Panax ginseng C.A.Mey.", mappings.Verdict{}},
	{"species", "cf. Panax ginseng", mappings.Verdict{}},
	{"species", "Panaxginseng", mappings.Verdict{}},
	{"species", "铁皮", mappings.Verdict{Part: "beginning"}},
	{"species", "石斛", mappings.Verdict{}}, // finds the herb
	{"species", "皮石斛", mappings.Verdict{Part: "end"}},
	{"species", "notoginseng", mappings.Verdict{Part: "words"}},
	{"species", "Panax", mappings.Verdict{Group: "genus"}},
	{"species", "人参属", mappings.Verdict{Group: "genus"}},
	{"species", "Araliaceae", mappings.Verdict{Group: "family"}},
	{"species", "Compositae", mappings.Verdict{Group: "family"}},
	{"species", "五加科植物", mappings.Verdict{Group: "family"}},
	{"species", "3七", mappings.Verdict{}},
	{"species", "仁参", mappings.Verdict{Forgiven: "sameSound"}},
	{"species", "Salvia miltiorhiza", mappings.Verdict{Forgiven: "letters"}},
	{"formulas", "桂枝汤", mappings.Verdict{}},
	{"formulas", "桂枝", mappings.Verdict{Part: "beginning"}},
	{"formulas", "桂枝丸", mappings.Verdict{Forgiven: "doseForm"}},
	{"papers", "qinghaosu gifts", mappings.Verdict{}},
	{"papers", "qinghaosu unobtainium", mappings.Verdict{Forgiven: "wordsLeftOut"}},
}

// TestVerdicts checks the verdicts of answers.
func TestVerdicts(t *testing.T) {
	p := sample(t)
	for _, tt := range verdicts {
		ix, label := p.endpoint(tt.table)
		hits := ask(t, ix, search.Query{Text: tt.query, Size: 3})
		if hits.Total == 0 || hits.Verdict != tt.want {
			t.Errorf("%s %q: %d hits, %+v, want %+v", tt.table, tt.query, hits.Total, hits.Verdict, tt.want)
			for _, n := range hits.Nums {
				t.Logf("   %s", label(n))
			}
		}
	}
}
