package materia

import (
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/names/drug"
	"bencao/names/han"
	"bencao/store"
)

// Give gives each species the names of the drugs that come from it: those of
// herb_species, and of the table of drugs those that herb_species does not know.
// One species, whichever is first, gets the names of what is no plant. Aloud reads
// a name in pinyin.
func (h *Herbs) Give(p *datapackage.Package, aloud func(string) string) {
	if len(p.Species) == 0 {
		return
	}
	g := giving{h, p, aloud}
	byID := p.SpeciesByID()
	for _, d := range h.Drugs {
		for _, id := range d.Species {
			g.give(&p.Species[byID[id]].Drugs, d.Name)
		}
		if len(d.Species) == 0 {
			p.Species[0].NoPlants = append(p.Species[0].NoPlants, d.Name)
		}
	}
	named := byName(p.Species)
	for _, d := range drug.All() {
		if !d.IsPlant() {
			continue
		}
		_, listed := h.sources[han.Fold(d.Name)]
		aliases := append(h.otherNames(d), h.listedNames(d, named)...)
		for _, s := range d.Species {
			if i, ok := named.species(s); ok {
				g.drug(i, d, aliases, !listed && !d.Unsure && !s.Unsure)
			}
		}
	}
}

// giving is what Give works with.
type giving struct {
	*Herbs
	pkg   *datapackage.Package
	aloud func(string) string
}

// give adds a name to a list.
func (g giving) give(list *[]store.Reading, name string) {
	*list = append(*list, store.Reading{Name: name, Pinyin: g.aloud(name)})
}

// drug gives a species a drug of the table: its name, which stands behind if
// herb_species says where that comes from, and its other names.
func (g giving) drug(i int, d *drug.Drug, aliases []string, named bool) {
	s := &g.pkg.Species[i]
	switch {
	case has(s.Drugs, d.Name):
	case named:
		g.give(&s.Drugs, d.Name)
	default:
		g.give(&s.DrugAliases, d.Name)
	}
	for _, a := range aliases {
		if !has(s.Drugs, a) && !has(s.DrugAliases, a) {
			g.give(&s.DrugAliases, a)
		}
	}
}

func has(list []store.Reading, name string) bool {
	return slices.ContainsFunc(list, func(r store.Reading) bool { return r.Name == name })
}

// otherNames are the names that a drug of the table surely has, but for those of
// which herb_species says where they lead.
func (h *Herbs) otherNames(d *drug.Drug) (names []string) {
	for _, a := range d.Aliases {
		if _, listed := h.sources[han.Fold(a.Name)]; !listed && !a.Unsure {
			names = append(names, a.Name)
		}
	}
	return names
}

// listedNames are the other names of a drug of the table of which herb_species says
// that they lead to one of its species: 仙灵脾 is 淫羊藿, even where herb_species has
// both and gives each one plant.
func (h *Herbs) listedNames(d *drug.Drug, named names) (list []string) {
	for _, a := range d.Aliases {
		if a.Unsure {
			continue
		}
		of := h.of(han.Fold(a.Name), nil)
		if slices.ContainsFunc(d.Species, func(s drug.Species) bool {
			i, ok := named.species(s)
			return ok && slices.Contains(of, i)
		}) {
			list = append(list, a.Name)
		}
	}
	return list
}

// names are species by scientific name, in small letters.
type names map[string]int

// byName gives the index of each species by its scientific name, and by its
// synonyms where these are no other's name.
func byName(species []store.Species) names {
	named := make(names, len(species))
	add := func(name string, i int) {
		if name = strings.ToLower(name); name == "" {
			return
		}
		if _, taken := named[name]; !taken {
			named[name] = i
		}
	}
	for i := range species {
		add(species[i].ScientificName, i)
	}
	for i := range species {
		for _, syn := range species[i].Synonyms {
			if syn.Status != "misapplied" {
				add(syn.Name, i)
			}
		}
	}
	return named
}

// species finds a species of the table of drugs.
func (n names) species(s drug.Species) (int, bool) {
	for _, name := range s.Names {
		if i, ok := n[strings.ToLower(name)]; ok {
			return i, true
		}
	}
	return 0, false
}
