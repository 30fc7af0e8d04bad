package matchers

import "testing"

// A way that is tried only when what was typed finds nothing forgives something,
// and the answer says what.
func TestLaterStagesForgive(t *testing.T) {
	for _, kind := range matchers {
		for _, w := range kind.matchers {
			if w.stage > exactStage && w.way.Verdict().Forgiven == "" {
				t.Errorf("%v, %q: it stands in a later stage, but forgives nothing; say in mappings/way.go what it forgives", kind.fields, w.way)
			}
		}
	}
}
