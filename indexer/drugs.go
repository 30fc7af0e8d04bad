package indexer

import (
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/names/drug"
	"bencao/names/han"
)

// giveDrugs gives each species the names of the drugs that come from it: those of
// herb_species, and of the table of drugs those that herb_species does not know.
// One species, whichever is first, gets the names of what is no plant.
func giveDrugs(p *datapackage.Package, known *herbs) {
	if len(p.Species) == 0 {
		return
	}
	byID := speciesByID(p)
	for _, d := range known.drugs {
		for _, id := range d.species {
			s := &p.Species[byID[id]]
			s.Drugs = append(s.Drugs, d.name)
		}
		if len(d.species) == 0 {
			p.Species[0].NoPlants = append(p.Species[0].NoPlants, d.name)
		}
	}
	named := speciesByName(p)
	for _, d := range drug.All() {
		if !d.IsPlant() {
			continue
		}
		_, listed := known.sources[han.Fold(d.Name)]
		for _, s := range d.Species {
			for _, name := range s.Names {
				if i, ok := named[strings.ToLower(name)]; ok {
					giveDrug(p, i, d, !listed && !d.Unsure && !s.Unsure, known)
					break
				}
			}
		}
	}
}

// giveDrug gives a species a drug of the table: its name, which stands behind if
// herb_species says where that comes from, and its other names.
func giveDrug(p *datapackage.Package, i int, d *drug.Drug, named bool, known *herbs) {
	s := &p.Species[i]
	switch {
	case slices.Contains(s.Drugs, d.Name):
	case named:
		s.Drugs = append(s.Drugs, d.Name)
	default:
		s.DrugAliases = append(s.DrugAliases, d.Name)
	}
	for _, a := range d.Aliases {
		if _, listed := known.sources[han.Fold(a.Name)]; !listed && !a.Unsure && !slices.Contains(s.DrugAliases, a.Name) {
			s.DrugAliases = append(s.DrugAliases, a.Name)
		}
	}
}

// speciesByName gives the index of each species by its scientific name, and by
// its synonyms where these are no other's name, in small letters.
func speciesByName(p *datapackage.Package) map[string]int {
	named := make(map[string]int, len(p.Species))
	add := func(name string, i int) {
		if name = strings.ToLower(name); name == "" {
			return
		}
		if _, taken := named[name]; !taken {
			named[name] = i
		}
	}
	for i := range p.Species {
		add(p.Species[i].ScientificName, i)
	}
	for i := range p.Species {
		for _, syn := range p.Species[i].Synonyms {
			if syn.Status != "misapplied" {
				add(syn.Name, i)
			}
		}
	}
	return named
}
