package cell

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
)

// corrected returns n without errors of optical character recognition: a digit instead of a letter,
// a space or a hyphen within a word, or no space between two words. If the checklists have neither
// the corrected name nor its words, corrected returns n unchanged.
func (s *sentence) corrected(n span) span {
	if n.known {
		return n
	}
	for _, correction := range []func(span) (span, bool){s.withCapitals, s.withLetters, s.rejoined, s.unglued, s.shifted} {
		if m, ok := correction(n); ok {
			return m
		}
	}
	return n
}

// wordAt returns the text of word i, or "" after the last word.
func (s *sentence) wordAt(i int) string {
	if i < len(s.words) {
		return s.words[i].text
	}
	return ""
}

// letters lists two ways to replace misread characters by letters. They differ in the letters for 1
// and 6.
var letters = []*strings.Replacer{
	strings.NewReplacer("1", "l", "0", "o", "5", "s", "I", "l"),
	strings.NewReplacer("1", "i", "0", "o", "5", "s", "I", "l", "6", "b"),
}

// lettersForDigits replaces the digits of a word by letters. It keeps the first letter of the word.
func lettersForDigits(w string, how int) string {
	if w == "" || spelling.IsDigit(w[0]) {
		return letters[how].Replace(w)
	}
	return w[:1] + letters[how].Replace(w[1:])
}

// withCapitals replaces l between capitals by I: GINKGO BlLOBA.
func (s *sentence) withCapitals(n span) (span, bool) {
	both := s.wordAt(n.from) + " " + strings.TrimRight(s.wordAt(n.from+1), ".,")
	upper := strings.ReplaceAll(both, "l", "I")
	if upper == both || strings.ToUpper(upper) != upper {
		return n, false
	}
	genus, epithet, _ := strings.Cut(strings.ToLower(upper), " ")
	return s.found(n, spelling.Capitalise(genus), epithet, n.from+2)
}

// withLetters replaces digits by letters: Camel1ia.
func (s *sentence) withLetters(n span) (span, bool) {
	genus, epithet := s.wordAt(n.from), s.wordAt(n.from+1)
	if epithet == "" || !strings.ContainsAny(genus+epithet, "0123456789I") {
		return n, false
	}
	if m, ok := s.found(n, genus, strings.TrimRight(epithet, "0123456789.,"), n.from+2); ok {
		return m, true // the number of a footnote: caprea1
	}
	for g := range letters {
		for e := range letters {
			a, b := lettersForDigits(genus, g), lettersForDigits(strings.TrimRight(epithet, ".,"), e)
			// A capital I within a word shows that other letters may be misread too: Arternisia capilIaris
			if s.dict.IsEpithet(b) && (s.dict.IsGenus(a) || strings.IndexByte(epithet, 'I') > 0) {
				m := n
				m.genus, m.text, m.plain, m.to, m.alone = a, a+" "+b, a+" "+b, n.from+2, false
				return m, true
			}
		}
	}
	return s.withAnyLetter(n, genus, strings.TrimRight(epithet, ".,"))
}

// withAnyLetter replaces the only digit of a genus or an epithet by a letter, if that gives a name
// of the checklists: Gre6illea.
func (s *sentence) withAnyLetter(n span, genus, epithet string) (span, bool) {
	words := [2]string{genus, epithet}
	for i, w := range words {
		at := strings.IndexAny(w, "0123456789")
		if at < 1 {
			continue
		}
		for letter := 'a'; letter <= 'z'; letter++ {
			words[i] = w[:at] + string(letter) + w[at+1:]
			if m, ok := s.found(n, words[0], words[1], n.from+2); ok {
				return m, true
			}
		}
		words[i] = w
	}
	return n, false
}

// found returns n with genus and epithet in another spelling, if the checklists have this name. to
// is the index of the word after the epithet.
func (s *sentence) found(n span, genus, epithet string, to int) (span, bool) {
	if !spelling.IsWord(genus) || !spelling.IsWord(epithet) || !s.dict.IsGenus(genus) {
		return n, false
	}
	usage, ok := s.dict.Find(genus + " " + epithet)
	if !ok {
		return n, false
	}
	n.genus, n.plain, n.to = genus, genus+" "+epithet, to
	n.text, n.usage, n.known, n.alone = n.plain, usage, true, false
	return n, true
}

