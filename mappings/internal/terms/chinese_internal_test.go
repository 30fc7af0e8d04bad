package terms

import (
	"math/rand/v2"
	"testing"
)

// TestPlainTextsKeepTheirKeys checks that the fast path for ASCII gives the same keys as the
// general path.
func TestPlainTextsKeepTheirKeys(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 20261123))
	for range 50_000 {
		text := make([]byte, rnd.IntN(70))
		for i := range text {
			if text[i] = byte(rnd.IntN(128)); rnd.IntN(2) == 0 {
				text[i] = "10./vfultxpdhmABCZ [](){}-"[rnd.IntN(26)]
			}
		}
		s := string(text)
		if got, ok := asciiKey(s); ok && got != foldedKey(s) {
			t.Errorf("the key of %q is %q, want %q", s, got, foldedKey(s))
		}
		doi := "10.1000/" + s
		if next := pageEnd.ReplaceAllString(doi, ""); next != doi && !mayEndPage(doi) {
			t.Errorf("the end of %q is not taken off, want %q", doi, next)
		}
		if got := doiStart.ReplaceAllString("10."+s, ""); got != "10."+s {
			t.Errorf("%q begins with no DOI, want it to begin with one: %q", "10."+s, got)
		}
	}
}
