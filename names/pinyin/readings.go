package pinyin

import (
	"slices"
	"strings"

	dictionary "github.com/mozillazg/go-pinyin"
)

// Readings returns the toned readings of a character, the most common first, or nil if it is not in
// the dictionary.
func Readings(r rune) []string {
	list := dictionary.PinyinDict[int(r)]
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// isReading reports whether a syllable is a reading of r. It accepts the neutral tone for every
// reading.
func isReading(r rune, syllable string) bool {
	readings := Readings(r)
	if slices.Contains(readings, syllable) || slices.Contains(phraseReadings()[r], syllable) {
		return true
	}
	plain := Letters(syllable)
	if plain != syllable {
		return false
	}
	return slices.ContainsFunc(readings, func(s string) bool { return Letters(s) == plain })
}

// AlternateReadings returns up to two readings of r, without tones, that have other letters than
// the given syllable.
func AlternateReadings(r rune, syllable string) []string {
	var out []string
	plain := Letters(syllable)
	for _, s := range Readings(r) {
		if l := Letters(s); l != plain && !slices.Contains(out, l) {
			if out = append(out, l); len(out) == 2 {
				break
			}
		}
	}
	return out
}
