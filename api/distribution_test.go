package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/names"
	"bencao/names/region"
	"bencao/store"
)

// found returns the guids of the species that filters find, sorted.
func (s *site) found(t *testing.T, in url.Values) (guids []string) {
	t.Helper()
	for n := 1; ; n++ {
		in.Set("page", fmt.Sprint(n))
		in.Set("pageSize", "100")
		p := decode[pageOf[store.SpeciesSummary]](t, s.get(t, "/api/v1/species?"+in.Encode()).wantStatus(t, http.StatusOK))
		for _, i := range p.Items {
			guids = append(guids, i.GUID)
		}
		if len(p.Items) < 100 {
			slices.Sort(guids)
			return guids
		}
	}
}

// TestRegions filters the species of the sample by random regions. A region finds exactly the species
// whose distribution lists an area in it, with the establishment that is asked for, and the same as its
// parts together. A name means the same as the code.
func TestRegions(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 52))
	s := start(t, config{dir: sample.Dir(t)})
	areas := map[string][]store.Area{}
	for _, guid := range s.found(t, url.Values{}) {
		d := decode[store.Distribution](t, s.get(t, "/api/v1/species/"+guid+"/distribution").wantStatus(t, http.StatusOK))
		for _, a := range d.Areas {
			if a.Basis == "listed" {
				areas[guid] = append(areas[guid], a)
			}
		}
	}
	if len(areas) < 20 {
		t.Fatalf("%d species of the sample have a distribution, want 20 or more", len(areas))
	}
	regions := region.Default()
	all := regions.All()
	answered := 0
	for range 120 {
		at := all[r.IntN(len(all))]
		if r.IntN(2) == 0 { // a region with species
			list := areas[slices.Sorted(keysOf(areas))[r.IntN(len(areas))]]
			path := regions.Path(string(list[r.IntN(len(list))].Code))
			at = path[r.IntN(len(path))]
		}
		establishment := []string{"", "native", "introduced"}[r.IntN(3)]
		filter := func(region string) url.Values {
			in := url.Values{"region": {region}}
			if establishment != "" {
				in.Set("establishment", establishment)
			}
			return in
		}
		var want []string
		for guid, list := range areas {
			if slices.ContainsFunc(list, func(a store.Area) bool {
				inside := slices.ContainsFunc(regions.Path(string(a.Code)), func(around region.Region) bool { return around.Code == at.Code })
				return inside && (establishment == "" || a.Establishment == establishment)
			}) {
				want = append(want, guid)
			}
		}
		slices.Sort(want)
		got := s.found(t, filter(at.Code))
		if !slices.Equal(got, want) {
			t.Errorf("%v finds %v, want %v", filter(at.Code), got, want)
		}
		if len(got) > 0 {
			answered++
		}
		var parts []string
		for _, part := range regions.Parts(at.Code) {
			if slices.ContainsFunc(want, func(guid string) bool { // otherwise there is nothing to find
				return slices.ContainsFunc(areas[guid], func(a store.Area) bool { return string(a.Code) == part.Code })
			}) {
				parts = append(parts, s.found(t, filter(part.Code))...)
			}
		}
		slices.Sort(parts)
		if parts = slices.Compact(parts); !slices.Equal(parts, got) {
			t.Errorf("the parts of %s find %v, itself %v", at.Code, parts, got)
		}
		for _, name := range []string{at.Name, at.Chinese} {
			named, ok := regions.Find(name)
			if !ok || named.Code != at.Code {
				continue // a wider region has the same name
			}
			if same := s.found(t, filter(name)); !slices.Equal(same, got) {
				t.Errorf("%s finds %v, %s %v", name, same, at.Code, got)
			}
		}
	}
	if answered < 40 {
		t.Errorf("%d regions of 120 find species, want 40 or more", answered)
	}
}

func keysOf[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestDistribution reads the distribution of one plant in all answers that have it.
func TestDistribution(t *testing.T) {
	s := start(t, config{})
	d := decode[store.Distribution](t, s.get(t, "/api/v1/species/"+ginseng+"/distribution").wantStatus(t, http.StatusOK))
	var rows []string
	for _, a := range d.Areas {
		rows = append(rows, fmt.Sprintf("%s %s %s %s %s %s", a.Code, a.NameChinese, a.Parent, a.Establishment, a.Status, a.Source))
	}
	const want = "PRM 滨海边疆区 31 native doubtful WCVP; CHM 中国东北 36 native present WCVP; JAP 日本 38 introduced present WCVP"
	if got := strings.Join(rows, "; "); got != want {
		t.Errorf("the areas are %s, want %s", got, want)
	}
	if len(d.Ranges) != 1 || d.Ranges[0].Relation != "accepted" || d.Ranges[0].Text != "Russian Far East to Korea" || d.Ranges[0].Release != "WCVP v13" {
		t.Errorf("the ranges are %+v, want that of Panax ginseng by WCVP v13", d.Ranges)
	}
	n := decode[store.SpeciesNames](t, s.get(t, "/api/v1/species/"+ginseng+"/names").wantStatus(t, http.StatusOK))
	if len(n.Checklists) != 1 || *n.Checklists[0].Accepted.Year != 1843 || !*n.Checklists[0].Accepted.Reviewed || len(n.Checklists[0].Synonyms) != 1 || !n.Checklists[0].Synonyms[0].Homotypic {
		t.Errorf("the names are %+v, want Panax ginseng of 1843, reviewed, with one homotypic synonym", n)
	}
	for _, name := range []string{"Panax ginseng", "Aralia ginseng"} {
		m := decode[names.Response](t, s.get(t, "/api/v1/names/match?"+url.Values{"name": {name}, "distribution": {"true"}}.Encode()).wantStatus(t, http.StatusOK))
		f := m.Results[0].Distribution
		if f == nil || !slices.Equal(f.Native, []string{"CHM"}) || !slices.Equal(f.Introduced, []string{"JAP"}) || !slices.Equal(f.Doubtful, []string{"PRM"}) || f.Published != "1843" || f.LifeForm != "perennial" {
			t.Errorf("%s grows in %+v, want CHM, introduced in JAP, doubtful in PRM", name, f)
		}
	}
	if got := s.get(t, "/api/v1/names/match?name=Panax+ginseng").wantStatus(t, http.StatusOK); strings.Contains(string(got.body), "distribution") {
		t.Errorf("names.match without distribution has it: %s", got.body)
	}
	if got := string(s.get(t, "/api/v1/species/"+willow+"/distribution").wantStatus(t, http.StatusOK).body); got != `{"areas":[],"ranges":[]}` {
		t.Errorf("the distribution of a species that no checklist has is %s, want empty lists", got)
	}
	s.get(t, "/api/v1/species/"+nobody+"/names").wantStatus(t, http.StatusNotFound)
}
