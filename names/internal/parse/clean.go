package parse

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
)

// Clean normalises the characters of a verbatim name: entities and tags, underscores, invisible
// characters, width variants and ligatures, dashes, quotes, spaces, and characters that look like
// Latin letters. It writes words for ranks as checklists do. It does not change any other part of a
// botanical name.
func Clean(s string) (string, answer.Flags) {
	if isClean(s) {
		return tidyRanks(s)
	}
	s, f := cleanLetters(s)
	s, g := tidyRanks(s)
	return s, f | g
}

// cleanLetters works like Clean, but does not touch words for ranks.
func cleanLetters(s string) (string, answer.Flags) {
	var f answer.Flags
	if strings.ContainsAny(s, "&<") {
		// Unescape twice, because some exports escape entities twice.
		s = cutTags(html.UnescapeString(html.UnescapeString(s)))
	}
	s = norm.NFC.String(norm.NFKC.String(keepApart.Replace(decodeTwice(s))))
	var b strings.Builder
	b.Grow(len(s))
	apart := !strings.Contains(strings.TrimSpace(s), " ")
	s = gluedSigns.Replace(s)
	for i, r := range s {
		if c := cleanRune(r); c == '_' && (apart || joinsWords(s, i)) {
			b.WriteByte(' ')
		} else if c != dropped {
			b.WriteRune(c)
		}
	}
	s = spelling.Tidy(strings.ReplaceAll(b.String(), "(?)", " ? "))
	if t := spelling.Latinise(s); t != s {
		s = t
		f |= answer.Homoglyph
	}
	return s, f
}

// joinsWords reports whether the underscore at i stands for a space. It does not before a count or the
// letter of a vegetation layer: alba_2, alba_T.
func joinsWords(s string, i int) bool {
	next := s[i+1:]
	if i == 0 || next == "" || spelling.IsDigit(next[0]) {
		return false
	}
	return next[0] < 'A' || next[0] > 'Z' || len(next) > 1 && next[1] != ' '
}

// decodeTwice decodes the words whose UTF-8 was read as Windows-1252, such as LÃ©v. for Lév.
func decodeTwice(s string) string {
	if !strings.ContainsAny(s, "ÃÂâÅÄ") {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if t, err := charmap.Windows1252.NewEncoder().String(w); err == nil && utf8.ValidString(t) {
			words[i] = t
		} else if t, cut := strings.CutSuffix(w, "Â"); cut {
			words[i] = t // a stray character from a no-break space
		}
	}
	return strings.Join(words, " ")
}

// dropped means that Clean removes a character.
const dropped = rune(-1)

// cleanRune returns the replacement of a character, or dropped.
func cleanRune(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r == '`':
		return '\''
	case r < ' ' || r == 0x7f:
		return dropped
	case r < utf8.RuneSelf:
		return r
	case strings.ContainsRune("✕╳⨯⨉᙮✖❌", r):
		return spelling.HybridSign
	case unicode.Is(unicode.Pd, r) || r == '−':
		return '-'
	case spelling.IsQuote(r):
		return '\''
	case r >= 0x2E80 && r <= 0x2FFF:
		return r // a radical in place of a Chinese character, as ⻩ for 黄, is no sign beside a name
	case unicode.IsSpace(r), unicode.Is(unicode.So, r) && r != unicode.ReplacementChar, strings.ContainsRune("†‡§•‣", r):
		return ' ' // a sign beside a name: ♀, ®, the dagger of a footnote
	case unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || unicode.Is(unicode.Variation_Selector, r):
		return dropped
	}
	return r
}

// isClean reports whether Clean leaves s unchanged. It returns false for every text that is not
// ASCII.
func isClean(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ':
			if space {
				return false
			}
			space = true
			continue
		case c == '&':
			if i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '.' && strings.IndexByte(s[i:], ';') > 0 {
				return false
			}
		case c == '<' || c == '_' || c == '?' || c == '`' || c < ' ' || c >= 0x7f:
			return false
		}
		space = false
	}
	return !space
}

// keepApart replaces characters that NFKC would decompose, such as separate accents and the
// ellipsis. It also replaces the APL sign ⍺ by alpha and removes the numbers of footnotes.
var keepApart = strings.NewReplacer("…", " ", "´", "'", "¨", "", "¸", "", "ʹ", "'", "⍺", "α", "™", " ",
	"¹", " ", "²", " ", "³", " ", "⁴", " ", "⁵", " ", "⁶", " ", "⁷", " ", "⁸", " ", "⁹", " ", "⁰", " ") // footnotes

// gluedSigns separates hybrid signs that are joined to an epithet: x_candida.
var gluedSigns = strings.NewReplacer(" x_", " x ", " X_", " x ", " ×_", " ×")

// breaks matches tags that end a line. footnotes matches numbers in superscript or subscript.
var (
	breaks    = regexp.MustCompile(`(?i)<(br|/p|/li|/div|/td|/tr)\s*/?>`)
	footnotes = regexp.MustCompile(`(?i)<(sup|sub)>[0-9, ]*</(sup|sub)>`)
)

// cutTags removes markup such as <i> and </em>. A tag that ends a line becomes a space. A < that
// starts no tag is kept.
func cutTags(s string) string {
	if strings.IndexByte(s, '>') > 0 {
		s = strings.TrimRight(breaks.ReplaceAllString(footnotes.ReplaceAllString(s, ""), "; "), "; ")
	}
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			return s
		}
		j := strings.IndexByte(s[i:], '>')
		c := s[i+1]
		if j < 0 || !(spelling.IsLetter(c) || c == '/' || c == '!') {
			return s[:i+1] + cutTags(s[i+1:])
		}
		s = s[:i] + s[i+j+1:]
	}
}
