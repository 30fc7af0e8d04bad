package store_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestSimilarityRoundTrip writes a list of similar formulas with all kinds of values and reads it
// again. decode checks that the JSON equals the encoder's output.
func TestSimilarityRoundTrip(t *testing.T) {
	d := data()
	plain := []string{"草\"0", "草\"1", "草\"2"}
	d.Formulas[1].Ingredients = []store.Ingredient{{Plain: plain[:2]}, {Plain: plain[1:]}}
	d.Formulas[0].Ingredients = []store.Ingredient{{Plain: []string{"草\"2"}}, {Plain: []string{"草\"0", "藤"}}}
	d.Formulas[2].Ingredients = []store.Ingredient{{Plain: []string{"草\"1"}}}
	var want []store.SimilarFormula
	for i, v := range []float64{0, 1e-4, 0.5, 1, 0.3333, 2.0 / 3, 12345.6789, 1e-7, 1e21, 4e9, math.MaxFloat64, -0.5} {
		d.Formulas[1].SimilarJaccard = append(d.Formulas[1].SimilarJaccard, store.Similar{Formula: store.Num(i % 3), Value: v})
		of := &d.Formulas[i%3]
		shared := [][]string{{"草\"0", "草\"2"}, plain, {"草\"1"}}[i%3]
		s := store.SimilarFormula{GUID: of.GUID, Name: store.Text(of.Name), Value: v, SharedHerbs: append([]string{}, shared...), URL: site + "/formulas/" + of.GUID}
		if of.URL != "" {
			s.URL = of.URL
		}
		want = append(want, s)
	}
	all := store.Composition | store.Similarity
	got := decode[store.FormulaDetail](t, open(t, d).FormulaDetail(1, all), all)
	if diff := cmp.Diff(want, got.SimilarJaccard); diff != "" {
		t.Errorf("similar formulas (-given +read):\n%s", diff)
	}
	if len(got.SimilarEuclidean) != 0 {
		t.Errorf("%d formulas with similar doses, want none", len(got.SimilarEuclidean))
	}
}

// TestRowsReader reads lists byte by byte through a Reader. The bytes must equal those of Append.
func TestRowsReader(t *testing.T) {
	d := data()
	d.Species[0].Papers = []store.Num{1, 0, 1}
	tx := open(t, d)
	for name, rows := range map[string]store.Rows{
		"papers": tx.SpeciesPapers(0), "no papers": tx.SpeciesPapers(1), "flora": tx.SpeciesFlora(0), "no uses": tx.SpeciesUses(1), "species": tx.PaperSpecies(1),
	} {
		want := rows.Append(nil, site, 0)
		r := rows.Reader(site, 0)
		if r.Len() != len(want) {
			t.Errorf("%s: the reader's length is %d, want %d", name, r.Len(), len(want))
		}
		got, err := io.ReadAll(iotest.OneByteReader(r))
		must(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: read %s, appended %s", name, got, want)
		}
	}
}

// TestAnswersAreCompressed checks that texts shared by many answers take hardly any space.
func TestAnswersAreCompressed(t *testing.T) {
	d := data()
	text := strings.Repeat("上五味，㕮咀三味，以水七升，微火煮取三升，去滓，适寒温，服一升。", 40)
	for n := store.Num(3); n < 2000; n++ {
		d.Formulas = append(d.Formulas, store.Formula{FormulaDetail: store.FormulaDetail{EntryID: int32(n), GUID: fmt.Sprintf("00000000-0000-5000-b000-%012d", n), Name: "方", Indications: store.Text(text)}, Num: n})
	}
	path := filepath.Join(t.TempDir(), store.FileName)
	must(t, store.Write(t.Context(), path, d, nil))
	info, err := os.Stat(path)
	must(t, err)
	if most := int64(1000 * len(text)); info.Size() > most {
		t.Errorf("2000 texts of %d bytes make a store of %d, want %d at most", len(text), info.Size(), most)
	}
	tx := open(t, d)
	if got := decode[store.FormulaDetail](t, tx.FormulaDetail(1999, 0), 0); string(got.Indications) != text {
		t.Errorf("indications of the last formula: %s", got.Indications)
	}
}
