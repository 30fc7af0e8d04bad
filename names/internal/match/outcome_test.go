package match

import (
	"slices"
	"testing"
)

// TestOutcomes fixes the words of the report, which other programs read.
func TestOutcomes(t *testing.T) {
	got := []Outcome{OutcomeExact, OutcomeVariant, OutcomeFuzzy, OutcomeSynonym, OutcomeAmbiguous, OutcomeNone}
	want := []Outcome{"exact", "variant", "fuzzy", "synonym", "ambiguous", "none"}
	if !slices.Equal(got, want) {
		t.Errorf("the outcomes are %q, want %q", got, want)
	}
}
