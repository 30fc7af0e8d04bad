package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// writeTaxa writes and opens a file of taxa.
func writeTaxa(t *testing.T, write func(w *store.TaxaWriter)) *store.Taxa {
	t.Helper()
	path := filepath.Join(t.TempDir(), store.TaxaName)
	w, err := store.NewTaxaWriter(t.Context(), path)
	must(t, err)
	write(w)
	must(t, w.Close())
	if left, err := filepath.Glob(path + "?*"); err != nil || len(left) > 0 {
		t.Errorf("left beside the file: %v, %v", left, err)
	}
	taxa, err := store.OpenTaxa(path)
	must(t, err)
	t.Cleanup(func() { must(t, taxa.Close()) })
	return taxa
}

// TestTaxa writes random lists of names and places, in any order, and reads every name again.
func TestTaxa(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 52))
	type name struct {
		store.TaxonName
		accepted int // index of the accepted name
		places   []store.Place
	}
	lists := make([][]name, 3)
	for l := range lists {
		for i := range 1 + r.IntN(3000) {
			n := name{TaxonName: store.TaxonName{ID: fmt.Sprint(i * (l + 7)), Name: fmt.Sprintf("Aus bus%d", i), Status: "accepted", Publication: strings.Repeat("Sp. Pl. ", r.IntN(4)), Reviewed: "Y"}, accepted: i}
			if i > 0 && r.IntN(2) == 0 {
				n.accepted, n.Status, n.Homotypic = lists[l][r.IntN(i)].accepted, "synonym", r.IntN(2) == 0
			}
			for range r.IntN(5) {
				n.places = append(n.places, store.Place{Code: fmt.Sprint("C", r.IntN(300)), Introduced: r.IntN(2) == 0, Status: store.Presence(r.IntN(3))})
			}
			if r.IntN(9) == 0 {
				n.places = append(n.places, store.Place{Name: "the hills & dales"})
			}
			lists[l] = append(lists[l], n)
		}
	}
	taxa := writeTaxa(t, func(w *store.TaxaWriter) {
		for l, list := range lists {
			for _, i := range r.Perm(len(list)) {
				must(t, w.Add(list[i].TaxonName, list[list[i].accepted].ID))
			}
			for _, i := range r.Perm(len(list)) {
				for _, p := range list[i].places {
					if !w.Place(list[i].ID, p) {
						t.Fatalf("the name %s is not known", list[i].ID)
					}
				}
			}
			if w.Place("nothing", store.Place{Code: "C1"}) {
				t.Error("the place of an unknown name is taken")
			}
			must(t, w.EndList(uint8(l), store.TaxaList{Source: fmt.Sprint("list ", l)}))
		}
	})
	text := func(p store.Place) string { return fmt.Sprintf("%s %s %v %v", p.Code, p.Name, p.Introduced, p.Status) }
	for l, list := range lists {
		names, places := map[int][]string{}, map[int][]string{}
		for i, n := range list {
			names[n.accepted] = append(names[n.accepted], list[i].Name+list[i].Publication)
			for _, p := range n.places {
				places[n.accepted] = append(places[n.accepted], text(p))
			}
		}
		for i, n := range list {
			got, err := taxa.Find(uint8(l), n.ID)
			must(t, err)
			if len(got.Names) == 0 || got.Names[0].ID != list[n.accepted].ID || got.Synonym != (n.accepted != i) {
				t.Fatalf("list %d, %s: %+v, want the taxon of %s", l, n.ID, got, list[n.accepted].ID)
			}
			var have, grows []string
			for _, n := range got.Names {
				have = append(have, n.Name+n.Publication)
			}
			for _, p := range got.Places {
				grows = append(grows, text(p))
			}
			slices.Sort(have)
			slices.Sort(grows)
			slices.Sort(names[n.accepted])
			slices.Sort(places[n.accepted])
			if diff := cmp.Diff([][]string{names[n.accepted], slices.Compact(slices.Clone(places[n.accepted]))}, [][]string{have, grows}); diff != "" {
				t.Fatalf("list %d, %s (-written +read):\n%s", l, n.ID, diff)
			}
		}
		for _, id := range []string{"", "!", "nothing", "99999999"} {
			if got, err := taxa.Find(uint8(l), id); err != nil || got.Names != nil {
				t.Errorf("list %d, the id %q: %+v, %v; want nothing", l, id, got, err)
			}
		}
	}
	if got, err := taxa.Find(9, "0"); err != nil || got.Names != nil {
		t.Errorf("a list that is not there: %+v, %v; want nothing", got, err)
	}
}

// TestGroups checks which synonyms are homotypic, and the order of the groups.
func TestGroups(t *testing.T) {
	taxa := writeTaxa(t, func(w *store.TaxaWriter) {
		for _, n := range []store.TaxonName{
			{ID: "1", Name: "Reynoutria multiflora", Author: "(Thunb.) Moldenke", Published: "1941", BasionymID: "2", Status: "accepted"},
			{ID: "3", Name: "Fallopia multiflora", Published: "1978", BasionymID: "2"},
			{ID: "2", Name: "Polygonum multiflorum", Author: "Thunb.", Published: "1783 publ. 1784"},
			{ID: "4", Name: "Pleuropterus cordatus", Published: "1908"},
			{ID: "5", Name: "Fallopia hypoleuca", Published: "1990", BasionymID: "6"},
			{ID: "6", Name: "Polygonum hypoleucum", Published: "1800"},
			{ID: "7", Name: "Bilderdykia multiflora", Homotypic: true},
		} {
			accepted := "1"
			must(t, w.Add(n, accepted))
		}
		must(t, w.EndList(0, store.TaxaList{Source: "WCVP", Release: "WCVP 14"}))
	})
	got, err := taxa.SpeciesNames([]store.Listing{{List: 0, ID: "3"}})
	must(t, err)
	var groups []string
	for _, g := range got.Checklists[0].Synonyms {
		sign := "="
		if g.Homotypic {
			sign = "≡"
		}
		for _, n := range g.Names {
			sign += " " + n.Name
		}
		groups = append(groups, sign)
	}
	want := []string{"≡ Polygonum multiflorum Fallopia multiflora Bilderdykia multiflora", "= Polygonum hypoleucum Fallopia hypoleuca", "= Pleuropterus cordatus"}
	if diff := cmp.Diff(want, groups); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	c := got.Checklists[0]
	if c.Relation != "synonym" || c.Release != "WCVP 14" || c.Accepted.Basionym != "Polygonum multiflorum Thunb." || *c.Synonyms[0].Names[0].Year != 1784 {
		t.Errorf("the names of a synonym are %+v; want those of Reynoutria multiflora, with its basionym of 1784", c)
	}
}

// TestTaxaUnreadable opens a file of taxa that is missing, and one that is none.
func TestTaxaUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), store.TaxaName)
	if taxa, err := store.OpenTaxa(path); err == nil {
		t.Errorf("a missing file: %v, want an error", taxa.Close())
	}
	must(t, os.WriteFile(path, []byte("no taxa"), 0o600))
	if taxa, err := store.OpenTaxa(path); err == nil {
		t.Errorf("a text: %v, want an error", taxa.Close())
	}
}
