package cell

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/answer"
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
			if i+2 < end && startsUpper(s.words[i+1].text) && !s.dict.IsGenus(s.words[i+1].plain()) {
				return i
			}
			return 0
		case w.sign, w.kinds != 0, !spelling.IsWord(w.text), startsUpper(w.text) != s.words[i-1].isSign(","):
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
	case w.isSign("=\""), w.isSign("+") && *i+1 < t.end:
		return restParsed
	case w.isSign(")]}"):
		return t.afterBracket(*i)
	case w.isSign("&,;:"):
		if *i+1 < t.end {
			t.write(w, w.text)
		}
		return consumed
	}
	t.out.WriteByte(' ')
	t.last = w.to
	return consumed
}

// parsed stops at a word from which the parser can read the rest of the text.
func (t *tail) parsed(i *int, w word) step {
	last := *i+1 == t.end
	if spelling.IsHybridSign(w.text) {
		t.withoutFootnote(*i + 1)
	}
	switch {
	case len([]rune(w.bare)) == 1 && !last && w.text[0] >= utf8.RuneSelf && isLetter([]rune(w.bare)[0]):
		return restParsed // the Greek letter numbers a variety: α
	case w.text[0] == '\'' || w.text[0] == '"', w.parserReads() && !(last && (w.bare == "×" || w.bare == "x")), spelling.IsFamily(w.bare):
		return restParsed
	case spelling.IsHybridSign(w.text) && last:
		return remarkStarts
	case spelling.IsHybridSign(w.text):
		return restParsed
	}
	return noMatch
}

// withoutFootnote removes the number of a footnote from the epithet of the other parent of a hybrid,
// whose name starts with word i: Salix purpurea1 x viminalis2.
func (t *tail) withoutFootnote(i int) {
	for _, w := range t.words[i:min(i+2, t.end)] {
		if epithet := strings.TrimRight(w.text, "0123456789"); epithet != w.text && t.dict.IsEpithet(epithet) {
			t.write(w, epithet)
			return
		}
	}
}

// doubt reads a question mark after a name, and signs that do not concern the name: !, *.
func (t *tail) doubt(i *int, w word) step {
	if w.bare != "" && strings.ContainsFunc(w.text, isLetter) || w.isNumber() {
		return noMatch
	}
	if strings.Contains(w.text, "?") {
		t.Flags |= answer.Qualifier
	}
	t.out.WriteByte(' ')
	t.last = w.to
	return consumed
}

