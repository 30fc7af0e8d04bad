package cell

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// tail is what stands behind a name on its way: the words that the parser is
// to have, and what they gave so far.
type tail struct {
	*sentence
	*Cell
	span
	end     int // behind the last word that is the name's
	out     strings.Builder
	last    int    // how far the text was written
	name    string // genus and epithets so far
	citedAt int    // where in out the author begins, or -1
	// complete says that the parser gets all there is.
	complete bool
}

// step is what a word of a tail makes of the reading.
type step uint8

const (
	other  step = iota // something else
	onward             // it was read, and those that go with it
	whole              // the parser knows what begins here: it gets the rest
	noted              // a remark begins
	unread             // nobody knows what begins here
)

// tailRows are tried in this order at each word behind a name. A row moves i
// when it reads more than a word.
var tailRows = []func(t *tail, i *int, w word) step{
	(*tail).group, (*tail).sign, (*tail).kept, (*tail).doubt, (*tail).number, (*tail).rank, (*tail).small, (*tail).great,
}

// readName adds the name n, whose words end before end, to the cell, with what
// is its author.
func readName(s *sentence, c *Cell, n span, end int) {
	if n.doubted {
		c.Flags |= vocabulary.Qualifier
	}
	t := tail{sentence: s, Cell: c, span: n, end: end, name: n.plain, citedAt: -1}
	t.out.Grow(len(t.text) + len(s.raw) - s.words[n.from].from)
	i := n.to
	if n.alone {
		i = t.behindGenus()
		if i < 0 {
			c.keep(t.genus+" sp.", t.genus)
			return
		}
	}
	t.out.WriteString(t.text)
	if i < end {
		t.last = t.words[i].from
		if t.text != "" {
			t.out.WriteByte(' ')
		}
	}
	if !t.smallAuthor(i) {
		t.read(i)
	}
	text := strings.TrimRight(t.shrunk(), " ,;|/+>")
	c.keep(text, strings.ToLower(n.plain))
}

// read reads the words from i on.
func (t *tail) read(i int) {
	for i < t.end {
		from := i
		switch t.step(&i) {
		case whole:
			t.complete = true
			t.out.WriteString(t.raw[t.last:t.words[t.end-1].to])
			return
		case noted:
			t.remark()
			return
		case unread:
			t.leave(t.rest(from, t.end))
			return
		}
		i++
	}
}

func (t *tail) step(i *int) step {
	for _, row := range tailRows {
		if s := row(t, i, t.words[*i]); s != other {
			return s
		}
	}
	return unread
}

// write adds a word, spelt as given.
func (t *tail) write(w word, text string) {
	t.out.WriteString(t.raw[t.last:w.from])
	t.out.WriteString(text)
	t.last = w.to
}

// writeAuthor adds a word of the author.
func (t *tail) writeAuthor(w word, text string) {
	if t.citedAt < 0 {
		t.citedAt = t.out.Len()
	}
	t.write(w, text)
}

// sign reads a sign between words.
func (t *tail) sign(i *int, w word) step {
	switch {
	case !w.sign:
		return other
	case w.is("+") && *i+1 < t.end && t.words[*i+1].isNumber():
		return noted // how much of it there is: +.1
	case w.is("=\""), w.is("+") && *i+1 < t.end:
		return whole
	case w.is(")]}"):
		return t.behindBracket(*i)
	case w.is("&,;:"):
		if *i+1 < t.end {
			t.write(w, w.text)
		}
		return onward
	}
	t.out.WriteByte(' ')
	t.last = w.to
	return onward
}

// kept leaves to the parser what it knows.
func (t *tail) kept(i *int, w word) step {
	last := *i+1 == t.end
	switch {
	case len([]rune(w.bare)) == 1 && !last && w.text[0] >= utf8.RuneSelf && isLetter([]rune(w.bare)[0]):
		return whole // α
	case w.text[0] == '\'' || w.text[0] == '"', w.isKept() && !(last && (w.bare == "×" || w.bare == "x")), spelling.IsFamily(w.bare):
		return whole
	case spelling.IsHybridSign(w.text) && last:
		return noted
	case spelling.IsHybridSign(w.text):
		return whole
	}
	return other
}

// doubt reads a question mark behind a name, and signs that say nothing about
// it: ♀, !, *.
func (t *tail) doubt(i *int, w word) step {
	if w.text == "♀" || w.text == "♂" || w.bare != "" && strings.ContainsFunc(w.text, isLetter) || w.isNumber() {
		if w.text != "♀" && w.text != "♂" {
			return other
		}
	}
	if strings.Contains(w.text, "?") {
		t.Flags |= vocabulary.Qualifier
	}
	t.out.WriteByte(' ')
	t.last = w.to
	return onward
}

