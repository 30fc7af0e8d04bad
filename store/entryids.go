package store

import (
	"encoding/json"
	"fmt"
)

// EntryIDs maps the numbers that species or formulas have in the source database to their record
// numbers. It reads the whole table.
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
