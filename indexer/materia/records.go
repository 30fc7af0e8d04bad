package materia

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/mappings"
	"bencao/names/drug"
	"bencao/names/han"
	"bencao/store"
)

const (
	// enough is in how many formulas a name must stand that no table knows: the
	// text between two commas is sometimes no herb at all.
	enough = 5
	// longestUnknown is how long such a name is, in characters.
	longestUnknown = 3
	// instructing begin instructions, where no table knows what they begin: 加茯苓,
	// 去皮尖, 此足太阴.
	instructing = "加入引去此故各共煮炼晒焙"
	// mostWritten and mostBeside bound the lists of a record.
	mostWritten = 50
	mostBeside  = 20
)

// Records makes the records of herbs, in answer order: those of herb_species,
// those that formulas name and the table of drugs knows or that stand in five
// formulas, and of that table the drugs that come from a species of the package
// or that are no plants. Species and formulas must be in answer order, with their
// numbers. Aloud reads a name in pinyin.
func (h *Herbs) Records(p *datapackage.Package, d *store.Data, aloud func(string) string) []store.Herb {
	c := &collection{Herbs: h, data: d, named: byName(d.Species), drafts: map[string]*draft{}}
	c.listed(p.HerbSpecies, p.SpeciesByID())
	c.formulas()
	c.drugs()
	for _, r := range c.drafts {
		c.describe(r)
	}
	return c.numbered(aloud)
}

// collection is the records in the making.
type collection struct {
	*Herbs
	data   *store.Data
	named  names
	drafts map[string]*draft // by folded plain name
}

// draft is a record in the making.
type draft struct {
	store.Herb
	key     string
	drug    *drug.Drug         // of the table of drugs, if that has the very name
	aliases []string           // other names
	formed  []store.HerbSource // where herb_species says that its processed forms come from
}

// key is the name of the record that a herb belongs to.
func (c *collection) key(name string) string {
	if plain := c.Plain(name); len(plain) == 1 {
		return plain[0]
	}
	return han.Fold(name)
}

// draft returns the draft of a key; it makes one if there is none.
func (c *collection) draft(key string) *draft {
	d, ok := c.drafts[key]
	if !ok {
		d = &draft{key: key}
		d.GUID = datapackage.NameGUID("herbs", key)
		c.drafts[key] = d
	}
	return d
}

// listed takes the rows of herb_species.
func (c *collection) listed(rows []datapackage.HerbSpecies, species map[int32]int) {
	for _, row := range rows {
		r := c.draft(c.key(row.Herb))
		from := &r.formed
		switch {
		case han.Fold(row.Herb) == r.key:
			r.Name = cmp.Or(r.Name, row.Herb)
			from = &r.Species
		case row.Plain != "":
			r.aliases = append(r.aliases, row.Herb)
		default:
			r.Forms = append(r.Forms, row.Herb)
		}
		if row.Part != "" {
			r.Parts = append(r.Parts, row.Part)
		}
		if row.SpeciesID != nil {
			s := c.source(species[*row.SpeciesID])
			s.Part, s.Authority, s.Preferred, s.FromYear, s.ToYear = row.Part, row.Authority, row.Preferred, row.FromYear, row.ToYear
			*from = append(*from, s)
		}
	}
}

// source is a species of the package as a herb's.
func (c *collection) source(i int) store.HerbSource {
	s := &c.data.Species[i]
	return store.HerbSource{Species: s.Num, ChineseName: s.ChineseName, ScientificName: s.ScientificName}
}

