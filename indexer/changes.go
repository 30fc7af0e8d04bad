package indexer

import (
	"slices"

	"bencao/store"
)

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
	old := map[string]uint64{}
	if then != nil {
		for key, sum := range then.Fingerprints(t) {
			old[key] = sum
		}
	}
	c := TableChanges{Before: len(old)}
	var added, changed []string
	for key, sum := range now.Fingerprints(t) {
		c.After++
		was, known := old[key]
		switch {
		case !known:
			added = append(added, key)
		case was != sum:
			changed = append(changed, key)
		}
		delete(old, key)
	}
	removed := make([]string, 0, len(old))
	for key := range old {
		removed = append(removed, key)
	}
	c.Added, c.AddedFirst = first(added)
	c.Removed, c.RemovedFirst = first(removed)
	c.Changed, c.ChangedFirst = first(changed)
	return c
}

// first counts keys and returns the first of them in order.
func first(keys []string) (int, []string) {
	slices.Sort(keys)
	return len(keys), append([]string{}, keys[:min(len(keys), maxListed)]...)
}
