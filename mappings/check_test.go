package mappings_test

import (
	"context"
	"testing"
	"time"

	"bencao/mappings"
	"bencao/mappings/search"
)

// TestSelfCheckFull asks the full package for everything it holds.
func TestSelfCheckFull(t *testing.T) {
	p := full(t)
	for _, c := range []struct {
		name  string
		check func(context.Context) (search.SelfCheck, error)
	}{
		{"species", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.speciesIndex, mappings.Species, p.species)
		}},
		{"formulas", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.formulaIndex, mappings.Formulas, p.formulas)
		}},
		{"papers", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.paperIndex, mappings.Papers, p.papers)
		}},
	} {
		start := time.Now()
		got, err := c.check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d values in %v, %d failures", c.name, got.Checked, time.Since(start).Round(time.Millisecond), len(got.Failures))
		for i, f := range got.Failures {
			if i < 20 {
				t.Error(f)
			}
		}
	}
}
