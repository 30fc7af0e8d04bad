package mappings

import (
	"slices"
	"strings"
)

// maxWords is how many words of a scientific name are searched; none has more.
const maxWords = 12

// latin gathers what a row of scientific names finds.
func (s *search) latin(i int, rd *reading, stage int) {
	if rd.script != Letters || len(rd.words) == 0 || len(rd.words) > maxWords {
		return
	}
	words := rd.words
	whole := joinWords(words, "_")
	s.look(i, Whole, whole, s.tier(i, Whole, stage), nil)
	if words[0].short {
		if t := s.tier(i, Abbreviated, stage); t > 0 {
			s.abbreviated(i, words, t)
		}
	}
	if len(words) > 1 {
		s.look(i, Endings, withoutEndings(strings.Split(whole, "_")), s.tier(i, Endings, stage), nil)
	}
	if other := capitalEpithet(rd.text); other != nil {
		s.look(i, Whole, strings.Join(other, "_"), s.tier(i, Whole, stage), nil)
		s.look(i, Endings, withoutEndings(other), s.tier(i, Endings, stage), nil)
	}
	if len(words) == 1 {
		s.look(i, Genus, whole, s.tier(i, Genus, stage), nil)
	}
	if t := s.tier(i, Words, stage); t > 0 {
		s.hit(s.latinWords(i, words), reason{t, i, Words}, s.oneValue(i, words, func(w latinWord, v string) bool {
			return w.text == v || w.short && strings.HasPrefix(v, w.text)
		}))
	}
	if t := s.tier(i, Prefix, stage); t > 0 && longestWord(words) >= minLatinPrefix {
		s.hit(s.latinPrefixes(i, words), reason{t, i, Prefix}, s.oneValue(i, words, func(w latinWord, v string) bool {
			return strings.HasPrefix(v, w.text)
		}))
	}
	if t := s.tier(i, Leading, stage); t > 0 {
		for n := len(words) - 1; n >= 2; n-- {
			s.lookAs(Whole, joinWords(words[:n], "_"), reason{t, i, Leading}, nil)
		}
	}
	if t := s.tier(i, Typo, stage); t > 0 {
		s.typos(i, words, t)
		if len(words) > 2 { // an author in small letters
			s.typos(i, words[:2], lower(t, typoSteps))
		}
	}
}

// abbreviated finds names by the beginning of the genus and the other words.
func (s *search) abbreviated(i int, words []latinWord, tier uint8) {
	p := s.find(i, Abbreviated, firstLetter(words[0].text)+"_"+joinWords(words[1:], "_"))
	genus := words[0].text
	s.hit(p, reason{tier, i, Abbreviated}, func(at place) bool {
		return s.ix.any(i, at, func(v string) bool { return strings.HasPrefix(v, genus) })
	})
}

// latinWords returns the records that have all the words.
func (s *search) latinWords(i int, words []latinWord) postings {
	return s.every(words, func(w latinWord) postings {
		if w.short {
			return s.shortGenus(i, w)
		}
		return s.find(i, Words, w.text)
	})
}

// latinPrefixes returns the records that have words beginning with all those
// given. Words of one letter are left to a closer look.
func (s *search) latinPrefixes(i int, words []latinWord) postings {
	long := slices.DeleteFunc(slices.Clone(words), func(w latinWord) bool { return !w.short && len(w.text) < 2 })
	if len(long) == 0 {
		return nothing
	}
	return s.every(long, func(w latinWord) postings {
		if w.short {
			return s.shortGenus(i, w)
		}
		return s.find(i, Prefix, w.text).or(s.find(i, Words, w.text))
	})
}

func (s *search) shortGenus(i int, w latinWord) postings {
	return s.find(i, Genus, firstLetter(w.text)+".")
}

// every returns what stands in the postings of all the words.
func (s *search) every(words []latinWord, of func(latinWord) postings) postings {
	p := of(words[0])
	for _, w := range words[1:] {
		if p.empty() {
			break
		}
		p = p.and(of(w))
	}
	return p
}

// oneValue returns what a record must pass: that one of its names answers all
// the words, each with a word of its own. One word needs no second look.
func (s *search) oneValue(i int, words []latinWord, fits func(w latinWord, v string) bool) func(place) bool {
	if len(words) == 1 && !words[0].short {
		return nil
	}
	return func(at place) bool {
		return s.ix.any(i, at, func(v string) bool {
			var used uint
			for k, w := range words {
				j, ok := 0, false
				for word := range strings.SplitSeq(v, " ") {
					if used&(1<<j) == 0 && (k > 0 || !w.short || j == 0) && fits(w, word) {
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
		})
	}
}

// maxTypo is the distance within which a word of that length is taken for another.
func maxTypo(length int) int {
	switch {
	case length < minTypo:
		return 0
	case length < 8:
		return 1
	}
	return 2
}

// typoSteps is how many tiers further letters can cost.
const typoSteps = 4

// typos finds names whose words are a letter or two away; each further letter
// costs a tier.
func (s *search) typos(i int, words []latinWord, tier uint8) {
	s.tried(reason{tier, i, Typo})
	near := make(map[string][]similarTerm)
	p := s.every(words, func(w latinWord) postings {
		if w.short {
			return s.shortGenus(i, w)
		}
		similar := s.similar(i, Words, w.text)
		near[w.text] = similar
		all := nothing
		for _, m := range similar {
			all = all.or(s.find(i, Words, m.text))
		}
		return all
	})
	if s.err != nil {
		return
	}
	looked := 0
	s.reader.each(p, func(at place) {
		if looked++; looked%1024 == 0 && s.err == nil {
			s.err = s.ctx.Err()
		}
		if s.err != nil {
			return
		}
		const far = 1 << 10
		best := far
		s.ix.any(i, at, func(v string) bool {
			total := 0
			for k, w := range words {
				d := far
				for j, word := range strings.Split(v, " ") {
					if w.short {
						if j == 0 && k == 0 && strings.HasPrefix(word, w.text) {
							d = 0
						}
						continue
					}
					for _, m := range near[w.text] {
						if m.text == word {
							d = min(d, m.distance)
						}
					}
				}
				total += d
			}
			best = min(best, total)
			return false
		})
		if best < far {
			s.collector.add(at, reason{lower(tier, min(max(best-1, 0), typoSteps)), i, Typo})
		}
	})
}

func joinWords(words []latinWord, separator string) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, separator)
}

func longestWord(words []latinWord) int {
	longest := slices.MaxFunc(words, func(a, b latinWord) int { return len(a.text) - len(b.text) })
	return len(longest.text)
}
