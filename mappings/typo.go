package mappings

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// lexicon holds the distinct words of a row, for finding those like another.
// It is made when it is first needed.
type lexicon struct {
	once  sync.Once
	err   error
	words []string // sorted by length
	first []int    // by length: where its words begin in words
	// letters are those of each word as bits: words within d edits differ in at
	// most 2d of them, which rules most out at once.
	letters []uint32
	heard   []uint32 // a hash of how each word sounds, or 0 where that does not matter
}

// nearSounds holds the near sounds of a row, each in a line. They are gathered
// when they are first needed.
type nearSounds struct {
	once  sync.Once
	err   error
	lines string
}

// heard folds spellings of a Latin word that sound alike: camfora, camphora.
func heard(s string) string {
	s = alike.Replace(s)
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if i == 0 || s[i] != s[i-1] {
			b = append(b, s[i])
		}
	}
	return string(b)
}

var alike = strings.NewReplacer("ks", "x", "ph", "f", "rh", "r", "th", "t", "ch", "c", "ae", "e", "oe", "e", "y", "i", "k", "c", "j", "i", "z", "s", "w", "v")

func letterBits(s string) uint32 {
	var m uint32
	for i := range len(s) {
		m |= 1 << (s[i] & 31)
	}
	return m
}

// lexicon returns the words of a row that are terms in the given way, which
// must be the same at each call.
func (s *search) lexicon(i int, w Way) *lexicon {
	l := &s.ix.lexicons[i]
	l.once.Do(func() {
		l.err = s.reader.terms(i, w, "", func(text string) bool {
			l.words = append(l.words, text)
			return true
		})
		slices.SortStableFunc(l.words, func(a, b string) int { return len(a) - len(b) })
		l.letters, l.heard = make([]uint32, len(l.words)), make([]uint32, len(l.words))
		for k, word := range l.words {
			for len(l.first) <= len(word) {
				l.first = append(l.first, k)
			}
			l.letters[k] = letterBits(word)
			if w == Words {
				l.heard[k] = hash(heard(word))
			}
		}
		l.first = append(l.first, len(l.words))
	})
	if l.err != nil {
		s.err = l.err
	}
	return l
}

// similarTerm is a word and how far it is from the one asked for.
type similarTerm struct {
	text     string
	distance int
}

// similar returns the words of a row that are like text, itself included. A
// word that only sounds like it counts as one letter away.
func (s *search) similar(i int, w Way, text string) []similarTerm {
	l := s.lexicon(i, w)
	limit := maxTypo(len(text))
	var out []similarTerm
	letters, sound := letterBits(text), heard(text)
	soundHash := hash(sound)
	for n := max(len(text)-2, 0); n <= len(text)+2 && n+1 < len(l.first); n++ {
		for k := l.first[n]; k < l.first[n+1]; k++ {
			alike := limit > 0 && l.heard[k] == soundHash
			if !alike && bits.OnesCount32(l.letters[k]^letters) > 2*limit {
				continue
			}
			word := l.words[k]
			if alike && word != text && heard(word) == sound {
				out = append(out, similarTerm{word, 1})
			} else if d := distance([]byte(text), []byte(word), limit); d <= limit {
				out = append(out, similarTerm{word, d})
			}
		}
		if !s.alive() {
			return nil
		}
	}
	return out
}

// hash is the FNV-1a hash of a text, but never 0.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return max(h, 1)
}

// longestRow is up to how many letters distances are measured without
// asking for memory.
const longestRow = 64

// distance counts the letters that must be put in, taken out, replaced or
// exchanged with the next to make a into b. Past limit it returns limit+1.
// It is not names.Distance, which takes only words of botanical length, has
// rules of its own for exchanged blocks, and copies both texts at each call.
func distance[T byte | rune](a, b []T, limit int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > limit {
		return limit + 1
	}
	if len(a) == 0 {
		return len(b)
	}
	var room [3 * longestRow]int
	rows := room[:]
	if len(b) >= longestRow {
		rows = make([]int, 3*(len(b)+1))
	}
	size := len(b) + 1
	before, last, row := rows[:size], rows[size:2*size], rows[2*size:3*size]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
