package cell

import (
	"strings"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// preface reads the text before the first name of a cell.
type preface struct {
	*sentence
	*Cell
}

// read reads the text before the first name. It returns the index of the word at which the name
// starts, or the number of words if there is no name.
func (p *preface) read() int {
	p.epithetFirst()
	if p.mayStartName(0) {
		return 0
	}
	at := p.skipLabels()
	if at >= len(p.words) || p.mayStartName(at) {
		return p.skipTo(at)
	}
	for i := at + 1; i < len(p.words); i++ {
		if p.words[i].sign || !p.dict.IsGenus(p.words[i].plain()) {
			continue
		}
		n := p.nameAt(i, "")
		if !n.known {
			continue
		}
		if p.words[at].hasKind(wordlist.Host) && p.words[i-1].bare == "of" {
			p.remark()
			return len(p.words) // the plant after "of" is only a host: on bark of Abies
		}
		if !p.mayPrecede(at, i) {
			break
		}
		p.setAside(at, i)
		return i
	}
	if i := p.bracketed(at); i > 0 {
		p.addUnread(p.raw[p.words[at].from:p.words[i].from])
		p.Names = []string{p.words[i].plain() + " sp."}
		return len(p.words)
	}
	if !p.likeName(at) {
		return 0
	}
	return p.skipTo(at)
}

// likeName reports whether a word may be a genus that an epithet follows.
func (p *preface) likeName(at int) bool {
	w := p.words[at]
	if at == 0 || w.sign || !spelling.IsWord(w.plain()) || w.hasKind(wordlist.Particle) {
		return at == 0
	}
	return at+1 < len(p.words) && !p.words[at+1].sign && (startsLower(p.words[at+1].text) || w.shape() == spelling.Upper)
}

// bracketed returns the index of a genus in brackets after a common name, as in Gancao
// (Glycyrrhiza). It returns 0 if the text does not have this form.
func (p *preface) bracketed(at int) int {
	i := len(p.words) - 2
	if i > at+1 && p.words[i-1].isSign("(") && p.words[i+1].isSign(")") && startsUpper(p.words[i].text) && p.dict.IsGenus(p.words[i].plain()) && p.mayPrecede(at, i) {
		return i
	}
	return 0
}

// skipTo returns at. It sets the flag for a remark if the words before at contain an ignored
// remark.
func (p *preface) skipTo(at int) int {
	for i := range at {
		if w := p.words[i]; !w.sign && !w.isNumber() && w.text != "-" && !w.isAboveGenus() && p.Flags&answer.Qualifier == 0 {
			p.remark()
		}
	}
	return at
}

// epithetFirst exchanges an epithet and the genus after it, if the checklists have the name: alba,
// Rosa becomes Rosa alba.
func (p *preface) epithetFirst() {
	w := p.words
	if len(w) < 3 || !w[1].isSign(",") || !startsLower(w[0].text) || !startsUpper(w[2].text) {
		return
	}
	if _, ok := p.dict.Find(w[2].plain() + " " + w[0].text); ok {
		w[0], w[1] = w[2], w[0]
		p.words = append(w[:2], w[3:]...)
	}
}

// mayStartName reports whether a name may start at a word: the word is a genus of the checklists,
// or a name of the checklists starts there.
func (p *preface) mayStartName(i int) bool {
	if i >= len(p.words) || p.words[i].sign {
		return false
	}
	w := p.words[i]
	return w.shape() == spelling.Title && p.dict.IsGenus(w.plain()) || p.startsName(i)
}

// skipLabels skips list numbers, labels and families, and returns the index of the next word.
func (p *preface) skipLabels() int {
	at := 0
	for ; at < len(p.words); at++ {
		w := p.words[at]
		switch {
		case w.isSign("+"):
			return at
		case w.sign, w.text == "-", w.text == "*":
		case w.isNumber() && at+1 < len(p.words):
		case at+1 < len(p.words) && len(w.text) == 1 && p.words[at+1].isSign(")"):
		case w.isAboveGenus() && !p.dict.IsGenus(w.plain()):
			p.family(w.bare)
		case w.hasKind(wordlist.Label) && !p.mayStartName(at):
		case w.qualifies() && at+1 < len(p.words) && !p.words[at+1].sign:
			p.Flags |= answer.Qualifier
		case w.bare == "":
		default:
			return at
		}
	}
	return at
}

// mayPrecede reports whether the words from index from up to at can be a label or a common name
// before the name at index at. It returns false if the words look like a name that the checklists
// lack. It also returns false if the word before the name makes the plant a host or a place.
func (p *preface) mayPrecede(from, at int) bool {
	before := p.words[at-1]
	if before.hasKind(wordlist.Host) {
		return false
	}
	first := p.words[from]
	if from+1 >= at || !startsUpper(first.text) || first.hasKind(wordlist.Label) {
		return true
	}
	second := p.words[from+1]
	if head, short := strings.CutSuffix(first.text, "."); short && strings.HasPrefix(p.words[at].text, head) && at+1 < len(p.words) && p.words[at+1].bare == second.bare {
		return true // the first words are the same name with an abbreviated genus
	}
	if second.sign || !startsLower(second.text) || !spelling.IsWord(second.plain()) || second.hasKind(wordlist.Vernacular) || second.hasKind(wordlist.Particle) {
		return true
	}
	return before.isSign("([:") || p.dict.IsGenus(second.bare) || !endsLikeEpithet(second.bare)
}

// setAside sets the flag for an ignored remark, because words between a label and a name are
// ignored. It adds the words to Unread if they are unknown.
func (p *preface) setAside(from, at int) {
	known := from > 0
	for _, w := range p.words[from:at] {
		if w.isAboveGenus() {
			p.family(w.bare)
		}
	}
	before := p.words[at-1]
	if before.sign || before.text == "-" || before.bare == "of" || strings.HasSuffix(before.text, ".") {
		known = true
	}
	for _, w := range p.words[from:at] {
		known = known || w.hasKind(wordlist.Label)
	}
	all := true
	for _, w := range p.words[from:at] {
		code := w.shape() == spelling.Upper && len(w.text) <= 4
		if !w.sign && !w.isNumber() && !w.hasKind(wordlist.Vernacular) && !w.isAboveGenus() && !code && w.text != "-" {
			all = false
		}
	}
	p.remark()
	if !known && !all {
		p.addUnread(p.raw[p.words[from].from:p.words[at].from])
	}
}