// number reads the year of an author, or ends the name at a page, a height, a
// number of a sheet.
func (t *tail) number(i *int, w word) step {
	if !beginsWithDigit(w.text) && !w.isNumber() {
		return other
	}
	if *i == t.to && t.known && (w.text == "1." || w.text == "1") && t.dict.agrees("L.", t.usage) {
		t.writeAuthor(w, "L.")
		return onward
	}
	if digits := strings.Trim(w.text, "."); len(digits) == 4 && w.isNumber() && (*i+1 == t.end || t.words[*i+1].is(")],;")) {
		t.write(w, w.text)
		return onward
	}
	if t.citedAt >= 0 {
		return whole // a reference: the parser knows where its title begins
	}
	return noted
}

// rank reads a rank word and the epithet behind it.
func (t *tail) rank(i *int, w word) step {
	if _, ok := ranks.Mark(w.bare); !ok || w.bare == "st" {
		return other
	}
	next := *i + 1
	if next == t.end {
		if w.bare == "f" && t.citedAt >= 0 {
			t.write(w, w.text)
			return onward
		}
		return whole
	}
	v := t.words[next]
	if _, ok := t.dict.Find(t.name + " " + v.plain()); ok && beginsGreat(v.text) {
		return whole // an epithet with a capital
	}
	if v.sign || !beginsSmall(v.text) || !spelling.IsWord(v.plain()) || v.of(wordlist.Particle) {
		if len(w.bare) <= 2 || t.citedAt >= 0 {
			return other
		}
		return whole
	}
	if len(w.bare) <= 2 && t.citedAt >= 0 && !t.dict.IsEpithet(v.bare) {
		return other
	}
	t.name += " " + v.plain()
	t.usage, t.known = t.dict.Find(t.name)
	t.write(w, w.text)
	t.write(v, v.text)
	t.citedAt = -1
	*i = next
	return onward
}

// small reads a word in small letters.
func (t *tail) small(i *int, w word) step {
	if !beginsSmall(w.text) {
		return other
	}
	last := *i+1 == t.end
	next := word{}
	if !last {
		next = t.words[*i+1]
	}
	if usage, ok := t.dict.Find(t.name + " " + w.plain()); ok && t.name != "" && spelling.IsWord(w.plain()) {
		t.name += " " + w.plain()
		t.usage, t.citedAt = usage, -1
		t.write(w, w.text)
		return onward
	}
	switch {
	case w.of(wordlist.Host) && t.begins(*i+1):
		return noted // what it was found on
	case w.of(wordlist.Closing) && last, w.of(wordlist.Particle) && !last && !(w.bare == "in" && next.of(wordlist.Remark)):
		t.writeAuthor(w, w.text)
		return onward
	case t.isAuthor(w.text):
		t.writeAuthor(w, capital(w.text))
		return onward
	case w.of(wordlist.Remark), w.bare == "in":
		return noted
	case t.citedAt >= 0:
		return t.smallBehindAuthor(w)
	}
	return t.smallBehindName(w, last || next.sign || beginsGreat(next.text) || next.isNumber())
}

// isShort says whether a word is cut short by a full stop.
func isShort(w word) bool {
	return strings.HasSuffix(w.text, ".") && len(w.bare) > 1 && !w.of(wordlist.Label)
}

// smallBehindAuthor reads a word in small letters behind an author.
func (t *tail) smallBehindAuthor(w word) step {
	switch {
	case t.dict.IsEpithet(w.bare), isShort(w):
		return whole
	case w.of(wordlist.Author):
		t.writeAuthor(w, capital(w.text))
		return onward
	}
	return unread
}

// smallBehindName reads a word in small letters behind an epithet; ends says
// that no other such word follows.
func (t *tail) smallBehindName(w word, ends bool) step {
	known := t.dict.IsEpithet(w.bare)
	switch {
	case w.of(wordlist.Author), isShort(w) && !known:
		t.writeAuthor(w, capital(w.text))
		return onward
	case known, !spelling.IsWord(w.plain()), w.bare == "null", t.name == "":
		return whole
	case ends && utf8.RuneCountInString(w.bare) > 3:
		return whole // an epithet, misspelt perhaps
	}
	return unread
}

// great reads a word with a capital: an author, a book, a status.
func (t *tail) great(i *int, w word) step {
	switch {
	case w.shape() == spelling.Upper && w.of(wordlist.Remark) && !strings.Contains(w.text, ".") && !t.isAuthor(w.text),
		w.of(wordlist.Firm) && !t.isAuthor(w.text), hasDigit(w.text) && w.shape() != spelling.Lower:
		return noted
	case w.of(wordlist.Work) && t.citedAt >= 0 && hasDigit(t.rest(*i, t.end)) && !t.isAuthor(w.text):
		return noted
	case w.shape() == spelling.Single && len(w.text) == 1 && *i+1 == t.end && t.known && !t.isAuthor(w.text):
		return noted // a layer or a code
	case *i == t.to && t.known && (w.text == "I." || w.text == "|.") && t.dict.agrees("L.", t.usage):
		t.writeAuthor(w, "L.")
		return onward
	case !beginsGreat(w.text) && w.text[0] != '.' && w.text[0] != '-':
		return other
	}
	t.writeAuthor(w, w.text)
	return onward
}
