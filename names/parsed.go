package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// parsedName is a verbatim name taken apart.
type parsedName struct {
	cleaned string // the verbatim name with its characters cleaned

	genus      string
	infragenus string // "sect. Salimori", only when there is no species
	epithets   []epithet
	author     string
	cultivar   string
	phrase     string // "sp. Mount Hilditch (M.E. Trudgen 19134)"
	family     string // leading family, a hint
	rank       string // canonical rank word of the last epithet
	hybrid     bool

	hybridGenus bool
	openGenus   bool // sp.: nothing below the genus, or the species, is meant
	expanded    bool // genus is a few letters and a full stop
	misapplied  bool // auct.
	oneOf       bool // the text offers another name behind it, which is not read
	flags       flagSet

	parents   []*parsedName // of a hybrid formula
	canonical string
	keys      []nameKey
	oneKey    [1]nameKey
	byParser  bool // gnparser read it
}

// epithet is one epithet with the rank word before it.
type epithet struct {
	rank   string // canonical, or empty
	word   string // lower case
	hybrid bool
}

// nameKey is a key to look a name up by.
type nameKey struct {
	key   []byte
	genus int // length of the genus in key
	flags flagSet
	// usage is the first one of the key, if known.
	usage uint32
	known bool
	// cultivar says that the last word is a cultivar's.
	cultivar bool
}

// finish writes the canonical name and the keys.
func (p *parsedName) finish() {
	if p.genus == "" {
		return
	}
	var b strings.Builder
	if p.hybridGenus {
		b.WriteString("× ")
		p.hybrid = true
	}
	b.WriteString(latinWord(p.genus))
	if p.expanded {
		b.WriteByte('.')
	}
	if p.infragenus != "" && len(p.epithets) == 0 {
		b.WriteString(" " + p.infragenus)
	}
	p.rank = ""
	for _, e := range p.epithets {
		if e.rank != "" {
			b.WriteString(" " + e.rank)
		}
		if e.hybrid {
			b.WriteString(" ×")
		}
		p.hybrid = p.hybrid || e.hybrid || strings.HasPrefix(e.rank, "notho")
		b.WriteString(" " + latinWord(e.word))
		p.rank = e.rank
	}
	p.canonical = b.String()
	if p.phrase != "" {
		name := p.canonical
		p.canonical += " " + p.phrase
		p.addKey(p.canonical, 0)
		p.addKey(name, 0)
		p.openGenus = len(p.epithets) == 0
		return
	}
	if p.infragenus != "" && len(p.epithets) == 0 {
		p.addKey(p.canonical, 0)
		p.addKey(p.genus, 0)
		p.openGenus = true
		return
	}
	if p.cultivar != "" {
		p.addKey(p.canonical+" '"+p.cultivar+"'", 0)
		p.keys[len(p.keys)-1].cultivar = true
		p.addKey(p.canonical, fCultivarIgnored)
	} else {
		p.addKey(p.canonical, 0)
	}
	if n := len(p.epithets); n > 2 {
		// The name of a form is made of its species and its own epithet.
		p.addKey(p.canonical[:len(latinWord(p.genus))]+" "+p.epithets[0].word+" "+p.epithets[n-1].word, 0)
	}
	if n := len(p.epithets); n > 1 && p.epithets[1].rank == "" && !p.epithets[1].hybrid {
		// A hyphen may be left out: Capsella bursa pastoris.
		rest := ""
		for _, e := range p.epithets[2:] {
			rest += " " + e.word
		}
		p.addKey(p.genus+" "+p.epithets[0].word+"-"+p.epithets[1].word+rest, fOrthography)
	}
	p.addPlain()
}

// setAuthor takes an author that stands apart from the name; auct. and sensu
// say that the name is not its author's.
func (p *parsedName) setAuthor(author string) {
	first, next, _ := strings.Cut(strings.ToLower(author), " ")
	if auct := "auct"; strings.HasPrefix(first, auct) || first == "sensu" {
		p.misapplied = p.misapplied || strings.HasPrefix(first, auct) || strings.HasPrefix(next, auct)
		p.flags |= fAnnotationIgnored
		author = ""
	}
	p.author = author
}

// addPlain adds the key that has the plain letter for each umlaut.
func (p *parsedName) addPlain() {
	verbatim := p.genus
	for _, e := range p.epithets {
		verbatim += " " + e.word
	}
	if strings.ContainsAny(verbatim, "äöüÄÖÜ") {
		p.addKey(plainUmlauts.Replace(verbatim), 0)
	}
}

var plainUmlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U")

// latinWord writes a genus or epithet in the letters that a name has by
// ICN Art. 60: without diacritics, ligatures and apostrophes.
func latinWord(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf || w[i] == '\'' {
			l := string(appendFolded(nil, w))
			if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
				l = capitalise(l)
			}
			return l
		}
	}
	return w
}

func (p *parsedName) addKey(name string, f flagSet) {
	key, genus := appendKey(nil, name)
	if genus > 0 {
		p.keys = append(p.keys, nameKey{key: key, genus: genus, flags: f})
	}
}
