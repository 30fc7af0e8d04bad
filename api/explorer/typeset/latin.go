package typeset

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"bencao/names/ranks"
)

// upright reports whether a word of a scientific name is upright, not in italics, because it is a
// hybrid sign or names a rank.
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

// quotes are the quotation marks around the name of a cultivar.
const quotes = "'‘’"

// spaced matches the name of a cultivar with spaces inside its quotation marks. Scanned texts have
// such names.
var spaced = regexp.MustCompile(`(^|\s)(['‘])\s+([^'‘’]*?)\s*(['’])(\s|$)`)

// slants reports for each word of a name whether it is in italics. Words for ranks, hybrid signs
// and names of cultivars are upright. The name of a cultivar is in quotation marks or follows
// "cv.".
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

// Latin writes a scientific name in italics and the author of the name upright.
func Latin(name, author any) template.HTML {
	return MarkedLatin(fmt.Sprint(name), fmt.Sprint(author), nil)
}

// MarkedLatin is like [Latin] and also marks each character of the name for which hit is true.
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

// LatinAsCited writes a name in italics and the author after it, if there is one, upright. The name
// ends with the last word that starts with a small letter and is not in authorWords.
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

// authorWords lists words that start with a small letter but belong to the author citation.
var authorWords = map[string]bool{"ex": true, "et": true, "in": true, "f.": false, "de": true, "von": true, "van": true, "non": true, "auct.": true, "hort.": true}

// Herb writes the pharmaceutical name of a herb upright, marked as Latin text.
func Herb(name string) template.HTML {
	return template.HTML(`<span class="drug" lang="la">` + Escape(name) + `</span>`)
}
