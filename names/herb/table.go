package herb

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"bencao/names/han"
)

var (
	//go:embed plants-1.txt
	plants1 string
	//go:embed plants-2.txt
	plants2 string
	//go:embed plants-3.txt
	plants3 string
	//go:embed plants-4.txt
	plants4 string
	//go:embed others.txt
	others string
)

// Pharmacopoeia is the book from which most herbs of the table come.
const Pharmacopoeia = "中国药典"

// table holds the herbs of the files, by name.
type table struct {
	herbs []*Herb
	// names maps the main Chinese names of herbs to the herbs, stated maps the names that names.txt
	// gives them, and folk their folk names. All names are folded.
	names, stated, folk map[string][]named
	// elsewhen maps main names that names.txt gives to other herbs in some years to these herbs. It
	// leaves out the names that the pharmacopoeia gives to a herb today.
	elsewhen map[string][]named
	// latin maps the stems of Latin names to herbs.
	latin map[string][]latinNamed
	// words has the words of the stems.
	words map[string]bool
	// others has the genera, in lower case, of herbs that are not plants.
	others map[string]bool
	// species maps the names of species, in lower case, to the herb that comes from them before all
	// from others: the one that lists them earliest, and the first of several.
	species map[string]bySpecies
}

// bySpecies is a herb with the place of one of its species in its list.
type bySpecies struct {
	herb  *Herb
	place int
}

// named is a herb under one of its Chinese names.
type named struct {
	herb   *Herb
	kind   NameKind
	unsure bool
	dated  bool // only in some years does the name mean the herb
}

// latinNamed is a herb under one of its Latin names.
type latinNamed struct {
	herb *Herb
	name LatinName
}

// loaded reads the files once. It panics if a line cannot be read, because the files are part of
// the program.
var loaded = sync.OnceValue(func() *table {
	t := &table{
		names: map[string][]named{}, stated: map[string][]named{}, folk: map[string][]named{}, elsewhen: map[string][]named{},
		latin: map[string][]latinNamed{}, words: map[string]bool{}, others: map[string]bool{}, species: map[string]bySpecies{},
	}
	for _, file := range []struct{ name, text, book string }{
		{"plants-1.txt", plants1, Pharmacopoeia}, {"plants-2.txt", plants2, Pharmacopoeia}, {"plants-3.txt", plants3, Pharmacopoeia}, {"plants-4.txt", plants4, ""}, {"others.txt", others, ""},
	} {
		n := 0
		for line := range strings.Lines(file.text) {
			n++
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			d, err := parseHerb(line, file.name == "others.txt")
			if err != nil {
				panic(fmt.Sprintf("names/herb/%s:%d: %v", file.name, n, err))
			}
			d.Book, d.Edition = file.book, editionOf(file.book, d.Name)
			t.add(d)
		}
	}
	t.state()
	t.addFolk()
	return t
})

// add adds a herb under its main name and its Latin names.
func (t *table) add(d *Herb) {
	t.herbs = append(t.herbs, d)
	key := han.Fold(d.Name)
	t.names[key] = append(t.names[key], named{d, StandardName, d.Unsure, false})
	for place, s := range d.Species {
		for _, name := range s.Names {
			key := strings.ToLower(name)
			if known, ok := t.species[key]; d.Kind != Mineral && d.Kind != Other && !d.Unsure && (!ok || place < known.place) {
				t.species[key] = bySpecies{d, place}
			}
		}
	}
	switch d.Kind {
	case Fungus, Alga, Animal:
		for _, s := range d.Species {
			for _, name := range s.Names {
				genus, _, _ := strings.Cut(name, " ")
				t.others[strings.ToLower(genus)] = true
			}
		}
	}
	for _, name := range d.Latin {
		l, _ := ParseLatin(name)
		stem := l.stem()
		t.latin[stem] = append(t.latin[stem], latinNamed{d, l})
		for w := range strings.FieldsSeq(stem) {
			t.words[w] = true
		}
	}
}

