package author

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
)

// citedWords are words in lower case that occur only in author citations.
var citedWords = spelling.WordSet("ex in et f. fil. de von van der den du da do dos la le zu y bis al.")

// IsCitation reports whether s may consist of authors only: capitalised words, initials and
// connectives.
func IsCitation(s string) bool {
	for rest := s; rest != ""; {
		var w string
		w, rest = spelling.NextWord(rest)
		inner := strings.Trim(w, "(),")
		glued := strings.LastIndexByte(strings.TrimRight(inner, "."), '.') + 1
		if r, _ := utf8.DecodeRuneInString(inner); unicode.IsLower(r) && !citedWords[inner] || w == "X" || w == "-" || inner == "Group" || spelling.IsFamily(inner) {
			return false
		}
		if glued > 0 && glued+3 < len(inner) && inner[glued] >= 'a' && inner[glued] <= 'z' {
			return false // Q.alba is another name
		}
		for i := 0; i < len(w); i++ {
			switch c := w[i]; {
			case spelling.IsLetter(c), c == '.', c == ',', c == '&', c == '(', c == ')', c == '-':
			case c >= utf8.RuneSelf && !strings.ContainsFunc(w, isForeign):
			default:
				return false
			}
		}
	}
	return true
}

// isForeign reports whether a character is the hybrid sign or a letter of another script than Latin,
// in which common names are written.
func isForeign(r rune) bool {
	return r == spelling.HybridSign || r > 0x36F && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
}

// Evident reports whether a text is clearly an author citation, by its form or because it starts
// with a known author: Mill., Benth. & Hook.f., Linnaeus. It returns false for other capitalised
// words, which may be the name of a cultivar.
func Evident(cited string) bool {
	s := folded(cited)
	w, _, _ := strings.Cut(s, " ")
	w = strings.Trim(w, ",")
	if w == "f." {
		return false // the f. belongs to the phrase name of a form: Caladenia f. Western Cape
	}
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(cited, "("), ")"); ok && cited[0] == '(' && strings.TrimSpace(rest) == "" && strings.Contains(inner, " ") && !strings.ContainsAny(inner, ".&") {
		return false // the words in brackets are a common name: (Black-leaved Socketwood)
	}
	return strings.ContainsAny(s, "&(") || strings.Contains(s, " ex ") || strings.Contains(w, ".") ||
		wordForms[w] != "" || pinyinOf[w] != nil || known.byKey["."+w] != nil || len(w) == 1
}
