package indexer

import (
	"slices"
	"strconv"

	"bencao/indexer/datapackage"
	"bencao/indexer/herb"
	"bencao/names/herb/dose"
	"bencao/store"
)

// link resolves the references between records to indexes of the package's slices.
//
// [herb.Herbs] resolves herbs to species. The links between species and formulas follow from the
// ingredients, unless the package has the table species_formulas.
func link(p *datapackage.Package, known *herb.Herbs) *links {
	l := &links{
		speciesPapers:   make([][]int, len(p.Species)),
		speciesFormulas: make([][]int, len(p.Species)),
		formulaSpecies:  make([][]int, len(p.Formulas)),
		herbSpecies:     make([][][]int, len(p.Formulas)),
	}
	species := p.SpeciesByID()
	formulas := make(map[int32]int, len(p.Formulas))
	for i := range p.Formulas {
		formulas[p.Formulas[i].EntryID] = i
	}
	l.papers(p, species)
	for f := range p.Formulas {
		of := known.At(p.Formulas[f].Year)
		for i := range p.Formulas[f].Ingredients {
			in := &p.Formulas[f].Ingredients[i]
			in.Plain = of.Plain(in.Herb)
			in.Grams = grams(in.Dose, p.Formulas[f].Year)
			l.herbSpecies[f] = append(l.herbSpecies[f], known.Species(in.Herb, p.Formulas[f].Year))
		}
	}
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

// grams returns the weight of a dose in grams, to four digits, or nil if it is unknown.
func grams(text string, year *int32) *float64 {
	g, ok := dose.Grams(text, year)
	if !ok {
		return nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(g, 'g', 4, 64), 64)
	if err != nil {
		panic(err) // FormatFloat writes what ParseFloat reads
	}
	return &rounded
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

// data returns the records of a package.
func data(p *datapackage.Package) *store.Data {
	return &store.Data{Species: p.Species, Formulas: p.Formulas, Papers: p.Papers}
}
