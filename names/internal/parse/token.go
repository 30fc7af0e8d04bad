package parse

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// Kind says what a word of a name was read as.
type Kind uint8

// The kinds of words.
const (
	Unread Kind = iota // behind the name, or not understood
	Family
	Genus
	Sign         // of a hybrid
	Infrageneric // subgenus, section, series, with the rank word
	Qualifier    // cf.
	Open         // sp.: nobody named the species
	Aggregate    // agg.
	Rank         // of the epithet behind it
	EpithetWord
	AuthorWord
	CultivarWord // cv. and what follows
	Remark       // sensu, auct., nom. nud.
	Numbering    // α, 1: of a variety
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
	bare string // in lower case, without the punctuation at its end

	kinds wordlist.Kind // what it may be beside a name
}

// bare is w in lower case without full stops and commas at its end.
func bare(w string) string { return strings.ToLower(strings.TrimRight(w, ".,;:!")) }

// appendTokens splits a text at spaces, and sets a hybrid sign, a rank word, or a
// bracket that opens, apart from the word that it is glued to.
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
				add(w[:i])
			}
			add("×")
			w = w[i+len("×"):]
		}
		if head, tail := gluedRank(w); head != "" {
			add(head)
			w = tail
		}
		if len(list) > 1 && (w == "null" || w == "NULL" || w == "NA") {
			continue // an empty cell of somebody's table
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

// gluedRank parts var.aurantiaca, and takes the Greek letter that numbers a
// variety off its epithet.
func gluedRank(w string) (head, tail string) {
	i := strings.IndexByte(w, '.')
	if i <= 1 || i+1 == len(w) {
		return "", w
	}
	r, _ := ranks.Mark(w[:i])
	if r != "var." && r != "subsp." && r != "subvar." && !strings.HasPrefix(r, "notho") {
		return "", w
	}
	tail = strings.TrimLeftFunc(w[i+1:], func(r rune) bool { return r == '.' || unicode.Is(unicode.Greek, r) })
	if !spelling.IsWord(tail) || spelling.ShapeOf(tail) != spelling.Lower {
		return "", w
	}
	return w[:i+1], tail
}