// rejoined joins the two parts of a divided word and removes hyphens: Magnol ia, offici- nalis. It
// also finds epithets that lack their hyphen or have it apart: pes caprae, pes - caprae.
func (s *sentence) rejoined(n span) (span, bool) {
	at := n.from
	a, b, c := s.wordAt(at), s.wordAt(at+1), strings.TrimRight(s.wordAt(at+2), ".,;")
	if strings.ContainsAny(a, hyphens) || strings.ContainsAny(b, hyphens) {
		if m, ok := s.found(n, unhyphened(a), unhyphened(strings.TrimRight(b, ".,;")), at+2); ok {
			return m, true
		}
	}
	if m, ok := s.found(n, a, signsForHyphens.Replace(strings.TrimRight(b, ".,;")), at+2); ok {
		return m, true
	}
	to := at + 3
	if c == "-" {
		c = strings.TrimRight(s.wordAt(to), ".,;")
		to++
	}
	if c == "" || !startsLower(b) {
		return n, false
	}
	if m, ok := s.found(n, a, unhyphened(b)+c, to); ok {
		return m, true
	}
	if m, ok := s.found(n, a, strings.TrimRight(b, hyphens)+"-"+c, to); ok {
		m.text = a + " " + strings.TrimRight(b, hyphens) + " " + c // the parser puts the hyphen in, with a flag
		return m, true
	}
	return s.found(n, unhyphened(a)+b, c, to)
}

// signsForHyphens replaces the signs that stand for a hyphen within an epithet: rosa~sinensis.
var signsForHyphens = strings.NewReplacer("~", "-", "_", "-", "¬", "-", ".", "-", "=", "-")

// hyphens are the characters that divide a word at the end of a line.
const hyphens = "-¬"

var withoutHyphens = strings.NewReplacer("-", "", "¬", "")

// unhyphened returns a word without its hyphens.
func unhyphened(w string) string { return withoutHyphens.Replace(w) }

// unglued separates words that are written as one: Larixgmelinii, roburL.
func (s *sentence) unglued(n span) (span, bool) {
	a, b := s.wordAt(n.from), s.wordAt(n.from+1)
	if e, author := cutCapital(b); author != "" {
		if m, ok := s.found(n, a, e, n.from+2); ok {
			m.text += " " + author
			return m, true
		}
	}
	head, author := cutCapital(a)
	if !spelling.IsWord(head) || len(head) < 8 {
		return n, false
	}
	for i := 3; i < len(head)-2; i++ {
		if !s.dict.IsGenus(head[:i]) {
			continue
		}
		if m, ok := s.found(n, head[:i], head[i:], n.from+1); ok {
			if author != "" {
				m.text += " " + author
			}
			return m, true
		}
	}
	return n, false
}

// maxShift is the largest number of letters by which a space may be misplaced.
const maxShift = 5

// shifted moves the space between genus and epithet if the checklists have the resulting name:
// Vicia multicaulis for Viciamul ticaulis. It changes nothing if the checklists have one of the
// words as it is written.
func (s *sentence) shifted(n span) (span, bool) {
	a, b := s.wordAt(n.from), strings.TrimRight(s.wordAt(n.from+1), ".,")
	if !startsUpper(a) || !startsLower(b) || s.dict.IsGenus(a) || s.dict.IsEpithet(b) {
		return n, false
	}
	both := a + b
	var buf [64]byte
	folded := spelling.AppendFolded(buf[:0], both)
	if len(folded) != len(both) {
		return n, false // the letters are not those of Latin words
	}
	for i := max(3, len(a)-maxShift); i <= min(len(both)-3, len(a)+maxShift); i++ {
		if !s.dict.HasGenus(folded[:i]) {
			continue
		}
		if m, ok := s.found(n, both[:i], both[i:], n.from+2); ok {
			return m, true
		}
	}
	return n, false
}

// cutCapital splits a word before the first capital that follows a lower-case letter.
func cutCapital(w string) (head, tail string) {
	small := false
	for i, r := range w {
		if unicode.IsUpper(r) && small {
			return w[:i], w[i:]
		}
		small = unicode.IsLower(r)
	}
	return w, ""
}
