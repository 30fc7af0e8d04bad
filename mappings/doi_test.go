package mappings_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/terms"
	"bencao/mappings/search"
	"bencao/store"
)

// TestBeginningsOfDOIs searches for every prefix of difficult DOIs. These DOIs share prefixes, are
// prefixes of other DOIs, occur twice, or contain non-Latin scripts or invalid UTF-8. The hits must
// be all DOIs with the prefix.
func TestBeginningsOfDOIs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	dois := []string{"10.1016", "10.1234", "10.5678", "10.5678/abc", "10.5678/abd", "10.1016/j", "10.1016/j.p", "10.1016/j.phytochem.2013", "10.1016/j.phytochem.2013", "10.1016/j.phytochem.2013.x1", "10.10161/j", "10.1234/", "10.1234/é1", "10.1234/è1", "10.1234/è12345678901234567890", "10.1000/%E9ab", "10.1000/abc", ""}
	for range 300 {
		doi := "10.10" + strings.Repeat("1", r.IntN(3)) + "16/"
		for range r.IntN(18) {
			doi += string("ab.1"[r.IntN(4)])
		}
		if !strings.HasSuffix(doi, ".") { // a full stop at the end belongs to the sentence
			dois = append(dois, doi)
		}
	}
	papers := make([]store.Paper, len(dois))
	for i, doi := range dois {
		papers[i] = store.Paper{PaperSummary: store.PaperSummary{ID: fmt.Sprint(i), DOI: store.Text(doi)}, Num: store.Num(i)}
	}
	dir := filepath.Join(t.TempDir(), mappings.PapersDir)
	must(t, index.Build(t.Context(), dir, mappings.Papers, papers))
	ix, err := openPapers(dir)
	must(t, err)
	defer closeAll(t, ix)
	asked := map[string]bool{}
	for _, doi := range dois {
		for n := range len(doi) + 1 {
			q := doi[:n]
			whole := len(q) >= terms.MinDOIPrefix && strings.Trim(q[len("10."):], "0123456789") == ""
			if n < terms.MinDOIPrefix || asked[q] || !utf8.ValidString(q) || strings.Contains(q, "%") || !whole && !strings.Contains(q, "/") || strings.HasSuffix(q, ".") {
				continue
			}
			asked[q] = true
			var want []store.Num
			for i, other := range dois {
				if strings.HasPrefix(other, q) {
					want = append(want, store.Num(i))
				}
			}
			got := ask(t, ix, search.Query{Text: q, Size: len(dois)}).Nums
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%q finds %v, want %v", q, got, want)
			}
		}
	}
	if len(asked) < 500 {
		t.Errorf("%d beginnings asked, want more", len(asked))
	}
}
