package mappings_test

import (
	"archive/zip"
	"bufio"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/internal/test/fullsize"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/han"
	"bencao/names/herb"
)

// TestHerbNames searches the sample for herbs as pharmacists write them: with words for processing
// and parts, and in Latin. It also searches for herbs that are not plants.
func TestHerbNames(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct{ query, want, why string }{
		{"桂枝", "Cinnamomum cassia", "a drug of the operator's table"},
		{"炙甘草", "Glycyrrhiza uralensis", "listed with its processing"},
		{"蜜炙黄芪", "Astragalus mongholicus", "processed"},
		{"薄荷叶", "Mentha canadensis", "a part"},
		{"酒炒黄连", "Coptis chinensis", "processed in two ways"},
		{"Coptidis Rhizoma", "Coptis chinensis", "pharmaceutical Latin of today"},
		{"Rhizoma Coptidis", "Coptis chinensis", "and of the older books"},
		{"石膏", "", "a mineral of the operator's table"},
		{"煅石膏", "", "and processed"},
		{"云苓", "", "another name of what is no plant"},
		{"海螵蛸", "", "an animal that only the table of drugs knows"},
		{"Gypsum Fibrosum", "", "in Latin"},
	} {
		hits, err := p.species.Search(t.Context(), search.Query{Text: tt.query, Size: 3})
		must(t, err)
		var names []string
		for _, n := range hits.Nums {
			names = append(names, string(p.Species[n].ScientificName))
		}
		if tt.want == "" && hits.Total > 0 || tt.want != "" && !slices.Contains(names, tt.want) {
			t.Errorf("%q finds %d, first %q; want %q: %s", tt.query, hits.Total, names, tt.want, tt.why)
		}
	}
}

// TestSpeciesOfAnotherHerb searches the sample for a species. A herb with an alias that is the standard
// name of another herb is not found by the species of that herb.
func TestSpeciesOfAnotherHerb(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct{ query, has, lacks, why string }{
		{"Anemone altaica", "", "石菖蒲", "九节菖蒲 is an alias of 石菖蒲 in older books, and today a herb of its own"},
		{"Hypericum attenuatum", "", "刘寄奴", "of 赶山鞭 only"},
		{"Acorus tatarinowii", "石菖蒲", "", "its own species"},
	} {
		hits, err := p.herbs.Search(t.Context(), search.Query{Text: tt.query, Size: 10})
		must(t, err)
		var names []string
		for _, n := range hits.Nums {
			names = append(names, p.Herbs[n].Name)
		}
		if tt.has != "" && !slices.Contains(names, tt.has) || tt.lacks != "" && slices.Contains(names, tt.lacks) {
			t.Errorf("%q finds %q; want %q, but not %q: %s", tt.query, names, tt.has, tt.lacks, tt.why)
		}
	}
}

