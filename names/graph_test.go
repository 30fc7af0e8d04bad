package names_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
)

// TestConceptGraph checks how many vascular species of the database resolve to an identifier of
// WCVP, both by Reconcile, which the build uses, and by Match. It also checks that matches flagged
// as possible have low scores.
func TestConceptGraph(t *testing.T) {
	ix := sharedIndex(t)
	vascular := map[string]bool{}
	data := filepath.Join(sharedDir(t), "data")
	err := eachRow(filepath.Join(data, "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		vascular[strings.Clone(r["family"])] = true
		return nil
	})
	must(t, err)
	var all, night, day, possible int
	joined := map[string]int{}
	err = eachRow(filepath.Join(data, "china-plants.zip"), "species.csv", ',', func(r map[string]string) error {
		if !vascular[r["family"]] {
			return nil
		}
		all++
		q := names.Query{Name: r["scientific_name"], Author: r["author"], Family: r["family"], Explain: true}
		e, _, err := ix.Reconcile(q)
		if err != nil {
			return err
		}
		if e.WCVPID != "" {
			night++
		}
		if n := len(e.Steps); n > 0 && strings.HasPrefix(e.Steps[n-1], "joined: ") {
			for _, reason := range []string{"autonym", "synonym", "spelt"} {
				if strings.Contains(e.Steps[n-1], reason) {
					joined[reason]++
				}
			}
		}
		m, err := ix.Match(q)
		if err != nil {
			return err
		}
		if len(m.Results) > 0 && m.Results[0].WCVPID != "" {
			day++
		}
		for _, x := range m.Results {
			if slices.Contains(x.Flags, "possible") {
				possible++
				if x.Score > 0.6 || x.GUID == m.Results[0].GUID && x.AcceptedName == m.Results[0].AcceptedName {
					t.Errorf("%s: a possible edge must be no more than that: %+v", r["scientific_name"], x)
				}
			}
		}
		return nil
	})
	must(t, err)
	share := func(n int) float64 { return float64(n) / float64(all) }
	t.Logf("%d vascular species; with an identifier of WCVP %.3f at night, %.3f by day; %.3f more possible; edges %v", all, share(night), share(day), share(possible), joined)
	if share(night) < 0.885 || share(day) < 0.885 {
		t.Errorf("%.3f at night and %.3f by day have an identifier of WCVP; they were 0.886", share(night), share(day))
	}
}
