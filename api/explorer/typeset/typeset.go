// Package typeset writes words as HTML. It marks Chinese text as Chinese, sets Latin names in
// italics, adds title marks and pinyin, and shows the structure of texts that are quoted from
// sources. It escapes all its input. It does not know the records or the language of the user.
package typeset

import (
	"fmt"
	"html/template"
	"strings"

	"bencao/names/han"
)

// Escape replaces the characters of s that have a meaning in HTML.
func Escape(s string) string { return template.HTMLEscapeString(s) }

// Thousands writes a number with thousands separators.
func Thousands(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Chinese writes a text, marked as Chinese (the attribute lang) if it contains Chinese characters.
func Chinese(v any) template.HTML {
	s := fmt.Sprint(v)
	return inChinese(s, Escape(s))
}

// inChinese returns written, the HTML of text. If text contains Chinese characters, the HTML is
// marked as Chinese.
func inChinese(text, written string) template.HTML {
	if !han.Has(text) {
		return template.HTML(written)
	}
	return template.HTML(`<span lang="zh-Hans">` + written + `</span>`)
}

// Book writes a title in Chinese title marks 《》.
func Book(v any) template.HTML {
	s := strings.Trim(fmt.Sprint(v), "《》")
	if s == "" {
		return ""
	}
	if !han.Has(s) {
		return template.HTML(`<cite>` + Escape(s) + `</cite>`)
	}
	return template.HTML(`<span lang="zh-Hans">《` + Escape(s) + `》</span>`)
}

// Hidden writes a sign that screen readers skip, and its meaning in words that only screen readers
// read.
func Hidden(sign, meaning string) string {
	return `<span aria-hidden="true">` + sign + `</span><span class="vh">` + Escape(meaning) + `</span>`
}

// marking writes a text as HTML and marks the characters for which hit is true.
type marking struct {
	strings.Builder
	hit  []bool
	at   int // index of the next character
	open bool
}

// text writes s. The first character of s has the index m.at in hit.
func (m *marking) text(s string) {
	for _, r := range s {
		if hit := m.at < len(m.hit) && m.hit[m.at]; hit != m.open {
			m.close()
			if m.open = hit; hit {
				m.WriteString("<mark>")
			}
		}
		m.WriteString(Escape(string(r)))
		m.at++
	}
}

// close closes the mark element if one is open. It must be called before another tag.
func (m *marking) close() {
	if m.open {
		m.WriteString("</mark>")
	}
	m.open = false
}

// Marked returns a text as HTML, in which the characters for which hit is true are marked.
func Marked(text string, hit []bool) template.HTML {
	m := &marking{hit: hit}
	m.text(text)
	m.close()
	return inChinese(text, m.String())
}

// signs are the small pictures in front of the words on badges.
var signs = map[string]string{
	"ok":   `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><path d="M2 6.5 5 9.5 10 3" fill="none" stroke="currentColor" stroke-width="2"/></svg>`,
	"look": `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor"/></svg>`,
	"not":  `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>`,
	"none": `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><path d="M2.5 6h7" stroke="currentColor" stroke-width="2"/></svg>`,
}

// Badge writes a status as a sign and a word.
func Badge(kind, text string) template.HTML {
	class := "badge"
	if kind == "ok" || kind == "look" {
		class += " badge--" + kind
	}
	return template.HTML(`<span class="` + class + `">` + signs[kind] + Escape(text) + `</span>`)
}
