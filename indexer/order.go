package indexer

import (
	"slices"
	"sort"

	"bencao/mappings"
	"bencao/store"
)

// links are the references between records, as indexes into the slices of a
// [store.Data] that has no numbers yet.
type links struct {
	speciesPapers   [][]int   // by species
	speciesFormulas [][]int   // by species
	formulaSpecies  [][]int   // by formula
	herbSpecies     [][][]int // by formula, by ingredient
}

// order sorts every table into answer order, numbers the records from 0 and
// turns the links into numbers.
func order(d *store.Data, l *links) {
	species := permutation(len(d.Species), func(a, b int) bool {
		return mappings.LessSpecies(&d.Species[a], &d.Species[b], l.prominence(d, a), l.prominence(d, b))
	})
	standings := mappings.Standings(d.Formulas, func(i int) int { return len(l.formulaSpecies[i]) })
	formulas := permutation(len(d.Formulas), func(a, b int) bool {
		return mappings.LessFormulas(&d.Formulas[a], &d.Formulas[b], standings[a], standings[b])
	})
	papers := permutation(len(d.Papers), func(a, b int) bool {
		return mappings.LessPapers(&d.Papers[a], &d.Papers[b])
	})
	for i := range d.Species {
		s := &d.Species[i]
		s.Num = species[i]
		s.Papers = numbers(l.speciesPapers[i], papers)
		s.Formulas = numbers(l.speciesFormulas[i], formulas)
	}
	for i := range d.Formulas {
		f := &d.Formulas[i]
		f.Num = formulas[i]
		f.Species = numbers(l.formulaSpecies[i], species)
		for j := range f.Ingredients {
			f.Ingredients[j].Species = numbers(l.herbSpecies[i][j], species)
		}
	}
	for i := range d.Papers {
		d.Papers[i].Num, d.Papers[i].Species = papers[i], nil
	}
	for i, list := range l.speciesPapers {
		for _, p := range list {
			d.Papers[p].Species = append(d.Papers[p].Species, species[i])
		}
	}
	for i := range d.Papers {
		slices.Sort(d.Papers[i].Species)
	}
	slices.SortFunc(d.Species, func(a, b store.Species) int { return int(a.Num) - int(b.Num) })
	slices.SortFunc(d.Formulas, func(a, b store.Formula) int { return int(a.Num) - int(b.Num) })
	slices.SortFunc(d.Papers, func(a, b store.Paper) int { return int(a.Num) - int(b.Num) })
}

// prominence is how much is written about a species.
func (l *links) prominence(d *store.Data, species int) mappings.Prominence {
	s := &d.Species[species]
	return mappings.Prominence{
		Formulas: len(l.speciesFormulas[species]), Papers: len(l.speciesPapers[species]), Uses: len(s.Uses), Books: len(s.Flora),
	}
}

// permutation returns the number of each record when sorted.
func permutation(n int, less func(a, b int) bool) []store.Num {
	sorted := make([]int, n)
	for i := range sorted {
		sorted[i] = i
	}
	sort.SliceStable(sorted, func(i, j int) bool { return less(sorted[i], sorted[j]) })
	nums := make([]store.Num, n)
	for num, i := range sorted {
		nums[i] = store.Num(num)
	}
	return nums
}

// numbers turns indexes into sorted numbers.
func numbers(indexes []int, nums []store.Num) []store.Num {
	if len(indexes) == 0 {
		return nil
	}
	out := make([]store.Num, len(indexes))
	for i, x := range indexes {
		out[i] = nums[x]
	}
	slices.Sort(out)
	return out
}
