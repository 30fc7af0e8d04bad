package mappings

import (
	"math"

	"bencao/store"
)

// title finds papers by the words of their titles: all of them, or when no
// title has all, any. Rare words count more, and so do short titles.
func (s *search) title(i int, rd *reading, stage int) {
	all, some := s.tier(i, Words, stage), s.tier(i, AnyWord, stage)
	if all == 0 && some == 0 || doiKey(rd.text) != "" {
		return
	}
	words := titleQuery(rd.text)
	if len(words) == 0 {
		return
	}
	lists := make([]postings, len(words))
	for k, w := range words {
		lists[k] = s.find(i, Words, w)
	}
	if all > 0 {
		p := lists[0]
		for _, l := range lists[1:] {
			p = p.and(l)
		}
		s.scored(i, []postings{p}, reason{all, i, Words})
		return
	}
	s.scored(i, lists, reason{some, i, AnyWord})
}

// scored adds the records of all lists in the order of BM25 for words that
// stand once in a title.
func (s *search) scored(i int, lists []postings, why reason) {
	const k, b = 1.2, 0.75
	average := max(s.ix.averageWeight, 1)
	var norms [256]float32
	for w := range norms {
		norms[w] = float32((k + 1) / (1 + k*(1-b+b*float64(w)/average)))
	}
	scores := s.collector.rank(why.tier, s.ix.total)
	for _, p := range lists {
		n, df := float64(s.ix.total), float64(p.count())
		rarity := float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
		if !s.alive() {
			return
		}
		s.reader.each(p, func(n store.Num) {
			if scores[n] == 0 {
				s.collector.add(n, why)
			}
			scores[n] += rarity * norms[s.ix.weights[n]]
		})
	}
}

// doi finds papers by DOI.
func (s *search) doi(i int, rd *reading, stage int) {
	key := doiKey(rd.text)
	if key == "" {
		return
	}
	s.look(i, Whole, key, s.tier(i, Whole, stage), nil)
	t := s.tier(i, Prefix, stage)
	if t == 0 || len(key) < minDOIPrefix {
		return
	}
	if len(key) <= maxDOIPrefix {
		s.look(i, Prefix, key, t, nil)
		return
	}
	err := s.reader.terms(i, Whole, key, func(text string) bool {
		s.look(i, Whole, text, t, nil)
		return s.err == nil
	})
	if s.err == nil {
		s.err = err
	}
}

// number finds papers by an identifier of digits.
func (s *search) number(i int, rd *reading, stage int) {
	if key := numberKey(rd.text); key != "" {
		s.look(i, Whole, key, s.tier(i, Whole, stage), nil)
	}
}
