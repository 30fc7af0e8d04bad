package herb

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/mappings"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

const (
	// A name that is in no table counts as a herb only if at least minFormulas formulas have the
	// name. The text between two commas is not always a herb.
	minFormulas = 5
	// A name that is in no table counts as a herb only if it has at most maxUnknown characters.
	maxUnknown = 3
	// instructionStarts lists characters with which instructions start: 加茯苓, 去皮尖, 此足太阴. A name that
	// starts with one of them still counts as a herb if a table has the name.
	instructionStarts = "加入引去此故各共煮炼晒焙"
	// maxWritten is the maximum number of spellings in a record, and maxTogether the maximum number
	// of herbs that occur together with it.
	maxWritten  = 50
	maxTogether = 20
)

// Records returns the records of herbs, in answer order. They are
//
//   - the herbs in herb_species,
//   - the herbs in formulas that are in the table of herbs or occur in five formulas,
//   - the herbs in that table that come from a species of the package or are not plants. If the package
//     has the plants of most herbs in that table, then the others too.
//
// Species and formulas must be in answer order and numbered. aloud returns the pinyin of a name.
func (h *Herbs) Records(p *datapackage.Package, d *store.Data, aloud func(string) string) []store.Herb {
	c := &collection{Herbs: h, data: d, species: p.SpeciesByID(), drafts: map[string]*draft{}}
	c.listed(p.HerbSpecies)
	c.formulas()
	c.herbs()
	c.standardNames()
	for _, r := range c.drafts {
		c.describe(r)
	}
	c.inherit()
	return c.records(aloud)
}

// collection holds the unfinished records.
type collection struct {
	*Herbs
	data    *store.Data
	species map[int32]int     // entry id → index
	drafts  map[string]*draft // by folded plain name
}

// draft is an unfinished record.
type draft struct {
	store.Herb
	key     string
	herb    *herb.Herb       // the herb with the same name in the table of herbs
	aliases []store.HerbName // other names
}

// key returns the name of the record to which a herb belongs.
func (c *collection) key(name string) string {
	if plain := c.Plain(name); len(plain) == 1 {
		return plain[0]
	}
	return han.Fold(name)
}

// draft returns the draft with a key. It creates the draft if necessary.
func (c *collection) draft(key string) *draft {
	d, ok := c.drafts[key]
	if !ok {
		d = &draft{key: key}
		d.GUID = datapackage.NameGUID("herbs", key)
		c.drafts[key] = d
	}
	return d
}

// listed adds the rows of herb_species.
func (c *collection) listed(rows []datapackage.HerbSpecies) {
	for _, row := range rows {
		r := c.draft(c.key(row.Herb))
		switch {
		case han.Fold(row.Herb) == r.key:
			r.Name = cmp.Or(r.Name, row.Herb)
		case c.HasPlain(han.Fold(row.Herb)):
			r.aliases = append(r.aliases, store.HerbName{Reading: store.Reading{Name: row.Herb}, Kind: string(herb.BookName), Source: cmp.Or(row.Authority, "herb_species")})
		default:
			r.Forms = append(r.Forms, row.Herb)
		}
		if row.Part != "" {
			r.Parts = append(r.Parts, row.Part)
		}
	}
}

// formulas adds the herbs of the formulas.
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
		r.Written = r.Written[:min(len(r.Written), maxWritten)]
	}
}

// use counts the uses of a plain name in formulas.
type use struct {
	formulas []store.Num
	written  map[string]int // number of formulas by spelling
	total    int            // number of ingredients
	dosed    int            // number of ingredients with a dose
}

func (u *use) count(dose string) {
	u.total++
	if dose != "" {
		u.dosed++
	}
}

// isHerb reports whether a name that is not in herb_species is a herb. A name in the table of herbs
// is a herb, and a name with species is, such as 吴茱萸根. Another name is a herb if it is frequent in formulas, looks like a name, and has a
// dose at least half as often as ingredients have on average: 发热 never has a dose.
func (c *collection) isHerb(plain string, u, all *use) bool {
	switch {
	case herb.HasRecord(plain), herb.LookupReading(herb.Reading{Base: plain}) != nil, len(c.sourcesOf(plain)) > 0:
		return true
	case len(u.formulas) < minFormulas || 2*u.dosed*all.total < all.dosed*u.total:
		return false
	case herb.Lookup(plain) != nil:
		return true
	}
	name := []rune(plain)
	if strings.ContainsRune(instructionStarts, name[0]) || name[len(name)-1] == '下' { // 下 at the end means "taken with": 酒下 is "taken with wine"
		return false
	}
	if len(name) <= maxUnknown {
		return true
	}
	for i := 1; i < len(name); i++ { // a longer name must end with a known herb, as 舶上茴香 does; otherwise it may be a sentence, as 小便不利 is
		if c.Known(string(name[i:])) {
			return true
		}
	}
	return false
}

