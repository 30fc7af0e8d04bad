package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// keptVersions is the maximum number of older versions in a file of changes.
const keptVersions = 30

// WriteChanges writes the file of [Changes] at path, which must not exist. then is the previous
// version of the data, before is its id, and now is the new version. diffs are the differences
// between then and now. older holds the changes up to the previous version; it may be nil.
func WriteChanges(path, before string, diffs map[Table]Diff, then, now *Tx, older *Changes) (err error) {
	rows, err := older.rows()
	if err != nil {
		return err
	}
	next := past{{ID: before, Rows: map[Table]int{}}}
	for _, id := range older.Versions() {
		if len(next) < keptVersions {
			next = append(next, pastVersion{ID: id, Rows: map[Table]int{}})
		}
	}
	db, err := createBolt(path, 0)
	if err != nil {
		return fmt.Errorf("create changes %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.Update(func(tx *bolt.Tx) error {
		for _, table := range slices.Sorted(maps.Keys(diffs)) {
			all, err := carried(rows[table], table, diffs[table], then, now)
			if err != nil {
				return err
			}
			for i := range next {
				next[i].Rows[table] = len(all[:reaching(all, i)])
			}
			if err := putChanges(tx, table, all[:reaching(all, len(next)-1)]); err != nil {
				return err
			}
		}
		meta, err := tx.CreateBucket(bucketMeta)
		if err != nil {
			return err
		}
		known, err := json.Marshal(next)
		if err != nil {
			return err
		}
		return meta.Put(keyPast, known)
	})
	if err != nil {
		return fmt.Errorf("write changes %s: %w", path, err)
	}
	return nil
}

// reaching returns the number of rows whose last event has at most the given age. rows must be
// sorted by the age of the last event, so these rows come first.
func reaching(rows []*changeRow, age int) int {
	n, _ := slices.BinarySearchFunc(rows, age+1, func(r *changeRow, age int) int { return cmp.Compare(r.Events[0].Age, age) })
	return n
}

// rows returns all rows of the file by table and key. A nil c has none.
func (c *Changes) rows() (map[Table]map[string]*changeRow, error) {
	all := map[Table]map[string]*changeRow{}
	if c == nil || len(c.past) == 0 {
		return all, nil
	}
	tx, err := c.beginTx()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	for table := range c.past[0].Rows {
		all[table] = map[string]*changeRow{}
		bucket := tx.tx.Bucket(changesBucket(table))
		if bucket == nil {
			return nil, fmt.Errorf("read changes of %s: %w", table, ErrDamaged)
		}
		err := bucket.ForEach(func(_, v []byte) error {
			r := &changeRow{}
			if err := json.Unmarshal(v, r); err != nil {
				return fmt.Errorf("read changes of %s: %w", table, err)
			}
			all[table][r.ID] = r
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// carried returns the rows of a table for the next version, in the order of the file. The age of
// each event in rows grows by 1, and each record of diff gets a new event of age 0.
func carried(rows map[string]*changeRow, table Table, diff Diff, then, now *Tx) ([]*changeRow, error) {
	if rows == nil {
		rows = map[string]*changeRow{}
	}
	for _, r := range rows {
		for i := range r.Events {
			r.Events[i].Age++
		}
	}
	for _, kind := range []struct {
		what string
		keys []string
		in   *Tx
	}{{added, diff.Added, now}, {changed, diff.Changed, now}, {removed, diff.Removed, then}} {
		for _, key := range kind.keys {
			name, err := nameOf(kind.in, table, key)
			if err != nil {
				return nil, err
			}
			r := rows[key]
			if r == nil {
				r = &changeRow{ID: key}
				rows[key] = r
			}
			r.Name = name
			r.Events = slices.Insert(r.Events, 0, event{0, kind.what})
			r.Events = slices.DeleteFunc(r.Events, func(e event) bool { return e.Age >= keptVersions })
		}
	}
	return slices.SortedFunc(maps.Values(rows), func(a, b *changeRow) int {
		return cmp.Or(cmp.Compare(a.Events[0].Age, b.Events[0].Age), cmp.Compare(a.ID, b.ID))
	}), nil
}

// nameOf returns the name of the record with the stable key, or "" if the record has no name.
func nameOf(t *Tx, table Table, key string) (string, error) {
	of := map[Table]struct {
		number  func(string) (Num, bool)
		summary func(Num) Template
		fields  []string
	}{
		TableSpecies:  {t.SpeciesNum, t.SpeciesSummary, []string{"chineseName", "scientificName"}},
		TableFormulas: {t.FormulaNum, t.FormulaSummary, []string{"name"}},
		TableHerbs:    {t.HerbNum, t.HerbSummary, []string{"name"}},
		TablePapers:   {t.PaperNum, t.PaperSummary, []string{"title"}},
	}[table]
	n, found := of.number(key)
	if !found {
		return "", fmt.Errorf("%s has no record %s", table, key)
	}
	var record map[string]any
	if err := json.Unmarshal(of.summary(n).Append(nil, "", 0), &record); err != nil {
		return "", fmt.Errorf("%s %s: %w", table, key, err)
	}
	for _, field := range of.fields {
		if name, ok := record[field].(string); ok {
			return name, nil
		}
	}
	return "", nil
}

// putChanges writes the rows of a table.
func putChanges(tx *bolt.Tx, table Table, rows []*changeRow) error {
	b, err := tx.CreateBucket(changesBucket(table))
	if err != nil {
		return err
	}
	b.FillPercent = 1 // keys are inserted in ascending order
	for n, r := range rows {
		v, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := b.Put(numKey(Num(n)), v); err != nil {
			return err
		}
	}
	return nil
}