// state adds the names of names.txt. The name of a processed form, of a part, or of several herbs is
// another name of these herbs unless the name is in the table itself or is one of its names with
// further words. So are the other names of such a form: 熟军 is 熟大黄, which is 大黄. A name that
// without further words would mean another herb is stated too: 黑狗脊 is 贯众, not 狗脊.
func (t *table) state() {
	type statement struct {
		name string
		is   named
	}
	var cut []statement // names that are left out, since they are names of the table with further words
	for _, s := range Statements() {
		key := han.Fold(s.Name)
		known := slices.ContainsFunc(Readings(key), func(r Reading) bool { return t.names[r.Base] != nil })
		if s.Relation == Different {
			continue
		}
		for _, name := range s.Herbs {
			ofForm := s.Relation.Derived() || t.names[han.Fold(name)] == nil
			for _, n := range t.meant(name) {
				if s.Relation == Unproven {
					n.herb.folk = append(n.herb.folk, Alias{Name: s.Name, Kind: FolkName})
					continue
				}
				also := named{n.herb, s.Kind, n.unsure, s.Dated()}
				switch {
				case s.Folds:
				case ofForm && known:
					cut = append(cut, statement{key, also})
				default:
					t.stated[key] = append(t.stated[key], also)
				}
				if main := t.names[key]; s.Dated() && len(main) > 0 && main[0].herb.Book != Pharmacopoeia && main[0].herb != n.herb {
					t.elsewhen[key] = append(t.elsewhen[key], also)
				}
				if s.Relation == Same {
					n.herb.Aliases = append(n.herb.Aliases, Alias{s.Name, s.Kind, s.From, s.To, s.Source, false})
				}
			}
		}
	}
	for _, s := range cut {
		if !t.leadsTo(s.name, s.is.herb) {
			t.stated[s.name] = append(t.stated[s.name], s.is)
		}
	}
}

// leadsTo reports whether a folded name, with or without further words, means a herb and is no folk name.
func (t *table) leadsTo(name string, d *Herb) bool {
	for _, r := range Readings(name) {
		if list := t.proven(r); len(list) > 0 {
			return slices.ContainsFunc(list, func(n named) bool { return n.herb == d })
		}
	}
	return false
}

// meant returns the herbs of the table that a standard name means: those of this name, or else those
// of which names.txt says that it is a processed form or a part, or that it covers them.
func (t *table) meant(name string) (list []named) {
	if own := t.names[han.Fold(name)]; own != nil {
		return own
	}
	for _, s := range StatementsOn(name) {
		if s.Relation.Derived() {
			for _, of := range s.Herbs {
				list = append(list, t.meant(of)...)
			}
		}
	}
	return list
}

// addFolk adds the folk names. A folk name is left out if it is the main name of another herb. A folk
// name of a plant is also left out if it is a name of a herb that is no plant, or names a part of a
// beast.
func (t *table) addFolk() {
	noPlant := map[string]bool{}
	for _, named := range []map[string][]named{t.names, t.stated} {
		for key, list := range named {
			for _, n := range list {
				noPlant[key] = noPlant[key] || !n.herb.IsPlant() && !n.unsure
			}
		}
	}
	for _, d := range t.herbs {
		for _, a := range d.folk {
			noPlant[han.Fold(a.Name)] = noPlant[han.Fold(a.Name)] || !d.IsPlant() && !a.Unsure && !d.Unsure
		}
	}
	for _, d := range t.herbs {
		for _, a := range d.folk {
			key := han.Fold(a.Name)
			if len(t.names[key]) > 0 || slices.ContainsFunc(d.Aliases, func(o Alias) bool { return o.Name == a.Name }) || d.IsPlant() && (noPlant[key] || isBeastPart(key)) || statedApart(d, a.Name) || d.hasForm(key) {
				continue
			}
			t.folk[key] = append(t.folk[key], named{d, FolkName, a.Unsure || d.Unsure, false})
			d.Aliases = append(d.Aliases, a)
		}
		d.folk = nil
	}
}

