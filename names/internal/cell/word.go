package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/family"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// word is a word of a cell or a sign between words.
type word struct {
	text     string
	bare     string        // the word in lower case, without punctuation at its ends
	kinds    wordlist.Kind // the roles that the word may have beside a name
	from, to int           // the position of the word's first byte, and of the byte after its last, in the text
	sign     bool          // the word is one of the characters in the constant signs
}

// signs lists characters that are words of their own, even if there is no space around them.
const signs = ",;/|&+()[]{}:>=\""

// appendWords splits a text at spaces and signs.
func appendWords(dst []word, s string) []word {
	add := func(from, to int) {
		if from < to {
			b := bare(s[from:to])
			dst = append(dst, word{text: s[from:to], bare: b, kinds: wordlist.Of(b), from: from, to: to})
		}
	}
	parted := func(from, to int) {
		if i := strings.IndexByte(s[from:to], '.') + 1; i > 1 {
			mark, rest := s[from:from+i], s[from+i:to]
			if isInitial(mark) && startsLower(rest) && wordlist.Of(bare(rest)) == 0 || isNumber(mark) && startsUpper(rest) {
				add(from, from+i) // Q.alba, 1.Quercus
				from += i
			}
		}
		if i := dashAt(s[from:to]); i > 0 {
			add(from, from+i)
			add(from+i, from+i+1)
			from += i + 1
		}
		add(from, to)
	}
	from := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ':
			parted(from, i)
			from = i + 1
		case strings.IndexByte(signs, c) >= 0:
			parted(from, i)
			dst = append(dst, word{text: s[i : i+1], from: i, to: i + 1, sign: true})
			from = i + 1
		}
	}
	parted(from, len(s))
	return dst
}

// dashAt returns the index in w of a dash between the epithet of one name and the genus of the
// next, as in robur-Carpinus. It returns 0 if there is none.
func dashAt(w string) int {
	i := strings.IndexByte(w, '-')
	if i > 2 && startsLower(w) && startsUpper(w[i+1:]) {
		return i
	}
	return 0
}

// bare returns a word in lower case, without punctuation at the ends.
func bare(w string) string { return strings.ToLower(strings.Trim(w, ".,;:!?'*")) }

// isSign reports whether the word is one of the signs in the argument some.
func (w word) isSign(some string) bool { return w.sign && strings.Contains(some, w.text) }

// hasKind reports whether the word has one of the kinds in the argument some.
func (w word) hasKind(some wordlist.Kind) bool { return w.kinds.Is(some) }

// shape returns the case of the letters.
func (w word) shape() spelling.Shape { return spelling.ShapeOf(w.text) }

// plain returns the word without the punctuation at its end.
func (w word) plain() string { return strings.TrimRight(w.text, ".,?!*") }

// isNumber reports whether the word is a number, possibly with punctuation.
func (w word) isNumber() bool { return isNumber(w.text) }

// isNumber reports whether a text is a number, possibly with punctuation.
func isNumber(text string) bool {
	return hasDigit(text) && strings.Trim(text, "0123456789.-%") == ""
}

// parserReads reports whether the parser understands the text that starts with this word after a
// name.
func (w word) parserReads() bool {
	return w.hasKind(wordlist.Note|wordlist.Aggregate|wordlist.Kept) && !w.hasKind(wordlist.Connective)
}

// isNameless reports whether the word may replace an epithet: sp., sp2, indet.
func (w word) isNameless() bool { return w.hasKind(wordlist.Open | wordlist.Nameless) }

// qualifies reports whether the word may occur between a genus and its epithet: cf., aff.
func (w word) qualifies() bool { return w.hasKind(wordlist.Qualifier | wordlist.Doubt) }

// isAboveGenus reports whether the word looks like the name of a family, an order or another taxon
// above the genus.
func (w word) isAboveGenus() bool {
	return !startsLower(w.text) && (wordlist.AboveGenus(w.bare) || strings.HasSuffix(w.bare, "eae") || family.IsOfAnimals(w.bare))
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// startsLower reports whether the first letter is a lower-case one.
func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// startsUpper reports whether the first letter is a capital.
func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// endsLikeEpithet reports whether a word in lower case has the ending of an epithet.
func endsLikeEpithet(w string) bool {
	for _, e := range []string{"us", "a", "um", "is", "ii", "ae", "ens", "oides", "ans"} {
		if len(w) > 4 && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}
