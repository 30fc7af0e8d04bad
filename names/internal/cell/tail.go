package cell

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// tail reads the text after a name and builds the text for the parser.
type tail struct {
	*sentence
	*Cell
	span
	end     int // index of the word after the last word that belongs to the name
	out     strings.Builder
	last    int    // the text before this offset was copied to out
	name    string // genus and epithets that were read so far
	citedAt int    // offset in out at which the author starts, or -1
	// complete is true if the rest of the text was copied for the parser.
	complete bool
}

// step is the outcome of reading a word after a name.
type step uint8

const (
	noMatch      step = iota // the rule does not apply to the word
	consumed                 // the rule has read the word, and advanced i over further words if needed
	restParsed               // the parser can read the rest of the text
	remarkStarts             // a remark starts at the word
	unknown                  // words that no rule knows start at the word
)

// tailRows lists the rules for a word after a name. The first rule that applies to the word is
// used. A rule that reads more than one word advances i to the last of them.
var tailRows = []func(t *tail, i *int, w word) step{
	(*tail).group, (*tail).sign, (*tail).parsed, (*tail).doubt, (*tail).number, (*tail).rank, (*tail).lowerCase, (*tail).capitalised,
}

// readName adds the name n with its author to the cell. end is the index of the word after the last
// word that belongs to n.
func readName(s *sentence, c *Cell, n span, end int) {
	if n.doubted {
		c.Flags |= answer.Qualifier
	}
	if at := s.everydayName(n.to, end); at > 0 {
		c.addUnread(s.rest(at, end))
		end = at
	}
	t := tail{sentence: s, Cell: c, span: n, end: end, name: n.plain, citedAt: -1}
	t.out.Grow(len(t.text) + len(s.raw) - s.words[n.from].from)
	i := n.to
	if n.alone {
		i = t.afterGenus()
		if i < 0 {
			c.addName(t.genus+" sp.", t.genus)
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
	text := strings.TrimRight(t.untilAuthor(), " ,;|/+>")
	c.addName(text, strings.ToLower(n.plain))
}

// everydayName returns the index of the comma between the words from index from up to end after which
// a capitalised word and words in lower case are everything: Saucer magnolia. It returns 0 if there is
// none.
func (s *sentence) everydayName(from, end int) int {
	for i := end - 1; i >= from; i-- {
		switch w := s.words[i]; {
		case w.isSign(","):
			if i+2 < end {
				return i
			}
			return 0
		case w.kinds != 0, !spelling.IsWord(w.text), startsUpper(w.text) != s.words[i-1].isSign(","):
			return 0
		}
	}
	return 0
}

// read reads the words of the tail, starting with word i.
func (t *tail) read(i int) {
	for i < t.end {
		from := i
		switch t.step(&i) {
		case restParsed:
			t.complete = true
			t.out.WriteString(t.raw[t.last:t.words[t.end-1].to])
			return
		case remarkStarts:
			t.remark()
			return
		case unknown:
			t.addUnread(t.rest(from, t.end))
			return
		}
		i++
	}
}

func (t *tail) step(i *int) step {
	for _, row := range tailRows {
		if s := row(t, i, t.words[*i]); s != noMatch {
			return s
		}
	}
	return unknown
}

// write copies the text before word w to out, then writes text instead of the word.
func (t *tail) write(w word, text string) {
	t.out.WriteString(t.raw[t.last:w.from])
	t.out.WriteString(text)
	t.last = w.to
}

// writeAuthor writes text instead of a word of the author.
func (t *tail) writeAuthor(w word, text string) {
	if t.citedAt < 0 {
		t.citedAt = t.out.Len()
	}
	t.write(w, text)
}

// sign reads a sign between the words after a name.
func (t *tail) sign(i *int, w word) step {
	switch {
	case !w.sign:
		return noMatch
	case w.isSign("+") && *i+1 < t.end && t.words[*i+1].isNumber():
		return remarkStarts // an abundance follows: +.1
	case w.isSign("=\"+"):
		return restParsed
	case w.isSign(")]}"):
		return t.afterBracket(*i)
	case w.isSign("&,;:"):
		t.write(w, w.text)
		return consumed
	}
	t.out.WriteByte(' ')
	t.last = w.to
	return consumed
}

// parsed stops at a word from which the parser can read the rest of the text.
func (t *tail) parsed(i *int, w word) step {
	if spelling.IsHybridSign(w.text) {
		if *i+1 == t.end {
			return remarkStarts
		}
		t.withoutFootnote(*i + 1)
	}
	greek := w.text[0] >= utf8.RuneSelf && utf8.RuneCountInString(w.bare) == 1 // α numbers a variety
	if greek || w.text[0] == '\'' || w.parserReads() || spelling.IsFamily(w.bare) {
		return restParsed
	}
	return noMatch
}

// withoutFootnote removes the number of a footnote from the epithet of the other parent of a hybrid,
// whose name starts with word i: Salix purpurea1 x viminalis2.
func (t *tail) withoutFootnote(i int) {
	for _, w := range t.words[i:min(i+2, t.end)] {
		if epithet := strings.TrimRight(w.text, "0123456789"); epithet != w.text {
			t.write(w, epithet)
			return
		}
	}
}

// doubt reads a question mark after a name, and signs that do not concern the name: !, *.
func (t *tail) doubt(i *int, w word) step {
	if strings.ContainsFunc(w.text, isLetter) || w.isNumber() {
		return noMatch
	}
	if strings.Contains(w.text, "?") {
		t.Flags |= answer.Qualifier
	}
	t.out.WriteByte(' ')
	t.last = w.to
	return consumed
}

// number ends the name at a number, since it is a year, a page, an altitude or the number of a
// specimen.
func (t *tail) number(i *int, w word) step {
	if !spelling.IsDigit(w.text[0]) && !w.isNumber() {
		return noMatch
	}
	if t.known && (w.text == "1." || w.text == "1") && t.dict.agrees("L.", t.usage) {
		t.writeAuthor(w, "L.")
		return consumed
	}
	if t.citedAt >= 0 {
		return restParsed // the number starts a reference, whose title the parser recognises
	}
	return remarkStarts
}

// rank reads a rank and the epithet after it.
func (t *tail) rank(i *int, w word) step {
	if _, ok := ranks.Mark(w.bare); !ok || w.bare == "st" {
		return noMatch
	}
	next := *i + 1
	if next == t.end {
		return restParsed
	}
	v := t.words[next]
	if !startsLower(v.text) {
		if len(w.bare) <= 2 {
			return noMatch
		}
		return restParsed
	}
	t.name += " " + v.plain()
	t.usage, t.known = t.dict.Find(t.name)
	t.write(w, w.text)
	t.write(v, v.text)
	t.citedAt = -1
	*i = next
	return consumed
}

// lowerCase reads a word that starts with a lower-case letter.
func (t *tail) lowerCase(i *int, w word) step {
	if !startsLower(w.text) {
		return noMatch
	}
	last := *i+1 == t.end
	next := word{}
	if !last {
		next = t.words[*i+1]
	}
	switch {
	case w.hasKind(wordlist.Host) && t.startsName(*i+1):
		return remarkStarts // the word after this one is a host plant
	case w.hasKind(wordlist.Particle) && !last && !(w.bare == "in" && next.hasKind(wordlist.Remark)):
		t.writeAuthor(w, w.text)
		return consumed
	case t.isAuthor(w.text):
		t.writeAuthor(w, capital(w.text))
		return consumed
	case w.hasKind(wordlist.Remark), w.bare == "in":
		return remarkStarts
	case t.citedAt >= 0:
		return t.lowerAfterAuthor(w)
	}
	return t.lowerAfterName(w, last || next.sign || startsUpper(next.text) || next.isNumber())
}

// isShort reports whether a word is abbreviated by a full stop.
func isShort(w word) bool {
	return strings.HasSuffix(w.text, ".") && len(w.bare) > 1
}

// lowerAfterAuthor reads a word in lower case that follows an author.
func (t *tail) lowerAfterAuthor(w word) step {
	if t.dict.IsEpithet(w.bare) || isShort(w) {
		return restParsed
	}
	return unknown
}

// lowerAfterName reads a word in lower case that follows an epithet. ends is true if the next word
// is not in lower case or there is none.
func (t *tail) lowerAfterName(w word, ends bool) step {
	known := t.dict.IsEpithet(w.bare)
	switch {
	case author.Listed(w.bare), isShort(w):
		t.writeAuthor(w, capital(w.text))
		return consumed
	case known, w.bare == "null": // the parser skips the text of an empty cell
		return restParsed
	case ends && utf8.RuneCountInString(w.bare) > 3:
		return restParsed // the word may be a misspelt epithet
	}
	return unknown
}

// capitalised reads a capitalised word that follows a name: an author, a book or a status.
func (t *tail) capitalised(i *int, w word) step {
	switch {
	case w.shape() == spelling.Upper && w.hasKind(wordlist.Remark), w.hasKind(wordlist.Firm), hasDigit(w.text),
		w.hasKind(wordlist.Work) && hasDigit(t.rest(*i, t.end)),
		len(w.text) == 1 && *i+1 == t.end && t.known && !t.isAuthor(w.text): // the letter is a code, for example for a vegetation layer
		return remarkStarts
	}
	t.writeAuthor(w, w.text)
	return consumed
}

// afterGenus reads the words after a genus without a known epithet. It returns the index of the
// word at which the tail starts. It returns -1 if none of the words can be an epithet, so that the
// species is unknown.
func (t *tail) afterGenus() int {
	i := t.to
	if i >= t.end {
		return i
	}
	w := t.words[i]
	if !startsLower(w.text) || w.parserReads() || w.isNameless() || !t.dict.IsGenus(t.genus) {
		return t.leaveToParser()
	}
	if w.hasKind(wordlist.Remark) {
		t.remark()
		return -1
	}
	if i+1 < t.end && !endsLikeEpithet(w.bare) {
		next := t.words[i+1]
		if _, rank := ranks.Mark(next.bare); !rank && startsLower(next.text) && spelling.IsWord(next.plain()) && !t.dict.IsEpithet(next.bare) {
			t.addUnread(t.rest(i, t.end))
			return -1
		}
	}
	return t.epithet(i)
}

// leaveToParser leaves all text after the genus to the parser.
func (t *tail) leaveToParser() int {
	t.text = t.raw[t.words[t.span.from].from:t.words[t.end-1].to]
	t.complete = true
	return t.end
}

// epithet makes word i the epithet of the name although the checklists do not have this name, since
// the word may be misspelt. It returns the index of the next word.
func (t *tail) epithet(i int) int {
	t.plain = t.genus + " " + t.words[i].plain()
	t.name = t.plain
	first := t.words[t.span.from]
	t.text = t.raw[first.from:t.words[i].to]
	if isInitial(first.text) && len(t.genus) > len(first.plain()) {
		t.text = t.genus + t.raw[first.to:t.words[i].to]
	}
	return i + 1
}

// group reads a bracket that contains authors, text for the parser, or a remark.
func (t *tail) group(i *int, w word) step {
	if !w.isSign("([{") {
		return noMatch
	}
	from, depth := *i, 0
	to := from
	for ; to < t.end; to++ {
		if t.words[to].isSign("([{") {
			depth++
		} else if t.words[to].isSign(")]}") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	inner, shut := t.words[from+1:to], min(to, t.end-1)
	text := t.raw[w.from:t.words[shut].to]
	switch {
	case t.authors(inner, shut+1):
		t.writeAuthor(w, text)
	case w.isSign("[{"), t.parserKnows(inner):
		t.write(w, text)
	default:
		t.remark()
		t.out.WriteByte(' ')
	}
	t.last = t.words[shut].to
	*i = shut
	return consumed
}

// parserKnows reports whether the parser can read the words of a bracket.
func (t *tail) parserKnows(inner []word) bool {
	if len(inner) == 0 {
		return true
	}
	first, last := inner[0], inner[len(inner)-1]
	return first.parserReads() || spelling.IsFamily(first.bare) || last.bare == "group" || first.bare == "" || len(inner) == 1 && first.isNumber()
}

// afterBracket reads the end of a bracket that was opened before the name. The name usually ends
// there.
func (t *tail) afterBracket(i int) step {
	switch next := i + 1; {
	case next == t.end:
		t.end = i
	case startsUpper(t.words[next].text) && t.citedAt >= 0: // there is no opening bracket, and an author follows: Rupr.) Kuzen.
	default:
		t.addUnread(t.rest(next, t.end))
		return remarkStarts
	}
	return consumed
}
