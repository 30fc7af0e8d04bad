package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsQuote reports whether r is a non-ASCII quotation mark or apostrophe, or a character that people
// type instead of one.
func IsQuote(r rune) bool {
	switch r {
	case '‘', '’', '‚', '‛', '“', '”', '„', '‟', '«', '»', '‹', '›', '′', '´', 'ʹ', 'ʼ', 'ʻ', '＇':
		return true
	}
	return false
}

// Shape is the use of capitals in a word. Only letters count.
type Shape uint8

// The shapes of a word.
const (
	Lower  Shape = iota // all letters lower-case
	Title               // a capital, then lower-case letters
	Upper               // two capitals or more, no lower-case letter
	Mixed               // anything else
	Single              // one letter, a capital
)

// ShapeOf returns the shape of w.
func ShapeOf(w string) Shape {
	caps, smalls, first := 0, 0, false
	for i, r := range w {
		switch {
		case r >= 'a' && r <= 'z':
			smalls++
		case unicode.IsUpper(r):
			caps++
			if i == 0 {
				first = true
			}
		case unicode.IsLower(r):
			smalls++
		}
	}
	switch {
	case caps == 0:
		return Lower
	case smalls == 0 && caps == 1:
		return Single
	case smalls == 0:
		return Upper
	case first && caps == 1:
		return Title
	}
	return Mixed
}

// IsWord reports whether w consists of letters, with hyphens and apostrophes between them, like
// epithets and genera.
func IsWord(w string) bool {
	if w == "" {
		return false
	}
	prev := rune('-')
	for _, r := range w {
		if r == '-' || r == '\'' {
			if prev == '-' {
				return false
			}
			prev = r
			continue
		}
		if !(r < utf8.RuneSelf && IsLetter(byte(r)) || r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r)) {
			return false
		}
		prev = r
	}
	return prev != '-' && prev != '\''
}

// Capitalise returns a word with a capital first letter. It does not capitalise letters after a
// hyphen.
func Capitalise(w string) string {
	l := strings.ToLower(w)
	r, n := utf8.DecodeRuneInString(l)
	return string(unicode.ToUpper(r)) + l[n:]
}
