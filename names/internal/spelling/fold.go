package spelling

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// AppendFolded appends w in lower-case Latin letters without diacritics (ICN Art. 60.7). It keeps
// hyphens. It removes apostrophes, and a hybrid sign before the word.
func AppendFolded(dst []byte, w string) []byte {
	start := len(dst)
	dst = append(dst, w...)
	for i, c := range dst[start:] {
		switch {
		case c >= utf8.RuneSelf || c == '\'':
			return appendFoldedSlow(dst[:start+i], w[i:])
		case c >= 'A' && c <= 'Z':
			dst[start+i] = c + 'a' - 'A'
		}
	}
	return dst
}

// appendFoldedSlow works like AppendFolded. It is for words that have other characters than ASCII
// letters.
func appendFoldedSlow(dst []byte, w string) []byte {
	for i := 0; i < len(w); i++ {
		c := w[i]
		switch {
		case c >= utf8.RuneSelf:
			return appendFoldedRunes(dst, w[i:])
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c != '\'':
			dst = append(dst, c)
		}
	}
	return dst
}

func appendFoldedRunes(dst []byte, w string) []byte {
	for _, r := range norm.NFC.String(w) {
		r = unicode.ToLower(r)
		if r < utf8.RuneSelf {
			if r != '\'' {
				dst = append(dst, byte(r))
			}
			continue
		}
		if s, ok := transliterations[r]; ok {
			dst = append(dst, s...)
			continue
		}
		for _, d := range norm.NFD.String(string(r)) {
			if !unicode.Is(unicode.Mn, d) {
				dst = utf8.AppendRune(dst, d)
			}
		}
	}
	return dst
}

// transliterations maps letters that do not only lose a diacritic when folded, but become other
// letters (ICN Art. 60.7).
var transliterations = map[rune]string{
	'ä': "ae", 'ö': "oe", 'ü': "ue", 'ø': "oe", 'å': "ao", 'æ': "ae", 'œ': "oe", 'ß': "ss", 'ð': "d", 'þ': "th",
	'ł': "l", 'đ': "d", 'ı': "i", 'ŧ': "t", 'ħ': "h", 'ſ': "s",
	'‘': "", '’': "", 'ʼ': "", '×': "", '✕': "", '·': "",
}
