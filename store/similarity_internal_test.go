package store

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"bencao/internal/varint"
)

// TestAppendSteps compares appendSteps with strconv for all values up to three, and for random
// values up to the largest that can be stored in steps.
func TestAppendSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(200_000) {
		k := i
		if k > 3*valueSteps {
			k = random.Uint64N(math.MaxUint32)
		}
		want := strconv.FormatFloat(float64(k)/valueSteps, 'f', -1, 64)
		if got := string(appendSteps(nil, k)); got != want {
			t.Fatalf("%d steps: %s, want %s", k, got, want)
		}
	}
}

// FuzzSimilar reads arbitrary bytes as lists of similar formulas, summaries and templates. Damaged
// bytes must cause no panic and no long loop, and must never show a herb without [Composition].
func FuzzSimilar(f *testing.F) {
	summaries, err := packSimilarSummaries([]Formula{{FormulaDetail: FormulaDetail{GUID: "a", Name: "汤"}}, {FormulaDetail: FormulaDetail{GUID: "b", URL: "https://elsewhere.example"}}})
	if err != nil {
		f.Fatal(err)
	}
	const herb = `"秘"`
	f.Add(append(append([]byte{1, byte(len(herb))}, herb...), 1, 1, 5, 1, 0), []byte(summaries), []byte{markComposition, '1', markHerb, endComposition, endComposition})
	f.Add([]byte{0, 2, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 9}, []byte(summaries), []byte{markSimilarity, endSimilarity})
	f.Fuzz(func(t *testing.T, lists, summaries, text []byte) {
		for _, show := range []Parts{0, Composition} {
			r := similarReader{Reader: varint.Reader{Rest: lists}, summaries: summaries}
			for range r.Count() {
				r.Take(r.Number())
			}
			r.herbs = [][]byte{[]byte(herb)}
			out := r.appendList(nil, "", show)
			if bytes.Contains(out, []byte(herb)) && show == 0 && !bytes.Contains(summaries, []byte(herb)) {
				t.Errorf("a herb is shown: %s", out)
			}
		}
		if len(text) == 0 || text[0] != markComposition && text[0] != markSimilarity {
			return
		}
		if end := partEnd(text); end < 1 || end > len(text) || end < len(text) && text[end-1] != text[0]+1 {
			t.Errorf("the part %q ends at %d", text, end)
		}
	})
}
