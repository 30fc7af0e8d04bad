package api

import (
	"sync"

	"bencao/mappings/search"
	"bencao/store"
)

// EntryFilter restricts a search to the record with an entry id.
type EntryFilter struct {
	EntryID *int32 `query:"entryId" min:"0" max:"2147483647" doc:"The record's number in the source, which answers show as entryId. A number without a record finds nothing."`
}

// numbered returns a map from the entry ids of a table to the records.
type numbered func() (map[int32]store.Num, error)

// entry returns the filter for the record with the entry id, or nil if no entry id is given.
func (f *EntryFilter) entry(known numbered) ([]search.Filter, error) {
	if f.EntryID == nil {
		return nil, nil
	}
	all, err := known()
	if err != nil {
		return nil, err
	}
	one := search.Filter{Records: []store.Num{}}
	if n, ok := all[*f.EntryID]; ok {
		one.Records = append(one.Records, n)
	}
	return []search.Filter{one}, nil
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
