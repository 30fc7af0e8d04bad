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
	at := p.skipLabels()
	if at >= len(p.words) || p.mayStartName(at) {
		return p.skipTo(at)
	}
	for i := at + 1; i < len(p.words); i++ {
		if !p.startsName(i) {
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
	if i := len(p.words) - 2; i > at+1 && p.words[i-1].isSign("(") && p.dict.IsGenus(p.words[i].plain()) { // Gancao (Glycyrrhiza)
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
	return at == 0 || spelling.IsWord(w.plain()) && !w.hasKind(wordlist.Particle) && at+1 < len(p.words) && startsLower(p.words[at+1].text)
}

// skipTo returns at. It sets the flag for a remark if the words before at contain an ignored
// remark.
func (p *preface) skipTo(at int) int {
	for i := range at {
		if w := p.words[i]; !w.sign && !w.isNumber() && w.text != "-" && !w.isAboveGenus() {
			p.remark()
		}
	}
	return at
}

// epithetFirst exchanges an epithet and the genus after it, if the checklists have the name: alba,
// Rosa becomes Rosa alba.
func (p *preface) epithetFirst() {
	w := p.words
	if len(w) < 3 || !w[1].isSign(",") {
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
		case w.sign, w.text == "-", w.isNumber():
		case w.isAboveGenus():
			p.family(w.bare)
		case w.hasKind(wordlist.Label):
		case w.qualifies() && at+1 < len(p.words) && !p.words[at+1].sign:
			p.Flags |= answer.Qualifier
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
	if from+1 >= at || !startsUpper(first.text) {
		return true
	}
	second := p.words[from+1]
	again := at+1 < len(p.words) && p.words[at+1].bare == second.bare // the first words are the same name with an abbreviated genus
	return again || !startsLower(second.text) || p.dict.IsGenus(second.bare) || !endsLikeEpithet(second.bare)
}

// setAside sets the flag for an ignored remark, because words between a label and a name are
// ignored. It adds the words to Unread if they are unknown.
func (p *preface) setAside(from, at int) {
	before := p.words[at-1]
	known := from > 0 || before.sign || before.text == "-" || strings.HasSuffix(before.text, ".")
	all := true
	for _, w := range p.words[from:at] {
		if w.isAboveGenus() {
			p.family(w.bare)
		} else if !w.sign && !w.isNumber() && !w.hasKind(wordlist.Vernacular) && w.shape() != spelling.Upper {
			all = false
		}
	}
	p.remark()
	if !known && !all {
		p.addUnread(p.raw[p.words[from].from:p.words[at].from])
	}
}
