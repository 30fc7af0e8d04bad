package names

import (
	"strings"
)

// parsedName is a verbatim name taken apart.
type parsedName struct {
	cleaned string // the verbatim name with its characters cleaned

	genus      string
	infragenus string // "sect. Salimori", only when there is no species
	epithets   []epithet
	author     string
	cultivar   string
	family     string // leading family, a hint
	rank       string // canonical rank word of the last epithet
	hybrid     bool

	hybridGenus bool
	openGenus   bool // sp.: nothing below the genus, or the species, is meant
	expanded    bool // genus is a few letters and a full stop
	misapplied  bool // auct.
	flags       flagSet

	parents   []*parsedName // of a hybrid formula
	canonical string
	keys      []nameKey
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
	b.WriteString(p.genus)
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
		b.WriteString(" " + e.word)
		p.rank = e.rank
	}
	p.canonical = b.String()
	if p.infragenus != "" && len(p.epithets) == 0 {
		p.addKey(p.canonical, 0)
		p.addKey(p.genus, 0)
		p.openGenus = true
		return
	}
	if p.cultivar != "" {
		p.addKey(p.canonical+" '"+p.cultivar+"'", 0)
		p.addKey(p.canonical, fCultivarIgnored)
	} else {
		p.addKey(p.canonical, 0)
	}
	if strings.ContainsAny(p.canonical, "äöüÄÖÜ") {
		p.addKey(plainUmlauts.Replace(p.canonical), 0)
	}
}

var plainUmlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U")

func (p *parsedName) addKey(name string, f flagSet) {
	key, genus := appendKey(nil, name)
	if genus > 0 {
		p.keys = append(p.keys, nameKey{key, genus, f})
	}
}

// rankOf returns the last rank word of a canonical name, or "".
func rankOf(name string) string {
	// Almost all names have none: look for a space that follows a full stop.
	if strings.IndexByte(name, '.') < 0 {
		return ""
	}
	last := ""
	for i, w := range strings.Fields(name) {
		if r, ok := rankWord(w); i > 1 && ok {
			last = r
		}
	}
	return last
}

// plainRank takes notho- off a rank word.
func plainRank(rank string) string { return strings.TrimPrefix(rank, "notho") }
