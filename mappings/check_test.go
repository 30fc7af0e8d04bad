package mappings_test

import (
	"context"
	"testing"
	"time"

	"bencao/mappings"
	"bencao/mappings/search"
)

// TestSelfCheckFull runs the self-check on the full package.
func TestSelfCheckFull(t *testing.T) {
	p := full(t)
	for _, c := range []struct {
		name  string
		check func(context.Context) (search.SelfCheck, error)
	}{
		{"species", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.species, mappings.Species, p.Species)
		}},
		{"formulas", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.formulas, mappings.Formulas, p.Formulas)
		}},
		{"papers", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.papers, mappings.Papers, p.Papers)
		}},
		{"herbs", func(ctx context.Context) (search.SelfCheck, error) {
			return search.Check(ctx, p.herbs, mappings.Herbs, p.Herbs)
		}},
	} {
		start := time.Now()
		got, err := c.check(t.Context())
		must(t, err)
		t.Logf("%s: %d values in %v, %d failures", c.name, got.Checked, time.Since(start).Round(time.Millisecond), len(got.Failures))
		for i, f := range got.Failures {
			if i < 20 {
				t.Errorf("record %d: %s %q does not find itself", f.Num, f.Field, f.Value)
			}
		}
	}
}
