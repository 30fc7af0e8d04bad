package pinyin

import "strings"

// Numbered brings pinyin as people and sources write it to the form in which it
// is compared: syllables in letters, ü written v, each with the number of its
// tone (0 is neutral), a space between them, as in "nv3 zhen1". Words without
// letters are left out.
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

// Syllable returns the letters and the tone of the syllable of numbered pinyin
// that begins at i, and where the next begins.
func Syllable(value string, i int) (letters string, tone int8, next int) {
	j := i
	for value[j] > '9' {
		j++
	}
	return value[i:j], int8(value[j] - '0'), min(j+2, len(value))
}

// Plain returns the letters of numbered pinyin, ü written u, and appends to
// starts where each syllable begins in them.
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

// appendNear appends a syllable in which the letters are folded that southern speakers
// don't tell apart, as by what input methods call fuzzy pinyin: zh is z, ch c, sh s, ng n
// and l n.
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

// Near is the near sound of numbered pinyin, in which zh is z, ng is n and l is
// n, and where each syllable begins in it.
func Near(value string) (sound string, starts []int) {
	var room [64]byte
	b, starts := AppendNear(room[:0], nil, value)
	return string(b), starts
}

// AppendNear appends the near sound of numbered pinyin to dst, and to starts where each
// syllable begins in it.
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

// withU writes u for v.
func withU(letters []byte) {
	for i, c := range letters {
		if c == 'v' {
			letters[i] = 'u'
		}
	}
}
