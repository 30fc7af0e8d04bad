package matchers

import (
	"math/bits"
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/names/editdistance"
)

// lexicon holds the distinct words of a row, for finding those like another.
type lexicon struct {
	words []string // sorted by length
	first []int    // by length: where its words begin in words
	// letters are those of each word as bits: words within d edits differ in at
	// most 2d of them, which rules most out at once.
	letters  []uint32
	phonetic []uint32 // a hash of how each word sounds, or 0 where that does not matter
}

// lexiconOf returns the words of a row that are terms in the given way, which
// must be the same at each call.
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

// similarWord is a word and how far it is from the one asked for.
type similarWord struct {
	text     string
	distance int
}

// maxDistance is the distance within which a word of that length is taken for another.
func maxDistance(length int) int {
	switch {
	case length < minTypo:
		return 0
	case length < 8:
		return 1
	}
	return 2
}

// similar returns the words of a row that are like text, itself included. A
// word that only sounds like it counts as one letter away.
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

// heard folds spellings of a Latin word that sound alike: camfora, camphora.
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

// hash is the FNV-1a hash of a text (https://en.wikipedia.org/wiki/Fowler–Noll–Vo_hash_function),
// but never 0.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return max(h, 1)
}
