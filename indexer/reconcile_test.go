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

// currentNames opens the names of the current snapshot.
func currentNames(t *testing.T, data string) *names.Index {
	t.Helper()
	s, err := snapshot.At(data).OpenCurrent(context.Background())
	must(t, err)
	ix, err := names.Open(s.Path(names.FileName))
	must(t, err)
	t.Cleanup(func() {
		if err := errors.Join(ix.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// TestReconcileMatchesAsTheAPI checks that the nameMatch of a species equals the response of
// names.match for its name.
func TestReconcileMatchesAsTheAPI(t *testing.T) {
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
			t.Errorf("%s: matched by the build, but names.match says %v, %v", sp.ScientificName, r.Results, err)
			continue
		}
		got, stored := r.Results[0], sp.NameMatch
		if got.AcceptedName != stored.AcceptedName || got.WCVPID != stored.WCVPID || got.IPNIID != stored.IPNIID || got.WFOID != stored.WFOID ||
			got.MatchType != stored.MatchType || got.MatchSource != stored.MatchSource || got.ChecklistVersion != stored.ChecklistVersion {
			t.Errorf("%s %s: in the build %+v, by names.match %+v", sp.ScientificName, sp.Author, *stored, got)
		}
		compared++
	}
	if compared < 250 {
		t.Errorf("only %d species were compared", compared)
	}
}

// TestHerbsMatchAsTheyResolve checks that matching the name of a herb gives the species to which
// the herb resolves in formulas. A herb without species of its own resolves to the species of its
// plain name.
func TestHerbsMatchAsTheyResolve(t *testing.T) {
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
