package profile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/invisible"
)

// Marks counts cells with certain characters.
type Marks struct {
	Han   int `json:"-"` // cells with a Chinese character
	Latin int `json:"-"` // cells with a Latin letter
	// Debris counts the cells with the remains of a wrong encoding.
	Debris int `json:"debris,omitempty"`
	// Invisible counts the cells that have an invisible character but no remains of a wrong
	// encoding.
	Invisible int `json:"invisible,omitempty"`
	// Mixed counts the cells that have a word of Latin letters and of letters of another script
	// that look like Latin letters.
	Mixed int `json:"mixed,omitempty"`
}

// Add adds the marks of a cell n times.
func (m *Marks) Add(cell string, n int) {
	if plain, latin := printable(cell); plain && cell != "" && cell[0] != '?' {
		if latin {
			m.Latin += n
		}
		return
	}
	var han, latin, debris, hidden, mixed bool
	var before, last rune
	wordLatin, wordAlike := false, false
	for _, r := range cell {
		switch {
		case r < utf8.RuneSelf:
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				latin, wordLatin = true, true
			}
		case unicode.Is(unicode.Han, r):
			han = true
		case unicode.Is(unicode.Latin, r):
			latin, wordLatin = true, true
		case looksLatin(r):
			wordAlike = true
		}
		mixed = mixed || wordLatin && wordAlike
		if !unicode.IsLetter(r) {
			wordLatin, wordAlike = false, false
		}
		if r == utf8.RuneError || unicode.Is(unicode.Co, r) || r < ' ' && r != '\n' && r != '\t' && r != '\r' || isMojibake(before, last, r) {
			debris = true
		} else if invisible.Is(r) {
			hidden = true
		}
		before, last = last, r
	}
	debris = debris || strings.Contains(cell, "锟斤拷") || len(cell) > 2 && strings.Trim(cell, "?") == ""
	for _, of := range []struct {
		is    bool
		count *int
	}{{han, &m.Han}, {latin, &m.Latin}, {debris, &m.Debris}, {hidden && !debris, &m.Invisible}, {mixed, &m.Mixed}} {
		if of.is {
			*of.count += n
		}
	}
}

// printable reports whether a cell has only printable ASCII characters, and if so, whether it has a
// letter. Most cells of a checklist do.
func printable(cell string) (plain, latin bool) {
	for i := range len(cell) {
		c := cell[i]
		if c < ' ' || c > '~' {
			return false, false
		}
		latin = latin || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	return true, latin
}

// looksLatin reports whether a letter of another script looks like a Latin letter. Greek letters
// that occur in the names of substances and receptors, such as α, do not count.
func looksLatin(r rune) bool {
	return unicode.Is(unicode.Cyrillic, r) || unicode.Is(unicode.Armenian, r) || unicode.Is(unicode.Cherokee, r) || strings.ContainsRune("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", r)
}

// isMojibake reports whether the last two or all three of the characters a, b and c are one UTF-8
// character whose bytes were decoded as Windows-1252 or Latin-1: Ã© for é, äºº for 人.
func isMojibake(a, b, c rune) bool {
	return b >= 0xC2 && b <= 0xDF && isContinuation(c) || a >= 0xE0 && a <= 0xF4 && isContinuation(b) && isContinuation(c)
}

// isContinuation reports whether a character is a continuation byte of UTF-8 that was decoded as
// Windows-1252 or Latin-1.
func isContinuation(r rune) bool {
	return r >= 0x80 && r <= 0xBF || strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", r) && r != 0
}
