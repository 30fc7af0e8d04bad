package snapshotfiles_test

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"flag"
	"slices"
	"strings"
	"testing"

	"bencao/internal/snapshotfiles"
	"bencao/internal/test/fullsize"
	"bencao/internal/test/testkit"
	"bencao/mappings/search"
	"bencao/store"
	"bencao/store/snapshot"
)

// must ends the test if there is an error.
var must = testkit.Must

var fullNight = flag.String("night", "", "data directory of a nightly build of the full-size package and its checklists")

// TestSynonymsAreFound searches the full-size data for synonyms: those that WCVP gives for the
// species in these data. 99 % of the searches must find the species among the first twenty hits.
func TestSynonymsAreFound(t *testing.T) {
	if *fullNight == "" {
		t.Skip("SKIPPED, NOT PASSED: -night names no data directory of a build of the full-size package")
	}
	zipped := fullsize.Path(t, "data/wcvp.zip")
	c, err := snapshotfiles.Current(t.Context(), snapshot.At(*fullNight), snapshotfiles.Store|snapshotfiles.Names|snapshotfiles.Species)
	must(t, err)
	defer c.Close()
	own := ownByWCVP(t, c.Store)
	searched, found, missed := 0, 0, 0
	for name, accepted := range synonyms(t, zipped) {
		nums := own[accepted]
		if nums == nil {
			continue
		}
		hits, err := c.Species.Search(t.Context(), search.Query{Text: name, Size: 20})
		must(t, err)
		searched++
		if slices.ContainsFunc(hits.Nums, func(n store.Num) bool { return slices.Contains(nums, n) }) {
			found++
			continue
		}
		if missed++; missed%50 == 1 {
			t.Logf("%q, a synonym of the WCVP name %s, does not find species %v; it finds %d: %v, %+v", name, accepted, nums, hits.Total, hits.Nums, hits.Verdict)
		}
	}
	t.Logf("%d of %d synonyms of species in the store find their species (%.2f %%)", found, searched, 100*float64(found)/float64(searched))
	if searched < 10_000 || found*100 < searched*99 {
		t.Errorf("%d of %d synonyms find their species, want 99 %% of at least 10,000", found, searched)
	}
}

// ownByWCVP returns the species of a store by their WCVP identifiers.
func ownByWCVP(t *testing.T, s *store.Store) map[string][]store.Num {
	t.Helper()
	tx, err := s.Begin()
	must(t, err)
	defer tx.Close()
	own := map[string][]store.Num{}
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		var a store.SpeciesDetail
		must(t, json.Unmarshal(tx.SpeciesDetail(n).Append(nil, "", 0), &a))
		if m := a.NameMatch; m != nil && m.WCVPID != "" {
			own[string(m.WCVPID)] = append(own[string(m.WCVPID)], n)
		}
	}
	return own
}

// synonyms yields the synonyms in WCVP, with the identifier of their accepted name.
func synonyms(t *testing.T, path string) func(yield func(name, accepted string) bool) {
	t.Helper()
	z, err := zip.OpenReader(path)
	must(t, err)
	f, err := z.Open("wcvp_names.csv")
	must(t, err)
	t.Cleanup(func() {
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(yield func(name, accepted string) bool) {
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		column := map[string]int{}
		for lines.Scan() {
			cells := strings.Split(lines.Text(), "|")
			if len(column) == 0 {
				for i, name := range cells {
					column[name] = i
				}
				continue
			}
			id, accepted := cells[column["plant_name_id"]], cells[column["accepted_plant_name_id"]]
			if cells[column["taxon_status"]] == "Synonym" && accepted != id && !yield(cells[column["taxon_name"]], accepted) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Error(err)
		}
	}
}
