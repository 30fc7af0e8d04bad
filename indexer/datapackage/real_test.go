package datapackage_test

import (
	"context"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/test/checklisttest"

	"github.com/google/go-cmp/cmp"
)

// TestRealPackage reads the full-size package. It must have all rows, and exactly the known
// findings.
func TestRealPackage(t *testing.T) {
	var log finding.Log
	p, err := datapackage.Read(context.Background(), checklisttest.Full(t, "china-plants.zip"), datapackage.Options{}, &log)
	must(t, err)
	rows := map[string][2]int{} // by table: the number of rows and of rejected rows
	for _, table := range p.Tables {
		if table.Present {
			rows[table.Name] = [2]int{table.Rows, table.Rejected}
		}
	}
	want := map[string][2]int{
		"species": {47037, 0}, "synonyms": {72547, 199}, "aliases": {43542, 0}, "flora": {120265, 0}, "papers": {27776, 0},
		"species_papers": {32664, 0}, "formulas": {10480, 0}, "formula_ingredients": {69629, 0}, "herb_species": {355, 0}, "uses": {3175, 0},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows and rejected rows (-want +got):\n%s", diff)
	}
	found := map[finding.Kind]int{}
	for _, c := range log.Counts() {
		found[c.Kind] = c.Count
	}
	wantFound := map[finding.Kind]int{
		{Table: "synonyms", Severity: finding.Reject, Code: finding.ForeignKey}: 199,
		{Table: "species", Severity: finding.Warn, Code: finding.SharedName}:    12,
		{Table: "species", Severity: finding.Warn, Code: finding.Glyph}:         34,
		{Table: "aliases", Severity: finding.Warn, Code: finding.Glyph}:         65,
		{Table: "flora", Severity: finding.Warn, Code: finding.Glyph}:           65,
		// The findings are about U+0003 and U+0005, which a typesetting program left in the text.
		{Table: "formulas", Severity: finding.Warn, Code: finding.Glyph}:            2,
		{Table: "formula_ingredients", Severity: finding.Warn, Code: finding.Glyph}: 1,
		{Table: "formula_ingredients", Severity: finding.Warn, Code: finding.Dose}:  14,
		// The findings are about soft hyphens, which remain where a printed line was broken.
		{Table: "papers", Severity: finding.Warn, Code: finding.Glyph}: 6,
		// One finding is for all papers without a title, 23,290.
		{Table: "papers", Severity: finding.Warn, Code: finding.Untitled}: 1,
	}
	if diff := cmp.Diff(wantFound, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if p.Name != "china-plants" || p.Version != "2026.11" {
		t.Errorf("package %q of version %q, want china-plants of 2026.11", p.Name, p.Version)
	}
	guids := map[string]bool{}
	for _, s := range p.Species {
		guids[s.GUID] = true
	}
	if len(guids) != len(p.Species) {
		t.Errorf("%d GUIDs for %d species", len(guids), len(p.Species))
	}
}

func BenchmarkRead(b *testing.B) {
	src := checklisttest.Full(b, "china-plants.zip")
	for b.Loop() {
		var log finding.Log
		if _, err := datapackage.Read(context.Background(), src, datapackage.Options{}, &log); err != nil {
			b.Fatal(err)
		}
	}
}
