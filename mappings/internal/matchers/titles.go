package matchers

import (
	"math"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/store"
)

// titlePostings returns the postings of the words of a query for titles, the rarest
// first: they decide the order, the others mostly the total.
func titlePostings(l *lookup, rd *reading.Reading, row int) []index.Postings {
	words := titleWords(rd)
	lists := make([]index.Postings, len(words))
	for k, w := range words {
		lists[k] = l.postings(row, mappings.Words, w)
	}
	slices.SortStableFunc(lists, func(a, b index.Postings) int { return a.Count() - b.Count() })
	return lists
}

// titleWords are the words of a query for titles: an identifier has none.
func titleWords(rd *reading.Reading) []string {
	if terms.DOIKey(rd.Text) != "" || terms.IsLabelled(rd.Text) {
		return nil
	}
	return terms.TitleWords(rd.Raw)
}

// Limits of words that begin with a word of the query.
const (
	minWordStart  = 3   // letters of it
	maxWordStarts = 500 // words that begin with it
)

// wordStarts finds the papers whose titles have all words of the query, where each
// may be the beginning of one or, a tier lower, a letter or two away from it.
func wordStarts(l *lookup, rd *reading.Reading, why hits.Why) {
	words := titleWords(rd)
	if len(words) == 0 {
		return
	}
	slip := why.As(mappings.Typo, l.tier(why.Row, mappings.Typo))
	l.note(why)
	l.note(slip)
	found := why
	p := intersection(words, func(w string) index.Postings {
		list, begins := l.postings(why.Row, mappings.Words, w), 0
		if len(w) < minWordStart || han.Has(w) {
			return list
		}
		err := l.reader.Terms(why.Row, mappings.Words, w, func(text string) bool {
			list = list.Or(l.postings(why.Row, mappings.Words, text))
			begins++
			return begins < maxWordStarts
		})
		if err != nil && l.err == nil {
			l.err = err
		}
		if list.Empty() {
			found = slip
			for _, m := range similarWords(l, why.Row, mappings.Words, w) {
				list = list.Or(l.postings(why.Row, mappings.Words, m.text))
			}
		}
		return list
	})
	l.hits.RankByLength(found.Tier)
	l.collect(p, found, nil)
}

// allWords finds the papers whose titles have all words. BM25 would tell them
// apart by nothing but the length of their titles.
func allWords(l *lookup, rd *reading.Reading, why hits.Why) {
	lists := titlePostings(l, rd, why.Row)
	if len(lists) == 0 {
		return
	}
	l.note(why)
	l.hits.RankByLength(why.Tier)
	l.hits.AddAll(l.reader, intersectAll(lists, l.Index.Len()), why)
}

// intersectAll returns what stands in all of the lists, of which the shortest is the first. A list of
// more than one record in sixteen rests as bits, where it takes no walk to find a number: such
// ones come before those that are to be walked through.
func intersectAll(lists []index.Postings, records int) index.Postings {
	p, rest := lists[0], lists[1:]
	for last := len(rest) - 1; last > 0 && rest[last].Count() > records/16; last-- {
		p, rest = p.And(rest[last]), rest[:last]
	}
	for _, list := range rest {
		p = p.And(list)
	}
	return p
}

// someWords finds the papers whose titles have some of the words, by BM25. It
// prunes as MaxScore does (Turtle and Flood 1995,
// https://doi.org/10.1016/0306-4573(95)00020-H): as soon as the page asked for is
// full of papers that no paper without a rare word can reach, the rest is only
// counted.
func someWords(l *lookup, rd *reading.Reading, why hits.Why) {
	lists := titlePostings(l, rd, why.Row)
	if len(lists) == 0 {
		return
	}
	l.note(why)
	w := newWeights(l.Index, lists)
	scores := l.hits.Rank(why.Tier)
	scored, all, counting := index.Nothing, index.Nothing, false
	for i, p := range lists {
		if !l.inTime() {
			return
		}
		counting = counting || l.hits.Above(why.Tier, w.reach(i)) >= l.pageEnd
		score := func(at store.Num) { scores[at] += w.rarity[i] * w.norms[l.Weights[at]] }
		if counting {
			l.reader.Each(p.And(scored), score)
			l.hits.AddUncounted(p.Count() - p.And(all).Count())
		} else {
			l.reader.Each(p, func(at store.Num) {
				if scores[at] == 0 {
					l.hits.Add(at, why)
				}
				score(at)
			})
			scored = scored.Or(p)
		}
		all = all.Or(p)
	}
}

