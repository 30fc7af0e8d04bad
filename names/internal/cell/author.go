package cell

import (
	"slices"
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
	noAuthor := func(w word) bool {
		return w.hasKind(wordlist.Remark) || !w.sign && !w.isNumber() && !startsLower(w.text)
	}
	if t.words[i].parserReads() || !t.dict.agrees(rest, t.usage) || slices.ContainsFunc(t.words[i:t.end], noAuthor) {
		return false
	}
	t.out.WriteString(capitals(rest))
	return true
}

// capitals capitalises the words of an author except particles such as ex.
func capitals(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if !wordlist.Of(bare(w)).Is(wordlist.Particle) {
			words[i] = capital(w)
		}
	}
	return strings.Join(words, " ")
}

// capital capitalises the first letter of a word.
func capital(w string) string {
	i := max(0, strings.IndexFunc(w, unicode.IsLetter))
	return w[:i] + spelling.Capitalise(w[i:])
}

// authors reports whether the words in a bracket are authors. next is the index of the word after the
// bracket. They are the authors of the basionym
// if another author follows, otherwise the authors of the name.
func (t *tail) authors(inner []word, next int) bool {
	if t.citedAt >= 0 || len(inner) == 0 || !mayBeAuthors(inner) {
		return false
	}
	if next < t.end && (startsUpper(t.words[next].text) || t.words[next].hasKind(wordlist.Particle)) {
		return true
	}
	if t.known {
		return t.dict.agrees(t.raw[inner[0].from:inner[len(inner)-1].to], t.usage)
	}
	return strings.HasSuffix(inner[0].text, ".")
}

// lettersAlone removes the full stops and question marks that words of authors may contain.
var lettersAlone = strings.NewReplacer(".", "", "?", "")

// mayBeAuthors reports whether words have the form of authors.
func mayBeAuthors(words []word) bool {
	for _, w := range words {
		if !w.isSign("&,()") && !w.isNumber() && !spelling.IsWord(lettersAlone.Replace(w.text)) {
			return false
		}
	}
	return !words[0].isNumber() && !words[0].parserReads()
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
		return s // nearly always
	case v.Agrees():
		most = author.Same // the shortened author must agree better than the whole text
	}
	for i := 1; i < len(cited); i++ {
		if c := cited[i]; c != ',' && c != ' ' {
			continue
		}
		before, after := strings.Trim(cited[:i], " ,;:"), strings.Trim(cited[i:], " ,;:")
		if authorContinues(before) || cited[i] == ' ' && !startsFullWord(after) || t.dict.verdict(before, t.usage) > most {
			continue
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
	return wordlist.Of(bare(w)).Is(wordlist.Particle) || strings.HasPrefix(s, "(") && !strings.Contains(s, ") ")
}

// startsFullWord reports whether s starts with a capitalised word that is not abbreviated. Such a
// word cannot continue the author before it.
func startsFullWord(s string) bool {
	w, _ := spelling.NextWord(s)
	return spelling.ShapeOf(w) == spelling.Title && !strings.Contains(w, ".")
}
