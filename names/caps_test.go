package names_test

import (
	"slices"
	"strings"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
	explained "bencao/names/internal/match"
)

// TestCaps checks that each reason for a lower score decides the name that stands beside it.
func TestCaps(t *testing.T) {
	ix := sharedIndex(t)
	explained.Examples(func(reason, example string) {
		name, region, _ := strings.Cut(example, "; ")
		r, err := ix.Match(names.Query{Name: name, Region: region, Explain: true})
		must(t, err)
		if !slices.ContainsFunc(r.Results, func(e names.Entry) bool {
			return slices.ContainsFunc(e.ScoreParts, func(p answer.ScorePart) bool { return p.Reason == reason })
		}) {
			t.Errorf("%q does not give the reason %q: %s", example, reason, render(r))
		}
	})
}
