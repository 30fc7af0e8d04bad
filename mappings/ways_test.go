package mappings_test

import (
	"path/filepath"
	"slices"
	"testing"

	"bencao/mappings"
	"bencao/mappings/search"
)

// tables are the tables with judged queries.
var tables = []string{"species", "formulas", "papers", "herbs"}

// TestEveryWayIsNeeded switches off each way of matching in turn. Without it, a judged query of this
// repository must be answered worse, or must have another verdict. A way that no query needs is
// removed, or gets a query.
func TestEveryWayIsNeeded(t *testing.T) {
	p := sample(t)
	all := mappings.Way(len(mappings.Tiers{}))
	if wrong := p.without(t, all); len(wrong) > 0 {
		t.Fatalf("with all ways, %d judged queries are answered wrong, such as %s", len(wrong), wrong[0])
	}
	for w := range all {
		if lost := p.without(t, w); len(lost) == 0 {
			t.Errorf("%q: no judged query is answered worse without it; add a query that needs it to testdata, or remove the way", w)
		} else {
			t.Logf("%q: %d queries need it, such as %s", w, len(lost), lost[0])
		}
	}
}

// without searches for the judged queries of testdata with a way of matching switched off, or with
// all ways if w is none. It returns the queries that are answered wrong.
func (p *pack) without(t *testing.T, w mappings.Way) (lost []string) {
	t.Helper()
	examples := docsExamples(t)
	for _, table := range tables {
		ix := p.openWithout(t, table, w)
		if ix == nil {
			continue
		}
		matches := p.matches(table)
		for _, c := range readCorpus(t, table+".txt") {
			hits := ask(t, ix, c.query)
			if problem := new(ranking).judge(c, hits, matches); problem != "" {
				lost = append(lost, c.line+": "+c.query.Text)
			}
		}
		_, label := p.endpoint(table)
		for _, e := range examples {
			if e.table == table && !e.answers(t, ix, label) {
				lost = append(lost, "docs/search.md: "+e.query)
			}
		}
		for _, v := range verdicts {
			if v.table == table && ask(t, ix, search.Query{Text: v.query, Size: 3}).Verdict != v.want {
				lost = append(lost, "verdict of "+v.query)
			}
		}
		closeAll(t, ix)
	}
	return lost
}

// openWithout opens the index of a table with a way of matching switched off, or with all ways if w
// is none. It returns nil if the table has no field that is searched in the way.
func (p *pack) openWithout(t *testing.T, table string, w mappings.Way) *search.Searcher {
	t.Helper()
	switch table {
	case "species":
		return openPart(t, p, mappings.SpeciesDir, mappings.Species, w)
	case "formulas":
		return openPart(t, p, mappings.FormulasDir, mappings.Formulas, w)
	case "papers":
		return openPart(t, p, mappings.PapersDir, mappings.Papers, w)
	}
	return openPart(t, p, mappings.HerbsDir, mappings.Herbs, w)
}

func openPart[R any](t *testing.T, p *pack, dir string, fields []mappings.Field[R], w mappings.Way) *search.Searcher {
	t.Helper()
	fields = slices.Clone(fields)
	if int(w) < len(mappings.Tiers{}) {
		searched := func(f mappings.Field[R]) bool { return f.Tiers[w] > 0 }
		if !slices.ContainsFunc(fields, searched) {
			return nil
		}
		for i := range fields {
			fields[i].Tiers[w] = 0
		}
	}
	ix, err := search.Open(filepath.Join(p.Dir, dir), fields)
	must(t, err)
	if dir == mappings.SpeciesDir {
		ix.SetChecklists(p.checklists)
	}
	return ix
}
