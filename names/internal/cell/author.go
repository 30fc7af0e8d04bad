package cell

import (
	"strings"
	"unicode"

	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// smallAuthor reads an author that is written in small letters, if the
// checklists have it for the name.
func (t *tail) smallAuthor(i int) bool {
	if i >= t.end || !t.known || !beginsSmall(strings.TrimLeft(t.rest(i, t.end), "( ")) {
		return false
	}
	rest := strings.Trim(t.rest(i, t.end), " ,;")
	if _, rank := ranks.Mark(t.words[i].bare); rank {
		return false
	}
	if first := t.words[i]; first.of(wordlist.Remark) || first.isKept() || !t.dict.agrees(rest, t.usage) {
		return false
	}
	for _, w := range t.words[i:t.end] {
		if w.of(wordlist.Remark) && !w.of(wordlist.Author) || !w.sign && !w.isNumber() && !beginsSmall(w.text) && !spelling.IsHybridSign(w.text) {
			return false
		}
	}
	t.out.WriteString(capitals(rest))
	return true
}

// capitals writes the words of an author with capitals.
func capitals(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if wordlist.Of(bare(w)).Is(wordlist.Particle) && (i > 0 || len(words) > 1) {
			continue
		}
		words[i] = capital(w)
	}
	return strings.Join(words, " ")
}

// capital writes a word with a capital, initials too: f.h.chen.
func capital(w string) string {
	var b strings.Builder
	start := true
	for _, r := range w {
		if start && unicode.IsLetter(r) {
			r, start = unicode.ToUpper(r), false
		} else if !unicode.IsLetter(r) {
			start = true
		}
		b.WriteRune(r)
	}
	return b.String()
}

// authors says whether the words between two brackets are authors: those of a
// basionym, with another behind them, or those of the name.
func (t *tail) authors(inner []word, from, to int) bool {
	if t.citedAt >= 0 || len(inner) == 0 || t.words[from].is("[") {
		return false
	}
	if !t.mayBeAuthors(inner) {
		return false
	}
	if t.authorFollows(to + 1) {
		return true
	}
	if t.known {
		return t.dict.agrees(t.raw[t.words[from].from:t.words[to].to], t.usage)
	}
	return len(inner) == 1 && strings.HasSuffix(inner[0].text, ".")
}

// lettersAlone takes out the signs that stand within the words of authors.
var lettersAlone = strings.NewReplacer(".", "", "?", "")

// mayBeAuthors says whether words are written like authors.
func (t *tail) mayBeAuthors(words []word) bool {
	for _, w := range words {
		if w.sign && !w.is("&,()") || !w.sign && !w.isNumber() && w.bare != "" && !spelling.IsWord(lettersAlone.Replace(w.text)) {
			return false
		}
		if beginsSmall(w.text) && !w.of(wordlist.Particle) && !w.of(wordlist.Author) && !strings.HasSuffix(w.text, ".") && !t.isAuthor(w.text) {
			return false
		}
	}
	first := words[0]
	return !first.isNumber() && !first.isKept() && !spelling.IsFamily(first.bare)
}

// authorFollows says whether the word at i is an author's.
func (t *tail) authorFollows(i int) bool {
	if i >= t.end || t.words[i].sign || t.words[i].isNumber() {
		return false
	}
	w := t.words[i]
	return beginsGreat(w.text) && !w.isAbove() || w.of(wordlist.Particle) || w.of(wordlist.Author) || t.isAuthor(w.text) ||
		beginsSmall(w.text) && strings.HasSuffix(w.text, ".") && !w.of(wordlist.Remark)
}

// isAuthor says whether the checklists have a word as the author of the name.
func (t *tail) isAuthor(w string) bool {
	return t.known && t.dict.agrees(strings.Trim(w, ".,()"), t.usage)
}

// shrunk is the name with its author, without what follows that: a place, a
// collector, a title. The checklists must have the author.
func (t *tail) shrunk() string {
	s := t.out.String()
	if !t.known || t.citedAt < 0 || t.complete {
		return s
	}
	cited := s[t.citedAt:]
	most := author.Partly
	switch v := t.dict.verdict(strings.Trim(cited, " ,;:"), t.usage); {
	case v == author.Same:
		return s
	case v.Agrees():
		most = author.Same // a part of it must agree better than the whole
	}
	for i := 1; i < len(cited); i++ {
		if c := cited[i]; c != ',' && c != ';' && c != ':' && c != ' ' {
			continue
		}
		before, behind := strings.TrimRight(cited[:i], " ,;:"), strings.Trim(cited[i:], " ,;:")
		if behind == "" || joined(before) || cited[i] == ' ' && !startsAnew(behind) || cited[i] == ',' && strings.Contains(behind, "&") {
			continue
		}
		if t.dict.verdict(before, t.usage) > most {
			continue
		}
		if first, _ := spelling.NextWord(behind); wordlist.Of(bare(first)).Is(wordlist.Particle) || (word{kinds: wordlist.Of(bare(first))}).isKept() || yearFirst(behind) {
			return s
		}
		if !hasDigit(behind) {
			t.leave(behind)
		}
		t.remark()
		return s[:t.citedAt] + before
	}
	return s
}

// joined says whether an author goes on behind s.
func joined(s string) bool {
	w := s[strings.LastIndexAny(s, " (")+1:]
	return wordlist.Of(bare(w)).Is(wordlist.Particle) || strings.HasSuffix(s, "&") || strings.Count(s, "(") > strings.Count(s, ")")
}

// startsAnew says whether s begins with a word in full that is no second name
// of the author before it.
func startsAnew(s string) bool {
	w, _ := spelling.NextWord(s)
	return beginsGreat(w) && !strings.Contains(w, ".") && len(w) > 2 && spelling.ShapeOf(w) == spelling.Title
}

func yearFirst(s string) bool {
	w, rest := spelling.NextWord(s)
	w = strings.Trim(w, ".,")
	return rest == "" && len(w) == 4 && strings.Trim(w, "0123456789") == ""
}
