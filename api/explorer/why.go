package explorer

import (
	"html/template"
	"slices"
	"strings"

	"bencao/api"
	"bencao/names/han"
)

// why says by what a hit was found.
type why struct{ api.ItemExplanation }

// whole tells whether the whole of what was found answers the query.
func (w why) whole() bool {
	n := len([]rune(string(w.Text)))
	return n > 0 && !slices.Contains(w.hits(n), false)
}

// within tells which characters of a name answer the query, if it is the name
// that was found.
func (w why) within(name string) []bool {
	n := len([]rune(name))
	if !w.is(name) || n != len([]rune(string(w.Text))) {
		return nil
	}
	return w.hits(n)
}

// is tells whether a name is what was found. Names are compared in simplified
// characters and in the usual variant of each, so that a name of the record
// itself may look otherwise.
func (w why) is(name string) bool {
	return strings.EqualFold(string(w.Text), name) || w.Field == "name" || w.Field == "chineseName" || w.Field == "title"
}

// hits tells which of n characters answer the query.
func (w why) hits(n int) []bool {
	hit := make([]bool, n)
	for _, r := range w.Ranges {
		for i := max(0, int(r.Start)); i < min(n, int(r.End)); i++ {
			hit[i] = true
		}
	}
	return hit
}

// mark marks what answers the query in a text, if it is what was found.
func (w why) mark(text string) template.HTML {
	hit := w.within(text)
	if hit == nil {
		return chinese(text)
	}
	var b strings.Builder
	open := false
	for i, r := range []rune(text) {
		if hit[i] != open {
			if open = hit[i]; open {
				b.WriteString("<mark>")
			} else {
				b.WriteString("</mark>")
			}
		}
		b.WriteString(escape(string(r)))
	}
	if open {
		b.WriteString("</mark>")
	}
	if han.Has(text) {
		return template.HTML(`<span lang="zh-Hans">` + b.String() + `</span>`)
	}
	return template.HTML(b.String())
}

// markedLatin is a scientific name with what answers the query marked. Names are
// found as they are compared, in small letters.
func markedLatin(name, author string, w why) template.HTML {
	if !strings.EqualFold(string(w.Text), name) {
		return latin(name, author)
	}
	w.Text = w.Text[:0]
	hit := w.hits(len([]rune(name)))
	var b strings.Builder
	b.WriteString(`<i lang="la">`)
	for i, r := range []rune(name) {
		if hit[i] && (i == 0 || !hit[i-1]) {
			b.WriteString("<mark>")
		}
		b.WriteString(escape(string(r)))
		if hit[i] && (i+1 == len(hit) || !hit[i+1]) {
			b.WriteString("</mark>")
		}
	}
	b.WriteString("</i>")
	if author != "" {
		b.WriteString(` <span class="au">` + escape(author) + `</span>`)
	}
	return template.HTML(b.String())
}

// other says by which other name a record was found than those that are shown.
func (w why) other(v *visit, shown ...string) template.HTML {
	if w.Text == "" {
		return ""
	}
	for _, s := range shown {
		if w.is(s) {
			return ""
		}
	}
	by := template.HTML(escape(v.say("search.by", v.lang.Known("field."+w.Field, w.Field))))
	if text := string(w.Text); han.Has(text) && len([]rune(text)) <= mostRuby {
		return by + ` <span class="nw" lang="zh-Hans">` + template.HTML(escape(text)) + `</span>`
	}
	return by + " " + chinese(w.Text)
}
