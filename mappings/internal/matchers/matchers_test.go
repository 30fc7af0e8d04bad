package matchers

import "testing"

// TestLaterStagesForgive checks that every matcher of a later stage has a name for the mistake that
// it tolerates. Answers show the name of the mistake.
func TestLaterStagesForgive(t *testing.T) {
	for _, kind := range matchers {
		for _, w := range kind.matchers {
			if w.stage > exactStage && w.ways[0].Verdict().Forgiven == "" {
				t.Errorf("%v, %q: it is in a later stage, but tolerates no mistake; name the mistake in forgiving in mappings/way.go", kind.fields, w.ways[0])
			}
		}
	}
}
