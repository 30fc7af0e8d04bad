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

// shortenedLess is the number of tiers by which shortened pinyin lowers the tier of a hit for a
// query of characters and pinyin.
const shortenedLess = 5

// mixed finds names by a query of characters and pinyin: 人shen, 北chai胡. It compares each record
// that contains the characters, character by character and syllable by syllable.
func mixed(l *lookup, rd *reading.Reading, why hits.Why) {
	sounds := l.pinyinRow(why.Row)
	if sounds < 0 || slices.ContainsFunc(rd.Pieces, func(p reading.Piece) bool { return p.Char == 0 && p.Sound.Letters == "" }) {
		return
	}
	prefix, inside := why.As(mappings.MixedPrefix, l.tier(why.Row, mappings.MixedPrefix)), why.As(mappings.MixedInside, l.tier(why.Row, mappings.MixedInside))
	l.note(why)
	l.note(prefix)
	l.note(inside)
	l.each(runs(l, why.Row, rd.Pieces), func(at store.Num) {
		best := hits.Why{}
		names, values := l.Values(why.Row, at), l.Values(sounds, at)
		for names != "" && values != "" {
			var name, value string
			name, names, _ = strings.Cut(names, terms.Separator)
			value, values, _ = strings.Cut(values, terms.Separator)
			fit := reading.FitMixed([]rune(name), value, rd.Pieces)
			found := hits.Why{}
			switch {
			case !fit.OK:
			case fit.Start && fit.End && !fit.Short:
				found = why
			case fit.Start && !fit.Short:
				found = prefix
			case fit.Short:
				found = inside.Lower(shortenedLess)
			default:
				found = inside
			}
			if found.Tier > best.Tier {
				best = found
			}
		}
		if best.Tier > 0 {
			l.hits.Add(at, best)
		}
	})
}

// runs returns the records whose names contain every run of Chinese characters in the query.
func runs(l *lookup, row int, pieces []reading.Piece) index.Postings {
	all, first := index.Nothing, true
	var run []rune
	flush := func() {
		if len(run) > 0 {
			if p := adjacent(l, row, run); first {
				all, first = p, false
			} else {
				all = all.And(p)
			}
		}
		run = nil
	}
	for _, p := range pieces {
		if p.Char != 0 {
			run = append(run, p.Char)
		} else {
			flush()
		}
	}
	flush()
	return all
}
