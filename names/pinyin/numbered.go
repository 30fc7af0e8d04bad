package pinyin

import "strings"

// Numbered converts pinyin with tone marks to the form in which pinyin is compared: "nv3 zhen1". In
// this form, v replaces ü, the number of the tone follows each syllable (0 is neutral), and a space
// separates syllables. Words without letters are dropped.
func Numbered(toned string) string {
	var b strings.Builder
	for _, word := range strings.Fields(strings.ToLower(toned)) {
		syllables := []string{word}
		if !IsSyllable(word) {
			if cut := Segment(strings.TrimRight(word, "012345")); cut != nil {
				syllables = cut
			}
		}
		for _, s := range syllables {
			letters, tone := Tone(s)
			start := b.Len()
			for _, r := range letters {
				switch {
				case r == 'ü':
					b.WriteByte('v')
				case r == 'ê':
					b.WriteByte('e')
				case r >= 'a' && r <= 'z':
					b.WriteRune(r)
				case r >= '1' && r <= '4':
					tone = int(r - '0')
				}
			}
			if b.Len() > start {
				b.WriteByte(byte('0' + tone))
				b.WriteByte(' ')
			}
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// Syllable returns the letters and the tone of the syllable at position i of numbered pinyin. next
// is the position of the syllable after it.
func Syllable(value string, i int) (letters string, tone int8, next int) {
	j := i
	for value[j] > '9' {
		j++
	}
	return value[i:j], int8(value[j] - '0'), min(j+2, len(value))
}

// Plain returns the letters of numbered pinyin, with u for ü. It appends the position at which each
// syllable starts in these letters to starts.
func Plain(value string, starts []int) (string, []int) {
	b := make([]byte, 0, len(value))
	for i := 0; i < len(value); {
		letters, _, next := Syllable(value, i)
		starts = append(starts, len(b))
		b = append(b, letters...)
		i = next
	}
	withU(b)
	return string(b), starts
}

// appendNear appends a syllable as fuzzy pinyin (模糊音): without the distinctions zh/z, ch/c, sh/s,
// ng/n and l/n, which many speakers do not make.
func appendNear(dst []byte, letters string) []byte {
	for i := 0; i < len(letters); i++ {
		c := letters[i]
		next := byte(0)
		if i+1 < len(letters) {
			next = letters[i+1]
		}
		switch {
		case next == 'h' && (c == 'z' || c == 'c' || c == 's'), next == 'g' && c == 'n':
			i++
		case c == 'l':
			c = 'n'
		}
		dst = append(dst, c)
	}
	return dst
}

// Near returns the fuzzy pinyin (模糊音) of numbered pinyin, with z for zh, n for ng and l, and so on.
// starts has the position of each syllable in the fuzzy pinyin.
func Near(value string) (sound string, starts []int) {
	var buffer [64]byte
	b, starts := AppendNear(buffer[:0], nil, value)
	return string(b), starts
}

// AppendNear appends the fuzzy pinyin of numbered pinyin to dst. It appends the position of each
// syllable in the fuzzy pinyin to starts.
func AppendNear(dst []byte, starts []int, value string) ([]byte, []int) {
	begin := len(dst)
	for i := 0; i < len(value); {
		letters, _, next := Syllable(value, i)
		starts = append(starts, len(dst)-begin)
		dst = appendNear(dst, letters)
		i = next
	}
	withU(dst[begin:])
	return dst, starts
}

// withU replaces each v by u, in place.
func withU(letters []byte) {
	for i, c := range letters {
		if c == 'v' {
			letters[i] = 'u'
		}
	}
}
