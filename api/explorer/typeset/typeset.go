// Package typeset writes words as HTML: Chinese marked as such, titles in their marks, Latin names
// in italics, pinyin above characters, verbatim text of sources. It escapes all its input. It does
// not know the records or the language of the user.
package typeset

import (
	"fmt"
	"html/template"
	"strings"

	"bencao/names/han"
)

// Escape makes text safe in HTML.
func Escape(s string) string { return template.HTMLEscapeString(s) }

// Thousands writes a number with thousands separators.
func Thousands(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Chinese marks a text as Chinese if it contains Chinese characters.
func Chinese(v any) template.HTML {
	s := fmt.Sprint(v)
	return inChinese(s, Escape(s))
}

// inChinese marks the HTML written as Chinese if text contains Chinese characters.
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

// Hidden writes a sign for users who see it, and its meaning in words for screen readers.
func Hidden(sign, meaning string) string {
	return `<span aria-hidden="true">` + sign + `</span><span class="vh">` + Escape(meaning) + `</span>`
}

// marking writes characters as HTML and marks those of hit.
type marking struct {
	strings.Builder
	hit  []bool
	at   int // index of the next character
	open bool
}

// text writes the next characters.
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

// close ends an open mark before a tag.
func (m *marking) close() {
	if m.open {
		m.WriteString("</mark>")
	}
	m.open = false
}

// Marked returns a text with the characters of hit marked.
func Marked(text string, hit []bool) template.HTML {
	m := &marking{hit: hit}
	m.text(text)
	m.close()
	return inChinese(text, m.String())
}

// signs are shown on badges beside the word.
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
