package indexer_test

import (
	"context"
	"errors"
	"testing"

	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// What the night writes into a species' nameMatch is what names.match answers
// by day for the same name.
func TestNightAndDayMatchAlike(t *testing.T) {
	cfg := sampleConfig(t)
	mustRun(t, cfg)
	s, err := snapshot.At(cfg.Data).OpenCurrent(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ix, err := names.Open(s.Path("names.idx"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(ix.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	tx := current(t, cfg.Data)
	compared := 0
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		sp := decode[store.SpeciesDetail](t, tx.SpeciesDetail(n))
		if sp.NameMatch == nil {
			continue
		}
		r, err := ix.Match(names.Query{Name: string(sp.ScientificName), Author: string(sp.Author), Family: string(sp.Family)})
		if err != nil || len(r.Results) == 0 {
			t.Errorf("%s: matched at night, but by day %v, %v", sp.ScientificName, r.Results, err)
			continue
		}
		day, night := r.Results[0], sp.NameMatch
		if day.AcceptedName != night.AcceptedName || day.WCVPID != night.WCVPID || day.IPNIID != night.IPNIID || day.WFOID != night.WFOID ||
			day.MatchType != night.MatchType || day.MatchSource != night.MatchSource || day.ChecklistVersion != night.ChecklistVersion {
			t.Errorf("%s %s: at night %+v, by day %+v", sp.ScientificName, sp.Author, *night, day)
		}
		compared++
	}
	if compared < 250 {
		t.Errorf("only %d species were compared", compared)
	}
}
