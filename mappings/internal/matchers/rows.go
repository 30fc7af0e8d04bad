package matchers

import (
	"slices"

	"bencao/mappings"
)

// namedRows are the rows of a table that matchers refer to; -1 if the table lacks one.
type namedRows struct {
	own     []int // names in characters of the records themselves and of their drugs
	names   []int // all names in characters
	sounds  []int // the pinyin of names
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

// ownName reports whether the values of a row are the records' own names. A drug that
// is not a plant can only share its name with a species in these rows.
func ownName(r mappings.Row) bool {
	return slices.Contains([]string{"chineseName", "scientificName", "drug", "name"}, r.Name)
}
