package mappings

import (
	"strings"

	"bencao/names/pinyin"
)

// A sound value is a name's pinyin as the index compares it: syllables in
// letters, ü written v, each with the number of its tone (0 is neutral), a
// space between them: "nv3 zhen1".

// soundValue brings pinyin as people and sources write it to that form. Words
// without letters are left out.
func soundValue(toned string) string {
	var b strings.Builder
	for _, word := range strings.Fields(strings.ToLower(toned)) {
		syllables := []string{word}
		if !pinyin.IsSyllable(word) {
			if cut := pinyin.Segment(strings.TrimRight(word, "012345")); cut != nil {
				syllables = cut
			}
		}
		for _, s := range syllables {
			letters, tone := pinyin.Tone(s)
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

// syllable returns the letters and the tone of the syllable of a sound value
// that begins at i, and where the next begins.
func syllable(value string, i int) (letters string, tone int8, next int) {
	j := i
	for value[j] > '9' {
		j++
	}
	return value[i:j], int8(value[j] - '0'), min(j+2, len(value))
}

// plain returns the letters of a sound value, ü written u, and appends to
// starts where each syllable begins in them.
func plain(value string, starts []int) (string, []int) {
	b := make([]byte, 0, len(value))
	for i := 0; i < len(value); {
		letters, _, next := syllable(value, i)
		starts = append(starts, len(b))
		b = append(b, letters...)
		i = next
	}
	for i, c := range b {
		if c == 'v' {
			b[i] = 'u'
		}
	}
	return string(b), starts
}

// near folds, in one syllable, the letters that southern speakers don't tell
// apart.
var near = strings.NewReplacer("zh", "z", "ch", "c", "sh", "s", "ng", "n", "l", "n")

// nearSound is the near sound of a sound value, and where each syllable begins
// in it.
func nearSound(value string) (sound string, starts []int) {
	var b strings.Builder
	for i := 0; i < len(value); {
		letters, _, next := syllable(value, i)
		starts = append(starts, b.Len())
		b.WriteString(strings.ReplaceAll(near.Replace(letters), "v", "u"))
		i = next
	}
	return b.String(), starts
}

// Limits of what of a name's pinyin becomes terms.
const (
	maxPrefix = 40 // letters of a prefix
	minInside = 2  // letters inside a name
)

// soundTerms are the terms of a sound value. Name is the same name in
// characters, or empty if the two do not run side by side.
func soundTerms(t Tiers, value string, name []rune, add func(Way, string)) {
	letters, starts := plain(value, nil)
	if letters == "" {
		return
	}
	ends := append(starts[1:len(starts):len(starts)], len(letters))
	add(Whole, letters)
	isEnd := make([]bool, len(letters)+1)
	for i, start := range starts {
		isEnd[ends[i]] = true
		for _, end := range ends[i:] {
			switch {
			case i == 0 && end == len(letters) && t[Aligned] > 0:
			case i == 0 && t[Aligned] > 0:
				add(Aligned, letters[:end])
			case end-start <= maxPrefix:
				add(AlignedInside, letters[start:end])
			}
		}
	}
	for i, start := range starts {
		way, least := Inside, minInside
		if i == 0 && t[Prefix] > 0 {
			way, least = Prefix, 1
		}
		for n := least; n <= maxPrefix && start+n < len(letters); n++ {
			if !isEnd[start+n] {
				add(way, letters[start:start+n])
			}
		}
	}
	if t[NearSound] > 0 {
		sound, _ := nearSound(value)
		add(NearSound, sound)
	}
	if t[OtherSound] > 0 && len(name) == len(starts) {
		i := 0
		for k, r := range name {
			_, _, next := syllable(value, i)
			for _, other := range pinyin.Others(r, letters[starts[k]:ends[k]]) {
				add(OtherSound, letters[:starts[k]]+strings.ReplaceAll(other, "ü", "u")+letters[ends[k]:])
			}
			i = next
		}
	}
}

// initialTerms are the terms of the initials of a sound value: r s and, where
// zh, ch or sh stand, r sh.
func initialTerms(t Tiers, value string, add func(Way, string)) {
	var short, long []string
	for i := 0; i < len(value); {
		letters, _, next := syllable(value, i)
		one, two := pinyin.Initials(letters)
		short, long = append(short, one), append(long, two)
		i = next
	}
	for _, list := range [][]string{short, long} {
		for i := range list {
			for j := i + 1; j <= len(list); j++ {
				s, way := strings.Join(list[i:j], ""), Inside
				switch {
				case i == 0 && j == len(list):
					way = Whole
				case i == 0:
					way = Prefix
				case len(s) < minInside:
					continue
				}
				if t[way] > 0 {
					add(way, s)
				}
			}
		}
	}
}
