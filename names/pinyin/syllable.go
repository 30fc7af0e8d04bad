package pinyin

import "strings"

// marks maps each vowel to its forms with the tone marks one to four.
var marks = map[rune]string{
	'a': "āáǎà", 'e': "ēéěè", 'i': "īíǐì", 'o': "ōóǒò", 'u': "ūúǔù", 'ü': "ǖǘǚǜ",
	'm': "\u0000ḿ\u0000\u0000", 'n': "\u0000ńňǹ", 'ê': "\u0000ế\u0000ề",
}

// unmarked maps a letter with a tone mark to the plain letter and the tone.
var unmarked = func() map[rune]markedLetter {
	m := make(map[rune]markedLetter)
	for letter, tones := range marks {
		tone := 0
		for _, r := range tones {
			tone++
			if r != 0 {
				m[r] = markedLetter{letter, tone}
			}
		}
	}
	return m
}()

type markedLetter struct {
	letter rune
	tone   int
}

// Unmark returns the letter under a tone mark and the tone from 1 to 4. For a letter without a tone
// mark, it returns the letter and 0.
func Unmark(r rune) (letter rune, tone int) {
	if m, ok := unmarked[r]; ok {
		return m.letter, m.tone
	}
	return r, 0
}

// Letters returns the letters of a toned syllable without its tone: lü for lǜ.
func Letters(syllable string) string {
	letters, _ := Tone(syllable)
	return letters
}

// Tone splits a toned syllable into letters and tone: lǜ into lü and 4. The neutral tone is 0.
func Tone(syllable string) (letters string, tone int) {
	var b strings.Builder
	for _, r := range syllable {
		letter, t := Unmark(r)
		if t != 0 {
			tone = t
		}
		b.WriteRune(letter)
	}
	return b.String(), tone
}

// Initials returns the first letter of a syllable and the initial of the syllable. The initial is
// zh, ch or sh, or else equals the first letter.
func Initials(syllable string) (one, two string) {
	if syllable == "" {
		return "", ""
	}
	letters := Letters(syllable)
	for _, pair := range []string{"zh", "ch", "sh"} {
		if strings.HasPrefix(letters, pair) {
			return letters[:1], pair
		}
	}
	for _, r := range letters {
		return string(r), string(r)
	}
	return "", ""
}
