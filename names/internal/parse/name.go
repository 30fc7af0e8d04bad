package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// Name is a verbatim name taken apart.
type Name struct {
	// Cleaned is the verbatim name with its characters cleaned.
	Cleaned string
	// Canonical is the name without authors: Genus × epithet subsp. epithet.
	// It is empty for a text that is not a name.
	Canonical string
	// Keys are what the name is looked up by, the best first.
	Keys []Key

	Genus      string
	Infragenus string // "sect. Salimori", only when there is no species
	Epithets   []Epithet
	Author     string // author citation as it stood behind the last epithet
	Cultivar   string // epithet of a cultivar that was set aside
	Phrase     string // "sp. Mount Hilditch (M.E. Trudgen 19134)"
	Family     string // leading family, a hint
	Rank       string // canonical rank word of the last epithet
	Hybrid     bool   // there is a hybrid sign or a notho- rank

	// Parents are those of a hybrid formula; then there are no keys.
	Parents []*Name

	Abbreviated bool // the genus is a few letters and a full stop
	OpenGenus   bool // sp.: nothing below the genus, or the species, is meant
	Misapplied  bool // auct.
	OneOf       bool // the text has other names beside it
	Unread      bool // the text has words beside it that nobody read
	ByGnparser  bool // gnparser read it

	// Flags say what was changed or set aside.
	Flags vocabulary.Flags

	HybridGenus bool // the sign stands before the genus

	// Tokens are the words that the grammar read and what it took each for;
	// those that it left are Unread. A name that is written as the checklists
	// write it has none, nor has one that gnparser read.
	Tokens []Token

	oneKey [1]Key
}

// Epithet is one epithet with the rank word before it.
type Epithet struct {
	Rank   string // canonical, or empty
	Word   string // lower case
	Hybrid bool
	doubt  bool // cf. stands before it
}

// Key is a key to look a name up by.
type Key struct {
	Text  []byte
	Genus int // length of the genus in Text
	// Flags are those of a name that is found by this key.
	Flags vocabulary.Flags
	// Usage is the first one of the key, if Known.
	Usage uint32
	Known bool
	// Cultivar says that the last word is a cultivar's.
	Cultivar bool
}

// finish writes the canonical name and the keys.
func (p *Name) finish() {
	if p.Genus == "" {
		return
	}
	var b strings.Builder
	b.Grow(32) // most names are shorter
	if p.HybridGenus {
		b.WriteString("× ")
		p.Hybrid = true
	}
	b.WriteString(latinWord(p.Genus))
	if p.Abbreviated {
		b.WriteByte('.')
	}
	if p.Infragenus != "" && len(p.Epithets) == 0 {
		b.WriteString(" " + p.Infragenus)
	}
	p.Rank = ""
	for _, e := range p.Epithets {
		if e.Rank != "" {
			b.WriteString(" " + e.Rank)
		}
		if e.Hybrid {
			b.WriteString(" ×")
		}
		p.Hybrid = p.Hybrid || e.Hybrid || strings.HasPrefix(e.Rank, "notho")
		b.WriteString(" " + latinWord(e.Word))
		p.Rank = e.Rank
	}
	p.Canonical = b.String()
	if p.Phrase != "" {
		name := p.Canonical
		p.Canonical += " " + p.Phrase
		p.addKey(p.Canonical, 0)
		p.addKey(name, 0)
		p.OpenGenus = len(p.Epithets) == 0
		return
	}
	if p.Infragenus != "" && len(p.Epithets) == 0 {
		p.addKey(p.Canonical, 0)
		p.addKey(p.Genus, 0)
		p.OpenGenus = true
		return
	}
	if p.Cultivar != "" {
		p.addKey(p.Canonical+" '"+p.Cultivar+"'", 0)
		p.Keys[len(p.Keys)-1].Cultivar = true
		p.OpenGenus = p.OpenGenus || len(p.Epithets) == 0
		p.addKey(p.Canonical, vocabulary.CultivarIgnored)
	} else {
		p.addKey(p.Canonical, 0)
	}
	if n := len(p.Epithets); n > 2 {
		// The name of a form is made of its species and its own epithet.
		p.addKey(p.Canonical[:len(latinWord(p.Genus))]+" "+p.Epithets[0].Word+" "+p.Epithets[n-1].Word, 0)
	}
	if n := len(p.Epithets); n > 1 && p.Epithets[1].Rank == "" && !p.Epithets[1].Hybrid {
		// A hyphen may be left out: Capsella bursa pastoris.
		rest := ""
		for _, e := range p.Epithets[2:] {
			rest += " " + e.Word
		}
		p.addKey(p.Genus+" "+p.Epithets[0].Word+"-"+p.Epithets[1].Word+rest, vocabulary.Orthography)
	}
	p.addPlain()
}

// SetAuthor takes an author that stands apart from the name; auct. and sensu
// say that the name is not its author's.
func (p *Name) SetAuthor(author string) {
	first, next, _ := strings.Cut(strings.ToLower(author), " ")
	if auct := "auct"; strings.HasPrefix(first, auct) || first == "sensu" {
		p.Misapplied = p.Misapplied || strings.HasPrefix(first, auct) || strings.HasPrefix(next, auct)
		p.Flags |= vocabulary.AnnotationIgnored
		author = ""
	}
	p.Author = author
}

// addPlain adds the key that has the plain letter for each umlaut.
func (p *Name) addPlain() {
	const umlauts = "äöüÄÖÜ"
	has := strings.ContainsAny(p.Genus, umlauts)
	for _, e := range p.Epithets {
		has = has || strings.ContainsAny(e.Word, umlauts)
	}
	if !has {
		return
	}
	verbatim := p.Genus
	for _, e := range p.Epithets {
		verbatim += " " + e.Word
	}
	p.addKey(plainUmlauts.Replace(verbatim), 0)
}

var plainUmlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U")

// latinWord writes a genus or epithet in the letters that a name has by
// ICN Art. 60: without diacritics, ligatures and apostrophes.
func latinWord(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf || w[i] == '\'' {
			l := string(spelling.AppendFolded(nil, w))
			if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
				l = spelling.Capitalise(l)
			}
			return l
		}
	}
	return w
}

func (p *Name) addKey(name string, f vocabulary.Flags) {
	key, genus := spelling.AppendKey(nil, name)
	if genus > 0 {
		if p.Keys == nil {
			p.Keys = p.oneKey[:0] // most have no other
		}
		p.Keys = append(p.Keys, Key{Text: key, Genus: genus, Flags: f})
	}
}
