package pinyin

import (
	"slices"
	"strings"
	"unicode"
)

// maxTyped is the longest pinyin, in letters, that is read. The longest
// name has half as many.
const maxTyped = 120

// Typed is pinyin as somebody types it. Whether what was typed apart, toned or
// with ü agrees with a name, [Typed.Match] tells.
type Typed struct {
	Letters string // a to z, ü written u
	// Toned says that there are tones, Separated that syllables or words stand
	// apart, Marked that there is anything that [Typed.Match] must heed.
	Toned, Separated, Marked bool
	// Impossible says that ü stands where no syllable has it.
	Impossible bool

	// For each letter: whether a syllable must begin here, whether it must be
	// ü, and the tone of its syllable or -1. cut has one more for the end.
	cut, umlaut []bool
	tone        []int8
}

// Parse reads pinyin in any way of typing it: joined or with spaces,
// hyphens or apostrophes, with tone marks or digits, with ü, v or u:. It
// returns false for what is no
func Parse(s string) (Typed, bool) {
	var q Typed
	var letters []byte
	cut := false
	for _, r := range strings.ToLower(s) {
		letter, tone := Unmark(r)
		last := len(letters) - 1
		switch {
		case r == ':' && last >= 0 && letters[last] == 'u' && !cut:
			q.umlaut[last] = q.umlautCounts(letters[:last], q.cut[last])
			q.Marked = q.Marked || q.umlaut[last]
			continue
		case r >= '0' && r <= '5' && last >= 0 && !cut:
			q.tone[last], q.Toned, q.Marked = int8(r-'0')%5, true, true
			cut = true
			continue
		case letter == 'ü', letter == 'v':
			q.add(&letters, 'u', tone, true, cut)
		case letter == 'ê':
			q.add(&letters, 'e', tone, false, cut)
		case letter >= 'a' && letter <= 'z':
			q.add(&letters, byte(letter), tone, false, cut)
		case unicode.IsLetter(r), unicode.IsMark(r):
			return Typed{}, false
		default: // also a number that is no tone
			if last >= 0 {
				cut, q.Separated = true, true
			}
			continue
		}
		cut = false
	}
	if len(letters) == 0 || len(letters) > maxTyped {
		return Typed{}, false
	}
	q.Letters = string(letters)
	q.cut = append(q.cut, cut)
	for _, c := range q.cut[1:] {
		q.Marked = q.Marked || c
	}
	q.Separated = q.Separated && q.Marked
	return q, true
}

func (q *Typed) add(letters *[]byte, letter byte, tone int, umlaut, cut bool) {
	if umlaut {
		umlaut = q.umlautCounts(*letters, cut)
	}
	*letters = append(*letters, letter)
	q.cut = append(q.cut, cut)
	q.umlaut = append(q.umlaut, umlaut)
	t := int8(-1)
	if tone > 0 {
		t, q.Toned = int8(tone), true
	}
	q.tone = append(q.tone, t)
	q.Marked = q.Marked || umlaut || tone > 0
}

// umlautCounts says whether a ü behind the letters differs from u. Behind j, q,
// x and y it does not; elsewhere than behind l and n there is none.
func (q *Typed) umlautCounts(letters []byte, cut bool) bool {
	before := byte(' ')
	if len(letters) > 0 && !cut {
		before = letters[len(letters)-1]
	}
	if strings.IndexByte("jqxy", before) >= 0 {
		return false
	}
	q.Impossible = q.Impossible || before != 'l' && before != 'n'
	return true
}

// noteSounds are the notes on autonyms, which names are compared without, and
// how many of their letters tell them from the end of a name.
var noteSounds = []struct {
	letters string
	least   int
}{{"yuanbianzhong", 9}, {"yuanyazhong", 8}, {"yuanbianxing", 9}}

// DropNote takes the pinyin of a note, which may be unfinished, off the end.
func (q *Typed) DropNote() {
	for _, note := range noteSounds {
		n := strings.LastIndex(q.Letters, note.letters[:note.least])
		if n > 0 && strings.HasPrefix(note.letters, q.Letters[n:]) {
			q.Letters, q.cut, q.umlaut, q.tone = q.Letters[:n], q.cut[:n+1], q.umlaut[:n], q.tone[:n]
			return
		}
	}
}

// Match follows the sound through numbered pinyin from the syllable at i. It
// returns where the syllable behind the match begins and whether the match
// ended with a whole syllable.
func (q *Typed) Match(value string, i int) (next int, aligned, ok bool) {
	for p := 0; p < len(q.Letters); {
		if i >= len(value) {
			return 0, false, false
		}
		letters, tone, after := Syllable(value, i)
		k := 0
		for ; k < len(letters) && p < len(q.Letters); k, p = k+1, p+1 {
			c := letters[k]
			if c == 'v' {
				c = 'u'
			}
			if c != q.Letters[p] || k > 0 && q.cut[p] || q.tone[p] >= 0 && q.tone[p] != tone {
				return 0, false, false
			}
			if q.umlaut[p] && letters[k] != 'v' {
				return 0, false, false
			}
		}
		i, aligned = after, k == len(letters)
	}
	return i, aligned, aligned || !q.cut[len(q.Letters)]
}

