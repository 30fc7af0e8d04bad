package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
)

// Parser parses verbatim names. It must not be used concurrently.
type Parser struct {
	dict  *Lexicon
	exact exactNames
	gn    fallback
	// name is the last name that was parsed word by word, and words are the words of this name.
	name  Name
	words []Token
}

// New returns a parser with the dictionary d. If d is nil, the parser decides only by the spelling
// of words.
func New(d Dictionary) *Parser {
	if d == nil {
		d = noWords{}
	}
	dict := NewLexicon(d)
	return &Parser{dict: dict, exact: exactNames{dict: dict}}
}

// Parse parses a verbatim name. For a text that is not a name, Canonical is "". The result is valid
// until the next call.
func (p *Parser) Parse(verbatim string) *Name {
	n, ok, s, f := p.recognise(verbatim)
	if ok {
		return n
	}
	n = p.read(s)
	n.Cleaned = s
	n.Flags |= f
	if len(n.Parents) == 0 {
		p.settleGenus(n, s)
		n.finish()
	}
	return n
}

// Listed recognises a name that is in the dictionary as written and needs no parsing. It returns
// false for any other text. The name is valid until the next call.
func (p *Parser) Listed(verbatim string) (*Name, bool) {
	n, ok, _, _ := p.recognise(verbatim)
	return n, ok
}

// Plain works like Listed, but only for names in plain letters without author. These are the most
// frequent texts.
func (p *Parser) Plain(verbatim string) (*Name, bool) {
	n, ok := p.exact.findPlain(verbatim)
	if ok {
		n.Cleaned = verbatim
	}
	return n, ok
}

// recognise works like Listed. For a text that it does not recognise, it returns the text after
// Clean and unframe, and the flags for the changes.
func (p *Parser) recognise(verbatim string) (n *Name, ok bool, s string, f answer.Flags) {
	s, f = Clean(verbatim)
	n, ok = p.exact.find(s)
	if !ok {
		if t, g := unframe(p.dict, s); t != s {
			s, f = t, f|g
			n, ok = p.exact.find(s)
		}
	}
	if ok {
		n.Flags |= f
		n.Cleaned = s
	}
	return n, ok, s, f
}

// settleGenus sets OpenGenus if only the genus of a name was read, although the text has further
// words that may belong to a name. Otherwise the answer would be the genus itself, as an exact
// match.
func (p *Parser) settleGenus(n *Name, s string) {
	if n.Genus == "" || len(n.Epithets) > 0 || n.Infragenus != "" || n.Phrase != "" || n.Cultivar != "" {
		return
	}
	_, rest, _ := strings.Cut(strings.TrimLeft(s, "×+ "), " ")
	words := strings.Fields(rest)
	for i, w := range words {
		b := strings.Trim(bare(w), "()[]?")
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case len(words) == 1 && len(b) == 1 && unicode.IsLower(first), i == 0 && (b == "orth" || unicode.IsDigit(first) && strings.ContainsFunc(b, unicode.IsLetter) || spelling.IsHybridSign(b)):
			// The word in the place of the epithet is not an epithet: orth fil, 0anulla, x, y.
			n.OpenGenus, n.left = true, rest
			n.Flags |= answer.OpenNomenclature
			return
		case wordlist.Of(b).Is(wordlist.Note):
			return
		case unicode.IsLower(first) && !wordlist.Of(b).Is(wordlist.Particle) && utf8.RuneCountInString(b) > 3:
			n.OpenGenus = true
			n.Flags |= answer.OpenNomenclature
			return
		}
	}
}

// read parses a cleaned name word by word.
func (p *Parser) read(s string) *Name {
	p.name = Name{}
	n := &p.name
	if readPhrase(n, s) {
		return n
	}
	s = strip(n, s)
	p.words = appendTokens(p.words[:0], s)
	if readFormula(p.dict, n, p.words) || readWords(p.dict, n, p.words, "") {
		return n
	}
	if g := p.gn.read(s); g != nil {
		g.Flags |= n.Flags
		g.Family, g.Cultivar, g.Misapplied = n.Family, n.Cultivar, n.Misapplied
		return g
	}
	n.Genus = ""
	return n
}
