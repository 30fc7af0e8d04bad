package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"bencao/mappings"
	"bencao/names/ranks"
)

// LatinWord is a word of a scientific name.
type LatinWord struct {
	Text string // lower case, a to z
	// Short says that only its beginning was typed: P. of Panax.
	Short bool
}

// remarks stand between the words of a name, as words for ranks do, and are no
// part of it.
var remarks = map[string]bool{"cv": true, "agg": true, "aff": true, "cf": true, "sp": true, "spp": true}

// authorWords stand between authors and in no name.
var authorWords = map[string]bool{"ex": true, "et": true, "in": true, "and": true, "emend": true, "auct": true}

// latinToken is a run of letters with what stands around it.
type latinToken struct {
	text                 string
	capital, dot, closed bool // begins with a capital; a full stop behind it; a bracket or & before it
}

var ligatures = strings.NewReplacer("æ", "ae", "œ", "oe", "ø", "o", "ß", "ss", "ł", "l", "đ", "d")

// latinTokens cuts a text into runs of letters without diacritics.
func latinTokens(s string) (tokens []latinToken) {
	var t latinToken
	var b strings.Builder
	closed := false
	flush := func(dot bool) {
		if b.Len() > 0 {
			t.text, t.dot = ligatures.Replace(b.String()), dot
			tokens = append(tokens, t)
			b.Reset()
			closed = false
		}
	}
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.IsMark(r):
		case unicode.IsLetter(r):
			if b.Len() == 0 {
				t = latinToken{capital: unicode.IsUpper(r), closed: closed}
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			flush(r == '.')
			closed = closed || r == '(' || r == '&' || r == '['
		}
	}
	flush(false)
	return tokens
}

// CapitalEpithet returns a name of two words as it is read if the second is an
// epithet after all, though it has a capital: Panax Ginseng. It returns nil for
// other names.
func CapitalEpithet(s string) []string {
	if _, first := utf8.DecodeRuneInString(s); !strings.ContainsFunc(s[first:], unicode.IsUpper) {
		return nil
	}
	tokens := latinTokens(s)
	if len(tokens) < 2 || !tokens[1].capital || tokens[1].dot || tokens[1].closed || s == strings.ToUpper(s) {
		return nil
	}
	return []string{tokens[0].text, tokens[1].text}
}

// LatinWords reads a scientific name as people type it: author, hybrid sign
// and rank are left out, the genus may be shortened.
func LatinWords(s string) []LatinWord {
	tokens := latinTokens(s)
	shout := s == strings.ToUpper(s)
	var words []LatinWord
	author, marker := false, false
	for i, t := range tokens {
		switch {
		case t.text == "x" && len(tokens) > 1: // the hybrid sign of those who have no ×
		case len(words) > 0 && (ranks.Usual(t.text) || remarks[t.text]) && !(t.capital && !shout):
			marker = true
		case len(words) > 0 && isAuthor(t, i, shout), author && !marker:
			author, marker = true, false
		default:
			short := len(words) == 0 && len(tokens) > 1 && (utf8.RuneCountInString(t.text) == 1 || t.dot && len(t.text) <= 4)
			words = append(words, LatinWord{t.text, short})
			marker = false
		}
	}
	return words
}

// isAuthor says whether the token, which is not the first, belongs to an
// author's name.
func isAuthor(t latinToken, i int, shout bool) bool {
	return t.closed || authorWords[t.text] || t.capital && !shout || i > 1 && (t.dot || len(t.text) == 1)
}

// latinValue is a scientific name as the index compares it: its words with a
// space between.
func latinValue(s string) string {
	words := LatinWords(s)
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// MinLatinPrefix is how many letters of a word are searched as its beginning.
const MinLatinPrefix = 3

// latinTerms are the terms of a scientific name.
func latinTerms(_ mappings.Tiers, value string, _ []rune, add adder) {
	words := strings.Split(value, " ")
	if words[0] == "" {
		return
	}
	add(mappings.Whole, strings.Join(words, "_"))
	if len(words) > 1 {
		add(mappings.Endings, WithoutEndings(words))
		add(mappings.Abbreviated, FirstLetter(words[0])+"_"+strings.Join(words[1:], "_"))
	}
	for i, w := range words {
		if i == 0 {
			add(mappings.Genus, w)
			add(mappings.Genus, FirstLetter(w)+".")
		}
		add(mappings.Words, w)
		for n := range w {
			if n > 1 {
				add(mappings.Prefix, w[:n])
			}
		}
	}
}

// endings are those by which epithets agree with their genus, and the one or
// two i of names of persons. The r of niger, nigra counts as one, and so it
// must in grandiflorus, grandiflora.
var endings = []string{"rus", "rum", "ris", "ros", "ron", "ra", "re", "er", "us", "um", "os", "on", "is", "ii", "ae", "i", "a", "e"}

// WithoutEndings joins the words of a name, all but the genus without ending.
func WithoutEndings(words []string) string {
	var b strings.Builder
	b.WriteString(words[0])
	for _, w := range words[1:] {
		b.WriteByte('_')
		for _, end := range endings {
			if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 2 {
				w = stem
				break
			}
		}
		b.WriteString(w)
	}
	return b.String()
}

// FirstLetter is the first letter of a word.
func FirstLetter(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}
