package cell

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
)

// mended is n, or what it was before a machine read it from print: with a digit
// for a letter, a space or a hyphen within a word, or none between two. It must
// be a name of the checklists.
func (s *sentence) mended(n span) span {
	if n.known || n.from >= len(s.words) || s.words[n.from].sign {
		return n
	}
	for _, way := range []func(span) (span, bool){s.withCapitals, s.withLetters, s.rejoined, s.unglued} {
		if m, ok := way(n); ok {
			return m
		}
	}
	return n
}

// wordAt is the text of a word, or "" for a sign and behind the last.
func (s *sentence) wordAt(i int) string {
	if i < len(s.words) && !s.words[i].sign {
		return s.words[i].text
	}
	return ""
}

// letters are what digits are read for.
var letters = []*strings.Replacer{
	strings.NewReplacer("1", "l", "0", "o", "5", "s", "I", "l"),
	strings.NewReplacer("1", "i", "0", "o", "5", "s", "I", "l", "6", "b"),
}

// lettered writes letters for the digits in a word, the capital at its
// beginning aside.
func lettered(w string, how int) string {
	if len(w) < 2 {
		return w
	}
	if spelling.IsDigit(w[0]) {
		return letters[how].Replace(w)
	}
	return w[:1] + letters[how].Replace(w[1:])
}

// withCapitals puts the capital I for a small l among capitals: GINKGO BlLOBA.
func (s *sentence) withCapitals(n span) (span, bool) {
	capital := func(w string) (string, bool) {
		w = strings.TrimRight(w, ".,")
		great := strings.ReplaceAll(w, "l", "I")
		return spelling.Capitalise(strings.ToLower(great)), len(w) > 2 && strings.ToUpper(great) == great
	}
	if a, b := s.wordAt(n.from), s.wordAt(n.from+1); !strings.Contains(a, "l") && !strings.Contains(b, "l") || len(a) < 2 || !beginsGreat(a[1:]) && a[1] != 'l' {
		return n, false
	}
	genus, ok := capital(s.wordAt(n.from))
	epithet, too := capital(s.wordAt(n.from + 1))
	if !ok || !too {
		return n, false
	}
	return s.found(n, genus, strings.ToLower(epithet), n.from+2)
}

// withLetters puts letters for digits: Camel1ia.
func (s *sentence) withLetters(n span) (span, bool) {
	genus, epithet := s.wordAt(n.from), s.wordAt(n.from+1)
	if strings.HasPrefix(genus, "l") {
		if m, ok := s.found(n, "I"+genus[1:], strings.TrimRight(epithet, ".,"), n.from+2); ok {
			return m, true // lris
		}
	}
	if epithet == "" || !strings.ContainsAny(genus+epithet, "0156I") {
		return n, false
	}
	for g := range letters {
		for e := range letters {
			a, b := lettered(genus, g), lettered(strings.TrimRight(epithet, ".,"), e)
			if m, ok := s.found(n, a, b, n.from+2); ok {
				return m, true
			}
			if (a != genus || b != epithet) && s.dict.IsGenus(a) && s.dict.IsEpithet(b) {
				m := n
				m.genus, m.text, m.plain, m.to, m.alone = a, a+" "+b, a+" "+b, n.from+2, false
				return m, true
			}
		}
	}
	return n, false
}

// found is n with another spelling of genus and epithet, if the checklists
// have it. to is behind its words.
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

// rejoined puts words together that were torn: Magnol ia, offici- nalis; and
// takes a hyphen out.
func (s *sentence) rejoined(n span) (span, bool) {
	at := n.from
	a, b, c := s.wordAt(at), s.wordAt(at+1), strings.TrimRight(s.wordAt(at+2), ".,;")
	if b == "" {
		return n, false
	}
	if strings.ContainsAny(a, hyphens) || strings.ContainsAny(b, hyphens) {
		if m, ok := s.found(n, unhyphened(a), unhyphened(strings.TrimRight(b, ".,;")), at+2); ok {
			return m, true
		}
	}
	if c == "" || !beginsSmall(b) {
		return n, false
	}
	if m, ok := s.found(n, a, unhyphened(b)+c, at+3); ok {
		return m, true
	}
	return s.found(n, unhyphened(a)+b, c, at+3)
}

// hyphens part a word at the end of a line.
const hyphens = "-¬"

var withoutHyphens = strings.NewReplacer("-", "", "¬", "")

// unhyphened is a word without the hyphens in it.
func unhyphened(w string) string { return withoutHyphens.Replace(w) }

// unglued parts words that were written as one: Larixgmelinii, roburL.
func (s *sentence) unglued(n span) (span, bool) {
	a, b := s.wordAt(n.from), s.wordAt(n.from+1)
	if b != "" && s.dict.IsGenus(a) {
		if e, author := cutCapital(b); author != "" {
			if m, ok := s.found(n, a, e, n.from+2); ok {
				m.text += " " + author
				return m, true
			}
		}
	}
	head, author := cutCapital(a)
	if author != "" && s.dict.IsGenus(head) {
		if m, ok := s.found(n, head, strings.ToLower(author), n.from+1); ok {
			return m, true
		}
	}
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

// cutCapital cuts a word before a capital within it.
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
