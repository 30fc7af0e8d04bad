package matchers

import (
	"math/bits"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/names/editdistance"
)

// lexicon holds the distinct words of a row for fuzzy search.
type lexicon struct {
	words []string // sorted by length in bytes
	first []int    // length → the index of the first word of that length
	// letters has the letters of each word as a bit set. Two words within edit distance d differ in
	// at most 2d bits. This excludes most words without computing their distance.
	letters  []uint32
	phonetic []uint32 // hash of each word's phonetic key; 0 if the row's words are compared only by letters
}

// lexiconOf returns the lexicon of a row. w is the way of the row's word terms and must be the same
// in every call for the row.
func lexiconOf(l *lookup, row int, w mappings.Way) *lexicon {
	lex, err := l.lazy.lexicons[row].Get(func() (*lexicon, error) {
		lex := new(lexicon)
		err := l.reader.Terms(row, w, "", func(text string) bool {
			lex.words = append(lex.words, text)
			return true
		})
		slices.SortStableFunc(lex.words, func(a, b string) int { return len(a) - len(b) })
		lex.letters, lex.phonetic = make([]uint32, len(lex.words)), make([]uint32, len(lex.words))
		for k, word := range lex.words {
			for len(lex.first) <= len(word) {
				lex.first = append(lex.first, k)
			}
			lex.letters[k] = editdistance.Mask([]byte(word))
			if w == mappings.Words {
				lex.phonetic[k] = hash(phoneticKey(word))
			}
		}
		lex.first = append(lex.first, len(lex.words))
		return lex, err
	})
	if err != nil {
		l.err = err
	}
	return lex
}

// similarWord is a word and its edit distance from a word of the query.
type similarWord struct {
	text     string
	distance int
}

// maxDistance returns the edit distance that is tolerated for words of the given length.
func maxDistance(length int) int {
	switch {
	case length < minTypo:
		return 0
	case length < 8:
		return 1
	}
	return 2
}

// similarWords returns the words of a row that are similar to text, including text
// itself. A word with the same phonetic key counts as distance 1.
func similarWords(l *lookup, row int, w mappings.Way, text string) []similarWord {
	lex := lexiconOf(l, row, w)
	limit := maxDistance(len(text))
	var out []similarWord
	letters, sound := editdistance.Mask([]byte(text)), phoneticKey(text)
	soundHash := hash(sound)
	for n := max(len(text)-2, 0); n <= len(text)+2 && n+1 < len(lex.first); n++ {
		for k := lex.first[n]; k < lex.first[n+1]; k++ {
			soundsAlike := limit > 0 && lex.phonetic[k] == soundHash
			if !soundsAlike && bits.OnesCount32(lex.letters[k]^letters) > 2*limit {
				continue
			}
			word := lex.words[k]
			if soundsAlike && word != text && phoneticKey(word) == sound {
				out = append(out, similarWord{word, 1})
			} else if d := editdistance.Distance([]byte(text), []byte(word), limit); d <= limit {
				out = append(out, similarWord{word, d})
			}
		}
		if !l.inTime() {
			return nil
		}
	}
	return out
}

// phoneticKey folds Latin spellings that sound alike: camfora and camphora.
func phoneticKey(s string) string {
	s = soundAlike.Replace(s)
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if i == 0 || s[i] != s[i-1] {
			b = append(b, s[i])
		}
	}
	return string(b)
}

var soundAlike = strings.NewReplacer("ks", "x", "ph", "f", "rh", "r", "th", "t", "ch", "c", "ae", "e", "oe", "e", "y", "i", "k", "c", "j", "i", "z", "s", "w", "v")

// hash returns the FNV-1a hash of a text, or 1 instead of 0.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return max(h, 1)
}
