package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"bencao/internal/null"
)

// ChangesName is the name of the file of [Changes] in a snapshot.
const ChangesName = "changes.bolt"

// What became of a record.
const (
	added   = "added"
	changed = "changed"
	removed = "removed"
)

// Change is what became of a record since an older version.
type Change struct {
	// ID is the record's stable key: its GUID; of a paper its id.
	ID string
	// Name is what it is called, or was when it was removed; empty if it has none.
	Name null.Text
	// What is added, changed or removed.
	What string
}

// Changes tells what became of the records since some older versions. Its methods
// may be called from many goroutines. A nil Changes knows no version.
//
// In the file stands a row for each record that is not as it was in the oldest of
// those versions: what happened to it and at what age. The age of what happened
// last night is 0; at age 1 it happened the night before. Rows stand by the age
// of what happened last, so that those since one version are the first of a table.
type Changes struct {
	*boltFile
	past past
}

// past are the older versions that are known, the newest first. What happened
// between a version and the next has the version's place here for its age.
type past []pastVersion

type pastVersion struct {
	ID string `json:"id"`
	// Rows are, by table, how many of its first rows tell of what happened since.
	Rows map[Table]int `json:"rows"`
}

// changeRow is the row of a record.
type changeRow struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Events []event `json:"events"` // the newest first, at least one
}

type event struct {
	Age  int    `json:"age"`
	What string `json:"what"`
}

// since is what became of a record since the version of an age. One that came and
// went since then counts as removed, so that no two versions are told differently
// of the same night.
func (r *changeRow) since(age int) string {
	if r.Events[0].What == removed {
		return removed
	}
	what := changed
	for _, e := range r.Events {
		if e.Age <= age {
			what = e.What
		}
	}
	if what == removed { // and came again
		return changed
	}
	return what
}

var (
	keyPast       = []byte("past")
	changesPrefix = "changes."
)

func changesBucket(t Table) []byte { return []byte(changesPrefix + string(t)) }

// OpenChanges opens the file for reading, as [Open] does. Snapshots of older
// programs have none: of these it returns nil.
func OpenChanges(path string) (*Changes, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := &Changes{}
	var err error
	if c.boltFile, err = openBolt(path); err == nil {
		err = c.remember()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open changes %s: %w", path, err), c.Close())
	}
	return c, nil
}

// Close closes the file.
func (c *Changes) Close() error {
	if c == nil {
		return nil
	}
	return c.boltFile.close()
}

// beginTx starts a read transaction.
func (c *Changes) beginTx() (*Tx, error) {
	r, err := c.begin()
	if err != nil {
		return nil, err
	}
	return &Tx{readTx: r}, nil
}

// remember reads which versions are known.
func (c *Changes) remember() error {
	tx, err := c.beginTx()
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := json.Unmarshal(tx.get(bucketMeta, keyPast), &c.past); err != nil {
		return fmt.Errorf("read the known versions: %w", err)
	}
	for _, v := range c.past {
		for table, rows := range v.Rows {
			if rows < 0 {
				return fmt.Errorf("%s has %d changes since %s: %w", table, rows, v.ID, ErrDamaged)
			}
		}
	}
	return nil
}

// Versions are the older versions that are known, the newest first.
func (c *Changes) Versions() []string {
	ids := []string{}
	if c != nil {
		for _, v := range c.past {
			ids = append(ids, v.ID)
		}
	}
	return ids
}

// Count is how many records of a table are not as they were in a version that is
// known.
func (c *Changes) Count(version string, table Table) int {
	if age := c.age(version); age >= 0 {
		return c.past[age].Rows[table]
	}
	return 0
}

// age is the place of a version among those that are known, -1 if it is not.
func (c *Changes) age(version string) int {
	if c != nil {
		for i, v := range c.past {
			if v.ID == version {
				return i
			}
		}
	}
	return -1
}

// List lists the changes from to before to of those that [Changes.Count] counts:
// what happened last comes first, and what happened in one night by key.
func (c *Changes) List(version string, table Table, from, to int) ([]Change, error) {
	age := c.age(version)
	if age < 0 || from >= to {
		return nil, nil
	}
	tx, err := c.beginTx()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	list := make([]Change, 0, to-from)
	for n := from; n < to; n++ {
		var r changeRow
		if err := json.Unmarshal(tx.record(changesBucket(table), Num(n)), &r); err != nil {
			return nil, fmt.Errorf("read change %d of %s: %w", n, table, err)
		}
		if len(r.Events) == 0 {
			return nil, fmt.Errorf("read change %d of %s: %w: it tells nothing", n, table, ErrDamaged)
		}
		list = append(list, Change{r.ID, null.Text(r.Name), r.since(age)})
	}
	return list, nil
}
