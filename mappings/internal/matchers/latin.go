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

// maxWords is how many words of a scientific name are searched; none has more.
const maxWords = 12

// wholeLatin finds scientific names by all their words.
func wholeLatin(l *lookup, rd *reading.Reading, why hits.Why) {
	l.collectTerm(mappings.Whole, joined(rd.Words), why, nil)
	if other := terms.CapitalEpithet(rd.Text); other != nil {
		l.collectTerm(mappings.Whole, strings.Join(other, "_"), why, nil)
	}
}

// abbreviated finds names by the beginning of the genus and the other words.
func abbreviated(l *lookup, rd *reading.Reading, why hits.Why) {
	if !rd.Words[0].Short {
		return
	}
	genus := rd.Words[0].Text
	l.collectTerm(mappings.Abbreviated, terms.FirstLetter(genus)+"_"+joined(rd.Words[1:]), why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return strings.HasPrefix(v, genus) })
	})
}

// otherEndings finds names whose epithets end as those of another gender.
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

// latinWords finds names that have all the words, in any order.
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

// latinPrefix finds names that have words beginning with all those of the query.
func latinPrefix(l *lookup, rd *reading.Reading, why hits.Why) {
	if !slices.ContainsFunc(rd.Words, func(w terms.LatinWord) bool { return len(w.Text) >= terms.MinLatinPrefix }) {
		return
	}
	l.collect(beginnings(l, why.Row, rd.Words), why, oneValue(l, why.Row, rd.Words, func(w terms.LatinWord, v string) bool {
		return strings.HasPrefix(v, w.Text)
	}))
}

// beginnings returns the records that have words beginning with all those given.
// Words of one letter are left to a closer look.
func beginnings(l *lookup, row int, words []terms.LatinWord) index.Postings {
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

// oneValue returns what a record must pass: that one of its names answers all
// the words, each with a word of its own. One word needs no second look.
func oneValue(l *lookup, row int, words []terms.LatinWord, fits func(w terms.LatinWord, v string) bool) func(store.Num) bool {
	if len(words) == 1 && !words[0].Short {
		return nil
	}
	return func(at store.Num) bool {
		return l.Any(row, at, func(v string) bool { return answersAll(v, words, fits) })
	}
}

// answersAll says whether a name answers all the words, each with another word.
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

// leading finds names by the first words of the query, as before an author in
// small letters.
func leading(l *lookup, rd *reading.Reading, why hits.Why) {
	for n := len(rd.Words) - 1; n >= 2; n-- {
		l.collectTerm(mappings.Whole, joined(rd.Words[:n]), why, nil)
	}
}

// typoSteps is how many tiers further letters can cost.
const typoSteps = 4

// latinTypo finds names whose words are a letter or two away, and, lower, those
// whose first two are, as before an author in small letters.
func latinTypo(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.resolve(rd).OtherPlant {
		return
	}
	nearWords(l, rd.Words, why)
	if len(rd.Words) > 2 {
		nearWords(l, rd.Words[:2], why.Lower(typoSteps))
	}
}

// nearWords finds names that have a word like each of those given; every letter
// but the first costs a tier.
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

// far is more than any number of letters that is forgiven.
const far = 1 << 10

// lettersOff counts the letters by which the words differ from those of a name
// that are nearest to them. It is far or more if one is like none.
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

// joined joins words as the index writes whole names.
func joined(words []terms.LatinWord) string { return strings.Join(texts(words), "_") }

func texts(words []terms.LatinWord) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}
