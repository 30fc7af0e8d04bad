package reading

import (
	"strings"

	"bencao/mappings/internal/terms"
	"bencao/names/editdistance"
	"bencao/names/pinyin"
)

// Range is a part of a text, given by the index of its first character and of the character after
// its last.
type Range [2]int

// InName returns the ranges of a Chinese name that match a query in characters. The ranges contain
// the whole query or, if the name does not contain it, all characters that the name and the query
// share. off is the number of characters of the query that are not in the name.
func (rd *Reading) InName(name string) (ranges []Range, off int) {
	if i := strings.Index(name, rd.Key); rd.Key != "" && i >= 0 {
		start := len([]rune(name[:i]))
		return []Range{{start, start + len(rd.Runes)}}, 0
	}
	at := 0
	for _, r := range name {
		if strings.ContainsRune(rd.Key, r) {
			ranges = extend(ranges, at)
		}
		at++
	}
	for _, r := range rd.Key {
		if !strings.ContainsRune(name, r) {
			off++
		}
	}
	return ranges, off
}

// extend adds the character with the index at to the ranges. All ranges in list must end at or
// before it.
func extend(list []Range, at int) []Range {
	if last := len(list) - 1; last >= 0 && list[last][1] == at {
		list[last][1]++
		return list
	}
	return append(list, Range{at, at + 1})
}

// InSound returns the ranges of a name whose syllables match a query in pinyin. Tones need not
// agree, and near sounds match too. If no syllables match, it returns the whole name, and off is 1.
// value is the numbered pinyin of the name.
func (rd *Reading) InSound(value string) (ranges []Range, off int) {
	_, starts := pinyin.Plain(value, nil)
	if rd.HasSound {
		index := 0
		for i := 0; i < len(value); index++ {
			if end, _, ok := rd.Sound.Match(value, i); ok {
				return []Range{{index, index + syllablesBetween(value, i, end)}}, 0
			}
			_, _, i = pinyin.Syllable(value, i)
		}
		letters, plainStarts := pinyin.Plain(value, nil)
		if r, ok := within(letters, plainStarts, rd.Sound.Letters); ok {
			return []Range{r}, 0
		}
		near, _ := rd.Sound.Near()
		sound, nearStarts := pinyin.Near(value)
		if r, ok := within(sound, nearStarts, near); ok {
			return []Range{r}, 0
		}
	}
	return whole(len(starts)), 1
}

// InSameSound returns the ranges of a name that sound like the query's characters. If there are
// none, it returns the whole name, and off is 1. value is the numbered pinyin of the name.
func (rd *Reading) InSameSound(value string) (ranges []Range, off int) {
	letters, starts := pinyin.Plain(value, nil)
	for _, aloud := range AllReadings(rd.Runes) {
		asked, _ := pinyin.Plain(aloud, nil)
		if r, ok := within(letters, starts, asked); ok {
			return []Range{r}, 0
		}
	}
	return whole(len(starts)), 1
}

// syllablesBetween returns the number of syllables of numbered pinyin that start between two
// offsets, but at least 1.
func syllablesBetween(value string, from, to int) int {
	n := 0
	for i := from; i < len(value) && (i < to || n == 0); n++ {
		_, _, i = pinyin.Syllable(value, i)
	}
	return n
}

// within finds the first place in a text of syllables where the letters begin at the start of a
// syllable. It returns the range of the syllables that contain the letters.
func within(sound string, starts []int, letters string) (Range, bool) {
	for k, start := range starts {
		if letters != "" && strings.HasPrefix(sound[start:], letters) {
			end := k
			for end < len(starts) && starts[end] < start+len(letters) {
				end++
			}
			return Range{k, end}, true
		}
	}
	return Range{}, false
}

func whole(n int) []Range { return []Range{{0, n}} }

// InInitials returns the ranges of a name whose initials equal the query. If there are none, it
// returns the whole name, and off is 1. value is the numbered pinyin of the name.
func (rd *Reading) InInitials(value string) (ranges []Range, off int) {
	var short, long []string
	for i := 0; i < len(value); {
		letters, _, next := pinyin.Syllable(value, i)
		one, two := pinyin.Initials(letters)
		short, long, i = append(short, one), append(long, two), next
	}
	for _, list := range [][]string{short, long} {
		var starts []int
		for k := range list {
			starts = append(starts, len(strings.Join(list[:k], "")))
		}
		if r, ok := within(strings.Join(list, ""), starts, rd.Sound.Letters); ok {
			return []Range{r}, 0
		}
	}
	return whole(len(short)), 1
}

// InLatin returns the ranges of a scientific name that match the words of the query by prefix. If
// there are none, it returns the whole name. off is the number of letters in which the words of the
// query differ from the name.
func (rd *Reading) InLatin(name string) (ranges []Range, off int) {
	words := strings.Split(name, " ")
	for _, w := range rd.Words {
		nearest := len(w.Text)
		for k, word := range words {
			if strings.HasPrefix(word, w.Text) && (!w.Short || k == 0) {
				nearest = 0
				break
			}
			nearest = min(nearest, editdistance.Distance([]byte(w.Text), []byte(word), nearest))
		}
		off += nearest
	}
	at := 0
	for k, word := range words {
		for _, w := range rd.Words {
			if strings.HasPrefix(word, w.Text) && (!w.Short || k == 0) {
				ranges = append(ranges, Range{at, at + len([]rune(w.Text))})
				break
			}
		}
		at += len([]rune(word)) + 1
	}
	if ranges == nil {
		ranges = whole(at - 1)
	}
	return ranges, off
}

// InTitle returns the ranges of a title that are words of a query.
func InTitle(q, title string) []Range {
	words := make(map[string]bool)
	for _, w := range terms.TitleWords(q) {
		words[w] = true
	}
	var out []Range
	for _, p := range terms.TitleParts(title) {
		if words[p.Word] {
			if last := len(out) - 1; last >= 0 && out[last][1] >= p.From {
				out[last][1] = max(out[last][1], p.To)
				continue
			}
			out = append(out, Range{p.From, p.To})
		}
	}
	return out
}
