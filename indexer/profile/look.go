package profile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/invisible"
)

// cellLook has the properties of a cell's characters.
type cellLook struct {
	marks uint8
	runes uint16
}

const (
	han uint8 = 1 << iota
	latin
	digit
	debris
	hidden
)

// lookOf returns the properties of a cell.
func lookOf(s string) cellLook {
	var l cellLook
	if s == "" {
		return l
	}
	var before, last rune
	n := 0
	for _, r := range s {
		n++
		switch {
		case r >= '0' && r <= '9':
			l.marks |= digit
		case r < utf8.RuneSelf:
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				l.marks |= latin
			}
		case unicode.Is(unicode.Han, r):
			l.marks |= han
		case unicode.Is(unicode.Latin, r):
			l.marks |= latin
		}
		if r == utf8.RuneError || unicode.Is(unicode.Co, r) || r < ' ' && r != '\n' && r != '\t' && r != '\r' || isMojibake(before, last, r) {
			l.marks |= debris
		} else if invisible.Is(r) {
			l.marks |= hidden
		}
		before, last = last, r
	}
	if strings.Contains(s, "锟斤拷") || len(s) > 2 && strings.Trim(s, "?") == "" {
		l.marks |= debris
	}
	l.runes = uint16(min(n, 1<<16-1))
	return l
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

// take counts a filled cell with its properties.
func (c *Column) take(l cellLook) {
	c.Filled++
	for _, m := range []struct {
		mark uint8
		n    *int
	}{{han, &c.Han}, {latin, &c.Latin}, {digit, &c.Digit}, {debris, &c.Debris}, {hidden, &c.Invisible}} {
		if l.marks&m.mark != 0 {
			*m.n++
		}
	}
}
