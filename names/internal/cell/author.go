package cell

import (
	"strings"
	"unicode"

	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// smallAuthor reads the rest of the text as an author in lower case, if the checklists have this
// author for the name. It reports whether they do.
func (t *tail) smallAuthor(i int) bool {
	if i >= t.end || !t.known || !startsLower(strings.TrimLeft(t.rest(i, t.end), "( ")) {
		return false
	}
	rest := strings.Trim(t.rest(i, t.end), " ,;")
	if first := t.words[i]; first.hasKind(wordlist.Remark) || first.parserReads() || !t.dict.agrees(rest, t.usage) {
		return false
	}
	for _, w := range t.words[i:t.end] {
		if w.hasKind(wordlist.Remark) && !w.hasKind(wordlist.Author) || !w.sign && !w.isNumber() && !startsLower(w.text) && !spelling.IsHybridSign(w.text) {
			return false
		}
	}
	t.out.WriteString(capitals(rest))
	return true
}

// capitals capitalises the words of an author except particles such as ex.
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

// capital capitalises a word. Each initial gets a capital: f.h.chen becomes F.H.Chen.
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

// authors reports whether the words in a bracket are authors. They are the authors of the basionym
// if another author follows, otherwise the authors of the name.
func (t *tail) authors(inner []word, from, to int) bool {
	if t.citedAt >= 0 || len(inner) == 0 || t.words[from].isSign("[") {
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

// lettersAlone removes the full stops and question marks that words of authors may contain.
var lettersAlone = strings.NewReplacer(".", "", "?", "")

// mayBeAuthors reports whether words have the form of authors.
func (t *tail) mayBeAuthors(words []word) bool {
	for _, w := range words {
		if w.sign && !w.isSign("&,()") || !w.sign && !w.isNumber() && w.bare != "" && !spelling.IsWord(lettersAlone.Replace(w.text)) {
			return false
		}
	}
	first := words[0]
	return !first.isNumber() && !first.parserReads() && !spelling.IsFamily(first.bare)
}

// authorFollows reports whether word i belongs to an author.
func (t *tail) authorFollows(i int) bool {
	if i >= t.end || t.words[i].sign || t.words[i].isNumber() {
		return false
	}
	w := t.words[i]
	return startsUpper(w.text) && !w.isAboveGenus() || w.hasKind(wordlist.Particle) || w.hasKind(wordlist.Author) || t.isAuthor(w.text) ||
		startsLower(w.text) && strings.HasSuffix(w.text, ".") && !w.hasKind(wordlist.Remark)
}

// isAuthor reports whether the checklists have the word w as the author of the name.
func (t *tail) isAuthor(w string) bool {
	return t.known && t.dict.agrees(strings.Trim(w, ".,()"), t.usage)
}

// untilAuthor returns the name with its author, without a place, collector or title after the
// author. It returns the whole text if the checklists do not have the author for this name.
func (t *tail) untilAuthor() string {
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
		most = author.Same // the shortened author must agree better than the whole text
	}
	for i := 1; i < len(cited); i++ {
		if c := cited[i]; c != ',' && c != ';' && c != ':' && c != ' ' {
			continue
		}
		before, after := strings.TrimRight(cited[:i], " ,;:"), strings.Trim(cited[i:], " ,;:")
		if after == "" || authorContinues(before) || cited[i] == ' ' && !startsFullWord(after) || cited[i] == ',' && strings.Contains(after, "&") {
			continue
		}
		if t.dict.verdict(before, t.usage) > most {
			continue
		}
		if first, _ := spelling.NextWord(after); wordlist.Of(bare(first)).Is(wordlist.Particle) || (word{kinds: wordlist.Of(bare(first))}).parserReads() || yearFirst(after) {
			return s
		}
		if !hasDigit(after) {
			t.addUnread(after)
		}
		t.remark()
		return s[:t.citedAt] + before
	}
	return s
}

// authorContinues reports whether the author is incomplete at the end of s. The author of a basionym
// alone, in brackets, is incomplete.
func authorContinues(s string) bool {
	w := s[strings.LastIndexAny(s, " (")+1:]
	s = strings.TrimSpace(s)
	return wordlist.Of(bare(w)).Is(wordlist.Particle) || strings.HasSuffix(s, "&") || strings.Count(s, "(") > strings.Count(s, ")") ||
		strings.HasPrefix(s, "(") && strings.IndexByte(s, ')') == len(s)-1
}

// startsFullWord reports whether s starts with a capitalised word that is not abbreviated. Such a
// word cannot continue the author before it.
func startsFullWord(s string) bool {
	w, _ := spelling.NextWord(s)
	return startsUpper(w) && !strings.Contains(w, ".") && len(w) > 2 && spelling.ShapeOf(w) == spelling.Title
}

// yearFirst reports whether s is a year and nothing else.
func yearFirst(s string) bool {
	w, rest := spelling.NextWord(s)
	w = strings.Trim(w, ".,")
	return rest == "" && len(w) == 4 && strings.Trim(w, "0123456789") == ""
}
