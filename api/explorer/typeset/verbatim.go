package typeset

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"unicode/utf8"
)

// preparing matches the place where the text of a formula stops listing herbs and begins to
// describe their preparation and use, such as 上为末, 上五味 or 每服.
var preparing = regexp.MustCompile(`(?:[）)〕。]|\s)\s*((?:[上右](?:为|药|件|[一二三四五六七八九十各同]|㕮|咀|锉|前|等|末|细|杵|研|并)|每服|水煎))`)

// longestRemark is the largest length, in characters, of a remark that is written in small type. If
// a text in brackets is longer, the closing bracket is probably missing.
const longestRemark = 40

// Verbatim writes a text of a source and makes its structure visible. Remarks in brackets are
// small, and the preparation is on a line of its own. No character of the text is changed.
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

// opening and closing list the brackets of remarks. Both lists have wide and narrow brackets,
// because scanned texts mix them.
const opening, closing = "（(〔【[", "）)〕】]"

// writeRemarks writes text with its remarks in small type.
func writeRemarks(b *strings.Builder, text string) {
	for text != "" {
		from := strings.IndexAny(text, opening)
		if from < 0 {
			break
		}
		end := remark(text[from:])
		if end == 0 { // the bracket is not closed, or the remark is too long
			_, end = utf8.DecodeRuneInString(text[from:])
			b.WriteString(Escape(text[:from+end]))
		} else {
			b.WriteString(Escape(text[:from]) + `<span class="dz">` + Escape(text[from:from+end]) + `</span>`)
		}
		text = text[from+end:]
	}
	b.WriteString(Escape(text))
}

// remark returns the length in bytes of the remark with which text starts. It returns 0 if the
// remark does not end or is too long.
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

// Broken reports whether a text shows that characters of its source were lost. The signs are
// brackets without a partner, and the letters KT, which some sources have in place of a character
// that no font had.
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