// formulas takes what the formulas hold.
func (c *collection) formulas() {
	uses := map[string]*use{}
	var all use
	for i := range c.data.Formulas {
		f := &c.data.Formulas[i]
		type text struct{ plain, written string }
		seen := map[text]bool{}
		for _, in := range f.Ingredients {
			all.count(in.Dose)
			for _, plain := range in.Plain {
				u := uses[plain]
				if u == nil {
					u = &use{written: map[string]int{}}
					uses[plain] = u
				}
				u.count(in.Dose)
				if n := len(u.formulas); n == 0 || u.formulas[n-1] != f.Num {
					u.formulas = append(u.formulas, f.Num)
				}
				if t := (text{plain, in.Herb}); !seen[t] {
					seen[t] = true
					u.written[in.Herb]++
				}
			}
		}
	}
	for plain, u := range uses {
		if _, listed := c.drafts[plain]; !listed && !c.isHerb(plain, u, &all) {
			continue
		}
		r := c.draft(plain)
		r.Formulas = u.formulas
		for text, n := range u.written {
			r.Written = append(r.Written, store.HerbWritten{Herb: text, Formulas: n})
		}
		slices.SortFunc(r.Written, func(a, b store.HerbWritten) int {
			return cmp.Or(cmp.Compare(b.Formulas, a.Formulas), strings.Compare(a.Herb, b.Herb))
		})
		r.Written = r.Written[:min(len(r.Written), mostWritten)]
	}
}

// use is how formulas use a plain name.
type use struct {
	formulas []store.Num
	written  map[string]int // the formulas that write it so
	stands   int            // how often it is an ingredient
	dosed    int            // how often one with a dose
}

func (u *use) count(dose string) {
	u.stands++
	if dose != "" {
		u.dosed++
	}
}

// isHerb says whether a name that herb_species has not is that of a herb: the table
// of drugs has it, or formulas often do and it has the form of one. They give a
// herb a dose half as often as all ingredients at least: 发热 has none.
func (c *collection) isHerb(plain string, u, all *use) bool {
	switch {
	case drug.LookupReading(drug.Reading{Base: plain}) != nil:
		return true
	case len(u.formulas) < enough || 2*u.dosed*all.stands < all.dosed*u.stands:
		return false
	case drug.Lookup(plain) != nil:
		return true
	}
	name := []rune(plain)
	if strings.ContainsRune(instructing, name[0]) || name[len(name)-1] == '下' { // to be taken with: 酒下
		return false
	}
	if len(name) <= longestUnknown {
		return true
	}
	for i := 1; i < len(name); i++ { // 舶上茴香; else it is a sentence: 小便不利
		if c.Known(string(name[i:])) {
			return true
		}
	}
	return false
}

// drugs takes the drugs of the table, each into the record of its plain name.
func (c *collection) drugs() {
	for _, d := range drug.All() {
		key := c.key(d.Name)
		if _, known := c.drafts[key]; d.Unsure || !known && d.IsPlant() && len(c.species(d)) == 0 {
			continue
		}
		r := c.draft(key)
		r.Latin = append(r.Latin, d.Latin...)
		switch {
		case han.Fold(d.Name) == key:
			r.Name, r.drug = cmp.Or(r.Name, d.Name), d
			r.aliases = append(r.aliases, c.otherNames(d)...)
		case c.Told(han.Fold(d.Name)):
			r.aliases = append(append(r.aliases, d.Name), c.otherNames(d)...)
		default:
			r.Forms = append(append(r.Forms, d.Name), c.otherNames(d)...)
		}
	}
}

// species are those of the package from which a drug of the table comes: those
// that all books have, if there are any.
func (c *collection) species(d *drug.Drug) []store.HerbSource {
	var sure, all []store.HerbSource
	for _, s := range d.Species {
		if n, ok := c.named.species(s); ok {
			from := c.source(n)
			all = append(all, from)
			if !s.Unsure {
				from.Authority = d.Book
				sure = append(sure, from)
			}
		}
	}
	if len(sure) > 0 {
		return sure
	}
	return all
}

