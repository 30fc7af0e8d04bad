package parse

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// Clean brings the characters of a verbatim name to one spelling each:
// entities and tags, underscores, invisible characters, width forms and
// ligatures, dashes, quotes, spaces, look-alikes of Latin letters. It changes
// nothing that a botanist would call part of the name.
func Clean(s string) (string, vocabulary.Flags) {
	if isClean(s) {
		return s, 0
	}
	var f vocabulary.Flags
	if strings.ContainsAny(s, "&<") {
		// Twice: some exports escape what is escaped already.
		s = cutTags(html.UnescapeString(html.UnescapeString(s)))
	}
	s = norm.NFC.String(norm.NFKC.String(keepApart.Replace(s)))
	var b strings.Builder
	b.Grow(len(s))
	underscores := !strings.Contains(strings.TrimSpace(s), " ")
	for _, r := range s {
		if c := cleanRune(r); c == '_' && underscores {
			b.WriteByte(' ')
		} else if c != dropped {
			b.WriteRune(c)
		}
	}
	s = spelling.Tidy(b.String())
	if t := spelling.Latinise(s); t != s {
		s = t
		f |= vocabulary.Homoglyph
	}
	return s, f
}

// dropped stands for a character that Clean leaves out.
const dropped = rune(-1)

// cleanRune returns the spelling of a character, or dropped.
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
	case r == 'ſ':
		return 's'
	case strings.ContainsRune("✕╳⨯⨉᙮✖❌", r):
		return spelling.HybridSign
	case unicode.Is(unicode.Pd, r) || r == '−':
		return '-'
	case strings.ContainsRune("“”„«»", r):
		return '"'
	case spelling.IsQuote(r):
		return '\''
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || unicode.Is(unicode.Variation_Selector, r):
		return dropped
	}
	return r
}

// isClean says, for plain ASCII only, that clean would change nothing.
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
		case c == '<' || c == '_' || c == '`' || c < ' ' || c >= 0x7f:
			return false
		}
		space = false
	}
	return !space
}

// keepApart saves from NFKC what it would take to pieces: accents that stand
// alone, an ellipsis; and an APL sign that stands for alpha.
var keepApart = strings.NewReplacer("…", " ", "´", "'", "¨", "", "¸", "", "ʹ", "'", "⍺", "α")

// breaks are tags that end a line, and footnotes are numbers that are set
// above it.
var (
	breaks    = regexp.MustCompile(`(?i)<(br|/p|/li|/div|/td|/tr)\s*/?>`)
	footnotes = regexp.MustCompile(`(?i)<(sup|sub)>[0-9, ]*</(sup|sub)>`)
)

// cutTags removes markup: <i>, </em>; a line that ends parts what it stands
// between. A lone < stays.
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
