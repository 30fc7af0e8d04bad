package pinyin

import (
	"slices"
	"strings"
	"unicode"
)

// maxTyped is the maximum number of letters of a query. The longest name has half as many letters.
const maxTyped = 120

// Typed is the pinyin of a query, with the separators, the tones and the ü that the user typed.
// [Typed.Match] compares it with a name.
type Typed struct {
	Letters string // a to z; ü is u
	// Toned is true if the user typed tones. Separated is true if there are separators between
	// syllables or words. Marked is true if anything was typed that restricts [Typed.Match].
	Toned, Separated, Marked bool
	// Impossible is true if ü follows a letter that it never follows in pinyin.
	Impossible bool

	// cut[i] is true if a syllable must start at letter i; cut has one more element for the end of
	// the query. umlaut[i] is true if letter i must be ü. tone[i] is the typed tone of the syllable
	// that contains letter i, or -1.
	cut, umlaut []bool
	tone        []int8
}

// Parse parses pinyin as people type it: with or without spaces, hyphens and apostrophes; with tone
// marks, digits or no tones; with ü, v or u:. It returns false if s is not pinyin.
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
		default: // all other characters are separators, also digits that are not tones
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

// umlautCounts reports whether ü after the letters differs from u. It differs after l and n, but
// not after j, q, x and y. After other letters, ü does not occur in pinyin, so umlautCounts sets
// q.Impossible.
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

// noteSounds lists the pinyin of notes such as 原变种, which are removed before names are compared.
// least is the number of first letters that the end of a query must have to count as a note.
var noteSounds = []struct {
	letters string
	least   int
}{{"yuanbianzhong", 9}, {"yuanyazhong", 8}, {"yuanbianxing", 9}}

// DropNote removes the pinyin of a note from the end of the query. The note may be incomplete.
func (q *Typed) DropNote() {
	for _, note := range noteSounds {
		n := strings.LastIndex(q.Letters, note.letters[:note.least])
		if n > 0 && strings.HasPrefix(note.letters, q.Letters[n:]) {
			q.Letters, q.cut, q.umlaut, q.tone = q.Letters[:n], q.cut[:n+1], q.umlaut[:n], q.tone[:n]
			return
		}
	}
}

// From returns the part of the query that starts at letter n.
func (q *Typed) From(n int) Typed {
	out := *q
	out.Letters, out.cut, out.umlaut, out.tone = q.Letters[n:], q.cut[n:], q.umlaut[n:], q.tone[n:]
	return out
}

// Match compares the query with numbered pinyin, starting at position i, where a syllable starts.
// next is the position of the syllable after the match. aligned is true if the match ends with a
// complete syllable.
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

// Near returns the fuzzy pinyin of the query (see [Near]), and the positions in it where a syllable
// must start. In fuzzy pinyin, dangui and danggui are equal.
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

// cutRun returns the syllables of a run. If the run cannot be segmented, it returns the whole run
// as one.
func cutRun(run string) []string {
	if cut := Segment(run); cut != nil {
		return cut
	}
	return []string{run}
}

// NearAlternate returns the fuzzy pinyin of the query in which each g between two syllables belongs
// to the second syllable instead of the first: can ge instead of cang e. It returns "" if the query
// has no such g.
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

// FitsNear reports whether every cut of a query is at the start of a syllable of a name. starts
// comes from [Near] or [AppendNear], cuts from [Typed.Near].
func FitsNear(starts, cuts []int) bool {
	return !slices.ContainsFunc(cuts, func(cut int) bool { return !slices.Contains(starts, cut) })
}

// Syllables splits the query into syllables as far as possible. If a tone was typed, its number
// follows the syllable.
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

// IsPinyin reports whether the letters can be split into syllables at the typed separators and
// tones. The last syllable may be incomplete.
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

// AlmostPinyin reports whether the letters can be split into syllables if at most one letter is
// left out. It ignores the typed separators.
func (q *Typed) AlmostPinyin() bool {
	over := make([]int, len(q.Letters)+1) // for each position, the least number of letters from there on that are in no syllable
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

// runs splits the letters at the typed separators and tones.
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

// MatchAbbreviated compares the query with numbered pinyin. The query may have only the first
// letter or letters of each syllable. MatchAbbreviated returns the number of syllables that the
// query matches.
func (q *Typed) MatchAbbreviated(value string) (syllables int, ok bool) {
	return q.short(value, 0, 0, new(int))
}

// maxTries limits the backtracking of MatchAbbreviated. Without the limit, names with syllables
// such as "a" and "an" would take exponential time.
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