// TestFolkNamesCorrectNothing searches the sample for herbs by folk names with a slip: with two characters
// exchanged, with a character that looks like the right one, and with one character more. A folk name
// proves nothing, so that no slip is corrected to it.
func TestFolkNamesCorrectNothing(t *testing.T) {
	p := sample(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var folk []string
	for _, d := range herb.All() {
		for _, a := range d.Aliases {
			if a.Kind == herb.FolkName && utf8.RuneCountInString(a.Name) > 2 {
				folk = append(folk, a.Name)
			}
		}
	}
	queries := []string{"人叁", "杜冲", "东北人参"}
	for range 300 {
		runes := []rune(folk[r.IntN(len(folk))])
		i := r.IntN(len(runes) - 1)
		switch alike := han.LookAlikes(runes[i]); {
		case len(alike) > 0:
			runes[i] = alike[r.IntN(len(alike))]
		case r.IntN(2) == 0:
			runes[i], runes[i+1] = runes[i+1], runes[i]
		default:
			runes = append(runes, '花')
		}
		queries = append(queries, string(runes))
	}
	corrections := []mappings.Way{
		mappings.LookAlike, mappings.SameSound, mappings.SameSoundPart, mappings.SoundTypo, mappings.Reordered, mappings.AnyOrder,
		mappings.OneCharacterOff, mappings.NameAtStart, mappings.NameAtEnd,
	}
	for _, q := range queries {
		ex, err := p.herbs.Explain(t.Context(), search.Query{Text: q, Size: 10})
		must(t, err)
		for _, hit := range ex.Hits {
			if strings.HasPrefix(hit.Field, "folkName") && slices.ContainsFunc(corrections, func(w mappings.Way) bool { return w.String() == hit.Way }) {
				t.Errorf("%s finds %s by its folk name %s (%s)", q, p.Herbs[hit.Num].Name, hit.Text, hit.Way)
			}
		}
	}
}

// TestHerbsFull searches the full package for every herb of herb_species. Either one of the first
// three hits must be the plant that herb_species gives, or there must be no hits.
func TestHerbsFull(t *testing.T) {
	p := full(t)
	z, err := zip.OpenReader(fullsize.Path(t, "data/china-plants.zip"))
	must(t, err)
	defer z.Close()
	f, err := z.Open("herb_species.csv")
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(bufio.NewReader(f)).ReadAll()
	must(t, err)
	of := map[string][]string{}
	for _, row := range rows[1:] {
		of[row[0]] = append(of[row[0]], row[1])
	}
	found := 0
	for herb, ids := range of {
		entries, total := p.firstEntries(t, herb, 3)
		if slices.ContainsFunc(entries, func(e string) bool { return slices.Contains(ids, e) }) {
			found++
			continue
		}
		t.Logf("%s: %d hits, first %v; want one of %v", herb, total, entries, ids)
		if total > 0 {
			if all, _ := p.firstEntries(t, herb, total); !slices.ContainsFunc(all, func(e string) bool { return slices.Contains(ids, e) }) {
				t.Errorf("%s shows only other plants", herb)
			}
		}
	}
	t.Logf("of %d herbs %d find their plant among the first three", len(of), found)
	if found < 350 {
		t.Errorf("%d herbs find their plant among the first three; 350 are wanted", found)
	}
}

// TestJudgedHerbs searches the full package for every name of the judged herbs.
func TestJudgedHerbs(t *testing.T) {
	f, err := os.Open(fullsize.Path(t, "golden/drugs-dev.tsv"))
	must(t, err)
	defer f.Close()
	p := full(t)
	lines := bufio.NewScanner(f)
	lines.Scan()
	column := map[string]int{}
	for i, name := range strings.Split(lines.Text(), "\t") {
		column[name] = i
	}
	right, asked := map[string]int{}, map[string]int{}
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		cell := func(name string) []string {
			return strings.FieldsFunc(cells[column[name]], func(r rune) bool { return r == '|' })
		}
		kind, ids := cells[column["kind"]], cell("species_in_data")
		for _, name := range []string{"chinese", "latin_2020", "latin_old", "processed", "synonyms_zh"} {
			for _, query := range cell(name) {
				of := kind + " " + name
				entries, total := p.firstEntries(t, query, 3)
				switch {
				case kind == "plant" && len(ids) == 0: // the data does not have its species
				case kind == "plant":
					asked[of]++
					if slices.ContainsFunc(entries, func(e string) bool { return slices.Contains(ids, e) }) {
						right[of]++
					} else if name != "synonyms_zh" {
						t.Logf("%s %q: %d hits, first %v; want one of %v", of, query, total, entries, ids)
					}
				default:
					asked[of]++
					if total == 0 {
						right[of]++
					} else {
						t.Logf("%s %q: %d hits, first %v; want none", of, query, total, entries)
					}
				}
			}
		}
	}
	least := map[string]float64{
		"plant chinese": .97, "plant latin_2020": .95, "plant latin_old": .95, "plant processed": .95, "plant synonyms_zh": .8,
		"animal chinese": 1, "mineral chinese": 1, "animal latin_2020": 1, "mineral latin_2020": 1, "animal latin_old": 1, "mineral latin_old": 1,
	}
	for of, n := range asked {
		t.Logf("%s: %d of %d", of, right[of], n)
		if float64(right[of]) < least[of]*float64(n) {
			t.Errorf("%s: %d of %d are right; %.0f %% are wanted", of, right[of], n, 100*least[of])
		}
	}
}

// firstEntries returns the entry ids of the first hits of a query.
func (p *pack) firstEntries(t *testing.T, query string, size int) (entries []string, total int) {
	t.Helper()
	hits, err := p.species.Search(t.Context(), search.Query{Text: query, Size: size})
	must(t, err)
	for _, n := range hits.Nums {
		entries = append(entries, strconv.Itoa(int(p.Species[n].EntryID)))
	}
	return entries, hits.Total
}
