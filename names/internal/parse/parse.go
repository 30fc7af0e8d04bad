package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// Dictionary knows the words of the checklists' names. It settles what the
// spelling alone cannot: whether a word is an epithet or an author.
type Dictionary interface {
	// HasGenus and HasEpithet take folded words.
	HasGenus(w []byte) bool
	HasEpithet(w []byte) bool
	// FindName takes a whole name with its key and returns the first usage of
	// the key.
	FindName(name string, key []byte) (usage uint32, ok bool)
	// HasVariant takes the key of a whole name, which may be spelt otherwise.
	HasVariant(key []byte) bool
}

// Parser takes verbatim names apart. It is for one goroutine.
type Parser struct {
	dict Dictionary
	gn   fallback
	buf  []byte

	// The last name that asListed recognised.
	listed    Name
	listedKey []byte
}

// New returns a parser that knows the words of d. Without a dictionary, nil, it
// goes by spelling alone.
func New(d Dictionary) *Parser {
	if d == nil {
		d = noWords{}
	}
	return &Parser{dict: d}
}

// noWords is the dictionary of those who have none.
type noWords struct{}

func (noWords) HasGenus([]byte) bool                   { return false }
func (noWords) HasEpithet([]byte) bool                 { return false }
func (noWords) FindName(string, []byte) (uint32, bool) { return 0, false }
func (noWords) HasVariant([]byte) bool                 { return false }

func (p *Parser) isGenus(w string) bool {
	p.buf = spelling.AppendFolded(p.buf[:0], w)
	return p.dict.HasGenus(p.buf)
}

func (p *Parser) isEpithet(w string) bool {
	p.buf = spelling.AppendFolded(p.buf[:0], w)
	return p.dict.HasEpithet(p.buf)
}

func (p *Parser) isName(name string) bool {
	var genus int
	p.buf, genus = spelling.AppendKey(p.buf[:0], name)
	_, ok := p.dict.FindName(name, p.buf)
	return genus > 0 && ok
}

// Parse takes a verbatim name apart. A text that is not a name has no
// canonical form. The result holds until the next call.
func (p *Parser) Parse(verbatim string) *Name {
	s, f := Clean(verbatim)
	// A name as the checklists write it needs no more.
	n, ok := p.asWritten(s)
	if !ok {
		if t, g := p.unframe(s); t != s {
			s, f = t, f|g
			n, ok = p.asWritten(s)
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
		if len(n.Epithets) == 0 && isAboveGenus(n.Genus) && !p.isGenus(n.Genus) {
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
		if (short || spelling.ShapeOf(genus) == spelling.Title && p.isGenus(genus)) && spelling.ShapeOf(epithet) == spelling.Lower && p.isEpithet(epithet) {
			return true
		}
	}
	return false
}

// read takes a cleaned name apart word by word.
func (p *Parser) read(s string) *Name {
	n := &Name{}
	if p.phrase(n, s) {
		return n
	}
	s = p.strip(n, s)
	words := tokens(s)
	if p.formula(n, words) || p.readWords(n, words, "") {
		return n
	}
	if g := p.fallBack(s); g != nil {
		g.Flags |= n.Flags
		g.Family, g.Cultivar, g.Misapplied = n.Family, n.Cultivar, n.Misapplied
		return g
	}
	n.Genus = ""
	return n
}
