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
	// Short is true if the word is abbreviated: P. for Panax.
	Short bool
}

// remarks lists words that, like words for ranks, are not part of the name.
var remarks = map[string]bool{"cv": true, "agg": true, "aff": true, "cf": true, "sp": true, "spp": true}

// authorWords lists words that connect the names of authors.
var authorWords = map[string]bool{"ex": true, "et": true, "in": true, "and": true, "emend": true, "auct": true}

// latinToken is a run of letters and the signs around it.
type latinToken struct {
	text                 string
	capital, dot, closed bool // starts with a capital; a full stop follows; a bracket or & precedes
}

var ligatures = strings.NewReplacer("æ", "ae", "œ", "oe", "ø", "o", "ß", "ss", "ł", "l", "đ", "d")

// latinTokens splits a text into runs of letters and removes diacritics.
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

// CapitalEpithet returns the words of a name of two words that both have a capital, such as Panax
// Ginseng. It returns nil for other names.
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

// LatinWords returns the words of a scientific name as people type it. It omits the author, the
// hybrid sign and the rank. The genus may be abbreviated.
func LatinWords(s string) []LatinWord {
	tokens := latinTokens(s)
	shout := s == strings.ToUpper(s)
	var words []LatinWord
	author, marker := false, false
	for i, t := range tokens {
		switch {
		case t.text == "x" && len(tokens) > 1: // x for the hybrid sign ×
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

// isAuthor reports whether a token belongs to an author's name. The token must not be the first one
// of the name.
func isAuthor(t latinToken, i int, shout bool) bool {
	return t.closed || authorWords[t.text] || t.capital && !shout || i > 1 && (t.dot || len(t.text) == 1)
}

// latinValue normalizes a scientific name to its words, separated by spaces.
func latinValue(s string) string {
	words := LatinWords(s)
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// MinLatinPrefix is the minimum number of letters for a search by prefix.
const MinLatinPrefix = 3

// latinTerms adds the terms of a scientific name.
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

// endings lists the endings by which epithets agree with their genus, and the i or ii of epithets
// from persons. The r before an ending is part of the ending, because niger and nigra must become
// equal. The r is therefore also cut off grandiflorus and grandiflora, which become equal too.
var endings = []string{"rus", "rum", "ris", "ros", "ron", "ra", "re", "er", "us", "um", "os", "on", "is", "ii", "ae", "i", "a", "e"}

// WithoutEndings joins the words of a name. It removes the endings of all words except the genus.
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

// FirstLetter returns the first letter of a word.
func FirstLetter(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}
