package parse

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// Kind is the role of a word in a name.
type Kind uint8

// The kinds of words in a name.
const (
	Unread Kind = iota // not read: after the name, or not understood
	Family
	Genus
	Sign         // hybrid sign
	Infrageneric // subgenus, section or series, with its rank word
	Qualifier    // cf.
	Open         // sp.: an unnamed species
	Aggregate    // agg.
	Rank         // rank word; the epithet follows
	EpithetWord
	AuthorWord
	CultivarWord // cv. and the words after it
	Remark       // sensu, auct., nom. nud.
	Numbering    // α, 1: number of a variety
)

var kindNames = [...]string{
	"unread", "family", "genus", "hybrid sign", "infrageneric name", "qualifier", "open nomenclature", "aggregate",
	"rank word", "epithet", "author", "cultivar", "remark", "numbering",
}

func (k Kind) String() string { return kindNames[k] }

// Token is a word of a name.
type Token struct {
	Text string
	Kind Kind
	bare string // the word in lower case, without punctuation at its end

	kinds wordlist.Kind // the roles of the word in package wordlist
}

// bare returns w in lower case without full stops and commas at the end.
func bare(w string) string { return strings.ToLower(strings.TrimRight(w, ".,;:!")) }

// appendTokens splits a text into words at spaces. Hybrid signs and opening brackets become separate
// tokens even if there is no space.
func appendTokens(list []Token, s string) []Token {
	add := func(w string) {
		b := bare(w)
		list = append(list, Token{Text: w, bare: b, kinds: wordlist.Of(b)})
	}
	for w := range strings.FieldsSeq(s) {
		for {
			i := strings.IndexRune(w, spelling.HybridSign)
			if i < 0 {
				break
			}
			if i > 0 {
				add(w[:i]) // robur×petraea
			}
			add("×")
			w = w[i+len("×"):]
		}
		if len(list) > 1 && w == "null" {
			continue // the text of an empty cell in a table
		}
		if i := strings.IndexByte(w, '('); i > 0 {
			add(w[:i])
			w = w[i:]
		}
		if w != "" {
			add(w)
		}
	}
	return list
}
