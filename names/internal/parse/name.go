package parse

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// Name is a parsed name.
type Name struct {
	// Cleaned is the verbatim name after [Clean].
	Cleaned string
	// Canonical is the name without authors: Genus × epithet subsp. epithet.
	// It is empty for a text that is not a name.
	Canonical string
	// Keys lists the keys under which the name is looked up, the best first.
	Keys []Key

	Genus      string
	Infragenus string // "sect. Salimori"; "" if the name has an epithet
	Epithets   []Epithet
	Author     string // author citation after the last epithet, as written
	Cultivar   string // epithet of a cultivar, which is not part of Canonical
	Phrase     string // "sp. Mount Hilditch (M.E. Trudgen 19134)"
	Family     string // family written before or after the genus
	Rank       string // rank of the last epithet
	Hybrid     bool   // the name has a hybrid sign or a rank with notho-

	// Parents are the parents of a hybrid formula, which has no keys.
	Parents []*Name

	Abbreviated bool // the genus is abbreviated
	OpenGenus   bool // the name is identified only to the genus: sp.
	Misapplied  bool // the name is misapplied, that is, used for another species: auct.
	OneOf       bool // the text has other names besides this one
	Unread      bool // the text has other words, which the parser did not read
	NoOrganism  bool // the text means a virus or another parasite of the plant
	ByGnparser  bool // gnparser parsed the name

	// Flags tell which parts of the text were changed or ignored.
	Flags answer.Flags

	HybridGenus bool // the hybrid sign precedes the genus

	// Tokens are the words of the text, with their kinds. Words that the grammar did not read have
	// the kind Unread. Tokens is empty if the name is in the dictionary as written, or if gnparser
	// parsed it.
	Tokens []Token

	left   string // the unread words, if they are in the place of the epithet
	oneKey [1]Key
}

// Epithet is an epithet together with its rank word.
type Epithet struct {
	Rank   string // canonical rank word, or "" if there is none
	Word   string // in lower case
	Hybrid bool
	doubt  bool // cf. or a similar word precedes the epithet
}

// Key is a key under which a name is looked up.
type Key struct {
	Text  []byte
	Genus int // length of the genus in Text
	// Flags are the flags that an answer gets if the name is found under this key.
	Flags answer.Flags
	// Usage is the first usage with the key. It is valid only if Known is true.
	Usage uint32
	Known bool
	// Cultivar is true if the last word is the epithet of a cultivar.
	Cultivar bool
}

// finish sets the canonical name and the keys.
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
		p.Hybrid = p.Hybrid || e.Hybrid
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
	if p.Cultivar != "" {
		p.addKey(p.Canonical+" '"+p.Cultivar+"'", 0)
		p.Keys[len(p.Keys)-1].Cultivar = true
		p.OpenGenus = len(p.Epithets) == 0
		p.addKey(p.Canonical, answer.CultivarIgnored)
	} else {
		p.addKey(p.Canonical, 0)
	}
	if n := len(p.Epithets); n > 2 {
		// Also look the name up without the ranks in between, since the name of a form may be
		// written with only the epithets of its species and the form.
		p.addKey(p.Canonical[:len(latinWord(p.Genus))]+" "+p.Epithets[0].Word+" "+p.Epithets[n-1].Word, 0)
	}
	if n := len(p.Epithets); n > 1 && p.Epithets[1].Rank == "" {
		// Also look the name up with a hyphen, which may be missing: Capsella bursa pastoris.
		rest := ""
		for _, e := range p.Epithets[2:] {
			rest += " " + e.Word
		}
		p.addKey(p.Genus+" "+p.Epithets[0].Word+"-"+p.Epithets[1].Word+rest, answer.Orthography)
	}
	p.addPlain()
}

// Left returns the words of the text that were not read, or "" if there are none.
func (p *Name) Left() string {
	if p.left != "" {
		return p.left
	}
	if !p.ByGnparser {
		var left strings.Builder
		for i := range p.Tokens {
			t := &p.Tokens[i]
			if t.Kind != Unread || !strings.ContainsFunc(t.Text, unicode.IsLetter) {
				continue
			}
			if left.Len() == 0 {
				left.Grow(len(p.Cleaned))
			} else {
				left.WriteByte(' ')
			}
			left.WriteString(t.Text)
		}
		return left.String()
	}
	var left []string
	read := strings.Fields(strings.Join([]string{p.Canonical, p.Author, p.Family, p.Cultivar, p.Phrase}, " "))
	for w := range strings.FieldsSeq(p.Cleaned) {
		b := bare(w)
		_, rank := ranks.Mark(b)
		if !rank && wordlist.Of(b) == 0 && !author.Listed(b) && strings.ContainsFunc(w, unicode.IsLetter) && !slices.ContainsFunc(read, func(r string) bool { return bare(r) == b }) {
			left = append(left, w)
		}
	}
	return strings.Join(left, " ")
}

// SetAuthor sets the author that the query gives in a separate field. auct., sensu Mill. or sensu
// lato is not an author and is dropped; the first two mark the name as misapplied.
func (p *Name) SetAuthor(cited string) {
	if wrong := author.IsMisapplied(cited); wrong || strings.HasPrefix(strings.ToLower(cited), "sensu ") {
		p.Misapplied = wrong
		p.Flags |= answer.AnnotationIgnored
		cited = ""
	}
	p.Author = cited
}

// HasAuthorOfSpecies reports whether an author that the query gives in a separate field stands in
// the name before an epithet below species. It is then the author of the species: a table may have
// the whole name and the author of the species side by side.
func (p *Name) HasAuthorOfSpecies(author string) bool {
	if len(p.Epithets) < 2 {
		return false
	}
	squeezed := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	before, _, found := strings.Cut(squeezed(p.Cleaned), squeezed(author))
	return found && !strings.Contains(before, p.Epithets[len(p.Epithets)-1].Word)
}

// addPlain adds a key in which umlauts are written as plain letters, if the name has umlauts.
func (p *Name) addPlain() {
	if !strings.ContainsAny(p.Cleaned, "äöüÄÖÜ") {
		return
	}
	verbatim := p.Genus
	for _, e := range p.Epithets {
		verbatim += " " + e.Word
	}
	if plain := plainUmlauts.Replace(verbatim); plain != verbatim {
		p.addKey(plain, 0)
	}
}

var plainUmlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U")

// latinWord returns a genus or epithet in the letters that ICN Art. 60 allows: without diacritics,
// ligatures and apostrophes.
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

func (p *Name) addKey(name string, f answer.Flags) {
	key, genus := spelling.AppendKey(nil, name)
	if genus > 0 {
		if p.Keys == nil {
			p.Keys = p.oneKey[:0] // most names have only one key
		}
		p.Keys = append(p.Keys, Key{Text: key, Genus: genus, Flags: f})
	}
}
