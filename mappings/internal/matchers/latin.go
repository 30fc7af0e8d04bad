package matchers

import (
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// maxWords is the maximum number of words in a scientific name.
const maxWords = 12

// wholeLatin finds scientific names equal to the query.
func wholeLatin(l *lookup, rd *reading.Reading, why hits.Why) {
	l.collectTerm(mappings.Whole, joined(rd.Words), why, nil)
	if other := terms.CapitalEpithet(rd.Text); other != nil {
		l.collectTerm(mappings.Whole, strings.Join(other, "_"), why, nil)
	}
}

// abbreviated finds names by an abbreviated genus and the other words.
func abbreviated(l *lookup, rd *reading.Reading, why hits.Why) {
	if !rd.Words[0].Short {
		return
	}
	genus := rd.Words[0].Text
	l.collectTerm(mappings.Abbreviated, terms.FirstLetter(genus)+"_"+joined(rd.Words[1:]), why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return strings.HasPrefix(v, genus) })
	})
}

// otherEndings finds names whose epithets differ from those of the query only in their endings,
// such as those of another grammatical gender.
func otherEndings(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Words) > 1 {
		l.collectTerm(mappings.Endings, terms.WithoutEndings(texts(rd.Words)), why, nil)
	}
	if other := terms.CapitalEpithet(rd.Text); other != nil {
		l.collectTerm(mappings.Endings, terms.WithoutEndings(other), why, nil)
	}
}

// genus finds names by their genus.
func genus(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Words) == 1 {
		l.collectTerm(mappings.Genus, rd.Words[0].Text, why, nil)
	}
}

// latinWords finds names that contain all words of the query, in any order.
func latinWords(l *lookup, rd *reading.Reading, why hits.Why) {
	p := intersection(rd.Words, func(w terms.LatinWord) index.Postings {
		if w.Short {
			return shortGenus(l, why.Row, w)
		}
		return l.postings(why.Row, mappings.Words, w.Text)
	})
	l.collect(p, why, oneValue(l, why.Row, rd.Words, func(w terms.LatinWord, v string) bool {
		return w.Text == v || w.Short && strings.HasPrefix(v, w.Text)
	}))
}

// latinPrefix finds names that contain, for each word of the query, a word with that
// prefix.
func latinPrefix(l *lookup, rd *reading.Reading, why hits.Why) {
	if !slices.ContainsFunc(rd.Words, func(w terms.LatinWord) bool { return len(w.Text) >= terms.MinLatinPrefix }) {
		return
	}
	l.collect(prefixPostings(l, why.Row, rd.Words), why, oneValue(l, why.Row, rd.Words, func(w terms.LatinWord, v string) bool {
		return strings.HasPrefix(v, w.Text)
	}))
}

// prefixPostings returns the records that contain, for each of the words, a word with that prefix.
// It ignores words of one letter, which the caller must check.
func prefixPostings(l *lookup, row int, words []terms.LatinWord) index.Postings {
	long := slices.DeleteFunc(slices.Clone(words), func(w terms.LatinWord) bool { return !w.Short && len(w.Text) < 2 })
	if len(long) == 0 {
		return index.Nothing
	}
	return intersection(long, func(w terms.LatinWord) index.Postings {
		if w.Short {
			return shortGenus(l, row, w)
		}
		return l.postings(row, mappings.Prefix, w.Text).Or(l.postings(row, mappings.Words, w.Text))
	})
}

func shortGenus(l *lookup, row int, w terms.LatinWord) index.Postings {
	return l.postings(row, mappings.Genus, terms.FirstLetter(w.Text)+".")
}

// oneValue returns a check for records. A record passes if one of its values matches all words,
// each by a different word of the value. For a single word it returns nil, which means no check.
func oneValue(l *lookup, row int, words []terms.LatinWord, fits func(w terms.LatinWord, v string) bool) func(store.Num) bool {
	if len(words) == 1 && !words[0].Short {
		return nil
	}
	return func(at store.Num) bool {
		return l.Any(row, at, func(v string) bool { return answersAll(v, words, fits) })
	}
}

// answersAll reports whether a name matches all words, each by a different word of the name.
func answersAll(name string, words []terms.LatinWord, fits func(w terms.LatinWord, v string) bool) bool {
	var used uint
	for k, w := range words {
		j, ok := 0, false
		for word := range strings.SplitSeq(name, " ") {
			if used&(1<<j) == 0 && (k > 0 || !w.Short || j == 0) && fits(w, word) {
				ok = true
				break
			}
			j++
		}
		if !ok {
			return false
		}
		used |= 1 << j
	}
	return true
}

// typoSteps is the maximum number of tiers by which wrong letters lower a hit: one tier for each
// letter after the first. A hit that matches only the first two words of the query is lowered by
// typoSteps tiers.
const typoSteps = 4

// latinTypo finds names whose words differ from those of the query by one or two letters. It also
// finds names by the first two words of the query, in a lower tier, because the other words may be
// an author in lower case.
func latinTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.resolve(rd).OtherPlant {
		return
	}
	nearWords(l, rd.Words, why)
	if len(rd.Words) > 2 {
		nearWords(l, rd.Words[:2], why.Lower(typoSteps))
	}
}

// nearWords finds names that have, for each of the words, a similar word. Each wrong letter after
// the first lowers the tier by one.
func nearWords(l *lookup, words []terms.LatinWord, why hits.Why) {
	l.note(why)
	near := make(map[string][]similarWord)
	p := intersection(words, func(w terms.LatinWord) index.Postings {
		if w.Short {
			return shortGenus(l, why.Row, w)
		}
		near[w.Text] = similarWords(l, why.Row, mappings.Words, w.Text)
		all := index.Nothing
		for _, m := range near[w.Text] {
			all = all.Or(l.postings(why.Row, mappings.Words, m.text))
		}
		return all
	})
	if l.err != nil {
		return
	}
	l.each(p, func(at store.Num) {
		best := far
		l.Any(why.Row, at, func(v string) bool {
			best = min(best, lettersOff(v, words, near))
			return false
		})
		if best < far {
			l.hits.Add(at, why.Lower(min(max(best-1, 0), typoSteps)))
		}
	})
}

// far is larger than any number of wrong letters that is tolerated.
const far = 1 << 10

// lettersOff returns the number of letters in which the words differ from the most similar words of
// a name. If a word has no similar word, the result is at least far.
func lettersOff(name string, words []terms.LatinWord, near map[string][]similarWord) int {
	total := 0
	for k, w := range words {
		d := far
		for j, word := range strings.Split(name, " ") {
			if w.Short {
				if j == 0 && k == 0 && strings.HasPrefix(word, w.Text) {
					d = 0
				}
				continue
			}
			for _, m := range near[w.Text] {
				if m.text == word {
					d = min(d, m.distance)
				}
			}
		}
		total += d
	}
	return total
}

// joined joins words as in the terms of whole names.
func joined(words []terms.LatinWord) string { return strings.Join(texts(words), "_") }

func texts(words []terms.LatinWord) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}
