package cell

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
	"bencao/names/internal/wordlist"
)

// preface is what stands before the first name of a cell.
type preface struct {
	*sentence
	*Cell
}

// read reads what stands before the first name and returns the word at which
// that begins; behind the last word if there can be none.
func (p *preface) read() int {
	p.turn()
	if p.mayBegin(0) {
		return 0
	}
	at := p.skipLabels()
	if at >= len(p.words) || p.mayBegin(at) {
		return p.from(at)
	}
	for i := at + 1; i < len(p.words); i++ {
		if p.words[i].sign || !p.dict.IsGenus(p.words[i].plain()) {
			continue
		}
		n := p.nameAt(i, "")
		if !n.known {
			continue
		}
		if p.words[at].of(wordlist.Host) && p.words[i-1].bare == "of" {
			p.remark()
			return len(p.words) // on bark of Abies
		}
		if !p.mayPrecede(at, i) {
			break
		}
		p.setAside(at, i)
		return i
	}
	if i := p.bracketed(at); i > 0 {
		p.leave(p.raw[p.words[at].from:p.words[i].from])
		p.Names = []string{p.words[i].plain() + " sp."}
		return len(p.words)
	}
	// No name that is known: a label ends at its colon.
	if at > 0 {
		for i := at; i+1 < len(p.words); i++ {
			if p.words[i].is(":") && !p.words[i+1].sign {
				return p.from(i + 1)
			}
		}
	}
	if !p.likeName(at) {
		return 0
	}
	return p.from(at)
}

// likeName says whether a word may be a genus, with an epithet behind it.
func (p *preface) likeName(at int) bool {
	w := p.words[at]
	if at == 0 || w.sign || !spelling.IsWord(w.plain()) || w.of(wordlist.Particle) {
		return at == 0
	}
	return at+1 < len(p.words) && !p.words[at+1].sign && (beginsSmall(p.words[at+1].text) || w.shape() == spelling.Upper)
}

// bracketed returns where a genus stands alone in brackets behind a common
// name, or 0: Gancao (Glycyrrhiza).
func (p *preface) bracketed(at int) int {
	i := len(p.words) - 2
	if i > at+1 && p.words[i-1].is("(") && p.words[i+1].is(")") && beginsGreat(p.words[i].text) && p.dict.IsGenus(p.words[i].plain()) && p.mayPrecede(at, i) {
		return i
	}
	return 0
}

// from notes that what stands before a word was set aside.
func (p *preface) from(at int) int {
	for i := range at {
		if w := p.words[i]; !w.sign && !w.isNumber() && w.text != "-" && !w.isAbove() && p.Flags&vocabulary.Qualifier == 0 {
			p.remark()
		}
	}
	return at
}

// turn puts an epithet behind its genus that stands before it: alba, Rosa.
func (p *preface) turn() {
	w := p.words
	if len(w) < 3 || !w[1].is(",") || !beginsSmall(w[0].text) || !beginsGreat(w[2].text) {
		return
	}
	if _, ok := p.dict.Find(w[2].plain() + " " + w[0].text); ok {
		w[0], w[1] = w[2], w[0]
		p.words = append(w[:2], w[3:]...)
	}
}

// mayBegin says whether a name begins at a word: a genus of the checklists, or
// the letter of one.
func (p *preface) mayBegin(i int) bool {
	if i >= len(p.words) || p.words[i].sign {
		return false
	}
	w := p.words[i]
	return w.shape() == spelling.Title && p.dict.IsGenus(w.plain()) || p.begins(i)
}

// skipLabels skips numbers of lists, label words and families, and returns the
// word behind them.
func (p *preface) skipLabels() int {
	at := 0
	for ; at < len(p.words); at++ {
		w := p.words[at]
		switch {
		case w.is("+"):
			return at
		case w.sign, w.text == "-", w.text == "*":
		case w.isNumber() && at+1 < len(p.words):
		case at+1 < len(p.words) && len(w.text) == 1 && p.words[at+1].is(")"):
		case w.isAbove() && !p.dict.IsGenus(w.plain()):
			p.family(w.bare)
		case p.familyParts(w):
		case w.of(wordlist.Label) && !p.mayBegin(at):
		case w.qualifies() && at+1 < len(p.words) && !p.words[at+1].sign:
			p.Flags |= vocabulary.Qualifier
		case w.bare == "":
		default:
			return at
		}
	}
	return at
}

// familyParts reads Fabaceae-Faboideae.
func (p *preface) familyParts(w word) bool {
	head, tail, ok := strings.Cut(w.bare, "-")
	if !ok || !spelling.IsFamily(head) || !(word{text: spelling.Capitalise(tail), bare: tail}).isAbove() {
		return false
	}
	p.family(head)
	return true
}

// mayPrecede says whether the words from from on may stand before the name that
// begins at word at and be none themselves: a label or a common name, but not
// a name of two words that the checklists lack, nor one that says that the
// plant is only where the thing was found.
func (p *preface) mayPrecede(from, at int) bool {
	before := p.words[at-1]
	if before.of(wordlist.Host) {
		return false
	}
	first := p.words[from]
	if from+1 >= at || !beginsGreat(first.text) || first.of(wordlist.Label) {
		return true
	}
	second := p.words[from+1]
	if head, short := strings.CutSuffix(first.text, "."); short && strings.HasPrefix(p.words[at].text, head) && at+1 < len(p.words) && p.words[at+1].bare == second.bare {
		return true // the same name, with its genus shortened
	}
	if second.sign || !beginsSmall(second.text) || !spelling.IsWord(second.plain()) || second.of(wordlist.Vernacular) || second.of(wordlist.Particle) {
		return true
	}
	if p.dict.IsEpithet(second.bare) && !p.dict.IsGenus(second.bare) {
		return false
	}
	return before.is("([:") || p.dict.IsGenus(second.bare) || !endsLikeEpithet(second.bare)
}

// setAside decides what becomes of the words between a label and a name: a
// remark, or words that nobody read.
func (p *preface) setAside(from, at int) {
	known := from > 0
	for _, w := range p.words[from:at] {
		if w.isAbove() {
			p.family(w.bare)
		}
	}
	before := p.words[at-1]
	if before.sign || before.text == "-" || before.bare == "of" || strings.HasSuffix(before.text, ".") {
		known = true
	}
	for _, w := range p.words[from:at] {
		known = known || w.of(wordlist.Label)
	}
	all := true
	for _, w := range p.words[from:at] {
		code := w.shape() == spelling.Upper && len(w.text) <= 4
		if !w.sign && !w.isNumber() && !w.of(wordlist.Vernacular) && !w.isAbove() && !code && w.text != "-" {
			all = false
		}
	}
	p.remark()
	if !known && !all {
		p.leave(p.raw[p.words[from].from:p.words[at].from])
	}
}
