package store

import (
	"encoding/json"
	"fmt"
)

// EntryIDs returns the species or the formulas by their number in the source database.
// It reads all of them.
func EntryIDs(t *Tx, table Table) (map[int32]Num, error) {
	summary := map[Table]func(Num) Template{TableSpecies: t.SpeciesSummary, TableFormulas: t.FormulaSummary}[table]
	all := make(map[int32]Num, t.Count(table))
	var row []byte
	for n := range Num(t.Count(table)) {
		var of struct{ EntryID int32 }
		row = summary(n).Append(row[:0], "", 0)
		if err := json.Unmarshal(row, &of); err != nil {
			return nil, fmt.Errorf("%s %d: %w", table, n, err)
		}
		all[of.EntryID] = n
	}
	return all, nil
}
