package typeset

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"unicode/utf8"
)

// preparing is where the text of a formula goes over from the herbs to how they are
// prepared and taken: 上为末, 上五味, 每服.
var preparing = regexp.MustCompile(`(?:[）)〕。]|\s)\s*((?:[上右](?:为|药|件|[一二三四五六七八九十各同]|㕮|咀|锉|前|等|末|细|杵|研|并)|每服|水煎))`)

// longestRemark is how many characters a remark has that is set small: what is longer
// is text, of which a bracket is missing.
const longestRemark = 40

// Verbatim sets a text as the source has it, so that it can be read: remarks in
// brackets small, how to prepare in a line of its own. Not a character is changed.
func Verbatim(v any) template.HTML {
	text := fmt.Sprint(v)
	parts := []string{text}
	if at := preparing.FindStringSubmatchIndex(text); at != nil {
		parts = []string{text[:at[2]], text[at[2]:]}
	}
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString(`<span class="prep">`)
		}
		writeRemarks(&b, part)
		if i > 0 {
			b.WriteString(`</span>`)
		}
	}
	return template.HTML(b.String())
}

// brackets that open and close remarks; scans exchange the wide and the narrow ones.
const opening, closing = "（(〔【[", "）)〕】]"

// writeRemarks writes text with its remarks set small.
func writeRemarks(b *strings.Builder, text string) {
	for text != "" {
		from := strings.IndexAny(text, opening)
		if from < 0 {
			break
		}
		end := remark(text[from:])
		if end == 0 { // without its partner
			_, end = utf8.DecodeRuneInString(text[from:])
			b.WriteString(Escape(text[:from+end]))
		} else {
			b.WriteString(Escape(text[:from]) + `<span class="dz">` + Escape(text[from:from+end]) + `</span>`)
		}
		text = text[from+end:]
	}
	b.WriteString(Escape(text))
}

// remark is the length of the remark that text begins with, 0 if it does not end, or
// too late.
func remark(text string) int {
	depth, n := 0, 0
	for i, r := range text {
		if n++; n > longestRemark {
			return 0
		}
		switch {
		case strings.ContainsRune(opening, r):
			depth++
		case strings.ContainsRune(closing, r):
			if depth--; depth == 0 {
				return i + utf8.RuneLen(r)
			}
		}
	}
	return 0
}

// Broken tells whether a text shows that characters of its source are lost: brackets
// without their partners, or the letters KT, which stand for what no font had.
func Broken(v any) bool {
	text := fmt.Sprint(v)
	depth := 0
	for _, r := range text {
		switch {
		case strings.ContainsRune(opening, r):
			depth++
		case strings.ContainsRune(closing, r):
			if depth--; depth < 0 {
				return true
			}
		}
	}
	return depth > 0 || strings.Contains(text, "KT")
}
