package cell

import (
	"strings"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// span is a name among the words of a cell, without its author.
type span struct {
	from, to int    // its words; to is behind the last
	genus    string // as written, or that of the name before
	text     string // the name as the parser should read it
	plain    string // genus and epithet
	usage    uint32 // of the checklists, if known
	known    bool
	alone    bool // no more than a genus
}

// nameAt reads the name that begins at a word, as far as its epithet. genus is
// that of the name before, which this one may shorten to its first letters.
func (t *reading) nameAt(at int, genus string) span {
	w := t.words[at]
	n := span{from: at, to: at + 1, genus: w.plain(), text: w.text, alone: true}
	if spelling.IsHybridSign(w.text) && w.text != "+" && at+1 < len(t.words) && !t.words[at+1].sign {
		n.genus = t.words[at+1].plain()
		n.text, n.to = "× "+n.genus, at+2
	}
	if short, rest, ok := shortened(w.text, genus); ok {
		n.genus, n.text = genus, genus
		if rest != "" {
			return t.withEpithet(n, at, rest, genus)
		}
	} else if n.genus == "" || !spelling.IsWord(n.genus) || short {
		return n
	}
	i := n.to
	text := n.text
	for ; i < len(t.words); i++ {
		v := t.words[i]
		switch {
		case spelling.IsHybridSign(v.text) && i+1 < len(t.words):
			text += " " + v.text
		case v.text == "*":
			text += " ×"
		case qualifying[v.bare] && v.bare != "":
			text += " cf."
		case v.is("\"") && i+2 < len(t.words) && t.words[i+2].is("\""):
			m := n
			m.text = text
			if m = t.withEpithet(m, i+1, t.words[i+1].text, n.genus); m.known {
				m.to++
			}
			return m
		case v.is(",;|:") && i == n.to:
		case v.is("(") && i+2 < len(t.words) && t.words[i+2].is(")") && !t.words[i+1].sign:
			if qualifying[t.words[i+1].bare] {
				text += " " + t.words[i+1].text
			} else {
				text += " (" + t.words[i+1].text + ")"
			}
			i += 2
		default:
			n.text = text
			return t.withEpithet(n, i, v.text, n.genus)
		}
	}
	return n
}

// shortened says whether a word is a genus shortened to its first letters, and
// what is glued to it: A., A.alba. short says that it looks like one of another
// genus.
func shortened(w, genus string) (short bool, rest string, ok bool) {
	head, rest, dot := strings.Cut(w, ".")
	if !dot || head == "" || utf8.RuneCountInString(head) > 3 || !beginsGreat(head) {
		return false, "", false
	}
	if genus == "" || !strings.HasPrefix(genus, head) || rest != "" && !beginsSmall(rest) {
		return true, rest, false
	}
	return true, rest, true
}

// withEpithet adds the epithet that word i has, here spelt w, if the
// checklists have the name.
func (t *reading) withEpithet(n span, i int, w, genus string) span {
	e := strings.TrimLeft(strings.TrimRight(w, ".,?!*"), "?")
	if spelling.ShapeOf(e) == spelling.Upper && spelling.ShapeOf(genus) != spelling.Upper {
		e = strings.ToLower(e)
	}
	if e == "" || !spelling.IsWord(e) {
		return n
	}
	plain := genus + " " + e
	usage, ok := t.dict.find(plain)
	if !ok {
		if cut, glued := strings.CutPrefix(e, "x"); glued {
			usage, ok = t.dict.find(genus + " " + cut)
		}
	}
	if !ok {
		return n
	}
	n.usage, n.known, n.alone = usage, true, false
	if strings.Contains(w, "?") {
		t.doubted = true
	}
	n.plain, n.text, n.to = plain, n.text+" "+e, i+1
	return n
}

// next looks for the name that follows n, behind a sign or a word that parts
// names. end is the word at which n's own words end.
func (t *reading) next(n span) (next span, end int, ok bool) {
	depth, parted := 0, -1
	for i := n.to; i < len(t.words); i++ {
		w := t.words[i]
		switch {
		case w.is("([") && !t.offers(i):
			depth++
			continue
		case w.is(")]"):
			depth = max(0, depth-1)
			continue
		case depth > 0:
			continue
		case t.parts(i):
			if parted < 0 {
				parted = i
			}
			continue
		case parted >= 0 && w.isNumber() && i+1 < len(t.words), w.text == "-" && parted < 0:
			if parted < 0 {
				parted = i
			}
			continue
		case w.is("+"), enders[w.bare], spelling.IsHybridSign(w.text):
			return span{}, len(t.words), false
		}
		if next, ok = t.another(n, i, parted >= 0); ok {
			if parted < 0 {
				parted = i
			}
			return next, parted, true
		}
		parted = -1
	}
	return span{}, len(t.words), false
}

// parts says whether a word parts two names.
func (t *reading) parts(i int) bool {
	w := t.words[i]
	return w.is(",;/|&>") || w.is("(") || connectives[w.bare] && !strings.HasSuffix(w.text, ".") && beginsSmall(w.text)
}

// offers says whether a parenthesis offers another name: (or alba).
func (t *reading) offers(i int) bool {
	if i+1 >= len(t.words) {
		return false
	}
	switch t.words[i+1].bare {
	case "or", "oder", "vel", "ou":
		return true
	}
	return false
}

// another reads the name that may begin at a word behind n; parted says that
// something stands between them.
func (t *reading) another(n span, at int, parted bool) (span, bool) {
	w := t.words[at]
	if w.sign {
		return span{}, false
	}
	if great := beginsGreat(w.text); great || parted && !beginsSmall(w.text) {
		next := t.nameAt(at, n.genus)
		if next.known && (parted || next.to < len(t.words) || strings.TrimRight(w.text, ".") == w.text) {
			return next, true
		}
		if parted && great && t.dict.IsGenus(w.plain()) {
			if n.alone && next.alone && (n.to == len(t.words) || !beginsSmall(t.words[n.to].text)) && (at+1 == len(t.words) || t.words[at+1].sign || connectives[t.words[at+1].bare]) {
				return next, true
			}
			// A name that the checklists lack, or that is misspelt.
			if !n.alone && at+1 < len(t.words) && t.likeEpithet(t.words[at+1]) {
				return next, true
			}
		}
		return span{}, false
	}
	if !parted || n.alone {
		return span{}, false
	}
	// The epithet alone: robur/petraea.
	e := w.plain()
	if usage, ok := t.dict.find(n.genus + " " + e); ok && spelling.IsWord(e) && len(e) > 2 && !particles[w.bare] {
		plain := n.genus + " " + e
		return span{from: at, to: at + 1, genus: n.genus, text: plain, plain: plain, usage: usage, known: true}, true
	}
	return span{}, false
}

// likeEpithet says whether a word behind a known genus is surely an epithet.
func (t *reading) likeEpithet(w word) bool {
	return !w.sign && beginsSmall(w.text) && spelling.IsWord(w.plain()) && len(w.bare) > 3 && !particles[w.bare] && !remarks[w.bare] &&
		(t.dict.IsEpithet(w.bare) || endsLikeEpithet(w.bare))
}
