package mappings

import (
	"context"

	"bencao/store"
)

// Explanation says how a query was read and why its hits were found.
type Explanation struct {
	Query  string // as asked
	Script Script
	// Read is the query as names are compared.
	Read string
	// Syllables are the query's, as far as they can be told.
	Syllables []string
	// Words are those of a scientific name; a shortened one ends in a full stop.
	Words []string
	// Stages is how many stages were tried: more than one only when nothing
	// was found before.
	Stages int
	Tiers  []TierCount // that have hits, the best first
	Hits   []Reason    // of the page asked for
	Total  int
}

// TierCount is how many hits stand in a tier, those of better tiers left out.
type TierCount struct {
	Tier  int
	Count int
}

// Reason says why a record was found.
type Reason struct {
	Num   store.Num
	Tier  int
	Field string // of the search table; empty when everything is found
	Way   string // such as "prefix"
}

// Explain answers a query like [Index.Search] and says how it came about.
func (ix *Index) Explain(ctx context.Context, q Query) (Explanation, error) {
	hits, ex, err := ix.search(ctx, q, true)
	if err != nil {
		return Explanation{}, err
	}
	ex.Total = hits.Total
	if ex.Hits == nil {
		for _, n := range hits.Nums {
			ex.Hits = append(ex.Hits, Reason{Num: n, Tier: 100})
		}
	}
	return *ex, nil
}

func (ex *Explanation) read(rd *reading) {
	ex.Script, ex.Read, ex.Syllables = rd.script, rd.key, rd.syllables()
	for _, w := range rd.words {
		if w.short {
			w.text += "."
		}
		ex.Words = append(ex.Words, w.text)
	}
}

// explainTiers counts the hits of each tier.
func (s *search) explainTiers() {
	var counts [maxTier + 1]int
	for _, why := range s.collector.reasons {
		counts[why.tier]++
	}
	for tier := len(counts) - 1; tier > 0; tier-- {
		if counts[tier] > 0 {
			s.explanation.Tiers = append(s.explanation.Tiers, TierCount{tier, counts[tier]})
		}
	}
}

// explainHits says why each hit of the page was found.
func (s *search) explainHits(hits Hits) {
	s.explanation.Hits = []Reason{}
	for _, n := range hits.Nums {
		why := s.collector.reasons[n]
		r := Reason{Num: n, Tier: int(why.tier)}
		if s.explanation.Script != "" {
			r.Field, r.Way = s.ix.rows[why.row].name, why.way.String()
		}
		s.explanation.Hits = append(s.explanation.Hits, r)
	}
}
