package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/store"
)

// Range is a part of a text: the index of its first character, and the index of the character after
// its last.
type Range = reading.Range

// InTitle returns the ranges of a title that are words of a query. The caller gives the title,
// because the index does not store titles.
func InTitle(q, title string) []Range { return reading.InTitle(q, title) }

// textOf returns the value by which a record was found, and the ranges of the value that match the
// query. The value and the ranges are empty for fields that do not hold names.
func textOf(ix *index.Index, rd *reading.Reading, n store.Num, row int) (text string, ranges []Range) {
	names, sounds := namesOf(ix.Rows, row)
	switch r := ix.Rows[row]; r.Analyzer {
	case mappings.SciName, mappings.Synonym:
		return nearest(ix, n, row, -1, func(name, _ string) ([]Range, int) { return rd.InLatin(name) })
	case mappings.Chinese, mappings.Noun:
		return nearest(ix, n, names, sounds, func(name, _ string) ([]Range, int) { return rd.InName(name) })
	case mappings.Pinyin, mappings.NounSound:
		return nearest(ix, n, names, sounds, func(name, sound string) ([]Range, int) {
			if rd.Script == reading.Characters {
				return rd.InSameSound(sound)
			}
			return rd.InSound(sound)
		})
	case mappings.Initials:
		return nearest(ix, n, names, sounds, func(_, sound string) ([]Range, int) { return rd.InInitials(sound) })
	}
	return "", nil
}

// namesOf returns two rows for the row in which a query matched: names holds the names in
// characters, and sounds holds their pinyin. Each is -1 if there is no such row.
func namesOf(rows []mappings.Row, row int) (names, sounds int) {
	switch rows[row].Analyzer {
	case mappings.Chinese:
		names = row
	case mappings.Pinyin, mappings.Initials:
		names = rows[row].Characters
	default: // Noun or NounSound: the names are in the first row with the analyzer Chinese
		names = slices.IndexFunc(rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Chinese })
	}
	sounds = slices.IndexFunc(rows, func(r mappings.Row) bool { return r.Analyzer == mappings.Pinyin && r.Characters == names })
	return names, sounds
}

// nearest returns the name of a record that matches the query best. ranges(name, sound) returns the
// parts of a name that match, and a measure of the mismatch. The name with the smallest mismatch
// matches best. Of names with the same mismatch, the name with the fewest characters outside its
// ranges matches best.
func nearest(ix *index.Index, n store.Num, names, sounds int, ranges func(name, sound string) ([]Range, int)) (text string, best []Range) {
	var values []string
	if sounds >= 0 {
		values = strings.Split(ix.Values(sounds, n), terms.Separator)
	}
	fewest, fewestOff := 0, 0
	for k, name := range strings.Split(ix.Values(names, n), terms.Separator) {
		sound := ""
		if k < len(values) {
			sound = values[k]
		}
		found, off := ranges(name, sound)
		outside := utf8.RuneCountInString(name)
		for _, r := range found {
			outside -= r[1] - r[0]
		}
		if name != "" && len(found) > 0 && (text == "" || cmp.Or(cmp.Compare(off, fewestOff), cmp.Compare(outside, fewest)) < 0) {
			text, best, fewest, fewestOff = name, found, outside, off
		}
	}
	if names >= 0 && latinRow(ix.Rows[names].Analyzer) {
		first, n := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	return text, best
}

func latinRow(a mappings.Analyzer) bool { return a == mappings.SciName || a == mappings.Synonym }