// describe says what a herb is and where it comes from: as herb_species says,
// else as the table of drugs does.
func (c *collection) describe(r *draft) {
	r.Name = cmp.Or(r.Name, r.key)
	kinds := c.kinds(r)
	if len(kinds) > 0 {
		r.Kind = string(kinds[0].Kind)
	}
	_, listed := c.sources[r.key]
	switch {
	case len(r.Species) > 0:
	case listed:
		r.NoPlant = true
	case len(r.formed) > 0:
		r.Species = r.formed
	case c.NoPlant(r.key):
		r.NoPlant = true
	case len(kinds) > 0 && !slices.ContainsFunc(kinds, (*drug.Drug).IsPlant):
		r.NoPlant = true
	default:
		for _, d := range kinds {
			if d.IsPlant() {
				r.add(c.species(d))
			}
		}
	}
	r.witnessed(c)
	switch {
	case r.NoPlant && r.Kind == string(drug.Plant):
		r.Kind = ""
	case r.Kind == "" && len(r.Species) > 0:
		r.Kind = string(drug.Plant)
	}
	slices.SortStableFunc(r.Species, func(a, b store.HerbSource) int {
		return cmp.Or(preference(a)-preference(b), cmp.Compare(year(a.FromYear), year(b.FromYear)), cmp.Compare(a.Species, b.Species))
	})
	r.Species = slices.CompactFunc(r.Species, func(a, b store.HerbSource) bool { return a == b })
	if len(r.Parts) == 0 {
		r.Parts = latinParts(r.Latin)
	}
	r.Parts, r.Latin, r.Forms = once(r.Parts), once(r.Latin), once(r.Forms)
	r.aliases = slices.DeleteFunc(once(r.aliases), func(a string) bool { return han.Fold(a) == r.key || slices.Contains(r.Forms, a) })
}

// add adds the sources of a drug of the table, each species once.
func (r *draft) add(sources []store.HerbSource) {
	for _, s := range sources {
		if !slices.ContainsFunc(r.Species, func(has store.HerbSource) bool { return has.Species == s.Species }) {
			r.Species = append(r.Species, s)
		}
	}
}

// witnessed names the book for sources of which herb_species names none, where the
// table of drugs has the record by its own name and says the same.
func (r *draft) witnessed(c *collection) {
	if r.drug == nil || r.drug.Book == "" {
		return
	}
	for _, says := range c.species(r.drug) {
		for i := range r.Species {
			if s := &r.Species[i]; s.Species == says.Species && s.Authority == "" && s.FromYear == nil && s.ToYear == nil {
				s.Authority = says.Authority
			}
		}
	}
}

// kinds are the drugs of the table that a record is, or is another name, a
// processed form or a part of.
func (c *collection) kinds(r *draft) (list []*drug.Drug) {
	if r.drug != nil {
		return []*drug.Drug{r.drug}
	}
	for _, f := range drug.Lookup(r.Name) {
		if !f.Unsure {
			list = append(list, f.Drug)
		}
	}
	return list
}

// preference sorts what a source prefers before the rest.
func preference(s store.HerbSource) int {
	if s.Preferred != nil && *s.Preferred {
		return 0
	}
	return 1
}

func year(y *int32) int32 {
	if y == nil {
		return -1 << 31
	}
	return *y
}

// latinParts are the parts that pharmaceutical Latin names say, with a capital
// letter.
func latinParts(latin []string) (parts []string) {
	for _, name := range latin {
		if n, ok := drug.ParseLatin(name); ok {
			for _, p := range n.Parts {
				parts = append(parts, strings.ToUpper(p[:1])+p[1:])
			}
		}
	}
	return parts
}

// once leaves the first of equal texts.
func once(texts []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(texts, func(t string) bool {
		was := seen[t]
		seen[t] = true
		return was
	})
}

// numbered puts the records into answer order and makes the references between
// them.
func (c *collection) numbered(aloud func(string) string) []store.Herb {
	sorted := slices.SortedFunc(maps.Values(c.drafts), func(a, b *draft) int { return mappings.CompareHerbs(&a.Herb, &b.Herb) })
	herbs := make([]store.Herb, len(sorted))
	for i, r := range sorted {
		r.Num, r.NamePinyin = store.Num(i), aloud(r.Name)
		for _, a := range r.aliases {
			r.Aliases = append(r.Aliases, store.Reading{Name: a, Pinyin: aloud(a)})
		}
	}
	c.lead()
	beside := newBeside(sorted, len(c.data.Formulas))
	for i, r := range sorted {
		r.VariantOf = c.variants(r)
		r.With = beside.of(i)
		for _, v := range r.VariantOf {
			if other := sorted[v.Herb]; v.How == processed {
				other.Forms = once(append(other.Forms, r.Name))
			}
		}
	}
	for i, r := range sorted {
		herbs[i] = r.Herb
	}
	return herbs
}
