package cell

import (
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// group reads what stands in brackets: an author, something that the parser
// knows, or a remark.
func (t *tail) group(i *int, w word) step {
	if !w.is("([{") {
		return other
	}
	from, depth := *i, 0
	to := from
	for ; to < t.end; to++ {
		if t.words[to].is("([{") {
			depth++
		} else if t.words[to].is(")]}") {
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
		return onward
	}
	shut := min(to, t.end-1)
	if t.authors(inner, from, shut) {
		if t.citedAt < 0 {
			t.citedAt = t.out.Len()
		}
		for j := from; j <= shut; j++ {
			v := t.words[j]
			text := v.text
			if !v.sign && beginsSmall(v.text) && !v.of(wordlist.Particle) {
				text = capital(v.text)
			}
			t.write(v, text)
		}
		*i = shut
		return onward
	}
	if w.is("[{") || t.parserKnows(inner) {
		t.write(w, t.raw[w.from:t.words[shut].to])
		t.last = t.words[shut].to
		*i = shut
		return onward
	}
	t.remark()
	t.out.WriteByte(' ')
	t.last = t.words[shut].to
	*i = shut
	return onward
}

// parserKnows says whether the parser sets aside by itself what stands in
// brackets.
func (t *tail) parserKnows(inner []word) bool {
	if len(inner) == 0 {
		return true
	}
	first, last := inner[0], inner[len(inner)-1]
	return first.isKept() && !first.is(":") || spelling.IsFamily(first.bare) || last.bare == "group" || spelling.IsHybridSign(first.text) || first.is("=") || first.bare == ""
}

// behindBracket ends the name at a bracket that was opened before it.
func (t *tail) behindBracket(i int) step {
	for j := i + 1; j < t.end; j++ {
		w := t.words[j]
		switch {
		case w.sign:
		case beginsGreat(w.text) && j == i+1 && t.citedAt >= 0 && !w.isAbove():
			return onward // a bracket that was not opened: Rupr.) Kuzen.
		case w.of(wordlist.Remark), w.of(wordlist.Vernacular), w.isNumber(), w.isAbove(), w.isKept():
			return noted
		default:
			t.leave(t.rest(j, t.end))
			return noted
		}
	}
	t.end = i
	return onward
}
