package mappings_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bencao/mappings/search"
	"bencao/store"
)

// TestExplainAgrees checks that an explanation has the hits of the search, sorted by tier, and that
// the counts of its tiers add up to the total.
func TestExplainAgrees(t *testing.T) {
	p := sample(t)
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		q := randomQuery(r, p)
		for _, ix := range p.indexes() {
			q.From, q.Size = r.IntN(3), 20
			hits := ask(t, ix, q)
			ex, err := ix.Explain(context.Background(), q)
			must(t, err)
			var nums []store.Num
			last := 101
			for _, h := range ex.Hits {
				if nums = append(nums, h.Num); h.Tier > last {
					t.Errorf("%+v: tier %d comes after %d", q, h.Tier, last)
				}
				last = h.Tier
			}
			if ex.Total != hits.Total || !slices.Equal(nums, hits.Nums) {
				t.Errorf("%+v: explained %d hits %v, found %d %v", q, ex.Total, nums, hits.Total, hits.Nums)
			}
			counted := 0
			for _, c := range ex.Tiers {
				counted += c.Count
			}
			if counted != hits.Total && len(ex.Tiers) > 0 {
				t.Errorf("%+v: the tiers %v hold %d hits, the total is %d", q, ex.Tiers, counted, hits.Total)
			}
		}
	}
}

// TestExplainSays checks that explanations give the way in which a hit was found.
func TestExplainSays(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct {
		table, query, field, way string
		tier, stages             int
	}{
		{"species", "人参", "chineseName", "whole", 100, 1},
		{"species", "ren2shen1", "pinyin", "whole", 90, 1},
		{"species", "rènshèn", "pinyin", "tones and spaces ignored", 38, 3},
		{"species", "rnshen", "pinyin", "letters off", 19, 4},
		{"species", "银幸", "pinyin", "same sound", 40, 3},
		{"species", "meiyaosh", "pinyin", "other readings of characters", 32, 3},
		{"species", "P. ginseng", "scientificName", "genus shortened", 93, 1},
		{"species", "panax ginseng meyer", "scientificName", "in a checklist", 89, 1},
		{"species", "Panax gingseng", "scientificName", "in a checklist with letters off", 31, 5},
		{"formulas", "baishufuzi", "pinyin", "other readings of characters", 32, 2},
		{"papers", "10.1016/S0006-2952(99)0021", "doi", "prefix", 90, 1},
		{"papers", "qinghaosu unobtainium", "title", "some words", 30, 3},
	} {
		ix, _ := p.endpoint(tt.table)
		ex, err := ix.Explain(context.Background(), search.Query{Text: tt.query, Size: 1})
		if err != nil || len(ex.Hits) != 1 {
			t.Errorf("%q: %d hits (%v), want one", tt.query, len(ex.Hits), err)
			continue
		}
		if h := ex.Hits[0]; h.Field != tt.field || h.Way != tt.way || h.Tier != tt.tier || len(ex.Tried) != tt.stages {
			t.Errorf("%q: %d %s %s after %d stages, want %d %s %s after %d", tt.query, h.Tier, h.Field, h.Way, len(ex.Tried), tt.tier, tt.field, tt.way, tt.stages)
		}
		last := ex.Tried[len(ex.Tried)-1]
		if !slices.ContainsFunc(last, func(a search.Attempt) bool { return a.Field == tt.field && a.Way == tt.way }) {
			t.Errorf("%q: the ways tried are %v; the one that found the hit is missing", tt.query, last)
		}
	}
}

// TestExplainNamesTheName checks that an explanation of a record with several names gives the name
// that contains the query, with the matching characters.
func TestExplainNamesTheName(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct {
		query, record, text string
		ranges              []search.Range
	}{
		{"renshen", "西洋参", "西洋人参", []search.Range{{2, 4}}}, // 西洋参 also has the alias 花旗参
		{"人参", "西洋参", "西洋人参", []search.Range{{2, 4}}},
		{"xyrs", "西洋参", "西洋人参", []search.Range{{0, 4}}},
		{"xiyangshen", "西洋参", "西洋参", []search.Range{{0, 3}}},
	} {
		ix, label := p.endpoint("species")
		ex, err := ix.Explain(context.Background(), search.Query{Text: tt.query, Size: 20})
		must(t, err)
		i := slices.IndexFunc(ex.Hits, func(r search.Reason) bool { return label(r.Num) == tt.record })
		if i < 0 {
			t.Errorf("%q: %s is not found", tt.query, tt.record)
			continue
		}
		if h := ex.Hits[i]; h.Text != tt.text || !slices.Equal(h.Ranges, tt.ranges) {
			t.Errorf("%q finds %s by %q, characters %v; want %q, %v", tt.query, tt.record, h.Text, h.Ranges, tt.text, tt.ranges)
		}
	}
}
