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

// manySpecies are records for an index that is written in several batches.
func manySpecies(n int) []store.Species {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(from string) string { runes := []rune(from); return string(runes[r.IntN(len(runes))]) }
	species := make([]store.Species, n)
	for i := range species {
		name := pick("人三白黄大山水石") + pick("参七术芪黄药仙斛") + pick("草花木子根叶皮实")
		latin := fmt.Sprintf("Panax %s%s%s", pick("gnsphc"), pick("aeiou"), pick("lnrst")+"ensis")
		species[i] = store.Species{Num: store.Num(i), EntryID: int32(i + 1), ChineseName: name, ChineseNamePinyin: untrained().Read(name),
			ScientificName: latin, Rank: "species", Synonyms: []store.Synonym{{Name: "Aralia " + latin[6:]}}}
	}
	return species
}

// tailBytes is what Bleve writes behind the terms and values of a segment: where
// the sections of each field begin, in the order in which they come out of a map,
// and a checksum.
const tailBytes = 4096

// TestSameBytes builds an index twice: the same records make the same segment but for
// its tail, so that a mirror need not fetch all of it anew.
func TestSameBytes(t *testing.T) {
	records := manySpecies(5000)
	segment := func() []byte {
		d := filepath.Join(t.TempDir(), "species.bleve")
		if err := index.Build(t.Context(), d, mappings.Species, records); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(d, "store", "*.zap"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%d segments, %v", len(found), err)
		}
		b, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return b[:len(b)-tailBytes]
	}
	if a, b := segment(), segment(); !bytes.Equal(a, b) {
		t.Errorf("the segments of the same records are different, of %d and %d bytes", len(a), len(b))
	}
}
