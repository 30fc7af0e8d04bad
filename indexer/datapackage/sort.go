package datapackage

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"bencao/store"
)

// sort sorts all rows by their keys, so that the order of rows in the source does not matter.
func (p *Package) sort() {
	slices.SortFunc(p.Species, func(a, b store.Species) int { return cmp.Compare(a.EntryID, b.EntryID) })
	for i := range p.Species {
		s := &p.Species[i]
		slices.SortFunc(s.Synonyms, func(a, b store.Synonym) int { return cmp.Compare(a.ID, b.ID) })
		slices.SortFunc(s.Aliases, func(a, b store.Alias) int { return strings.Compare(a.Name, b.Name) })
		slices.SortFunc(s.Flora, func(a, b store.FloraTreatment) int { return cmp.Compare(a.ID, b.ID) })
		slices.SortFunc(s.Uses, func(a, b store.PlantUse) int { return cmp.Compare(a.ID, b.ID) })
	}
	slices.SortFunc(p.Formulas, func(a, b store.Formula) int { return cmp.Compare(a.EntryID, b.EntryID) })
	for i := range p.Formulas {
		f := &p.Formulas[i]
		slices.SortFunc(f.Ingredients, func(a, b store.Ingredient) int { return cmp.Compare(a.Seq, b.Seq) })
		slices.SortFunc(f.Codes, func(a, b store.FormulaCode) int {
			return cmp.Or(strings.Compare(a.System, b.System), strings.Compare(a.Code, b.Code))
		})
	}
	slices.SortFunc(p.Papers, func(a, b store.Paper) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.SpeciesPapers, func(a, b SpeciesPaper) int {
		return cmp.Or(cmp.Compare(a.SpeciesID, b.SpeciesID), strings.Compare(a.PaperID, b.PaperID))
	})
	slices.SortFunc(p.HerbSpecies, func(a, b HerbSpecies) int {
		return cmp.Or(strings.Compare(a.Herb, b.Herb), compareIDs(a.SpeciesID, b.SpeciesID))
	})
	slices.SortFunc(p.SpeciesFormulas, func(a, b SpeciesFormula) int {
		return cmp.Or(cmp.Compare(a.SpeciesID, b.SpeciesID), cmp.Compare(a.FormulaID, b.FormulaID))
	})
	slices.SortFunc(p.Similarity, func(a, b Similarity) int {
		return cmp.Or(cmp.Compare(a.FormulaID, b.FormulaID), cmp.Compare(a.OtherID, b.OtherID), strings.Compare(a.Method, b.Method))
	})
	slices.SortFunc(p.NameMatches, func(a, b NameMatch) int { return cmp.Compare(a.SpeciesID, b.SpeciesID) })
}

// compareIDs compares ids. A missing id comes first.
func compareIDs(a, b *int32) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

// rowsOf returns a function that yields the rows of a table, given the function that returns them
// as a list.
func rowsOf[R any](list func(*Package) []R) func(*Package) iter.Seq[*R] {
	return func(p *Package) iter.Seq[*R] {
		return func(yield func(*R) bool) {
			rows := list(p)
			for i := range rows {
				if !yield(&rows[i]) {
					return
				}
			}
		}
	}
}

// ofSpecies returns a function that yields the rows of a table that the package stores in its
// species, such as synonyms.
func ofSpecies[T, R any](list func(*store.Species) []T, row func(species int32, x T) R) func(*Package) iter.Seq[*R] {
	return func(p *Package) iter.Seq[*R] {
		return func(yield func(*R) bool) {
			for i := range p.Species {
				for _, x := range list(&p.Species[i]) {
					r := row(p.Species[i].EntryID, x)
					if !yield(&r) {
						return
					}
				}
			}
		}
	}
}

// ofFormulas returns a function that yields the rows of a table that the package stores in its
// formulas, such as ingredients.
func ofFormulas[T, R any](list func(*store.Formula) []T, row func(formula int32, x T) R) func(*Package) iter.Seq[*R] {
	return func(p *Package) iter.Seq[*R] {
		return func(yield func(*R) bool) {
			for i := range p.Formulas {
				for _, x := range list(&p.Formulas[i]) {
					r := row(p.Formulas[i].EntryID, x)
					if !yield(&r) {
						return
					}
				}
			}
		}
	}
}
