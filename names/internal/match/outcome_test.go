package match

import (
	"slices"
	"testing"
)

// TestOutcomes checks that the texts of outcomes do not change, because other programs read them in
// the report.
func TestOutcomes(t *testing.T) {
	got := []Outcome{OutcomeExact, OutcomeVariant, OutcomeFuzzy, OutcomeSynonym, OutcomeAmbiguous, OutcomeNone}
	want := []Outcome{"exact", "variant", "fuzzy", "synonym", "ambiguous", "none"}
	if !slices.Equal(got, want) {
		t.Errorf("the outcomes are %q, want %q", got, want)
	}
}
