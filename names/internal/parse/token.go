package parse

import (
	"strings"
	"unicode"

	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
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

// appendTokens splits a text into words at spaces. Hybrid signs, rank words and opening brackets
// become separate tokens even if there is no space.
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

// gluedRank splits a rank word from the epithet with which it is written together (var.aurantiaca).
// It also splits a Greek letter that numbers a variety from the epithet after it.
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
