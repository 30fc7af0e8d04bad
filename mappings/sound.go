package mappings

import (
	"strings"
	"unicode"

	"bencao/mappings/pinyin"
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

// maxSound is the longest pinyin, in letters, that is searched. The longest
// name has half as many.
const maxSound = 120

// sound is pinyin as a user types it.
type sound struct {
	letters string // a to z, ü written u
	// For each letter: whether a syllable must begin here, whether it must be
	// ü, and the tone of its syllable or -1. cut has one more for the end.
	cut, umlaut []bool
	tone        []int8

	toned, separated, marked bool
}

// parseSound reads pinyin in any way of typing it: joined or with spaces,
// hyphens or apostrophes, with tone marks or digits, with ü, v or u:. It
// returns false for what is no pinyin.
func parseSound(s string) (sound, bool) {
	var q sound
	var letters []byte
	cut := false
	for _, r := range strings.ToLower(s) {
		letter, tone := pinyin.Unmark(r)
		last := len(letters) - 1
		switch {
		case r == ':' && last >= 0 && letters[last] == 'u' && !cut:
			q.umlaut[last], q.marked = true, true
			continue
		case r >= '0' && r <= '5' && last >= 0 && !cut:
			q.tone[last], q.toned, q.marked = int8(r-'0')%5, true, true
			cut = true
			continue
		case letter == 'ü', letter == 'v':
			q.add(&letters, 'u', tone, true, cut)
		case letter == 'ê':
			q.add(&letters, 'e', tone, false, cut)
		case letter >= 'a' && letter <= 'z':
			q.add(&letters, byte(letter), tone, false, cut)
		case unicode.IsLetter(r), unicode.IsMark(r):
			return sound{}, false
		default: // also a number that is no tone
			if last >= 0 {
				cut, q.separated = true, true
			}
			continue
		}
		cut = false
	}
	if len(letters) == 0 || len(letters) > maxSound {
		return sound{}, false
	}
	q.letters = string(letters)
	q.cut = append(q.cut, cut)
	for _, c := range q.cut[1:] {
		q.marked = q.marked || c
	}
	q.separated = q.separated && q.marked
	return q, true
}

func (q *sound) add(letters *[]byte, letter byte, tone int, umlaut, cut bool) {
	*letters = append(*letters, letter)
	q.cut = append(q.cut, cut)
	q.umlaut = append(q.umlaut, umlaut)
	t := int8(-1)
	if tone > 0 {
		t, q.toned = int8(tone), true
	}
	q.tone = append(q.tone, t)
	q.marked = q.marked || umlaut || tone > 0
}

// noteSounds are the notes on autonyms, which names are compared without.
var noteSounds = []string{"yuanbianzhong", "yuanyazhong", "yuanbianxing"}

// dropNote takes the pinyin of a note off the end.
func (q *sound) dropNote() {
	for _, note := range noteSounds {
		if rest, ok := strings.CutSuffix(q.letters, note); ok && rest != "" {
			n := len(rest)
			q.letters, q.cut, q.umlaut, q.tone = rest, q.cut[:n+1], q.umlaut[:n], q.tone[:n]
			return
		}
	}
}

// match follows the sound through a sound value from the syllable at i. It
// returns where the syllable behind the match begins and whether the match
// ended with a whole syllable.
func (q *sound) match(value string, i int) (next int, aligned, ok bool) {
	for p := 0; p < len(q.letters); {
		if i >= len(value) {
			return 0, false, false
		}
		letters, tone, after := syllable(value, i)
		k := 0
		for ; k < len(letters) && p < len(q.letters); k, p = k+1, p+1 {
			c := letters[k]
			if c == 'v' {
				c = 'u'
			}
			if c != q.letters[p] || k > 0 && q.cut[p] || q.tone[p] >= 0 && q.tone[p] != tone {
				return 0, false, false
			}
			if q.umlaut[p] && letters[k] != 'v' && !strings.Contains("jqxy", letters[:1]) {
				return 0, false, false
			}
		}
		i, aligned = after, k == len(letters)
	}
	return i, aligned, aligned || !q.cut[len(q.letters)]
}

// fits says whether the sound is found in a sound value in the given way.
func (q *sound) fits(value string, w Way) bool {
	for i := 0; i < len(value); {
		next, aligned, ok := q.match(value, i)
		switch {
		case !ok:
		case w == Whole && aligned && next == len(value):
			return true
		case w == Aligned && aligned, w == Prefix, w == Inside:
			return true
		case w == AlignedInside && aligned:
			return true
		}
		if w == Whole || w == Aligned || w == Prefix {
			return false
		}
		_, _, i = syllable(value, i)
	}
	return false
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

// near is the near sound of what was typed: dangui and danggui are the same.
func (q *sound) near() string {
	cut := pinyin.Segment(q.letters)
	if cut == nil {
		return near.Replace(q.letters)
	}
	var b strings.Builder
	for _, s := range cut {
		near.WriteString(&b, s)
	}
	return b.String()
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
func initialTerms(value string, add func(Way, string)) {
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
				s := strings.Join(list[i:j], "")
				switch {
				case i == 0 && j == len(list):
					add(Whole, s)
				case i == 0:
					add(Prefix, s)
				case len(s) >= minInside:
					add(Inside, s)
				}
			}
		}
	}
}
