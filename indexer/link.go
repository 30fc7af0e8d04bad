package indexer

import (
	"slices"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/store"
)

// link finds what belongs together, as indexes into the package's slices.
//
// A herb leads to its species by its name as written or, if that is not
// known, by its plain name. Which species use which formulas follows from the
// ingredients, unless the package has a table of its own.
func link(p *datapackage.Package, plain func(herb string) string, r *SimilarityReport) *links {
	l := &links{
		speciesPapers:   make([][]int, len(p.Species)),
		speciesFormulas: make([][]int, len(p.Species)),
		formulaSpecies:  make([][]int, len(p.Formulas)),
		herbSpecies:     make([][][]int, len(p.Formulas)),
	}
	species := make(map[int32]int, len(p.Species))
	for i := range p.Species {
		species[p.Species[i].EntryID] = i
	}
	formulas := make(map[int32]int, len(p.Formulas))
	for i := range p.Formulas {
		formulas[p.Formulas[i].EntryID] = i
	}
	l.papers(p, species)
	l.herbs(p, species, plain, r)
	if p.Table("species_formulas").Present {
		for _, sf := range p.SpeciesFormulas {
			l.join(species[sf.SpeciesID], formulas[sf.FormulaID])
		}
	} else {
		for f, ingredients := range l.herbSpecies {
			for _, of := range ingredients {
				for _, s := range of {
					l.join(s, f)
				}
			}
		}
	}
	for _, lists := range [][][]int{l.speciesPapers, l.speciesFormulas, l.formulaSpecies} {
		for i := range lists {
			slices.Sort(lists[i])
			lists[i] = slices.Compact(lists[i])
		}
	}
	return l
}

func (l *links) join(species, formula int) {
	l.speciesFormulas[species] = append(l.speciesFormulas[species], formula)
	l.formulaSpecies[formula] = append(l.formulaSpecies[formula], species)
}

func (l *links) papers(p *datapackage.Package, species map[int32]int) {
	papers := make(map[string]int, len(p.Papers))
	for i := range p.Papers {
		papers[p.Papers[i].ID] = i
	}
	for _, sp := range p.SpeciesPapers {
		s := species[sp.SpeciesID]
		l.speciesPapers[s] = append(l.speciesPapers[s], papers[sp.PaperID])
	}
}

func (l *links) herbs(p *datapackage.Package, species map[int32]int, plain func(string) string, r *SimilarityReport) {
	sources := map[string][]int{}
	for _, hs := range p.HerbSpecies {
		h := han.Fold(hs.Herb)
		sources[h] = append(sources[h], species[hs.SpeciesID])
	}
	for h := range sources {
		slices.Sort(sources[h])
		sources[h] = slices.Compact(sources[h])
	}
	for f := range p.Formulas {
		ingredients := p.Formulas[f].Ingredients
		l.herbSpecies[f] = make([][]int, len(ingredients))
		for i, in := range ingredients {
			ingredients[i].Plain = plain(in.Herb)
			of, known := sources[han.Fold(in.Herb)]
			if !known {
				of = sources[han.Fold(ingredients[i].Plain)]
			}
			l.herbSpecies[f][i] = of
			if len(of) > 0 {
				r.LinkedHerbs++
			} else {
				r.UnlinkedHerbs++
			}
		}
	}
}

// data takes the records of a package.
func data(p *datapackage.Package) *store.Data {
	return &store.Data{Species: p.Species, Formulas: p.Formulas, Papers: p.Papers}
}