// number reads a year after an author. Any other number ends the name, since it is a page, an
// altitude or the number of a specimen.
func (t *tail) number(i *int, w word) step {
	if !startsWithDigit(w.text) && !w.isNumber() {
		return noMatch
	}
	if *i == t.to && t.known && (w.text == "1." || w.text == "1") && t.dict.agrees("L.", t.usage) {
		t.writeAuthor(w, "L.")
		return consumed
	}
	if digits := strings.Trim(w.text, "."); len(digits) == 4 && w.isNumber() && (*i+1 == t.end || t.words[*i+1].isSign(")],;")) {
		t.write(w, w.text)
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
		if w.bare == "f" && t.citedAt >= 0 {
			t.write(w, w.text)
			return consumed
		}
		return restParsed
	}
	v := t.words[next]
	if v.sign || !startsLower(v.text) || !spelling.IsWord(v.plain()) || v.hasKind(wordlist.Particle) {
		if len(w.bare) <= 2 || t.citedAt >= 0 {
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
	case w.hasKind(wordlist.Closing) && last, w.hasKind(wordlist.Particle) && !last && !(w.bare == "in" && next.hasKind(wordlist.Remark)):
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
	return strings.HasSuffix(w.text, ".") && len(w.bare) > 1 && !w.hasKind(wordlist.Label)
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
	case w.hasKind(wordlist.Author), isShort(w) && !known:
		t.writeAuthor(w, capital(w.text))
		return consumed
	case known, !spelling.IsWord(w.plain()), w.bare == "null", t.name == "":
		return restParsed
	case ends && utf8.RuneCountInString(w.bare) > 3:
		return restParsed // the word may be a misspelt epithet
	}
	return unknown
}

// capitalised reads a capitalised word that follows a name: an author, a book or a status.
func (t *tail) capitalised(i *int, w word) step {
	switch {
	case w.shape() == spelling.Upper && w.hasKind(wordlist.Remark) && !strings.Contains(w.text, ".") && !t.isAuthor(w.text),
		w.hasKind(wordlist.Firm) && !t.isAuthor(w.text), hasDigit(w.text) && w.shape() != spelling.Lower:
		return remarkStarts
	case w.hasKind(wordlist.Work) && t.citedAt >= 0 && hasDigit(t.rest(*i, t.end)) && !t.isAuthor(w.text):
		return remarkStarts
	case w.shape() == spelling.Single && len(w.text) == 1 && *i+1 == t.end && t.known && !t.isAuthor(w.text):
		return remarkStarts // the letter is a code, for example for a vegetation layer
	case !startsUpper(w.text) && w.text[0] != '.' && w.text[0] != '-':
		return noMatch
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
	known := t.dict.IsGenus(t.genus)
	if w.sign {
		return t.genusInBrackets(i, known)
	}
	if !startsLower(w.text) || w.hasKind(wordlist.Particle) || w.parserReads() || w.isNameless() || spelling.IsHybridSign(w.text) {
		return t.leaveToParser()
	}
	if !known {
		return t.leaveToParser()
	}
	return t.afterKnownGenus(i, w)
}

// afterKnownGenus works like afterGenus for a genus that the checklists have. w is word i, which
// must be in lower case.
func (t *tail) afterKnownGenus(i int, w word) int {
	next := word{}
	if i+1 < t.end {
		next = t.words[i+1]
	}
	switch {
	case w.hasKind(wordlist.Remark) && !t.dict.IsEpithet(w.bare), w.hasKind(wordlist.Remark) && i+1 == t.end && !endsLikeEpithet(w.bare):
		t.remark()
		return -1
	case strings.HasSuffix(w.bare, "i") && len(w.bare) > 4, followed(next):
		return t.epithet(i)
	case t.dict.IsEpithet(w.bare) && !(startsLower(next.text) && next.hasKind(wordlist.Vernacular)), endsLikeEpithet(w.bare):
		return t.epithet(i)
	case startsLower(next.text) && spelling.IsWord(next.plain()) && !next.hasKind(wordlist.Particle) && !strings.HasSuffix(next.text, ".") && !t.dict.IsEpithet(next.bare):
		t.addUnread(t.rest(i, t.end))
		return -1
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
	t.text = t.raw[t.words[t.span.from].from:t.words[i].to]
	return i + 1
}

// followed reports whether w shows that the word before it is an epithet: w is a rank, or a word
// that the parser reads.
func followed(w word) bool {
	_, rank := ranks.Mark(w.bare)
	return rank || w.parserReads() && w.bare != ""
}

// genusInBrackets reads a bracket or another sign after a genus. The bracket contains the author of
// the genus or a remark. genusInBrackets returns the same as afterGenus.
func (t *tail) genusInBrackets(i int, known bool) int {
	w := t.words[i]
	if !known || !w.isSign("(") {
		return t.leaveToParser()
	}
	to := i + 1
	for to < t.end && !t.words[to].isSign(")") {
		to++
	}
	inner := t.words[i+1 : to]
	if len(inner) == 0 || to+1 < t.end || startsUpper(inner[0].text) || inner[0].parserReads() || t.parserKnows(inner) {
		return t.leaveToParser()
	}
	if inner[0].bare != "genus" {
		for _, v := range inner {
			if !v.hasKind(wordlist.Remark) && !v.hasKind(wordlist.Vernacular) && !v.sign {
				t.addUnread(t.raw[inner[0].from:inner[len(inner)-1].to])
				return -1
			}
		}
	}
	t.remark()
	t.end = i
	return i
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
	inner := t.words[from+1 : to]
	if t.citedAt >= 0 && len(inner) == 1 && yearFirst(inner[0].text) {
		t.write(w, t.raw[w.from:t.words[min(to, t.end-1)].to])
		t.last = t.words[min(to, t.end-1)].to
		*i = to
		return consumed
	}
	shut := min(to, t.end-1)
	if t.authors(inner, from, shut) {
		if t.citedAt < 0 {
			t.citedAt = t.out.Len()
		}
		for j := from; j <= shut; j++ {
			t.write(t.words[j], t.words[j].text)
		}
		*i = shut
		return consumed
	}
	if w.isSign("[{") || t.parserKnows(inner) {
		t.write(w, t.raw[w.from:t.words[shut].to])
		t.last = t.words[shut].to
		*i = shut
		return consumed
	}
	t.remark()
	t.out.WriteByte(' ')
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
	return first.parserReads() && !first.isSign(":") || spelling.IsFamily(first.bare) || last.bare == "group" || spelling.IsHybridSign(first.text) || first.isSign("=") || first.bare == ""
}

// afterBracket reads the end of a bracket that was opened before the name. The name usually ends
// there.
func (t *tail) afterBracket(i int) step {
	for j := i + 1; j < t.end; j++ {
		w := t.words[j]
		switch {
		case w.sign:
		case startsUpper(w.text) && j == i+1 && t.citedAt >= 0 && !w.isAboveGenus():
			return consumed // there is no opening bracket, and an author follows: Rupr.) Kuzen.
		case w.hasKind(wordlist.Remark), w.hasKind(wordlist.Vernacular), w.isNumber(), w.isAboveGenus(), w.parserReads():
			return remarkStarts
		default:
			t.addUnread(t.rest(j, t.end))
			return remarkStarts
		}
	}
	t.end = i
	return consumed
}
