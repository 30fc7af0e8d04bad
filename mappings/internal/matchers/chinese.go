package matchers

import (
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/editdistance"
	"bencao/store"
)

// key returns the key by which Chinese names are looked up.
func key(rd *reading.Reading) string { return rd.Key }

// inside finds names that contain the query.
func inside(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) <= terms.MaxInside {
		l.collectTerm(mappings.Inside, rd.Key, why, nil)
		return
	}
	l.collect(adjacent(l, why.Row, rd.Runes), why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool { return strings.Contains(v, rd.Key) })
	})
}

// adjacent returns the records that contain the characters in this order without gaps. For more
// than [terms.MaxInside] characters, it may also return other records.
func adjacent(l *lookup, row int, runes []rune) index.Postings {
	const most = terms.MaxInside
	p := l.postings(row, mappings.Inside, string(runes[:min(most, len(runes))]))
	for from := most; from < len(runes) && !p.Empty(); from += most {
		from = min(from, len(runes)-most)
		p = p.And(l.postings(row, mappings.Inside, string(runes[from:from+most])))
	}
	return p
}

// leadingName finds the longest names that are a prefix of the query.
func leadingName(l *lookup, rd *reading.Reading, why hits.Why) {
	longestPart(l, why, len(rd.Runes), func(n int) []rune { return rd.Runes[:n] })
}

// trailingName finds the longest names that are a suffix of the query.
func trailingName(l *lookup, rd *reading.Reading, why hits.Why) {
	longestPart(l, why, len(rd.Runes), func(n int) []rune { return rd.Runes[len(rd.Runes)-n:] })
}

// longestPart finds the names that equal a part of the query. It uses the longest part that is a
// name. A part has at least two and fewer than n characters, where n is the length of the query. part
// returns the only part of the given length that is tried.
func longestPart(l *lookup, why hits.Why, n int, part func(n int) []rune) {
	l.note(why)
	for n--; n > 1; n-- {
		if p := l.postings(why.Row, mappings.Whole, string(part(n))); !p.Empty() {
			l.collect(p, why, nil)
			return
		}
	}
}

// anyOrder finds the names that contain all characters of the query. A name without other
// characters gets the tier of [mappings.Reordered], which is better.
func anyOrder(l *lookup, rd *reading.Reading, why hits.Why) {
	runes := distinct(rd.Runes)
	if len(runes) < 2 {
		return
	}
	p := intersection(runes, func(r rune) index.Postings { return l.postings(why.Row, mappings.Inside, string(r)) })
	has := func(at store.Num, ok func(name string) bool) bool { // the characters may be those of several names
		return l.Any(why.Row, at, func(v string) bool {
			return ok(v) && !slices.ContainsFunc(runes, func(r rune) bool { return !strings.ContainsRune(v, r) })
		})
	}
	l.collect(p, why, func(at store.Num) bool { return has(at, func(string) bool { return true }) })
	l.collect(p, why.As(mappings.Reordered, l.tier(why.Row, mappings.Reordered)), func(at store.Num) bool {
		return has(at, func(v string) bool { return utf8.RuneCountInString(v) == len(rd.Runes) })
	})
}

func distinct(runes []rune) []rune {
	var out []rune
	for _, r := range runes {
		if !strings.ContainsRune(string(out), r) {
			out = append(out, r)
		}
	}
	return out
}

// oneCharacterOff finds names of three characters or more at edit distance 1 from the query: one
// character is wrong, missing or added, or two are exchanged. Such a name usually starts with the
// first half of the query or ends with the second half. Otherwise, the difference is where the two
// halves meet, and the name has the characters before and after that place.
func oneCharacterOff(l *lookup, rd *reading.Reading, why hits.Why) {
	n := len(rd.Runes)
	if n < 3 || n > maxRunes {
		return
	}
	half := n / 2
	p := adjacent(l, why.Row, rd.Runes[:half]).Or(adjacent(l, why.Row, rd.Runes[half:]))
	if half > 1 {
		p = p.Or(adjacent(l, why.Row, rd.Runes[:half-1]).And(adjacent(l, why.Row, rd.Runes[half+1:])))
	}
	l.collect(p, why, func(at store.Num) bool {
		return l.Any(why.Row, at, func(v string) bool {
			m := utf8.RuneCountInString(v)
			return m > 2 && m >= n-1 && m <= n+1 && editdistance.Distance(rd.Runes, []rune(v), 1) <= 1
		})
	})
}

// pills lists the ways of writing 丸. Books of the Song and Yuan dynasties write 圆 and 元.
var pills = []string{"丸", "圆", "元"}

// doseForms lists the endings of formula names that mean a dose form.
var doseForms = []string{"汤", "散", "丸", "丹", "饮", "饮子", "膏", "圆", "元", "煎", "煎丸", "汤散", "酒", "方", "片", "颗粒", "胶囊", "口服液", "合剂", "冲剂", "浓缩丸", "蜜丸", "水丸"}

// typedForms adds dose forms of the trade, which hardly any formula in books has.
var typedForms = slices.Concat(doseForms, []string{"水蜜丸", "大蜜丸", "滴丸", "软胶囊", "糖浆", "水", "锭", "茶"})

// otherForm finds formulas whose names differ from the query only in the dose form. It finds
// nothing if the query is exactly the name of a formula. Its hits are ranked before formulas whose
// names merely contain the query: 归脾丸 means 归脾汤 rather than 加味归脾丸.
func otherForm(l *lookup, rd *reading.Reading, why hits.Why) {
	if l.hits.Best() == mappings.MaxTier {
		return
	}
	stem := ""
	for _, form := range typedForms {
		if rest, ok := strings.CutSuffix(rd.Key, form); ok && utf8.RuneCountInString(rest) > 1 && (stem == "" || len(rest) < len(stem)) {
			stem = rest
		}
	}
	if stem == "" {
		return
	}
	typed := strings.TrimPrefix(rd.Key, stem)
	for _, form := range append([]string{""}, doseForms...) {
		found := why
		if slices.Contains(pills, typed) && slices.Contains(pills, form) { // only written otherwise
			found = why.As(mappings.Whole, l.tier(why.Row, mappings.Whole)).Lower(1)
		}
		l.collectTerm(mappings.Whole, stem+form, found, nil)
	}
}
