package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// word is a word of a cell, or a sign between words.
type word struct {
	text     string
	bare     string        // in small letters, without punctuation at its ends
	kinds    wordlist.Kind // what it may be beside a name
	from, to int           // where it stands in the text
	sign     bool          // a sign: one of signs
}

// signs stand alone, glued to a word or not.
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

// dashAt is where a dash stands between the epithet of a name and the genus of
// the next, or 0: robur-Carpinus.
func dashAt(w string) int {
	i := strings.IndexByte(w, '-')
	if i > 2 && beginsSmall(w) && beginsGreat(w[i+1:]) && spelling.IsWord(w) {
		return i
	}
	return 0
}

func bare(w string) string { return strings.ToLower(strings.Trim(w, ".,;:!?'*")) }

// is says whether a word is one sign of several.
func (w word) is(some string) bool { return w.sign && strings.Contains(some, w.text) }

// of says whether a word is of one of some kinds.
func (w word) of(some wordlist.Kind) bool { return w.kinds.Is(some) }

// shape is how the letters of a word are written.
func (w word) shape() spelling.Shape { return spelling.ShapeOf(w.text) }

// plain is the word without the punctuation at its end.
func (w word) plain() string { return strings.TrimRight(w.text, ".,?!*") }

// isNumber says whether a word is a number, with the punctuation of one.
func (w word) isNumber() bool {
	digits := false
	for i := 0; i < len(w.text); i++ {
		switch c := w.text[i]; {
		case spelling.IsDigit(c):
			digits = true
		case c == '.' || c == '#' || c == '-' || c == '%' || c == '\'':
		default:
			return false
		}
	}
	return digits
}

// isKept says whether the parser reads by itself what begins with a word
// behind a name.
func (w word) isKept() bool {
	return w.of(wordlist.Note|wordlist.Aggregate|wordlist.Kept) && !w.of(wordlist.Connective)
}

// isNameless says whether a word stands where an epithet should and is none.
func (w word) isNameless() bool { return w.of(wordlist.Open | wordlist.Nameless) }

// qualifies says whether a word may stand between a genus and its epithet.
func (w word) qualifies() bool { return w.of(wordlist.Qualifier | wordlist.Doubt) }

// isAbove says whether a word is written like a taxon above the genus.
func (w word) isAbove() bool {
	if spelling.IsFamily(w.bare) {
		return true
	}
	if beginsSmall(w.text) || len(w.bare) < 6 || strings.ContainsRune(w.bare, '.') {
		return false
	}
	return wordlist.AboveGenus(w.bare) || strings.HasSuffix(w.bare, "eae") || strings.HasSuffix(w.bare, "inae")
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// beginsWithDigit says whether a number begins a word.
func beginsWithDigit(s string) bool { return s != "" && spelling.IsDigit(s[0]) }

// beginsSmall says whether a word begins with a small letter.
func beginsSmall(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// beginsGreat says whether a word begins with a capital.
func beginsGreat(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// endsLikeEpithet says whether a word in small letters has the ending of an
// epithet.
func endsLikeEpithet(w string) bool {
	for _, e := range []string{"us", "a", "um", "is", "ii", "ae", "ens", "oides", "ans"} {
		if len(w) > 4 && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}
