package indexer

import "bencao/store"

// maxListed is how many keys of each kind a report lists.
const maxListed = 20

// tables are those whose records are compared with yesterday's.
var tables = []store.Table{store.TableSpecies, store.TableFormulas, store.TablePapers, store.TableHerbs}

// compare says what changed between two stores. Before may be nil.
func compare(before, after *store.Store) (map[string]TableChanges, error) {
	now, err := after.Begin()
	if err != nil {
		return nil, err
	}
	defer now.Close()
	var then *store.Tx
	if before != nil {
		if then, err = before.Begin(); err != nil {
			return nil, err
		}
		defer then.Close()
	}
	out := make(map[string]TableChanges, len(tables))
	for _, t := range tables {
		out[string(t)] = compareTable(t, then, now)
	}
	return out, nil
}

func compareTable(t store.Table, then, now *store.Tx) TableChanges {
	d := store.Compare(t, then, now)
	c := TableChanges{Before: d.Before, After: d.After}
	c.Added, c.AddedFirst = first(d.Added)
	c.Removed, c.RemovedFirst = first(d.Removed)
	c.Changed, c.ChangedFirst = first(d.Changed)
	return c
}

// first counts keys and returns the first of them.
func first(keys []string) (int, []string) {
	return len(keys), append([]string{}, keys[:min(len(keys), maxListed)]...)
}
