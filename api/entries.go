package api

import (
	"strconv"
	"sync"

	"bencao/mappings/search"
	"bencao/store"
)

// numbered returns a map from the entry ids of a table to the records.
type numbered func() (map[int32]store.Num, error)

// addEntry adds a filter for the record of a table with the entry id in value.
func (b *Backend) addEntry(q *search.Query, table, value string) error {
	id, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		panic(err) // the parameters have been checked
	}
	known := b.entries.species
	if table == "formulas" {
		known = b.entries.formulas
	}
	numbers, err := known()
	if err != nil {
		return err
	}
	one := search.Filter{Records: []store.Num{}}
	if n, ok := numbers[int32(id)]; ok {
		one.Records = append(one.Records, n)
	}
	q.Filters = append(q.Filters, one)
	return nil
}

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