// statedApart reports whether names.txt says what a folk name means, and that it is not the herb, or
// that it is the herb by a better source.
func statedApart(d *Herb, name string) bool {
	return slices.ContainsFunc(StatementsOn(name), func(s Statement) bool {
		switch s.Relation {
		case Same, Processed, Part, Broader:
			return true
		case Different:
			return slices.Contains(s.Herbs, d.Name)
		}
		return false
	})
}

// hasForm reports whether a folded name is the main name of d with words for processing or origin. 制附子
// is no folk name of 附子, although dictionaries list it among them.
func (d *Herb) hasForm(name string) bool {
	return slices.ContainsFunc(Readings(name), func(r Reading) bool {
		return !r.Uncut() && len(r.Parts) == 0 && r.Base == han.Fold(d.Name)
	})
}

const (
	beasts     = "牛羊马猪狗犬虎鹿鸡鸭鹅兔狸獭熊狐驴骡猫豹狼象犀鼠龟鱼蛇猴"
	beastParts = "角蹄肠胆骨髓脂肾肝睛肚肺"
)

// isBeastPart reports whether a folk name names a part of a beast: 羊角, 白马蹄, 猪腰子.
func isBeastPart(name string) bool {
	if !strings.ContainsAny(name, beasts) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	return strings.ContainsRune(beastParts, last) || strings.HasSuffix(name, "腰子")
}

// OfSpecies returns the herb that comes from a species with the given name, without author, or nil.
// If several do, it returns the one that lists the species earliest. It finds living things only.
func OfSpecies(name string) *Herb { return loaded().species[strings.ToLower(name)].herb }

// IsNonPlantGenus reports whether a genus, in lower case, is a genus of animals, fungi or algae
// that herbs come from. A genus of plants may have the same name.
func IsNonPlantGenus(genus []byte) bool { return loaded().others[string(genus)] }

// The number of fields in a line of the files for plants, and in a line of others.txt.
const (
	plantFields = 4
	otherFields = 5
)

// parseHerb parses a line of the files. Lines of others.txt start with the kind.
func parseHerb(line string, hasKind bool) (*Herb, error) {
	d := &Herb{Kind: Plant}
	fields := strings.Split(line, "|")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	want := plantFields
	if hasKind {
		want = otherFields
	}
	if len(fields) != want {
		return nil, fmt.Errorf("%d fields instead of %d; put \" | \" between them", len(fields), want)
	}
	if hasKind {
		d.Kind = Kind(fields[0])
		switch d.Kind {
		case Fungus, Alga, Animal, Mineral, Other:
		default:
			return nil, fmt.Errorf("%q is no kind of drug; use fungus, alga, animal, mineral or other", fields[0])
		}
		fields = fields[1:]
	}
	d.Name = fields[0]
	if d.Name == "" || !han.Has(d.Name) {
		return nil, fmt.Errorf("%q is no Chinese name", d.Name)
	}
	d.Latin = list(fields[1])
	for _, s := range list(fields[2]) {
		s, unsure := strings.CutSuffix(s, "?")
		sp := Species{Unsure: unsure}
		for n := range strings.SplitSeq(s, "=") {
			n = strings.TrimSpace(n)
			if strings.HasSuffix(n, "?") {
				return nil, fmt.Errorf("%q would make its whole species unsure; list it as a species of its own", n)
			}
			sp.Names = append(sp.Names, n)
		}
		d.Species = append(d.Species, sp)
	}
	for _, a := range strings.Fields(fields[3]) {
		a, unsure := strings.CutSuffix(a, "?")
		if a == "" {
			d.Unsure = true
			continue
		}
		d.folk = append(d.folk, Alias{Name: a, Kind: FolkName, Unsure: unsure})
	}
	return d, nil
}

// list splits a field at its commas.
func list(field string) []string {
	var out []string
	for s := range strings.SplitSeq(field, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
