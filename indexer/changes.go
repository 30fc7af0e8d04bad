package indexer

import (
	"context"
	"errors"

	"bencao/internal/snapshotfiles"
	"bencao/store"
)

// maxListed is the number of keys of each kind that a report lists.
const maxListed = 20

// tables lists the tables whose records are compared with the previous snapshot.
var tables = []store.Table{store.TableSpecies, store.TableFormulas, store.TablePapers, store.TableHerbs}

// changes compares the new store with the store of the previous snapshot and writes the differences
// to the new snapshot. It returns the differences by table. If the previous snapshot cannot be
// read, changes logs a warning, counts all records as added and writes nothing.
func (b *build) changes(ctx context.Context, now *store.Store) (_ map[string]TableChanges, err error) {
	tx, err := now.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	if b.before == nil {
		return changesReport(compareTables(nil, tx)), nil
	}
	unlike := func(err error) map[string]TableChanges {
		b.opt.Log.Warn("this build can't be compared with the previous snapshot", "snapshot", b.before.ID, "error", err)
		return changesReport(compareTables(nil, tx))
	}
	before, err := snapshotfiles.Of(ctx, b.writer.Dir(), b.before.ID, snapshotfiles.Store|snapshotfiles.Changes)
	if err != nil && ctx.Err() != nil {
		return nil, err // another check failed, which canceled ctx
	}
	if err != nil {
		return unlike(err), nil
	}
	defer func() { err = errors.Join(err, before.Close()) }()
	then, err := before.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer then.Close()
	diffs := compareTables(then, tx)
	return changesReport(diffs), store.WriteChanges(b.path(store.ChangesName), b.before.ID, diffs, then, tx, before.Changes)
}

// compareTables returns the differences between two stores by table. then is the older store. If it
// is nil, every record counts as new.
func compareTables(then, now *store.Tx) map[store.Table]store.Diff {
	diffs := make(map[store.Table]store.Diff, len(tables))
	for _, t := range tables {
		diffs[t] = store.Compare(t, then, now)
	}
	return diffs
}

// changesReport returns the summary of the differences, by table, for the report of the run.
func changesReport(diffs map[store.Table]store.Diff) map[string]TableChanges {
	out := make(map[string]TableChanges, len(diffs))
	for t, d := range diffs {
		out[string(t)] = tableChanges(d)
	}
	return out
}

func tableChanges(d store.Diff) TableChanges {
	c := TableChanges{Before: d.Before, After: d.After}
	c.Added, c.AddedFirst = first(d.Added)
	c.Removed, c.RemovedFirst = first(d.Removed)
	c.Changed, c.ChangedFirst = first(d.Changed)
	return c
}

// first returns the number of keys and the first maxListed of them.
func first(keys []string) (int, []string) {
	return len(keys), append([]string{}, keys[:min(len(keys), maxListed)]...)
}
