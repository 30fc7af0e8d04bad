package mappings

import (
	"context"
	"slices"

	"bencao/store"
)

// Explanation says how a query was read and why its hits were found. What the
// table that was asked has no use for is left empty.
type Explanation struct {
	Query  string // as asked
	Script Script
	// Read is the query as names are compared.
	Read string
	// Syllables are the query's, if it can be read aloud, with the tones that
	// it has or, of characters, may have.
	Syllables []string
	// Words are those of a scientific name, where a shortened one ends in a full
	// stop, or those that are sought in titles.
	Words []string
	// DOI and Number are the query as an identifier.
	DOI, Number string
	// Literal says that the query holds a sign that is a command elsewhere, and
	// that no name holds.
	Literal bool
	// Dynasty is the one asked for, as dynasties are compared.
	Dynasty string
	// Tried are the ways that were tried, stage by stage: a stage only when the
	// ones before it found nothing.
	Tried [][]Attempt
	Tiers []TierCount // that have hits, the best first
	Hits  []Reason    // of the page asked for
	Total int
}

// Attempt is a way in which records were sought.
type Attempt struct {
	Tier  int
	Field string // of the search table
	Way   string // such as "prefix"
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

// read says how a query was read for an index with the given rows.
func (ex *Explanation) read(rd *reading, rows []row) {
	ex.Script, ex.Literal = rd.script, rd.literal
	has := func(analyzers ...Analyzer) bool {
		return slices.ContainsFunc(rows, func(r row) bool { return slices.Contains(analyzers, r.analyzer) })
	}
	if has(Chinese) {
		ex.Read = rd.key
	}
	if has(Pinyin) {
		ex.Syllables = rd.syllables()
	}
	if has(SciName, Synonym) {
		for _, w := range rd.words {
			if w.short {
				w.text += "."
			}
			ex.Words = append(ex.Words, w.text)
		}
	}
	if has(DOI) {
		ex.DOI = doiKey(rd.text)
	}
	if has(Number) {
		ex.Number = numberKey(rd.text)
	}
	if has(Title) && ex.DOI == "" {
		ex.Words = append(ex.Words, titleQuery(rd.text)...)
	}
}

// tried notes that records are sought in a way.
func (s *search) tried(why reason) {
	if s.explanation == nil || why.tier == 0 {
		return
	}
	a := Attempt{int(why.tier), s.ix.rows[why.row].name, why.way.String()}
	if stage := &s.explanation.Tried[len(s.explanation.Tried)-1]; !slices.Contains(*stage, a) {
		*stage = append(*stage, a)
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
		if s.explanation.Script != Everything {
			r.Field, r.Way = s.ix.rows[why.row].name, why.way.String()
		}
		s.explanation.Hits = append(s.explanation.Hits, r)
	}
}
