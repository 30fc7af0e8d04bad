package rows

import "unicode/utf8"

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
	best, least := "an unknown encoding", unknownBits*high(b)
	for _, e := range []struct {
		name string
		char func(b []byte) (bits, n int)
	}{{"GBK (or GB18030)", charGB}, {"Big5", charBig5}, {"Latin-1 or Windows-1252", charLatin}, {"Shift_JIS", charShiftJIS}} {
		if bits := cost(b, e.char); bits < least {
			best, least = e.name, bits
		}
	}
	if best == "GBK (or GB18030)" && hasFour(b) {
		return "GB18030"
	}
	return best
}

// The number of bits of a character says how rare it is in lists of plants and drugs: its binary
// logarithm, negated. The numbers are rough, because a text has many characters. Wrongly decoded, its
// common characters become rare ones, or hanzi stand between letters.
const (
	asciiBits  = 5
	hanziBits  = 10 // a hanzi or punctuation mark of the common part of a standard
	letterBits = 11 // a letter with a diacritic
	extraBits  = 17 // any other character
	wrongBits  = 25 // a byte that is no character
	// A hanzi seldom stands beside a letter, and hardly ever between two.
	besideBits  = 4
	betweenBits = 20
	// If the bytes over 127 need more bits each, they are in none of the encodings.
	unknownBits = wrongBits - 2
)

// cost returns the number of bits of a text in an encoding in which char returns the bits and the
// length of the character at the beginning of b. The ASCII bytes of the text are left out of account.
func cost(b []byte, char func(b []byte) (bits, n int)) int {
	sum := -asciiBits * (len(b) - high(b))
	for i := 0; i < len(b); {
		if b[i] < 0x80 {
			sum += asciiBits
			i++
			continue
		}
		bits, n := char(b[i:])
		sum += bits
		before, after := i > 0 && letter(b[i-1]), i+n < len(b) && letter(b[i+n])
		switch {
		case bits != hanziBits && bits != extraBits:
		case before && after:
			sum += betweenBits
		case before || after:
			sum += besideBits
		}
		i += n
	}
	return sum
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// high returns the number of bytes over 127.
func high(b []byte) int {
	n := 0
	for _, c := range b {
		n += int(c >> 7)
	}
	return n
}

// fourGB reports whether b begins with a character of four bytes in GB18030.
func fourGB(b []byte) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return len(b) > 3 && b[0] > 0x80 && digit(b[1]) && b[2] > 0x80 && digit(b[3])
}

// hasFour reports whether a text in GB18030 has a character of four bytes.
func hasFour(b []byte) bool {
	for i := 0; i < len(b); {
		if fourGB(b[i:]) {
			return true
		}
		_, n := charGB(b[i:])
		i += n
	}
	return false
}

// charGB tells GB18030: the hanzi and punctuation of GB 2312, its letters for pinyin with tones,
// and the extensions.
func charGB(b []byte) (bits, n int) {
	if fourGB(b) {
		return extraBits, 4
	}
	if len(b) < 2 || b[0] <= 0x80 || b[0] == 0xFF || b[1] < 0x40 || b[1] == 0x7F || b[1] == 0xFF {
		return wrongBits, 1
	}
	switch c := b[0]; {
	case b[1] < 0xA1:
	case c >= 0xA1 && c <= 0xA3, c >= 0xB0 && c <= 0xF7:
		return hanziBits, 2
	case c == 0xA8:
		return letterBits, 2
	}
	return extraBits, 2
}

// charBig5 tells Big5: its first level and punctuation, and the second level and extensions.
func charBig5(b []byte) (bits, n int) {
	if len(b) < 2 || b[0] < 0x87 || b[0] == 0xFF || b[1] < 0x40 || b[1] >= 0x7F && b[1] < 0xA1 || b[1] == 0xFF {
		return wrongBits, 1
	}
	if c := b[0]; c >= 0xA1 && c <= 0xC6 {
		return hanziBits, 2
	}
	return extraBits, 2
}

// charLatin tells Windows-1252. The letters þ and ÿ are so rare that the bytes are rather of another
// encoding.
func charLatin(b []byte) (bits, n int) {
	if b[0] >= 0xFE {
		return wrongBits, 1
	}
	return letterBits, 1
}

// charShiftJIS tells Shift_JIS: kana, punctuation and the hanzi of the first level, those of the second
// level, and katakana of half width.
func charShiftJIS(b []byte) (bits, n int) {
	switch c := b[0]; {
	case c >= 0xA1 && c <= 0xDF:
		return extraBits, 1
	case len(b) < 2 || c == 0x80 || c == 0xA0 || c > 0xFC || b[1] < 0x40 || b[1] == 0x7F || b[1] > 0xFC:
		return wrongBits, 1
	case c <= 0x83, c >= 0x88 && c <= 0x97:
		return hanziBits, 2
	}
	return extraBits, 2
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
