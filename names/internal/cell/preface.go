package cell

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// preface reads what stands before the first name and returns the word at
// which that begins; behind the last word if there can be none.
func (t *reading) preface() int {
	t.turn()
	if t.begins(0) {
		return 0
	}
	at := t.skipLabels()
	if at >= len(t.words) || t.begins(at) {
		return t.from(at)
	}
	for i := at + 1; i < len(t.words); i++ {
		if t.words[i].sign || !t.dict.IsGenus(t.words[i].plain()) {
			continue
		}
		n := t.nameAt(i, "")
		if !n.known {
			continue
		}
		if !t.mayPrecede(at, i) {
			break
		}
		t.setAside(at, i)
		return i
	}
	if i := t.bracketed(at); i > 0 {
		t.leave(t.raw[t.words[at].from:t.words[i].from])
		t.cell.Names = []string{t.words[i].plain() + " sp."}
		return len(t.words)
	}
	// No name that is known: a label ends at its colon.
	if at > 0 {
		for i := at; i+1 < len(t.words); i++ {
			if t.words[i].is(":") && !t.words[i+1].sign {
				return t.from(i + 1)
			}
		}
	}
	if !t.likeName(at) {
		return 0
	}
	return t.from(at)
}

// likeName says whether a word may be a genus, with an epithet behind it.
func (t *reading) likeName(at int) bool {
	w := t.words[at]
	if at == 0 || w.sign || !spelling.IsWord(w.plain()) || particles[w.bare] {
		return at == 0
	}
	return at+1 < len(t.words) && !t.words[at+1].sign && (beginsSmall(t.words[at+1].text) || w.shape() == spelling.Upper)
}

// bracketed returns where a genus stands alone in brackets behind a common
// name, or 0: Gancao (Glycyrrhiza).
func (t *reading) bracketed(at int) int {
	i := len(t.words) - 2
	if i > at+1 && t.words[i-1].is("(") && t.words[i+1].is(")") && beginsGreat(t.words[i].text) && t.dict.IsGenus(t.words[i].plain()) && t.mayPrecede(at, i) {
		return i
	}
	return 0
}

// from notes that what stands before a word was set aside.
func (t *reading) from(at int) int {
	for i := range at {
		if w := t.words[i]; !w.sign && !w.isNumber() && w.text != "-" && !isAbove(w) && t.cell.Flags&vocabulary.Qualifier == 0 {
			t.remark()
		}
	}
	return at
}

// turn puts an epithet behind its genus that stands before it: alba, Rosa.
func (t *reading) turn() {
	w := t.words
	if len(w) < 3 || !w[1].is(",") || !beginsSmall(w[0].text) || !beginsGreat(w[2].text) {
		return
	}
	if _, ok := t.dict.find(w[2].plain() + " " + w[0].text); ok {
		w[0], w[1] = w[2], w[0]
		t.words = append(w[:2], w[3:]...)
	}
}

// begins says whether a name begins at a word: a genus of the checklists, or
// the letter of one.
func (t *reading) begins(i int) bool {
	if i >= len(t.words) || t.words[i].sign {
		return false
	}
	w := t.words[i]
	if w.shape() == spelling.Title && t.dict.IsGenus(w.plain()) {
		return true
	}
	return t.nameAt(i, "").known
}

// skipLabels skips numbers of lists, label words and families, and returns the
// word behind them.
func (t *reading) skipLabels() int {
	at := 0
	for ; at < len(t.words); at++ {
		w := t.words[at]
		switch {
		case w.is("+"):
			return at
		case w.sign, w.text == "-", w.text == "*":
		case w.isNumber() && at+1 < len(t.words):
		case at+1 < len(t.words) && len(w.text) == 1 && t.words[at+1].is(")"):
		case isAbove(w) && !t.dict.IsGenus(w.plain()):
			t.family(w)
		case t.familyParts(w):
		case labels[w.bare] && !t.begins(at):
		case qualifying[w.bare] && at+1 < len(t.words) && !t.words[at+1].sign:
			t.cell.Flags |= vocabulary.Qualifier
		case w.bare == "":
		default:
			return at
		}
	}
	return at
}

// family keeps the family as a hint.
func (t *reading) family(w word) {
	if spelling.IsFamily(w.bare) {
		t.cell.Family = spelling.Capitalise(w.bare)
		t.cell.Flags |= vocabulary.FamilyHint
	}
}

// familyParts reads Fabaceae-Faboideae.
func (t *reading) familyParts(w word) bool {
	head, tail, ok := strings.Cut(w.bare, "-")
	if !ok || !spelling.IsFamily(head) || !isAbove(word{text: spelling.Capitalise(tail), bare: tail}) {
		return false
	}
	t.family(word{bare: head})
	return true
}

// isAbove says whether a word is written like a taxon above the genus.
func isAbove(w word) bool {
	if spelling.IsFamily(w.bare) {
		return true
	}
	if beginsSmall(w.text) || len(w.bare) < 6 || strings.ContainsRune(w.bare, '.') {
		return false
	}
	switch w.bare {
	case "plantae", "viridiplantae", "papilionoideae", "eudicots", "monocots", "angiosperms", "gymnosperms":
		return true
	}
	for _, e := range []string{"oideae", "ales", "opsida", "phyta", "phytina", "eae", "inae"} {
		if strings.HasSuffix(w.bare, e) {
			return true
		}
	}
	return false
}

// mayPrecede says whether the words from from on may stand before the name that
// begins at word at and be none themselves: a label or a common name, but not
// a name of two words that the checklists lack, nor one that says that the
// plant is only where the thing was found.
func (t *reading) mayPrecede(from, at int) bool {
	before := t.words[at-1]
	if hosting[before.bare] {
		return false
	}
	first := t.words[from]
	if from+1 >= at || !beginsGreat(first.text) || labels[first.bare] {
		return true
	}
	second := t.words[from+1]
	if second.sign || !beginsSmall(second.text) || !spelling.IsWord(second.plain()) || vernacular[second.bare] || particles[second.bare] {
		return true
	}
	if t.dict.IsEpithet(second.bare) && !t.dict.IsGenus(second.bare) {
		return false
	}
	return before.is("([:") || t.dict.IsGenus(second.bare) || !endsLikeEpithet(second.bare)
}

// hosting words stand before a plant on which something else was found.
var hosting = spelling.WordSet("on upon auf host hosts ex from near under with against at sur sobre an")

func endsLikeEpithet(w string) bool {
	for _, e := range []string{"us", "a", "um", "is", "ii", "ae", "ens", "oides", "ans"} {
		if len(w) > 4 && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// setAside decides what becomes of the words between a label and a name: a
// remark, or words that nobody read.
func (t *reading) setAside(from, at int) {
	known := from > 0
	for _, w := range t.words[from:at] {
		if isAbove(w) {
			t.family(w)
		}
	}
	before := t.words[at-1]
	if before.sign || before.text == "-" || before.bare == "of" || strings.HasSuffix(before.text, ".") {
		known = true
	}
	for _, w := range t.words[from:at] {
		known = known || labels[w.bare]
	}
	all := true
	for _, w := range t.words[from:at] {
		code := w.shape() == spelling.Upper && len(w.text) <= 4
		if !w.sign && !w.isNumber() && !vernacular[w.bare] && !isAbove(w) && !code && w.text != "-" {
			all = false
		}
	}
	t.remark()
	if !known && !all {
		t.leave(t.raw[t.words[from].from:t.words[at].from])
	}
}