// Near is the near sound of what was typed: dangui and danggui are the same.
// Cuts are the places in it where a syllable must begin.
func (q *Typed) Near() (sound string, cuts []int) {
	var b []byte
	for _, run := range q.runs() {
		cuts = append(cuts, len(b))
		for _, s := range cutRun(run) {
			b = appendNear(b, s)
		}
	}
	return string(b), cuts
}

// cutRun cuts a run into syllables, or leaves it whole if it has none.
func cutRun(run string) []string {
	if cut := Segment(run); cut != nil {
		return cut
	}
	return []string{run}
}

// NearAlternate is the near sound when a g between two syllables belongs to the
// second, can ge for cang e, or "" if there is none.
func (q *Typed) NearAlternate() string {
	var b []byte
	moved := false
	for _, run := range q.runs() {
		cut := cutRun(run)
		for k, s := range cut {
			if rest, ok := strings.CutSuffix(s, "ng"); ok && k+1 < len(cut) && IsSyllable(rest+"n") && IsSyllable("g"+cut[k+1]) {
				s, cut[k+1], moved = rest+"n", "g"+cut[k+1], true
			}
			b = appendNear(b, s)
		}
	}
	if !moved {
		return ""
	}
	return string(b)
}

// FitsNear says whether a syllable begins at each of the cuts of a near sound, of which
// starts are those that [Near] returns.
func FitsNear(starts, cuts []int) bool {
	return !slices.ContainsFunc(cuts, func(cut int) bool { return !slices.Contains(starts, cut) })
}

// Syllables cuts the sound into syllables, as far as it can be, each with the
// number of its tone if that was typed.
func (q *Typed) Syllables() []string {
	var out []string
	at := 0
	for _, run := range q.runs() {
		for _, s := range cutRun(run) {
			text, tone := []byte{}, ""
			for range len(s) {
				if c := q.Letters[at]; q.umlaut[at] {
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

// IsPinyin says whether the letters are syllables throughout; the last may be
// unfinished.
func (q *Typed) IsPinyin() bool {
	runs := q.runs()
	for i, run := range runs {
		cut := Segment(run)
		if cut == nil || i < len(runs)-1 && !IsSyllable(cut[len(cut)-1]) {
			return false
		}
	}
	return true
}

// AlmostPinyin says whether the letters are syllables throughout but for one letter
// at most, wherever they were typed apart.
func (q *Typed) AlmostPinyin() bool {
	over := make([]int, len(q.Letters)+1) // by place: the fewest letters from there on that are in no syllable
	for i := len(q.Letters) - 1; i >= 0; i-- {
		over[i] = over[i+1] + 1
		for n := 1; n <= min(longestSyllable, len(q.Letters)-i); n++ {
			if over[i+n] < over[i] && IsSyllable(q.Letters[i:i+n]) {
				over[i] = over[i+n]
			}
		}
	}
	return over[0] <= 1
}

// runs cuts the sound where a syllable must begin.
func (q *Typed) runs() []string {
	var out []string
	start := 0
	for p := 1; p <= len(q.Letters); p++ {
		if p == len(q.Letters) || q.cut[p] {
			out = append(out, q.Letters[start:p])
			start = p
		}
	}
	return out
}

// MatchAbbreviated follows the sound through syllables of which each may be cut
// short after any letter, from the start of numbered pinyin. It returns how many
// syllables it took.
func (q *Typed) MatchAbbreviated(value string) (syllables int, ok bool) {
	return q.short(value, 0, 0, new(int))
}

// maxTries bounds how often MatchAbbreviated goes back; names of syllables like
// "a" and "an" would let it go back for ever.
const maxTries = 400

func (q *Typed) short(value string, p, taken int, tries *int) (int, bool) {
	if p == len(q.Letters) {
		return taken, true
	}
	if *tries++; *tries > maxTries || value == "" {
		return 0, false
	}
	letters, tone, next := Syllable(value, 0)
	n := 0
	for n < len(letters) && p+n < len(q.Letters) && (n == 0 || !q.cut[p+n]) {
		c := letters[n]
		if c == 'v' {
			c = 'u'
		}
		if c != q.Letters[p+n] || q.tone[p+n] >= 0 && q.tone[p+n] != tone {
			break
		}
		n++
	}
	for ; n > 0; n-- {
		if got, ok := q.short(value[next:], p+n, taken+1, tries); ok {
			return got, true
		}
	}
	return 0, false
}
