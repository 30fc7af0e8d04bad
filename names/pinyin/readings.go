package pinyin

import (
	"slices"
	"strings"

	dictionary "github.com/mozillazg/go-pinyin"
)

// Readings returns the toned readings of a character, the most common first. It returns nil if the
// dictionary does not have the character.
func Readings(r rune) []string {
	list := dictionary.PinyinDict[int(r)]
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// isReading reports whether a syllable is a reading of r. It also accepts the neutral tone of a
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

// IsUsual reports whether people use a syllable, without tone, as a reading of r: it is the first
// reading in the dictionary, or a name or a word in phrases.txt or words.txt has it. Of a character
// that those files lack, the second reading of the dictionary is usual too.
func IsUsual(r rune, letters string) bool {
	isReading := func(s string) bool { return Letters(s) == letters }
	readings, known := Readings(r), phraseReadings()[r]
	first := 1
	if known == nil {
		first = 2
	}
	return slices.ContainsFunc(readings[:min(first, len(readings))], isReading) || slices.ContainsFunc(known, isReading)
}

// AlternateReadings returns up to two readings of r, without tones, whose letters differ from those
// of the given syllable.
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
