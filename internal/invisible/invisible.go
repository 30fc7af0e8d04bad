// Package invisible recognises characters that have no visible shape and no use in Chinese or Latin
// text: controls, escape sequences, marks that change the direction of text, spaces without a
// width. Text from sources passes through [Drop] before people see it, or through [Escape] on a
// terminal and in a log.
//
// Joiners (U+200C, U+200D) and variation selectors are kept: they choose the shape of a character.
// The package does not know HTML or JSON.
package invisible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blank lists letters that have no visible shape.
const blank = "\u034F\u115F\u1160\u17B4\u17B5\u180E\u3164\uFFA0"

// Is reports whether r is invisible and not needed in text. Tabs, line feeds and carriage returns
// are needed.
func Is(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7F, r == '\t', r == '\n', r == '\r':
		return false
	case r < 0xA0: // C0, DEL and C1
		return true
	case r < 0x300:
		return r == 0xAD // soft hyphen
	case r < 0x2000:
		// The other format characters below U+2000 are visible signs of Arabic and Syriac.
		return r == 0x61C || strings.ContainsRune(blank, r)
	case r < 0x2070:
		return r == 0x200B || r == 0x200E || r == 0x200F || r >= 0x2028 && r <= 0x202E || r >= 0x2060
	case r < 0xE000:
		return r == 0x3164
	case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // noncharacters
		return true
	case r >= 0xFFF0 && r <= 0xFFFB, r == 0xFEFF, r == 0xFFA0:
		return true
	case r >= 0x1BCA0 && r <= 0x1BCA3, r >= 0x1D173 && r <= 0x1D17A:
		return true
	}
	// Tag characters and the reserved characters around them are invisible. This block also
	// contains variation selectors, which are needed.
	return r >= 0xE0000 && r <= 0xE0FFF && !unicode.Is(unicode.Variation_Selector, r)
}

// Find returns the first invisible character of s and its position, counted in characters from 1;
// ok is false if there is none.
func Find(s string) (r rune, at int, ok bool) {
	if i := index(s); i >= 0 {
		r, _ = utf8.DecodeRuneInString(s[i:])
		return r, utf8.RuneCountInString(s[:i]) + 1, true
	}
	return 0, 0, false
}

// names maps the most frequent invisible characters to their names.
var names = map[rune]string{
	0x1B: "escape", 0x7F: "delete", 0xAD: "soft hyphen", 0x61C: "Arabic letter mark", 0x200B: "zero width space",
	0x200E: "left-to-right mark", 0x200F: "right-to-left mark", 0x2028: "line separator", 0x2029: "paragraph separator",
	0x202A: "left-to-right embedding", 0x202B: "right-to-left embedding", 0x202C: "pop directional formatting",
	0x202D: "left-to-right override", 0x202E: "right-to-left override", 0x2060: "word joiner",
	0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate", 0x2068: "first strong isolate",
	0x2069: "pop directional isolate", 0xFEFF: "byte-order mark",
}

// Name returns the name of a character for messages, such as "U+202E (right-to-left override)".
func Name(r rune) string {
	if name := names[r]; name != "" {
		return fmt.Sprintf("%U (%s)", r, name)
	}
	return fmt.Sprintf("%U", r)
}

// Drop returns s without invisible characters. Line and paragraph separators become a space.
func Drop(s string) string {
	if index(s) < 0 {
		return s
	}
	return strings.Map(dropped, s)
}

// DropBytes is [Drop] for bytes. It returns b itself if there is nothing to drop.
func DropBytes(b []byte) []byte {
	if index(b) < 0 {
		return b
	}
	return bytes.Map(dropped, b)
}

func dropped(r rune) rune {
	switch {
	case !Is(r):
		return r
	case r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return ' '
	}
	return -1
}

// Escape returns b with each invisible character written as an escape of JSON and Go, such as
// \u202e. It returns b itself if there is none.
func Escape(b []byte) []byte {
	i := index(b)
	if i < 0 {
		return b
	}
	out := bytes.Clone(b[:i])
	for len(b) > i {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && n == 1, !Is(r):
			out = append(out, b[i:i+n]...)
		case r > 0xFFFF:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
	}
	return out
}

// index returns the offset of the first invisible character, or -1. It skips ASCII and Chinese
// characters without decoding them.
func index[T string | []byte](s T) int {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= ' ' && c < 0x7F, c == '\t', c == '\n', c == '\r', c >= 0x80 && c < 0xC2:
			i++
			continue
		case c >= 0xE4 && c <= 0xED && i+2 < len(s) && s[i+1] >= 0x80 && s[i+2] >= 0x80: // Chinese characters
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if Is(r) && (r != utf8.RuneError || n > 1) {
			return i
		}
		i += n
	}
	return -1
}
