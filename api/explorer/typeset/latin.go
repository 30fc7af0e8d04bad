package typeset

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"bencao/names/ranks"
)

// upright tells whether a word of a scientific name does not slant: a word for a
// rank, or a sign of a hybrid.
func upright(word string) bool {
	if w, stops := strings.CutSuffix(word, "."); !stops {
		return word == "×" || word == "x" || ranks.Usual(word)
	} else if w == "agg" {
		return true
	}
	_, marked := ranks.Mark(word)
	_, full := ranks.Full(word)
	return marked || full
}

// quotes stand round the name of a cultivar.
const quotes = "'‘’"

// spaced are the marks of a cultivar's name with spaces inside, as scans have them.
var spaced = regexp.MustCompile(`(^|\s)(['‘])\s+([^'‘’]*?)\s*(['’])(\s|$)`)

// slants tells which words of a name slant: all but those for ranks and signs of
// hybrids, and the names of cultivars, which stand between quotes or behind cv.
func slants(words []string) []bool {
	out := make([]bool, len(words))
	quoted := false
	for i, w := range words {
		opens := strings.ContainsAny(w[:1], quotes) || strings.HasPrefix(w, "‘")
		out[i] = !upright(w) && !quoted && !opens && (i == 0 || words[i-1] != "cv.")
		switch closes := len(w) > 1 && (strings.HasSuffix(w, "'") || strings.HasSuffix(w, "’")); {
		case closes:
			quoted = false
		case opens:
			quoted = true
		}
	}
	return out
}

// Latin writes a scientific name, its author upright behind it.
func Latin(name, author any) template.HTML {
	return MarkedLatin(fmt.Sprint(name), fmt.Sprint(author), nil)
}

// MarkedLatin is Latin with the characters of the name marked that hit says.
func MarkedLatin(name, author string, hit []bool) template.HTML {
	m := &marking{hit: hit}
	if hit == nil {
		name = spaced.ReplaceAllString(name, "$1$2$3$4$5")
	}
	words := strings.Fields(name)
	open := false
	for i, slanted := range slants(words) {
		if slanted != open && open {
			m.close()
			m.WriteString("</i>")
		}
		if i > 0 {
			m.text(" ")
		}
		if slanted != open && slanted {
			m.close()
			m.WriteString(`<i lang="la">`)
		}
		open = slanted
		m.text(words[i])
	}
	m.close()
	if open {
		m.WriteString("</i>")
	}
	if author != "" {
		m.WriteString(` <span class="au">` + Escape(author) + `</span>`)
	}
	return template.HTML(m.String())
}

// LatinAsCited slants a name that an author may follow: the words up to the last
// that begins with a small letter are the name's.
func LatinAsCited(text string) template.HTML {
	words := strings.Fields(spaced.ReplaceAllString(text, "$1$2$3$4$5"))
	named := slants(words)
	end := min(1, len(words))
	for i := 1; i < len(words); i++ {
		w := words[i]
		if !named[i] || w[0] >= 'a' && w[0] <= 'z' && !authorWords[w] {
			end = i + 1
		} else if end == i && named[i-1] {
			break
		}
	}
	return Latin(strings.Join(words[:end], " "), strings.Join(words[end:], " "))
}

// authorWords are small words of authors.
var authorWords = map[string]bool{"ex": true, "et": true, "in": true, "f.": false, "de": true, "von": true, "van": true, "non": true, "auct.": true, "hort.": true}

// Drug writes the pharmaceutical name of a drug, which stands upright.
func Drug(name string) template.HTML {
	return template.HTML(`<span class="drug" lang="la">` + Escape(name) + `</span>`)
}
