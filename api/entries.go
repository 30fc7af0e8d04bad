package api

import (
	"sync"

	"bencao/store"
)

// numbered returns a map from the entry ids of a table to the records.
type numbered func() (map[int32]store.Num, error)

// entries finds records by the entry ids of their source. The maps of ids are built on first use.
type entries struct{ species, formulas numbered }

func entriesOf(s *store.Store) entries {
	of := func(t store.Table) numbered {
		return sync.OnceValues(func() (map[int32]store.Num, error) {
			tx, err := s.Begin()
			if err != nil {
				return nil, err
			}
			defer tx.Close()
			return store.EntryIDs(tx, t)
		})
	}
	return entries{of(store.TableSpecies), of(store.TableFormulas)}
}