// herbs adds each herb of the table to the record of its plain name.
func (c *collection) herbs() {
	most := c.hasMost()
	for _, d := range herb.All() {
		key := c.key(d.Name)
		if _, known := c.drafts[key]; d.Unsure || !known && !most && d.IsPlant() && len(c.speciesOf(d, "")) == 0 {
			continue
		}
		r := c.draft(key)
		r.Latin = append(r.Latin, d.Latin...)
		switch {
		case han.Fold(d.Name) == key:
			r.Name, r.herb = d.Name, d
			r.aliases = append(r.aliases, c.otherNames(d)...)
		case c.HasPlain(han.Fold(d.Name)):
			r.aliases = append(r.aliases, c.otherNames(d)...)
		default:
			r.Forms = append(r.Forms, d.Name)
			for _, a := range c.otherNames(d) {
				r.Forms = append(r.Forms, a.Name)
			}
		}
	}
}

// hasMost reports whether the package has a plant of most herbs in the table that are plants. A user
// of such a package expects every herb in it.
func (c *collection) hasMost() bool {
	plants, has := 0, 0
	for _, d := range herb.All() {
		if d.IsPlant() {
			plants++
			if len(c.speciesOf(d, "")) > 0 {
				has++
			}
		}
	}
	return 2*has > plants
}

// standardNames adds records for names that names.txt relates to a herb with a record. It also
// gives the records the names that names.txt prefers.
func (c *collection) standardNames() {
	for _, s := range herb.Statements() {
		if s.Relation.Derived() && slices.ContainsFunc(s.Herbs, c.has) && !c.HasPlain(han.Fold(s.Name)) {
			c.draft(han.Fold(s.Name))
			if s.Relation == herb.Broader {
				for _, name := range s.Herbs {
					c.draft(c.key(name))
				}
			}
		}
	}
	for _, s := range herb.Statements() {
		if r, ok := c.drafts[han.Fold(s.Name)]; ok && s.Relation != herb.Same {
			r.Name = s.Name
		}
		if s.Relation == herb.Unproven {
			continue
		}
		for _, name := range s.Herbs {
			if r, ok := c.drafts[han.Fold(name)]; ok {
				r.Name = name
			}
		}
		if s.Relation != herb.Same {
			continue
		}
		key := c.key(s.Name)
		if s.Dated() {
			key = c.key(s.Herbs[0])
		}
		if r, ok := c.drafts[key]; ok {
			r.aliases = append(r.aliases, store.HerbName{Reading: store.Reading{Name: s.Name}, Kind: string(s.Kind), FromYear: s.From, ToYear: s.To, Source: s.Source, Edition: herb.Edition(s.Source)})
		}
	}
}

// has reports whether the herb with the given name has a record.
func (c *collection) has(name string) bool {
	_, ok := c.drafts[c.key(name)]
	return ok
}

// inherit completes the records of processed forms, parts and broader names that have no source: they
// are of the kind of their herbs.
func (c *collection) inherit() {
	for _, s := range herb.Statements() {
		r, ok := c.drafts[han.Fold(s.Name)]
		if !ok || !s.Relation.Derived() || len(r.Species) > 0 || r.NoPlant {
			continue
		}
		for _, name := range s.Herbs {
			if d, ok := c.drafts[c.key(name)]; ok {
				r.Kind = cmp.Or(r.Kind, d.Kind)
				r.NoPlant = d.NoPlant
			}
		}
	}
}

// describe sets a herb's kind and sources.
func (c *collection) describe(r *draft) {
	r.Name = cmp.Or(r.Name, r.key)
	if of := origins(r.key); len(of) > 0 {
		r.Kind = string(of[0].Kind)
	}
	for _, s := range c.sourcesOf(r.key) {
		of := &c.data.Species[c.species[s.entry]]
		s.Species, s.ChineseName, s.ScientificName = of.Num, string(of.ChineseName), string(of.ScientificName)
		r.Species = append(r.Species, s.HerbSource)
	}
	r.NoPlant = c.NoPlant(r.key)
	r.addAuthority(c)
	switch {
	case r.NoPlant && r.Kind == string(herb.Plant):
		r.Kind = ""
	case r.Kind == "" && len(r.Species) > 0:
		r.Kind = string(herb.Plant)
	}
	slices.SortStableFunc(r.Species, func(a, b store.HerbSource) int {
		return cmp.Or(preference(a)-preference(b), cmp.Compare(year(a.FromYear), year(b.FromYear)), cmp.Compare(a.Species, b.Species))
	})
	r.Species = slices.CompactFunc(r.Species, func(a, b store.HerbSource) bool {
		return a.Species == b.Species && a.Part == b.Part && a.Authority == b.Authority && a.Preferred == b.Preferred && a.FromYear == b.FromYear && a.ToYear == b.ToYear
	})
	c.addEvidence(r)
	r.LeftYear, r.LeftBy = herb.LeftPharmacopoeia(r.Name)
	if len(r.Parts) == 0 {
		r.Parts = latinParts(r.Latin)
	}
	r.Parts, r.Latin, r.Forms = distinct(r.Parts), distinct(r.Latin), distinct(r.Forms)
	c.tidyAliases(r)
}

