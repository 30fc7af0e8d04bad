package indexer

import (
	"cmp"
	"slices"
	"sync"

	"bencao/mappings"
	"bencao/store"
)

// links holds the references between records. They are indexes of the slices of a [store.Data]
// whose records are not numbered yet.
type links struct {
	speciesPapers   [][]int   // by species: its papers
	speciesFormulas [][]int   // by species: the formulas that use it
	formulaSpecies  [][]int   // by formula: the species that it uses
	herbSpecies     [][][]int // by formula and ingredient: the species of the ingredient
}

// order sorts every table into answer order, numbers the records of each table from 0, and converts
// the links to record numbers.
func order(d *store.Data, l *links) {
	var species, formulas, papers []store.Num
	var wg sync.WaitGroup
	wg.Go(func() { papers = permutation(len(d.Papers), mappings.PaperOrder(d.Papers)) })
	wg.Go(func() {
		species = permutation(len(d.Species), mappings.SpeciesOrder(d.Species, func(i int) mappings.Prominence { return l.prominence(d, i) }))
		standings := mappings.Standings(d.Formulas)
		formulas = permutation(len(d.Formulas), mappings.FormulaOrder(d.Formulas, standings))
	})
	wg.Wait()
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
		d.Papers[i].Num, d.Papers[i].Species, d.Papers[i].Families = papers[i], nil, nil
		d.Papers[i].Genera = nil
	}
	for i, list := range l.speciesPapers {
		s := &d.Species[i]
		for _, p := range list {
			p := &d.Papers[p]
			p.Species = append(p.Species, species[i])
			addTaxon(&p.Families, string(s.Family), string(s.FamilyChinese))
			addTaxon(&p.Genera, string(s.Genus), string(s.GenusChinese))
		}
	}
	for i := range d.Papers {
		slices.Sort(d.Papers[i].Species)
		for _, list := range [][]store.Taxon{d.Papers[i].Families, d.Papers[i].Genera} {
			slices.SortFunc(list, func(a, b store.Taxon) int {
				return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Chinese, b.Chinese))
			})
		}
	}
	arrange(d.Species, func(s *store.Species) store.Num { return s.Num })
	arrange(d.Formulas, func(f *store.Formula) store.Num { return f.Num })
	arrange(d.Papers, func(p *store.Paper) store.Num { return p.Num })
}

// addTaxon adds a family or a genus to a list, unless it has no name or the list has it.
func addTaxon(list *[]store.Taxon, name, chinese string) {
	if t := (store.Taxon{Name: name, Chinese: chinese}); name != "" && !slices.Contains(*list, t) {
		*list = append(*list, t)
	}
}

// arrange moves each record to the index that equals its number. The numbers must be a permutation
// of the indexes; each swap puts one record in its final place.
func arrange[R any](records []R, num func(*R) store.Num) {
	for i := range records {
		for at := int(num(&records[i])); at != i; at = int(num(&records[i])) {
			records[i], records[at] = records[at], records[i]
		}
	}
}

// prominence counts the records of each kind that refer to a species.
func (l *links) prominence(d *store.Data, species int) mappings.Prominence {
	s := &d.Species[species]
	return mappings.Prominence{
		Formulas: len(l.speciesFormulas[species]), Papers: len(l.speciesPapers[species]), Uses: len(s.Uses), Books: len(s.Flora),
	}
}

// permutation returns the number that each of n records gets in sorted order.
func permutation(n int, compare func(a, b int) int) []store.Num {
	sorted := make([]int, n)
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(a, b int) int { return cmp.Or(compare(a, b), cmp.Compare(a, b)) })
	nums := make([]store.Num, n)
	for num, i := range sorted {
		nums[i] = store.Num(num)
	}
	return nums
}

// numbers converts indexes to record numbers, sorted.
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
