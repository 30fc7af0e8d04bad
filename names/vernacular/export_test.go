package vernacular

import "iter"

// Plants yields the scientific names of the table, in lower case, with the names of each.
func (t *Table) Plants() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for scientific, names := range t.plants {
			if !yield(scientific, names) {
				return
			}
		}
	}
}