// weights are those of BM25 (https://en.wikipedia.org/wiki/Okapi_BM25) for words
// that stand once in a title: rare words count more, and so do short titles.
type weights struct {
	rarity []float32    // of the word of each list
	norms  [256]float32 // by words of the title
}

func newWeights(ix *index.Index, lists []index.Postings) *weights {
	const k, b = 1.2, 0.75
	w := &weights{rarity: make([]float32, len(lists))}
	average := max(ix.AverageWeight, 1)
	for words := range w.norms {
		w.norms[words] = float32((k + 1) / (1 + k*(1-b+b*float64(words)/average)))
	}
	n := float64(ix.Len())
	for i, p := range lists {
		df := float64(p.Count())
		w.rarity[i] = float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
	}
	return w
}

// reach is more than a paper can score that has none of the first i words.
func (w *weights) reach(i int) float32 {
	var sum float32
	for _, r := range w.rarity[i:] {
		sum += r * w.norms[1]
	}
	return sum * 1.001 // whatever the rounding
}

// textMatch finds the texts that hold all parts of a query.
func textMatch(l *lookup, rd *reading.Reading, why hits.Why) {
	parts := terms.TextParts(rd.Text)
	if len(parts) == 0 {
		return
	}
	found := intersection(parts, func(part string) index.Postings {
		return intersection(terms.TextTerms(part), func(term string) index.Postings { return l.postings(why.Row, mappings.Inside, term) })
	})
	l.collect(found, why, func(at store.Num) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(l.Values(why.Row, at), part) })
	})
}

// doi finds papers by DOI or the beginning of one. A longer beginning than those
// that are terms is looked up in the order of the dictionary, where few follow; of
// a whole DOI the index says whether it begins others.
func doi(l *lookup, rd *reading.Reading, why hits.Why) {
	keys := terms.DOIKeys(rd.Text)
	if len(keys) == 0 {
		return
	}
	for _, key := range keys[1:] { // of an address, with less and less behind the DOI
		l.collectTerm(mappings.Whole, key, why, nil)
	}
	key := keys[0]
	own := l.postings(why.Row, mappings.Whole, key)
	l.collect(own, why, nil)
	begun := why.As(mappings.Prefix, l.tier(why.Row, mappings.Prefix))
	switch {
	case begun.Tier == 0 || len(key) < terms.MinDOIPrefix:
	case !own.Empty() && len(key) > terms.MaxDOIPrefix && l.postings(why.Row, mappings.Prefix, key).Empty():
		l.note(begun) // it begins no other
	case !own.Empty() && len(key) <= terms.MaxDOIPrefix:
		l.collectTerm(mappings.Prefix, key, begun, nil)
	case len(key) <= terms.MaxDOIPrefix:
		l.begin(why.Row, key, begun)
	default:
		err := l.reader.Terms(why.Row, mappings.Whole, key, func(text string) bool {
			l.collectTerm(mappings.Whole, text, begun, nil)
			return l.err == nil
		})
		if l.err == nil {
			l.err = err
		}
	}
}

// begin finds the DOIs that begin with a text: those of the first term that does.
func (l *lookup) begin(row int, text string, why hits.Why) {
	l.note(why)
	err := l.reader.Terms(row, mappings.Prefix, text, func(term string) bool {
		l.collectTerm(mappings.Prefix, term, why, nil)
		return false
	})
	if l.err == nil {
		l.err = err
	}
}

// number finds papers by an identifier of digits.
func number(l *lookup, rd *reading.Reading, why hits.Why) {
	if key := terms.NumberKey(rd.Text); key != "" {
		l.collectTerm(mappings.Whole, key, why, nil)
	}
}
