package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// Parser takes verbatim names apart. It is for one goroutine.
type Parser struct {
	dict   *lexicon
	listed listed
	gn     fallback
}

// New returns a parser that knows the words of d. Without a dictionary, nil, it
// goes by spelling alone.
func New(d Dictionary) *Parser {
	if d == nil {
		d = noWords{}
	}
	dict := &lexicon{Dictionary: d}
	return &Parser{dict: dict, listed: listed{dict: dict}}
}

// Parse takes a verbatim name apart. A text that is not a name has no
// canonical form. The result holds until the next call.
func (p *Parser) Parse(verbatim string) *Name {
	s, f := Clean(verbatim)
	// A name as the checklists write it needs no more.
	n, ok := p.listed.asWritten(s)
	if !ok {
		if t, g := unframe(p.dict, s); t != s {
			s, f = t, f|g
			n, ok = p.listed.asWritten(s)
		}
	}
	if ok {
		n.Flags |= f
		n.Cleaned = s
		return n
	}
	n = p.read(s)
	n.Cleaned = s
	n.Flags |= f
	if len(n.Epithets) > 0 && p.offersAnother(s) {
		n.OneOf = true
		n.Flags |= vocabulary.Ambiguous
	}
	if len(n.Parents) == 0 {
		p.settleGenus(n, s)
		n.finish()
		if len(n.Epithets) == 0 && isAboveGenus(n.Genus) && !p.dict.isGenus(n.Genus) {
			n.Keys = nil
		}
	}
	return n
}

// settleGenus marks a name of which no more than the genus was read although
// it says more, so that the genus does not pass for the name.
func (p *Parser) settleGenus(n *Name, s string) {
	if n.Genus == "" || len(n.Epithets) > 0 || n.OpenGenus || n.Infragenus != "" || n.Phrase != "" || n.Cultivar != "" {
		return
	}
	_, rest, _ := strings.Cut(strings.TrimLeft(s, "×+ "), " ")
	for _, w := range strings.Fields(rest) {
		b := strings.Trim(bare(w), "()[]?")
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case noteWords[b], strings.HasPrefix(b, "auct"):
			return
		case unicode.IsLower(first) && !authorParticles[b] && utf8.RuneCountInString(b) > 3:
			n.OpenGenus = true
			n.Flags |= vocabulary.OpenNomenclature
			return
		}
	}
}

// offersAnother says whether s is two names to choose from or more: "A b / A.
// c", "A b or A c", "A b; A c". What stands behind "=" is the same name again.
func (p *Parser) offersAnother(s string) bool {
	words := strings.Fields(s)
	for i := 2; i+1 < len(words); i++ {
		if before := words[i-1]; before != "/" && before != "or" && (len(before) < 2 || before[len(before)-1] != ';') {
			continue
		}
		genus, epithet := words[i], strings.TrimRight(words[i+1], ",;.")
		short := strings.HasSuffix(genus, ".") && len(genus) <= 4 && genus[0] == words[0][0]
		if (short || spelling.ShapeOf(genus) == spelling.Title && p.dict.isGenus(genus)) && spelling.ShapeOf(epithet) == spelling.Lower && p.dict.isEpithet(epithet) {
			return true
		}
	}
	return false
}

// read takes a cleaned name apart word by word.
func (p *Parser) read(s string) *Name {
	n := &Name{}
	if readPhrase(n, s) {
		return n
	}
	s = strip(n, s)
	words := tokens(s)
	if readFormula(p.dict, n, words) || readWords(p.dict, n, words, "") {
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
