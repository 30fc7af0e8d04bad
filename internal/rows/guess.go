package rows

import (
	"bytes"
	"unicode/utf8"
)

// Guess returns a description of the likely encoding of bytes that are not UTF-8, for a person who
// must save the file again. It names the encodings that spreadsheets and databases in East Asia and
// Europe write.
func Guess(b []byte) string {
	if name := zeros(b); name != "" {
		return name
	}
	if broken(b) {
		return "UTF-8 with broken characters, cut in the middle or mixed with another encoding"
	}
	if shiftJIS(b) {
		return "Shift_JIS"
	}
	gb, big5, high := 0, 0, 0
	four := false
	for i := 0; i < len(b); i++ {
		if b[i] < 0x80 {
			continue
		}
		high++
	}
	for i := 0; i+1 < len(b); i++ {
		c, d := b[i], b[i+1]
		if c < 0x81 {
			continue
		}
		if d >= '0' && d <= '9' && i+3 < len(b) && b[i+2] >= 0x81 && b[i+3] >= '0' && b[i+3] <= '9' {
			four = true
		}
		if commonGB(c, d) {
			gb++
		}
		i++
	}
	for i := 0; i+1 < len(b); i++ {
		c, d := b[i], b[i+1]
		if c < 0x81 {
			continue
		}
		if commonBig5(c, d) {
			big5++
		}
		i++
	}
	// In a Chinese encoding, two bytes together are a common character. In a European encoding, a
	// byte over 127 is an accented letter between plain letters.
	switch {
	case lonely(b):
		return "Latin-1 or Windows-1252"
	case big5 > gb && 2*big5 > high/2:
		return "Big5"
	case four:
		return "GB18030"
	case gb > 0:
		return "GBK (or GB18030)"
	}
	return "an unknown encoding"
}

// commonGB reports whether two bytes are a common character in GBK: punctuation or one of the 3,755
// first-level characters of GB 2312.
func commonGB(c, d byte) bool {
	return d >= 0xA1 && d != 0xFF && (c >= 0xB0 && c <= 0xD7 || c == 0xA1 || c == 0xA3)
}

// commonBig5 reports whether two bytes are a common character in Big5: punctuation or one of its
// 5,401 common characters.
func commonBig5(c, d byte) bool {
	return c >= 0xA1 && c <= 0xC6 && (d >= 0x40 && d <= 0x7E || d >= 0xA1 && d <= 0xFE)
}

// shiftJIS reports whether a text is Shift_JIS: nearly all of its pairs of bytes are punctuation, kana
// or characters of the first level of JIS, and they make up most of the bytes over 127. These pairs
// are rare in GBK, and in Big5 they are none.
func shiftJIS(b []byte) bool {
	common, pairs, single := 0, 0, 0
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c < 0x80:
		case c >= 0xA1 && c <= 0xDF:
			single++ // half-width katakana, or any byte of another encoding
		case i+1 == len(b) || b[i+1] < 0x40 || b[i+1] == 0x7F || b[i+1] > 0xFC:
			return i+1 == len(b) && shiftJIS(b[:i]) // not Shift_JIS, unless the text is cut here
		default:
			if pairs++; c >= 0x81 && c <= 0x83 || c >= 0x88 && c <= 0x97 {
				common++
			}
			i++
		}
	}
	return common > 1 && 10*common >= 9*pairs && 2*pairs > single
}

// zeros detects UTF-16 without byte-order mark by its zero bytes.
func zeros(b []byte) string {
	even, odd := 0, 0
	for i, c := range b {
		switch {
		case c != 0:
		case i%2 == 0:
			even++
		default:
			odd++
		}
	}
	if even+odd < 2 || 20*(even+odd) < len(b) {
		return ""
	}
	return "UTF-16"
}

// broken reports whether a text is UTF-8 with some damaged characters. It compares the number of
// valid characters of three or four bytes with the number of invalid bytes.
func broken(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n >= 3:
			good++ // a two-byte sequence may be valid by chance, a three-byte sequence hardly ever
		}
		b = b[n:]
	}
	return good > 2*bad
}

// lonely reports whether most bytes over 127 are between plain letters, and few of them could be
// the second byte of a Chinese character.
func lonely(b []byte) bool {
	high, alone := 0, 0
	for i, c := range b {
		if c < 0x80 {
			continue
		}
		high++
		before := i == 0 || b[i-1] < 0x80
		after := i+1 == len(b) || b[i+1] < 0x80
		if before && after {
			alone++
		}
	}
	ascii := len(b) - high
	return high > 0 && 10*alone >= 8*high && ascii >= 4*high && !bytes.Contains(b, []byte{0x1B})
}
