package cell

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
)

// mended is n, or what it was before a machine read it from print: with a digit
// for a letter, a space or a hyphen within a word, or none between two. It must
// be a name of the checklists.
func (t *reading) mended(n span) span {
	if n.known || n.from >= len(t.words) || t.words[n.from].sign {
		return n
	}
	for _, way := range []func(span) (span, bool){t.withLetters, t.rejoined, t.unglued} {
		if m, ok := way(n); ok {
			return m
		}
	}
	return n
}

// wordAt is the text of a word, or "" for a sign and behind the last.
func (t *reading) wordAt(i int) string {
	if i < len(t.words) && !t.words[i].sign {
		return t.words[i].text
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

// withLetters puts letters for digits: Camel1ia.
func (t *reading) withLetters(n span) (span, bool) {
	genus, epithet := t.wordAt(n.from), t.wordAt(n.from+1)
	if epithet == "" || !strings.ContainsAny(genus+epithet, "0156I") {
		return n, false
	}
	for g := range letters {
		for e := range letters {
			a, b := lettered(genus, g), lettered(strings.TrimRight(epithet, ".,"), e)
			if m, ok := t.found(n, a, b, n.from+2); ok {
				return m, true
			}
			if (a != genus || b != epithet) && t.dict.IsGenus(a) && t.dict.IsEpithet(b) {
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
func (t *reading) found(n span, genus, epithet string, to int) (span, bool) {
	if !spelling.IsWord(genus) || !spelling.IsWord(epithet) {
		return n, false
	}
	usage, ok := t.dict.find(genus + " " + epithet)
	if !ok {
		return n, false
	}
	n.genus, n.plain, n.to = genus, genus+" "+epithet, to
	n.text, n.usage, n.known, n.alone = n.plain, usage, true, false
	return n, true
}

// rejoined puts words together that were torn: Magnol ia, offici- nalis; and
// takes a hyphen out.
func (t *reading) rejoined(n span) (span, bool) {
	at := n.from
	a, b, c := t.wordAt(at), t.wordAt(at+1), strings.TrimRight(t.wordAt(at+2), ".,;")
	plain := func(w string) string { return strings.NewReplacer("-", "", "¬", "").Replace(w) }
	if b == "" {
		return n, false
	}
	if m, ok := t.found(n, plain(a), plain(strings.TrimRight(b, ".,;")), at+2); ok && (strings.ContainsAny(a+b, "-¬")) {
		return m, true
	}
	if c == "" || !beginsSmall(b) {
		return n, false
	}
	if m, ok := t.found(n, a, plain(b)+c, at+3); ok {
		return m, true
	}
	return t.found(n, plain(a)+b, c, at+3)
}

// unglued parts words that were written as one: Larixgmelinii, roburL.
func (t *reading) unglued(n span) (span, bool) {
	a, b := t.wordAt(n.from), t.wordAt(n.from+1)
	if b != "" && t.dict.IsGenus(a) {
		if e, author := cutCapital(b); author != "" {
			if m, ok := t.found(n, a, e, n.from+2); ok {
				m.text += " " + author
				return m, true
			}
		}
	}
	head, author := cutCapital(a)
	if author != "" && t.dict.IsGenus(head) {
		if m, ok := t.found(n, head, strings.ToLower(author), n.from+1); ok {
			return m, true
		}
	}
	if !spelling.IsWord(head) || len(head) < 8 {
		return n, false
	}
	for i := 3; i < len(head)-2; i++ {
		if !t.dict.IsGenus(head[:i]) {
			continue
		}
		if m, ok := t.found(n, head[:i], head[i:], n.from+1); ok {
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
