package cell

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// behindGenus reads on behind a genus that no known epithet follows, and
// returns the word at which the tail begins. It returns -1 for a genus behind
// which a remark or other words stand, none of them an epithet: more was said
// than the genus, and nobody knows what.
func (t *tail) behindGenus() int {
	i := t.to
	if i >= t.end {
		return i
	}
	w := t.words[i]
	known := t.dict.IsGenus(t.genus)
	if w.sign {
		return t.genusInBrackets(i, known)
	}
	if known && beginsSmall(w.text) && len(w.bare) <= 2 && strings.HasSuffix(w.text, ".") && !w.of(wordlist.Particle) && !w.isKept() && !w.isNameless() && !w.qualifies() {
		t.leave(t.rest(i, t.end)) // an epithet shortened to nothing
		return -1
	}
	if !beginsSmall(w.text) || w.of(wordlist.Particle) || w.isKept() || w.isNameless() || spelling.IsHybridSign(w.text) {
		return t.wholly()
	}
	if !known {
		return t.wholly()
	}
	return t.behindKnown(i, w)
}

// behindKnown is behindGenus for a genus of the checklists and a word w in
// small letters behind it, at i.
func (t *tail) behindKnown(i int, w word) int {
	next := word{}
	if i+1 < t.end {
		next = t.words[i+1]
	}
	switch {
	case w.of(wordlist.Remark) && !t.dict.IsEpithet(w.bare), w.of(wordlist.Remark) && i+1 == t.end && !endsLikeEpithet(w.bare):
		t.remark()
		return -1
	case strings.HasSuffix(w.bare, "i") && len(w.bare) > 4, followed(next):
		return t.epithet(i)
	case t.dict.IsEpithet(w.bare) && !(beginsSmall(next.text) && next.of(wordlist.Vernacular)), endsLikeEpithet(w.bare):
		return t.epithet(i)
	case beginsSmall(next.text) && spelling.IsWord(next.plain()) && !next.of(wordlist.Particle) && !strings.HasSuffix(next.text, ".") && !t.dict.IsEpithet(next.bare):
		t.leave(t.rest(i, t.end))
		return -1
	}
	return t.epithet(i)
}

// wholly leaves all that stands behind the genus to the parser.
func (t *tail) wholly() int {
	t.text = t.raw[t.words[t.span.from].from:t.words[t.end-1].to]
	t.complete = true
	return t.end
}

// epithet takes a word for the epithet, which the checklists do not have in
// the genus: it may be misspelt.
func (t *tail) epithet(i int) int {
	t.plain = t.genus + " " + t.words[i].plain()
	t.name = t.plain
	t.text = t.raw[t.words[t.span.from].from:t.words[i].to]
	return i + 1
}

// followed says whether a word follows an epithet and nothing else: a rank
// word, what the parser knows.
func followed(w word) bool {
	_, rank := ranks.Mark(w.bare)
	return rank || w.isKept() && w.bare != ""
}

// genusInBrackets reads what stands in brackets behind a genus: its author, or
// a remark on it.
func (t *tail) genusInBrackets(i int, known bool) int {
	w := t.words[i]
	if !known || !w.is("(") {
		if w.is("-,;:/|+") && known && i+1 < t.end && (t.words[i+1].of(wordlist.Remark) || t.words[i+1].of(wordlist.Vernacular)) {
			t.remark()
			t.end = i
			return i
		}
		return t.wholly()
	}
	to := i + 1
	for to < t.end && !t.words[to].is(")") {
		to++
	}
	inner := t.words[i+1 : to]
	if len(inner) == 0 || to+1 < t.end || beginsGreat(inner[0].text) || inner[0].isKept() || t.parserKnows(inner) {
		return t.wholly()
	}
	if inner[0].bare != "genus" {
		for _, v := range inner {
			if !v.of(wordlist.Remark) && !v.of(wordlist.Vernacular) && !v.sign {
				t.leave(t.raw[inner[0].from:inner[len(inner)-1].to])
				return -1
			}
		}
	}
	t.remark()
	t.end = i
	return i
}
