//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"
)

// question is one request of the soak test.
type question struct {
	kind, path string
	want       int
	again      bool // sent with the ETag of the last response
	page       bool // a page of the explorer, not a response of the API
}

// deck holds a sample of the records that the server has. The questions of the soak test ask for
// them.
type deck struct {
	species, formulas, papers []record
}

// record holds the fields that questions need, of a species, a formula or a paper.
type record struct {
	GUID, ChineseName, ScientificName, Author, Name, NamePinyin, Dynasty, Title string
}

// newDeck reads up to 2,000 species, formulas and papers. It reads pages that are spread evenly
// over each list.
func (s *server) newDeck(t testing.TB) *deck {
	t.Helper()
	read := func(table string) []record {
		var all []record
		const pages, size = 20, 100
		step := 1
		for page := 1; page <= pages*step; page += step {
			var got struct {
				Total int
				Items []record
			}
			must(t, json.Unmarshal(s.get(t, fmt.Sprintf("/%s?pageSize=%d&page=%d", table, size, page)).want(t, http.StatusOK).body, &got))
			all = append(all, got.Items...)
			step = max(1, got.Total/(pages*size))
		}
		if len(all) == 0 {
			t.Fatalf("the server has no %s", table)
		}
		return all
	}
	return &deck{read("species"), read("formulas"), read("papers")}
}

// mix lists the kinds of questions. of is the number of questions of a kind in a hundred. Most
// users search for plants, mostly in Chinese, and look at the results. Programs match names.
var mix = []struct {
	of   int
	kind string
	make func(d *deck, r *rand.Rand) question
}{
	{13, "species by Chinese", func(d *deck, r *rand.Rand) question { return find("/species", pick(r, d.species).ChineseName) }},
	{10, "species by Latin", func(d *deck, r *rand.Rand) question { return find("/species", pick(r, d.species).ScientificName) }},
	{6, "species, first letters", func(d *deck, r *rand.Rand) question {
		return find("/species", begin(pick(r, d.species).ScientificName, 4+r.IntN(6)))
	}},
	{4, "species, mistyped", func(d *deck, r *rand.Rand) question {
		return find("/species", mistype(r, pick(r, d.species).ScientificName))
	}},
	{4, "species by pinyin", func(_ *deck, r *rand.Rand) question {
		return find("/species", []string{"renshen", "dang gui", "huang qi", "gancao", "baizhu", "mahuang", "chaihu", "shanyao", "juhua", "yinxing"}[r.IntN(10)])
	}},
	{3, "species, all, page n", func(_ *deck, r *rand.Rand) question {
		return question{path: fmt.Sprintf("/species?page=%d", 1+r.IntN(50))}
	}},
	{11, "one species", func(d *deck, r *rand.Rand) question { return question{path: "/species/" + pick(r, d.species).GUID} }},
	{9, "lists of a species", func(d *deck, r *rand.Rand) question {
		return question{path: "/species/" + pick(r, d.species).GUID + []string{"/flora", "/uses", "/papers", "/formulas"}[r.IntN(4)]}
	}},
	{8, "name matched", func(d *deck, r *rand.Rand) question {
		p := pick(r, d.species)
		return question{path: "/names/match?name=" + url.QueryEscape(p.ScientificName+" "+p.Author)}
	}},
	{4, "name matched, mistyped", func(d *deck, r *rand.Rand) question {
		return question{path: "/names/match?name=" + url.QueryEscape(mistype(r, pick(r, d.species).ScientificName))}
	}},
	{7, "formulas by name", func(d *deck, r *rand.Rand) question { return find("/formulas", pick(r, d.formulas).Name) }},
	{5, "one formula", func(d *deck, r *rand.Rand) question { return question{path: "/formulas/" + pick(r, d.formulas).GUID} }},
	{3, "papers by title", func(d *deck, r *rand.Rand) question { return find("/papers", begin(pick(r, d.papers).Title, 40)) }},
	{4, "asked again", func(d *deck, r *rand.Rand) question {
		return question{path: "/species/" + d.species[r.IntN(min(50, len(d.species)))].GUID, again: true}
	}},
	{2, "page of a search", func(d *deck, r *rand.Rand) question {
		return question{path: "/search?q=" + url.QueryEscape(pick(r, d.species).ChineseName), page: true}
	}},
	{2, "page of a species", func(d *deck, r *rand.Rand) question {
		return question{path: "/species/" + pick(r, d.species).GUID, page: true, again: r.IntN(2) == 0}
	}},
	{1, "page of a formula", func(d *deck, r *rand.Rand) question {
		return question{path: "/formulas/" + pick(r, d.formulas).GUID, page: true, again: r.IntN(2) == 0}
	}},
	{1, "start page", func(*deck, *rand.Rand) question { return question{path: "/", page: true, again: true} }},
	{1, "counts", func(*deck, *rand.Rand) question { return question{path: "/stats"} }},
	{1, "nothing there", func(*deck, *rand.Rand) question {
		return question{path: "/species/00000000-0000-4000-8000-000000000000", want: http.StatusNotFound}
	}},
	{1, "wrong parameter", func(*deck, *rand.Rand) question {
		return question{path: "/species?page=0", want: http.StatusBadRequest}
	}},
}

// draw returns a random question. The kinds are as frequent as mix says.
func (d *deck) draw(r *rand.Rand) question {
	at := r.IntN(100)
	for _, m := range mix {
		if at -= m.of; at < 0 {
			q := m.make(d, r)
			q.kind = m.kind
			if q.want == 0 {
				q.want = http.StatusOK
			}
			return q
		}
	}
	panic("the numbers in mix add up to less than a hundred") // the numbers in mix do not add up to a hundred
}

func find(path, text string) question {
	return question{path: path + "?q=" + url.QueryEscape(begin(text, 200))}
}

func pick(r *rand.Rand, all []record) record { return all[r.IntN(len(all))] }

// begin returns the first n runes of a text.
func begin(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}

// mistype removes one or two letters in the second half of a name.
func mistype(r *rand.Rand, name string) string {
	runes := []rune(name)
	if len(runes) < 4 {
		return "Panax ginsen"
	}
	return string(slices.Delete(runes, len(runes)/2, len(runes)/2+1+r.IntN(2)))
}

// percentile returns the duration within which a share of the requests got their response. It sorts
// times.
func percentile(times []time.Duration, share float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(float64(len(times))*share))]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
