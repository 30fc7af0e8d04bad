package indexer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOddNames checks that a few names that no search finds do not end the builds of a small
// package, and that the report gives their places. A text that cannot be a query is no failure.
func TestOddNames(t *testing.T) {
	for _, tt := range []struct {
		odd  string
		want []string // the beginnings of the failures
	}{
		{strings.Repeat("人参甘草黄", 30), []string{"species.csv:6: scientific_name", "species.csv:6: scientific_name"}},
		{strings.Repeat("x", 300), nil},
		{"\u0301", []string{"papers.csv:3: title"}},
		{"×", nil},
		{"?", []string{"species.csv:6: scientific_name"}},
		{"。", []string{"species.csv:6: scientific_name"}},
	} {
		t.Run(fmt.Sprintf("%.20q", tt.odd), func(t *testing.T) {
			pkg := tiny()
			add := func(file, row string) {
				pkg[file].Data = append(pkg[file].Data, strings.ReplaceAll(row, "ODD", tt.odd)...)
			}
			add("species.csv", "8,,三七,,ODD,,species,Araliaceae\n9,,ODD,,Aralia elata,,species,Araliaceae\n")
			add("formulas.csv", "9,,ODD,,,,,,,,\n")
			add("papers.csv", "p9,ODD,,,,,\n")
			var got []string
			for _, c := range mustRun(t, config(t, pkg)).SelfCheck {
				got = append(got, c.First...)
			}
			if !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
				t.Errorf("not found: %q; want %q", got, tt.want)
			}
		})
	}
	// The search does not find species by these letters with an accent.
	pkg := tiny()
	for i := range 4 {
		if i == 3 {
			cfg := config(t, pkg)
			r := mustRun(t, cfg)
			if c := r.SelfCheck[1]; c.Failed != 3 || c.First[0] != `species.csv:6: scientific_name "á": a search for this name does not find its record; correct the name` {
				t.Errorf("three names that are not found: %d failures, %q", c.Failed, c.First)
			}
			if rows := findings(t, cfg.Data); !slices.ContainsFunc(rows, func(r []string) bool {
				return r[0] == "warn" && r[1] == "name" && r[3] == "species.csv" && r[4] == "8" && r[8] == "correct the name"
			}) {
				t.Errorf("findings %q; want a warning of species.csv, line 8", rows)
			}
		}
		pkg["species.csv"].Data = append(pkg["species.csv"].Data, fmt.Sprintf("%d,,%c七,,%c,,species,Araliaceae\n", 11+i, '一'+i, []rune("áéàè")[i])...)
	}
	if closed := refused(t, config(t, pkg)); !strings.Contains(closed.Error(), `4 of 29 fail: species.csv:6: scientific_name "á": `) {
		t.Errorf("four names that are not found: %v", closed)
	}
}
