package mappings

import (
	"slices"
	"strings"
	"unicode"

	"bencao/names/pinyin"
)

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
	// impossible says that ü stands where no syllable has it.
	impossible bool
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
			q.umlaut[last] = q.umlautCounts(letters[:last], q.cut[last])
			q.marked = q.marked || q.umlaut[last]
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
	if umlaut {
		umlaut = q.umlautCounts(*letters, cut)
	}
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

// umlautCounts says whether a ü behind the letters differs from u. Behind j, q,
// x and y it does not; elsewhere than behind l and n there is none.
func (q *sound) umlautCounts(letters []byte, cut bool) bool {
	before := byte(' ')
	if len(letters) > 0 && !cut {
		before = letters[len(letters)-1]
	}
	if strings.IndexByte("jqxy", before) >= 0 {
		return false
	}
	q.impossible = q.impossible || before != 'l' && before != 'n'
	return true
}

// noteSounds are the notes on autonyms, which names are compared without, and
// how many of their letters tell them from the end of a name.
var noteSounds = []struct {
	letters string
	least   int
}{{"yuanbianzhong", 9}, {"yuanyazhong", 8}, {"yuanbianxing", 9}}

// dropNote takes the pinyin of a note, which may be unfinished, off the end.
func (q *sound) dropNote() {
	for _, note := range noteSounds {
		n := strings.LastIndex(q.letters, note.letters[:note.least])
		if n > 0 && strings.HasPrefix(note.letters, q.letters[n:]) {
			q.letters, q.cut, q.umlaut, q.tone = q.letters[:n], q.cut[:n+1], q.umlaut[:n], q.tone[:n]
			return
		}
	}
}

// noteInitials are the initials of the notes.
var noteInitials = []string{"ybz", "ybzh", "yyz", "yyzh", "ybx"}

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
			if q.umlaut[p] && letters[k] != 'v' {
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

// near is the near sound of what was typed: dangui and danggui are the same.
// Cuts are the places in it where a syllable must begin.
func (q *sound) near() (sound string, cuts []int) {
	var b strings.Builder
	for _, run := range q.runs() {
		cuts = append(cuts, b.Len())
		for _, s := range cutRun(run) {
			b.WriteString(near.Replace(s))
		}
	}
	return b.String(), cuts
}

// cutRun cuts a run into syllables, or leaves it whole if it has none.
func cutRun(run string) []string {
	if cut := pinyin.Segment(run); cut != nil {
		return cut
	}
	return []string{run}
}

// nearOther is the near sound when a g between two syllables belongs to the
// second, can ge for cang e, or "" if there is none.
func (q *sound) nearOther() string {
	var b strings.Builder
	moved := false
	for _, run := range q.runs() {
		cut := cutRun(run)
		for k, s := range cut {
			if rest, ok := strings.CutSuffix(s, "ng"); ok && k+1 < len(cut) && pinyin.IsSyllable(rest+"n") && pinyin.IsSyllable("g"+cut[k+1]) {
				s, cut[k+1], moved = rest+"n", "g"+cut[k+1], true
			}
			b.WriteString(near.Replace(s))
		}
	}
	if !moved {
		return ""
	}
	return b.String()
}

// fitsNear says whether a sound value has a syllable at each of the cuts of
// its near sound.
func fitsNear(value string, cuts []int) bool {
	_, starts := nearSound(value)
	return !slices.ContainsFunc(cuts, func(cut int) bool { return !slices.Contains(starts, cut) })
}

// syllables cuts the sound into syllables, as far as it can be, each with the
// number of its tone if that was typed.
func (q *sound) syllables() []string {
	var out []string
	at := 0
	for _, run := range q.runs() {
		for _, s := range cutRun(run) {
			text, tone := []byte{}, ""
			for range len(s) {
				if c := q.letters[at]; q.umlaut[at] {
					text = append(text, "ü"...)
				} else {
					text = append(text, c)
				}
				if q.tone[at] >= 0 {
					tone = string('0' + rune(q.tone[at]))
				}
				at++
			}
			out = append(out, string(text)+tone)
		}
	}
	return out
}

// isPinyin says whether the letters are syllables throughout; the last may be
// unfinished.
func (q *sound) isPinyin() bool {
	runs := q.runs()
	for i, run := range runs {
		cut := pinyin.Segment(run)
		if cut == nil || i < len(runs)-1 && !pinyin.IsSyllable(cut[len(cut)-1]) {
			return false
		}
	}
	return true
}

// runs cuts the sound where a syllable must begin.
func (q *sound) runs() []string {
	var out []string
	start := 0
	for p := 1; p <= len(q.letters); p++ {
		if p == len(q.letters) || q.cut[p] {
			out = append(out, q.letters[start:p])
			start = p
		}
	}
	return out
}
