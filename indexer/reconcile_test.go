package indexer_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"bencao/names"
	"bencao/store"
	"bencao/store/snapshot"
)

// currentNames opens the names of the snapshot that is served.
func currentNames(t *testing.T, data string) *names.Index {
	t.Helper()
	s, err := snapshot.At(data).OpenCurrent(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ix, err := names.Open(s.Path(names.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(ix.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// What the night writes into a species' nameMatch is what names.match answers
// by day for the same name.
func TestNightAndDayMatchAlike(t *testing.T) {
	cfg := sampleConfig(t)
	mustRun(t, cfg)
	ix := currentNames(t, cfg.Data)
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

// A herb leads where it leads in formulas when its name is matched, too: to the
// species of its plain name if it has none of its own.
func TestHerbsMatchAsTheyLead(t *testing.T) {
	pkg := tiny()
	pkg["herb_species.csv"] = &fstest.MapFile{Data: []byte("herb,species_id,plain\n甘草,3,\n炙甘草,,\n粉草,,甘草\n石膏,,\n煅石膏,,\n细石,,石膏\n")}
	cfg := config(t, pkg)
	mustRun(t, cfg)
	ix := currentNames(t, cfg.Data)
	for herb, want := range map[string]string{
		"甘草": "Glycyrrhiza uralensis", "炙甘草": "Glycyrrhiza uralensis", "粉草": "Glycyrrhiza uralensis",
		"石膏": "", "煅石膏": "", "细石": "",
	} {
		r, err := ix.Match(names.Query{Name: herb})
		got := ""
		if len(r.Results) > 0 {
			got = string(r.Results[0].MatchedName)
		}
		if err != nil || got != want {
			t.Errorf("%s is matched to %q, %v; want %q", herb, got, err, want)
		}
	}
}
