package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/pinyin"
)

// atomKind is the kind of an atom.
type atomKind uint8

const (
	character atomKind = iota // a Chinese character
	word                      // a word in letters
	digits                    // a number
	space
	separator // a comma or another sign
	opening   // a bracket
	closing
)

// atom is a smallest part of a query that the reading distinguishes.
type atom struct {
	kind     atomKind
	from, to int    // the bytes of the query
	key      string // the folded character, or the word in lower case
	sound    string // of a word: its letters as pinyin, or "" if it is not made of syllables
}

// between reports whether an atom only separates others.
func (a *atom) between() bool { return a.kind >= space }

// atomsOf splits a query into atoms. It omits the numbers of the lines of a list.
func atomsOf(text string) (atoms []atom) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		a := atom{from: i, to: i + n}
		if '！' <= r && r <= '～' {
			r -= '！' - '!'
		}
		switch {
		case strings.HasPrefix(text[a.to:], "、") && strings.ContainsRune("一二三四五六七八九十", r) && (len(atoms) == 0 || atoms[len(atoms)-1].between()):
			a.kind, a.to = separator, a.to+len("、")
		case han.Is(r) || r == '〇':
			a.kind, a.key = character, terms.ChineseKey(text[i:a.to])
		case strings.ContainsRune("([【", r):
			a.kind = opening
		case strings.ContainsRune(")]】", r):
			a.kind = closing
		case unicode.IsSpace(r):
			a.kind = space
		case unicode.Is(unicode.Nd, r):
			a.kind = digits
			for a.to < len(text) {
				r, n := utf8.DecodeRuneInString(text[a.to:])
				if !unicode.Is(unicode.Nd, r) && !(r == '.' && a.to+1 < len(text) && text[a.to+1] >= '0' && text[a.to+1] <= '9') {
					break
				}
				a.to += n
			}
			starts := len(atoms) == 0 || atoms[len(atoms)-1].between()
			if rest := text[a.to:]; starts && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "、") || strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "）")) {
				_, n := utf8.DecodeRuneInString(rest)
				a.kind, a.to = separator, a.to+n
			}
		case unicode.IsLetter(r):
			a.kind, a.to = word, i+wordLength(text[i:])
			a.key = strings.ToLower(text[i:a.to])
			if typed, ok := pinyin.Parse(a.key); ok && isPinyin(a.key) {
				a.sound = typed.Letters
			}
		default:
			a.kind = separator
		}
		atoms = append(atoms, a)
		i = a.to
	}
	return atoms
}

// wordLength returns the length of the word at the beginning of a text, in bytes: letters with their
// marks, apostrophes and hyphens between letters, and the digits of tones.
func wordLength(text string) int {
	end, syllable := 0, 0
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		next, _ := utf8.DecodeRuneInString(text[end+n:])
		switch {
		case unicode.IsLetter(r) && !han.Is(r) || unicode.IsMark(r):
		case strings.ContainsRune("'’-ー", r) && unicode.IsLetter(next) && !han.Is(next) && end > 0:
			syllable = end + n
		case '1' <= r && r <= '5' && !unicode.IsDigit(next) && next != '.' && pinyin.IsSyllable(strings.ToLower(text[syllable:end])):
			syllable = end + n
		default:
			return end
		}
		end += n
	}
	return end
}
