package matchers

import (
	"slices"

	"bencao/mappings"
)

// rows are the rows of a table that are asked by name; -1 is none.
type namedRows struct {
	own     []int // the very names of the records and of their drugs, in characters
	names   []int // all names in characters
	noPlant int
	entryID int
	family  int
}

func newNamedRows(list []mappings.Row) namedRows {
	named := func(name string) int {
		return slices.IndexFunc(list, func(r mappings.Row) bool { return r.Name == name })
	}
	r := namedRows{noPlant: named(mappings.NoPlant), entryID: named(mappings.EntryID), family: named(mappings.FamilyName)}
	for i, row := range list {
		if row.Analyzer != mappings.Chinese || row.Tiers[mappings.Whole] == 0 {
			continue
		}
		r.names = append(r.names, i)
		if ownName(row) {
			r.own = append(r.own, i)
		}
	}
	return r
}

// ownName says whether the values of a row are a record's very names: what is no
// plant can only be the name of one by chance, and then it is one of these.
func ownName(r mappings.Row) bool {
	return slices.Contains([]string{"chineseName", "scientificName", "drug", "name"}, r.Name)
}
