package vernacular

import "iter"

// Plants yields the scientific names in the table, in lower case, and for each the everyday names
// of the plant.
func (t *Table) Plants() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for scientific, names := range t.plants {
			if !yield(scientific, names) {
				return
			}
		}
	}
}
