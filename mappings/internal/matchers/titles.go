package matchers

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/store"
)

// titlePostings returns the postings of the words in a query for titles, the rarest word first.
// Rare words determine the ranking. Frequent words mostly affect only the total.
func titlePostings(l *lookup, rd *reading.Reading, row int) []index.Postings {
	words := titleWords(rd)
	lists := make([]index.Postings, len(words))
	for k, w := range words {
		lists[k] = l.postings(row, mappings.Words, w)
	}
	slices.SortStableFunc(lists, func(a, b index.Postings) int { return a.Count() - b.Count() })
	return lists
}

// titleWords returns the words of a query for titles. It returns none if the query is an
// identifier.
func titleWords(rd *reading.Reading) []string {
	if terms.DOIKey(rd.Text) != "" || terms.IsLabelled(rd.Text) {
		return nil
	}
	return terms.TitleWords(rd.Raw)
}

// Limits of prefix search in titles.
const (
	minWordStart  = 3   // minimum letters of a prefix
	maxWordStarts = 500 // maximum number of words with the prefix
)

// wordStarts finds the papers whose titles match all words of the query. A word of the query may be
// a prefix of a word of the title. If no title has a word with that prefix, the word may differ
// from a word of the title by one or two letters. The hits then have the tier of Typo.
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

// allWords finds the papers whose titles contain all words. The papers are ranked by the length of
// their titles. BM25 would give the same order, because every title contains all words.
func allWords(l *lookup, rd *reading.Reading, why hits.Why) {
	lists := titlePostings(l, rd, why.Row)
	if len(lists) == 0 {
		return
	}
	l.note(why)
	l.hits.RankByLength(why.Tier)
	l.hits.AddAll(l.reader, intersectAll(lists, l.Index.Len()), why)
}

// intersectAll returns the intersection of lists. The first list must be the shortest. A list with
// more than one sixteenth of all records is a bitmap with constant-time lookup. intersectAll tests
// these bitmaps before it scans the other lists.
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

// someWords finds the papers whose titles contain some of the words, ranked by BM25. It prunes like
// MaxScore (Turtle and Flood 1995, https://doi.org/10.1016/0306-4573(95)00020-H). It reads the
// rarest words first. When papers that contain only the remaining, more frequent words can no
// longer be on the page, it only counts the postings of these words.
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

// weights holds the BM25 weights (https://en.wikipedia.org/wiki/Okapi_BM25) of words that occur
// once in a title. Rare words and short titles have a greater weight.
type weights struct {
	rarity []float32    // inverse document frequency of the word of each list
	norms  [256]float32 // by number of words in the title
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

// reach returns an upper bound of the score of a paper that does not contain the first i words.
func (w *weights) reach(i int) float32 {
	var sum float32
	for _, r := range w.rarity[i:] {
		sum += r * w.norms[1]
	}
	return sum * 1.001 // margin for rounding
}

// textMatch finds the texts that contain all parts of the query.
func textMatch(l *lookup, rd *reading.Reading, why hits.Why) {
	parts := terms.TextParts(rd.Text)
	if len(parts) == 0 {
		return
	}
	found := intersection(parts, func(part string) index.Postings {
		return intersection(terms.TextTerms(part), func(term string) index.Postings { return l.postings(why.Row, mappings.Inside, term) })
	})
	var keep func(store.Num) bool
	unlike := complaint.Unlike(parts[0])
	switch {
	case len(parts) == 1 && l.Rows[why.Row].Name == mappings.IndicationsField && len(unlike) > 0: // 痹 is not in 喉痹
		keep = func(at store.Num) bool {
			text := l.Values(why.Row, at)
			for _, word := range unlike {
				text = strings.ReplaceAll(text, word, "")
			}
			return strings.Contains(text, parts[0])
		}
	case slices.ContainsFunc(parts, func(part string) bool { return utf8.RuneCountInString(part) > 2 }): // longer than its terms
		keep = func(at store.Num) bool {
			return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(l.Values(why.Row, at), part) })
		}
	}
	l.collect(found, why, keep)
}

// doi finds papers by a DOI or a prefix of one. For a prefix that is longer than the prefixes in
// the index, it scans the dictionary from that prefix on, where few DOIs follow. For a whole DOI,
// the index says whether it is a prefix of other DOIs.
func doi(l *lookup, rd *reading.Reading, why hits.Why) {
	keys := terms.DOIKeys(rd.Text)
	if len(keys) == 0 {
		return
	}
	for _, key := range keys[1:] { // for an address, also try the DOI with one, two or more suffixes removed
		l.collectTerm(mappings.Whole, key, why, nil)
	}
	key := keys[0]
	own := l.postings(why.Row, mappings.Whole, key)
	l.collect(own, why, nil)
	begun := why.As(mappings.Prefix, l.tier(why.Row, mappings.Prefix))
	switch {
	case begun.Tier == 0 || len(key) < terms.MinDOIPrefix:
	case !own.Empty() && len(key) > terms.MaxDOIPrefix && l.postings(why.Row, mappings.Prefix, key).Empty():
		l.note(begun) // the DOI is not a prefix of another DOI
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

// begin finds the DOIs with a prefix. It uses the postings of the first term that starts with the
// prefix. They include all DOIs with the prefix: see [terms.BeginningsOf].
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

// number finds papers by a numeric identifier.
func number(l *lookup, rd *reading.Reading, why hits.Why) {
	if key := terms.NumberKey(rd.Text); key != "" {
		l.collectTerm(mappings.Whole, key, why, nil)
	}
}