// tidyAliases sorts the other names of a record by kind and removes those that are no names of it: its
// own name, names of its processed forms, and names that have a record or belong to another one.
func (c *collection) tidyAliases(r *draft) {
	slices.SortStableFunc(r.aliases, func(a, b store.HerbName) int { return cmp.Compare(btoi(a.Folk()), btoi(b.Folk())) })
	seen := map[string]bool{r.Name: true}
	r.aliases = slices.DeleteFunc(r.aliases, func(a store.HerbName) bool {
		key := han.Fold(a.Name)
		switch {
		case seen[a.Name], slices.Contains(r.Forms, a.Name):
			return true
		case key == r.key, a.FromYear != nil, a.ToYear != nil:
		case herb.HasRecord(a.Name), herb.Standard(a.Name) != "" && c.key(a.Name) != r.key:
			return true
		}
		seen[a.Name] = true
		return false
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// addAuthority adds a book to those sources of a record for which herb_species names no book. It
// takes the book from the table of herbs, if that table has a herb with the record's own name and
// the same source.
func (r *draft) addAuthority(c *collection) {
	if r.herb == nil || r.herb.Book == "" {
		return
	}
	for _, says := range c.speciesOf(r.herb, r.herb.Book) {
		for i := range r.Species {
			if s := &r.Species[i]; int(s.Species) == c.species[says.entry] && s.Authority == "" && s.FromYear == nil && s.ToYear == nil {
				s.Authority = says.Authority
			}
		}
	}
}

// preference returns a sort key that puts preferred sources first.
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

// latinParts returns the parts that the first of the pharmaceutical Latin names with a part says are
// used, capitalised. The names after it are of earlier editions: Asari Herba is the whole herb, and
// only root and rhizome have been official since 2005.
func latinParts(latin []string) (parts []string) {
	for _, name := range latin {
		n, ok := herb.ParseLatin(name)
		if !ok {
			continue
		}
		for _, p := range n.Used() {
			parts = append(parts, strings.ToUpper(p[:1])+p[1:])
		}
		if len(parts) > 0 {
			break
		}
	}
	return parts
}

// distinct removes repeated texts.
func distinct(texts []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(texts, func(t string) bool {
		was := seen[t]
		seen[t] = true
		return was
	})
}

// records sorts the records into answer order and resolves the references between them.
func (c *collection) records(aloud func(string) string) []store.Herb {
	sorted := slices.SortedFunc(maps.Values(c.drafts), func(a, b *draft) int { return mappings.CompareHerbs(&a.Herb, &b.Herb) })
	herbs := make([]store.Herb, len(sorted))
	for i, r := range sorted {
		r.Num, r.NamePinyin = store.Num(i), aloud(r.Name)
		for _, a := range r.aliases {
			a.Pinyin = aloud(a.Name)
			r.Aliases = append(r.Aliases, a)
		}
	}
	c.linkIngredients()
	c.addDoses(sorted)
	beside := newCooccurrence(sorted, len(c.data.Formulas))
	for i, r := range sorted {
		r.VariantOf, r.Apart, r.Meant = c.variants(r), c.apart(r), c.meant(r)
		r.With = beside.of(i)
		for _, v := range r.VariantOf {
			if other := sorted[v.Herb]; v.How == string(herb.Processed) {
				other.Forms = distinct(append(other.Forms, r.Name))
			}
		}
	}
	c.findMerged(sorted)
	for i, r := range sorted {
		herbs[i] = r.Herb
	}
	c.namePlain()
	return herbs
}

// findMerged lists for each record the other names that belong to it alone and have no record. Folk
// names do not count.
func (c *collection) findMerged(sorted []*draft) {
	leads := map[string]*draft{}
	for _, r := range sorted {
		for _, a := range r.aliases {
			key := han.Fold(a.Name)
			if _, has := c.drafts[key]; has || a.Folk() {
				continue
			}
			if other, twice := leads[key]; twice && other != r {
				leads[key] = nil
			} else {
				leads[key] = r
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(leads)) {
		if r := leads[key]; r != nil {
			r.Merged = append(r.Merged, store.MergedHerb{GUID: datapackage.NameGUID("herbs", key), Name: r.alias(key)})
		}
	}
}

// alias returns the other name of the record with a key.
func (r *draft) alias(key string) string {
	return r.aliases[slices.IndexFunc(r.aliases, func(a store.HerbName) bool { return han.Fold(a.Name) == key })].Name
}

// namePlain replaces the plain names of ingredients by the names of their records: 黄芪, not 黄耆.
func (c *collection) namePlain() {
	for i := range c.data.Formulas {
		for j := range c.data.Formulas[i].Ingredients {
			in := &c.data.Formulas[i].Ingredients[j]
			for k, plain := range in.Plain {
				if r, ok := c.drafts[plain]; ok {
					in.Plain[k] = r.Name
				}
			}
		}
	}
}
