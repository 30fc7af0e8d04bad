package mappings_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/store"
)

// manySpecies returns n records. With more than one batch of records, an index is merged from
// several segments.
func manySpecies(n int) []store.Species {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(from string) string { runes := []rune(from); return string(runes[r.IntN(len(runes))]) }
	species := make([]store.Species, n)
	for i := range species {
		name := pick("人三白黄大山水石") + pick("参七术芪黄药仙斛") + pick("草花木子根叶皮实")
		latin := fmt.Sprintf("Panax %s%s%s", pick("gnsphc"), pick("aeiou"), pick("lnrst")+"ensis")
		species[i] = store.Species{
			SpeciesDetail: store.SpeciesDetail{
				EntryID: int32(i + 1), ChineseName: store.Text(name), ChineseNamePinyin: store.Text(untrained().Read(name)),
				ScientificName: store.Text(latin), Rank: "species",
			},
			Num: store.Num(i), Synonyms: []store.Synonym{{Name: "Aralia " + latin[6:]}},
		}
	}
	return species
}

// TestSameBytes builds an index twice. Equal records must give equal files, so that mirrors do not
// fetch the files again. The files must also be small.
func TestSameBytes(t *testing.T) {
	records := manySpecies(5000)
	built := func() map[string][]byte {
		d := filepath.Join(t.TempDir(), "species.bleve")
		must(t, index.Build(t.Context(), d, mappings.Species, records))
		files := make(map[string][]byte)
		for _, name := range []string{"store/000000000002.zap", "values.gz"} {
			b, err := os.ReadFile(filepath.Join(d, name))
			must(t, err)
			files[name] = b
		}
		return files
	}
	a, b := built(), built()
	for name, most := range map[string]int{"store/000000000002.zap": 900_000, "values.gz": 60_000} {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s of the same records differs, %d and %d bytes", name, len(a[name]), len(b[name]))
		}
		if len(a[name]) > most {
			t.Errorf("%s has %d bytes, more than %d; find out what became larger", name, len(a[name]), most)
		}
	}
}
