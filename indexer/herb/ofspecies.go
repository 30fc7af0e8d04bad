package herb

import (
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// AddHerbs adds to each species the names of the herbs that come from it. These are the herbs in
// herb_species, and the herbs that only the table of herbs lists. AddHerbs stores the names of
// herbs that are not plants with the first species. aloud returns the pinyin of a name.
func (h *Herbs) AddHerbs(p *datapackage.Package, aloud func(string) string) {
	if len(p.Species) == 0 {
		return
	}
	g := herbAdder{h, p, aloud}
	byID := p.SpeciesByID()
	forms := statedForms()
	for _, d := range h.Herbs {
		for _, id := range d.Species {
			g.add(&p.Species[byID[id]].Herbs, d.Name)
		}
		if len(d.Species) == 0 {
			p.Species[0].NoPlants = append(p.Species[0].NoPlants, d.Name)
		}
	}
	for _, d := range herb.All() {
		if !d.IsPlant() {
			continue
		}
		_, listed := h.sources[han.Fold(d.Name)]
		aliases := h.otherNames(d)
		for _, a := range h.listedNames(d) {
			aliases = append(aliases, store.HerbName{Reading: store.Reading{Name: a}})
		}
		for _, form := range forms[d] {
			if _, listed := h.sources[han.Fold(form)]; !listed {
				aliases = append(aliases, store.HerbName{Reading: store.Reading{Name: form}})
			}
		}
		for _, s := range d.Species {
			if entry, ok := h.named.species(s); ok {
				g.herb(byID[entry], d, aliases, !listed && !d.Unsure && !s.Unsure)
			}
		}
	}
}

// statedForms returns, by herb, the names of its parts and processed forms, and of several herbs of which it
// is one, that only names.txt explains: 赤箭 of 天麻. It leaves out names of some years, and names such as
// 炙甘草, which are the herb's name with further words.
func statedForms() map[*herb.Herb][]string {
	forms := map[*herb.Herb][]string{}
	for _, s := range herb.Statements() {
		if !s.Relation.Derived() || s.Dated() {
			continue
		}
		for _, m := range herb.LookupReading(herb.Reading{Base: han.Fold(s.Name)}) {
			if m.Alias() && m.By != herb.FolkName && !slices.Contains(forms[m.Herb], s.Name) {
				forms[m.Herb] = append(forms[m.Herb], s.Name)
			}
		}
	}
	return forms
}

// herbAdder is the state of AddHerbs.
type herbAdder struct {
	*Herbs
	pkg   *datapackage.Package
	aloud func(string) string
}

// add adds a name to a list.
func (g herbAdder) add(list *[]store.Reading, name string) {
	*list = append(*list, store.Reading{Name: name, Pinyin: g.aloud(name)})
}

// herb adds a herb of the table to a species: its name and its other names. If named is false, the
// herb's name counts only as another name. named is false if herb_species lists the herb or if the
// herb's source is uncertain.
func (g herbAdder) herb(i int, d *herb.Herb, aliases []store.HerbName, named bool) {
	s := &g.pkg.Species[i]
	switch {
	case has(s.Herbs, d.Name):
	case named:
		g.add(&s.Herbs, d.Name)
	default:
		g.add(&s.HerbAliases, d.Name)
	}
	for _, a := range aliases {
		switch {
		case has(s.Herbs, a.Name), has(s.HerbAliases, a.Name):
		case !a.Folk():
			g.add(&s.HerbAliases, a.Name)
		case !has(s.FolkNames, a.Name):
			g.add(&s.FolkNames, a.Name)
		}
	}
}

func has(list []store.Reading, name string) bool {
	return slices.ContainsFunc(list, func(r store.Reading) bool { return r.Name == name })
}

// otherNames returns the unambiguous other names of a herb of the table. It leaves out a name to
// which herb_species gives a source.
func (h *Herbs) otherNames(d *herb.Herb) (names []store.HerbName) {
	for _, a := range d.Aliases {
		if _, listed := h.sources[han.Fold(a.Name)]; !listed && !a.Unsure {
			names = append(names, store.HerbName{Reading: store.Reading{Name: a.Name}, Kind: string(a.Kind), FromYear: a.From, ToYear: a.To, Source: a.Source, Edition: herb.Edition(a.Source)})
		}
	}
	return names
}

// listedNames returns other names of a herb of the table: those that herb_species resolves to one
// of the herb's species. For example, 仙灵脾 is another name of 淫羊藿, even if herb_species lists each
// of the two names with only one plant.
func (h *Herbs) listedNames(d *herb.Herb) (list []string) {
	for _, a := range d.Aliases {
		if a.Unsure {
			continue
		}
		of := h.listedSources(han.Fold(a.Name))
		if slices.ContainsFunc(d.Species, func(s herb.Species) bool {
			entry, ok := h.named.species(s)
			return ok && slices.ContainsFunc(of, func(s source) bool { return s.entry == entry })
		}) {
			list = append(list, a.Name)
		}
	}
	return list
}

// speciesByName maps scientific names in lower case to entry ids of species.
type speciesByName map[string]int32

// indexNames returns the entry id of each species by its scientific name. The map also has the
// synonyms of a species. It leaves out a synonym that is also the name of another species. A synonym of
// an autonym, such as Styphnolobium japonicum var. japonicum, is one of the species.
func indexNames(species []store.Species) speciesByName {
	named := make(speciesByName, len(species))
	add := func(name string, entry int32) {
		if name = strings.ToLower(name); name == "" {
			return
		}
		if _, taken := named[name]; !taken {
			named[name] = entry
		}
	}
	for i := range species {
		add(string(species[i].ScientificName), species[i].EntryID)
	}
	for i := range species {
		entry := species[i].EntryID
		if words := strings.Fields(strings.ToLower(string(species[i].ScientificName))); len(words) > 2 && words[1] == words[len(words)-1] {
			if of, has := named[words[0]+" "+words[1]]; has {
				entry = of
			}
		}
		for _, syn := range species[i].Synonyms {
			if syn.Status != "misapplied" {
				add(syn.Name, entry)
			}
		}
	}
	return named
}

// species returns the entry id of a species that the table of herbs names.
func (n speciesByName) species(s herb.Species) (entry int32, ok bool) {
	for _, name := range s.Names {
		if entry, ok := n[strings.ToLower(name)]; ok {
			return entry, true
		}
	}
	return 0, false
}
