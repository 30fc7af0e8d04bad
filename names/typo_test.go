package names_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
)

// sample is a name of the checklist with its author.
type sample struct{ name, author, family string }

// pools are the names that tests draw from: accepted species, accepted names below species, and synonyms
// of the rank of species.
type pools struct{ species, below, synonyms []sample }

// pool returns the names that samples draws from. It reads them once.
var pool = sync.OnceValues(func() (pools, error) {
	dir, err := findShared()
	if err != nil {
		return pools{}, err
	}
	var all pools
	err = eachRow(filepath.Join(dir, "data", "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		s := sample{r["taxon_name"], r["taxon_authors"], r["family"]}
		switch {
		case r["species"] == "" || strings.ContainsAny(s.name, "×'"):
		case r["taxon_status"] == "Synonym" && strings.Count(s.name, " ") == 1:
			all.synonyms = append(all.synonyms, s)
		case r["taxon_status"] != "Accepted":
		case !strings.Contains(s.name, "."):
			all.species = append(all.species, s)
		case strings.Count(s.name, " ") == 3:
			all.below = append(all.below, s)
		}
		return nil
	})
	return all, err
})

// samples returns n random accepted species of WCVP. The same seed gives the same species.
func samples(tb testing.TB, n int, seed uint64) []sample {
	tb.Helper()
	sharedDir(tb)
	all, err := pool()
	must(tb, err)
	rng := rand.New(rand.NewPCG(seed, 7))
	out := make([]sample, n)
	for i := range out {
		out[i] = all.species[rng.IntN(len(all.species))]
	}
	return out
}

// misspell makes n edits in the words of name that have five letters or more. An edit inserts,
// deletes or changes a letter, or exchanges two neighbours.
func misspell(rng *rand.Rand, name string, n int) string {
	w := strings.Fields(name)
	for range n {
		var long []int
		for i := range w {
			if len(w[i]) >= 5 {
				long = append(long, i)
			}
		}
		if len(long) == 0 {
			return strings.Join(w, " ")
		}
		i := long[rng.IntN(len(long))]
		b := []byte(w[i])
		p := 1 + rng.IntN(len(b)-1)
		c := byte('a' + rng.IntN(26))
		switch rng.IntN(4) {
		case 0:
			b = slices.Insert(b, p, c)
		case 1:
			b = slices.Delete(b, p, p+1)
		case 2:
			b[p] = c
		default:
			if p+1 < len(b) {
				b[p], b[p+1] = b[p+1], b[p]
			}
		}
		w[i] = string(b)
	}
	return strings.Join(w, " ")
}

// tally counts the answers to misspelt names.
type tally struct{ all, right, wrong, open int }

// add counts an answer. An answer that is only a genus, or one of several candidates, counts as
// open: a person would check it before use.
func (c *tally) add(r names.Response, want string) {
	c.all++
	switch {
	case len(r.Results) == 0 || r.Results[0].MatchType == answer.MatchHigherRank:
		c.open++
	case string(r.Results[0].MatchedName) == want:
		c.right++
	case slices.Contains(r.Results[0].Flags, "ambiguous"):
		c.open++
	default:
		c.wrong++
	}
}

func (c *tally) recall() float64    { return float64(c.right) / float64(c.all) }
func (c *tally) precision() float64 { return float64(c.right) / float64(max(c.right+c.wrong, 1)) }

// TestMisspelt checks the recall and the precision of answers to misspelt names of the checklist.
func TestMisspelt(t *testing.T) {
	ix := sharedIndex(t)
	exact := func(name string) bool { return hasName(ix, name) }
	for _, tt := range []struct {
		edits             int
		author            bool
		recall, precision float64
	}{
		{1, false, 0.985, 0.985},
		{2, false, 0.95, 0.985},
		{1, true, 0.985, 0.985},
		{2, true, 0.95, 0.985},
	} {
		var c tally
		rng := rand.New(rand.NewPCG(uint64(tt.edits), 11))
		for _, s := range samples(t, 4000, uint64(tt.edits)) {
			wrong := misspell(rng, s.name, tt.edits)
			if wrong == s.name || exact(wrong) {
				continue
			}
			author := ""
			if tt.author {
				author = s.author
			}
			r := match(ix, wrong, author)
			c.add(r, s.name)
			if *showMisses && (len(r.Results) == 0 || string(r.Results[0].MatchedName) != s.name) {
				got, flags := "", []string(nil)
				if len(r.Results) > 0 {
					got, flags = string(r.Results[0].MatchedName), r.Results[0].Flags
				}
				t.Logf("%s (%s %s): %s %v", wrong, s.name, author, got, flags)
			}
		}
		t.Logf("%d edits, author %t: recall@1 %.4f, precision %.4f of %d (%d wrong, %d left open)", tt.edits, tt.author, c.recall(), c.precision(), c.all, c.wrong, c.open)
		if c.recall() < tt.recall || c.precision() < tt.precision {
			t.Errorf("%d edits, author %t: recall@1 %.4f and precision %.4f, want %.3f and %.3f", tt.edits, tt.author, c.recall(), c.precision(), tt.recall, tt.precision)
		}
	}
}
