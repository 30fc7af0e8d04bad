package bulk

import (
	"slices"
	"testing"

	"bencao/names"
)

// TestKindsOfChange compares answers of two versions: none, a similar name that is too unlike, a genus for
// a species, and one taxon in place of several.
func TestKindsOfChange(t *testing.T) {
	answer := func(e names.Entry) *Answer { return &Answer{Response: names.Response{Results: []names.Entry{e}}} }
	exact := names.Entry{MatchType: names.MatchExact, MatchedName: "Poa annua", AcceptedName: "Poa annua", Score: 0.98}
	unlike := names.Entry{MatchType: names.MatchFuzzy, MatchedName: "Poa annulata", AcceptedName: "Poa annulata", Score: names.ScoreLook - 0.1}
	genus := names.Entry{MatchType: names.MatchHigherRank, MatchedName: "Poa", AcceptedName: "Poa", Score: 0.2}
	several := exact
	several.Flags = names.Ambiguous.Words()
	for _, tt := range []struct {
		what      string
		then, now *Answer
		want      string
	}{
		{"nothing in both", &Answer{}, &Answer{}, ChangeSame},
		{"a name too unlike in both", answer(unlike), answer(unlike), ChangeSame},
		{"a genus then", answer(genus), answer(exact), ChangeNew},
		{"a name too unlike now", answer(exact), answer(unlike), ChangeGone},
		{"several taxa then", answer(several), answer(exact), ChangeResolved},
		{"several taxa now", answer(exact), answer(several), ChangeAmbiguous},
		{"several taxa in both", answer(several), answer(several), ChangeSame},
	} {
		c := comparison{then: known(tt.then), now: known(tt.now)}
		if got := c.kinds(); !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%s: %q, want %s", tt.what, got, tt.want)
		}
	}
}
