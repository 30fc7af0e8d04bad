package matchers

import "testing"

// TestLaterStagesForgive checks that every matcher of a later stage has a name for the
// mistake that it tolerates, which the answer shows.
func TestLaterStagesForgive(t *testing.T) {
	for _, kind := range matchers {
		for _, w := range kind.matchers {
			if w.stage > exactStage && w.way.Verdict().Forgiven == "" {
				t.Errorf("%v, %q: it stands in a later stage, but forgives nothing; say in mappings/way.go what it forgives", kind.fields, w.way)
			}
		}
	}
}
