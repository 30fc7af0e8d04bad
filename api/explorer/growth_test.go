package explorer_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"bencao/api/explorer"
	"bencao/store"
)

var (
	worldMap  = regexp.MustCompile(`(?s)<svg class="world".*?</svg>`)
	growthOf  = regexp.MustCompile(`(?s)<section id="where">.*?</section>`)
	cellOf    = regexp.MustCompile(`(?s)<td class="full" data-l="(Native|Introduced)">(.*?)</td>`)
	regionOf  = regexp.MustCompile(`[?;&]region=([^"&]+)`)
	namesOf   = regexp.MustCompile(`(?s)<section id="syn">.*?</section>`)
	sameTypes = regexp.MustCompile(`<li class="same">`)
)

// TestGrowthAgrees compares the pages of all species of the sample with the API. Each region that a
// checklist lists is in the column of its kind and has a mark on the map, and nothing else has.
// Regions that only a text names have no mark.
func TestGrowthAgrees(t *testing.T) {
	s := sampleSite(t)
	mapped, named := 0, 0
	for _, guid := range s.inAPI(t, "species", url.Values{}) {
		d := answerOf[store.Distribution](t, s, "species/"+guid+"/distribution")
		part := growthOf.FindString(s.page(t, "/species/"+guid).body)
		want, got := map[string]int{}, map[string]int{}
		marks := 0
		for _, a := range d.Areas {
			if a.Basis == "named" {
				named++
				continue
			}
			marks++
			want[map[string]string{"native": "Native ", "introduced": "Introduced "}[a.Establishment]+string(a.Code)]++
		}
		for _, cell := range cellOf.FindAllStringSubmatch(part, -1) {
			for _, m := range regionOf.FindAllStringSubmatch(cell[2], -1) {
				got[cell[1]+" "+m[1]]++
			}
		}
		for area, n := range want {
			if got[area] != n {
				t.Errorf("%s: %s is %d times in the API and %d times on the page", guid, area, n, got[area])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: the page has %d areas, the API %d", guid, len(got), len(want))
		}
		drawn := 0
		for _, svg := range worldMap.FindAllString(part, -1) {
			drawn += strings.Count(svg, ` class="w`) - 1 // the map itself
		}
		if drawn != marks {
			t.Errorf("%s: the map has %d marks, the API lists %d areas", guid, drawn, marks)
		}
		for _, r := range d.Ranges {
			if r.Text != "" && !strings.Contains(html.UnescapeString(part), string(r.Text)) {
				t.Errorf("%s: the page lacks the text %q", guid, r.Text)
			}
			if unknown := strings.Contains(part, "Introduced range unknown"); !r.Listed && r.Text != "" && !unknown {
				t.Errorf("%s: the page does not say that %s has only a text", guid, r.Source)
			}
		}
		mapped += min(drawn, 1)
	}
	if mapped == 0 || named == 0 {
		t.Errorf("%d species have a map, %d areas are only named: the sample shows too little", mapped, named)
	}
}

// TestNamesAgree compares the names on the pages of all species of the sample with the API: each with
// its publication, and those of one type after ≡. No name is called heterotypic.
func TestNamesAgree(t *testing.T) {
	s := sampleSite(t)
	published := 0
	for _, guid := range s.inAPI(t, "species", url.Values{}) {
		part := namesOf.FindString(s.page(t, "/species/"+guid).body)
		said := html.UnescapeString(part)
		same := 0
		for _, c := range answerOf[store.SpeciesNames](t, s, "species/"+guid+"/names").Checklists {
			all := []store.ListedName{c.Accepted}
			for _, g := range c.Synonyms {
				if all = append(all, g.Names...); g.Homotypic {
					same++
				}
				same += len(g.Names) - 1
			}
			for _, n := range all {
				if n.Publication == "" {
					continue
				}
				if published++; !strings.Contains(said, ", "+string(n.Publication)) {
					t.Errorf("%s: the page lacks the publication of %s: %s", guid, n.Name, n.Publication)
				}
			}
		}
		if n := len(sameTypes.FindAllString(part, -1)); n != same {
			t.Errorf("%s: %d names follow ≡, want %d", guid, n, same)
		}
		if strings.Contains(strings.ToLower(part), "heterotypic") {
			t.Errorf("%s: names are called heterotypic", guid)
		}
	}
	if published == 0 {
		t.Error("no name of the sample has a publication")
	}
}

// TestNoMap checks that a setting leaves out the map and nothing else.
func TestNoMap(t *testing.T) {
	with := sampleSite(t)
	without := start(t, config{dir: sample.Dir(t), pages: explorer.New(explorer.Options{NoMap: true}), as: "explorer"})
	figure := regexp.MustCompile(`(?s)<figure class="fig"><figcaption>[^<]*</figcaption><svg class="world".*?</figure>`)
	for _, guid := range with.inAPI(t, "species", url.Values{"establishment": {"native"}}) {
		a, b := growthOf.FindString(with.page(t, "/species/"+guid).body), growthOf.FindString(without.page(t, "/species/"+guid).body)
		if !figure.MatchString(a) || figure.ReplaceAllString(a, "") != b {
			t.Fatalf("%s: without the map, the page has %s", guid, b)
		}
	}
}

// TestHerbsNativeRegions checks that the page of a herb says where its source plants are native.
func TestHerbsNativeRegions(t *testing.T) {
	s := sampleSite(t)
	for _, guid := range s.inAPI(t, "species", url.Values{"region": {"China"}, "establishment": {"native"}, "hasFormulas": {"true"}}) {
		herbs := answerOf[fromAPI](t, s, "herbs?species="+guid)
		if len(herbs.Items) == 0 {
			continue
		}
		row := regexp.MustCompile(`(?s)<tr><th scope="row" class="full"><a href="/species/` + guid + `.*?</tr>`)
		body := s.page(t, "/herbs/"+herbs.Items[0].GUID+herbs.Items[0].ID).body
		if !regexp.MustCompile(`data-l="Native to">[^<]*China`).MatchString(row.FindString(body)) {
			t.Fatalf("the page of %s does not say that %s is native to China: %s", herbs.Items[0].GUID, guid, row.FindString(body))
		}
		return
	}
	t.Error("no herb of the sample comes from a plant that is native to China")
}
