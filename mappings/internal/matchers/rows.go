package matchers

import (
	"slices"

	"bencao/mappings"
)

// namedRows holds the indexes of the rows to which matchers refer. An index is -1 if the table
// lacks the row.
type namedRows struct {
	own     []int // rows of the records' own names in characters, and of the names of their herbs
	names   []int // rows of all names in characters
	sounds  []int // rows of the pinyin of names
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
		if row.Analyzer == mappings.Pinyin {
			r.sounds = append(r.sounds, i)
		}
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

// ownName reports whether the values of a row are the records' own names. If the query names a herb
// that is not a plant, a species is a hit only if one of its own names equals the query.
func ownName(r mappings.Row) bool {
	return slices.Contains([]string{"chineseName", "scientificName", "drug", "name"}, r.Name)
}
