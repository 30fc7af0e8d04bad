package mappings

import (
	"math"
	"slices"
)

// title finds papers by the words of their titles: all of them, or when no
// title has all, any.
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
	// The rarest first: they decide the order, the others mostly the total.
	slices.SortStableFunc(lists, func(a, b postings) int { return a.count() - b.count() })
	if all > 0 {
		s.allWords(lists, reason{all, i, Words})
	} else {
		s.titleScores(lists).any(reason{some, i, AnyWord})
	}
}

// allWords finds the papers whose titles have all words. BM25 would tell them
// apart by nothing but the length of their titles.
func (s *search) allWords(lists []postings, why reason) {
	s.tried(why)
	p := lists[0]
	for _, l := range lists[1:] {
		p = p.and(l)
	}
	s.collector.rankByLength(why.tier, s.ix.lengths)
	s.collector.addAll(s.reader, p, why)
}

// titleScores ranks papers by BM25 for words that stand once in a title: rare
// words count more, and so do short titles.
type titleScores struct {
	*search
	lists  []postings
	rarity []float32    // of the word of each list
	norms  [256]float32 // by words of the title
}

func (s *search) titleScores(lists []postings) *titleScores {
	const k, b = 1.2, 0.75
	t := &titleScores{search: s, lists: lists, rarity: make([]float32, len(lists))}
	average := max(s.ix.averageWeight, 1)
	for w := range t.norms {
		t.norms[w] = float32((k + 1) / (1 + k*(1-b+b*float64(w)/average)))
	}
	n := float64(s.ix.total)
	for i, p := range lists {
		df := float64(p.count())
		t.rarity[i] = float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
	}
	return t
}

// any adds the papers that have some words. As soon as the page asked for is
// full of papers that no paper without a rare word can reach, the rest is only
// counted.
func (t *titleScores) any(why reason) {
	t.tried(why)
	scores := t.collector.rank(why.tier)
	scored, all, counting := nothing, nothing, false
	for i, p := range t.lists {
		if !t.alive() {
			return
		}
		counting = counting || t.collector.above(why.tier, t.reach(i)) >= t.pageEnd
		score := func(at place) { scores[at] += t.rarity[i] * t.norms[t.ix.weights[at]] }
		if counting {
			t.reader.each(p.and(scored), score)
			t.collector.uncounted += p.count() - p.and(all).count()
		} else {
			t.reader.each(p, func(at place) {
				if scores[at] == 0 {
					t.collector.add(at, why)
				}
				score(at)
			})
			scored = scored.or(p)
		}
		all = all.or(p)
	}
}

// reach is more than a paper can score that has none of the first i words.
func (t *titleScores) reach(i int) float32 {
	var sum float32
	for _, r := range t.rarity[i:] {
		sum += r * t.norms[1]
	}
	return sum * 1.001 // whatever the rounding
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
		s.lookAs(Whole, text, reason{t, i, Prefix}, nil)
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
