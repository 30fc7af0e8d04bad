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

// The kinds of change.
const (
	added   = "added"
	changed = "changed"
	removed = "removed"
)

// Change is a record that changed since an older version of the data.
type Change struct {
	// ID is the record's stable key: a GUID, or for a paper its id.
	ID string
	// Name is the name of the record. For a removed record it is the last name. It is empty if the
	// record has no name.
	Name null.Text
	// What is the kind of change: added, changed or removed.
	What string
}

// Changes lists the records that changed since older versions of the data. It is safe for
// concurrent use. A nil Changes has no versions.
//
// The file holds a row for each record that changed since the oldest of these versions. A row lists
// the record's events with their ages. An event of age 0 happened between the previous version and
// this version. An event of age 1 happened one version earlier. Rows are sorted by the age of their
// last event, so the records that changed since a version are the first rows of their table.
type Changes struct {
	*boltFile
	past past
}

// past lists the older versions of the data, the newest first. A change leads from one version to
// the next; its age is the index, in past, of the version from which it leads.
type past []pastVersion

type pastVersion struct {
	ID string `json:"id"`
	// Rows is, for each table, the number of records that changed since the version.
	Rows map[Table]int `json:"rows"`
}

// changeRow is a row of the file: one record and its events.
type changeRow struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Events []event `json:"events"` // the newest first; at least one
}

type event struct {
	Age  int    `json:"age"`
	What string `json:"what"`
}

// since returns the kind of the record's change between the version of the given age and this
// version. A record that was added after the older version and then removed counts as removed too,
// so that the answers for all versions agree.
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
	if what == removed { // the record was removed and later added again
		return changed
	}
	return what
}

var (
	keyPast       = []byte("past")
	changesPrefix = "changes."
)

func changesBucket(t Table) []byte { return []byte(changesPrefix + string(t)) }

// OpenChanges opens the file of changes at path for reading. It returns nil if the file is missing,
// as in a first snapshot.
func OpenChanges(path string) (*Changes, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := &Changes{}
	var err error
	if c.boltFile, err = openBolt(path); err == nil {
		err = c.readVersions()
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

// readVersions reads the older versions.
func (c *Changes) readVersions() error {
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

// Versions returns the older versions, the newest first.
func (c *Changes) Versions() []string {
	ids := []string{}
	if c != nil {
		for _, v := range c.past {
			ids = append(ids, v.ID)
		}
	}
	return ids
}

// Count returns the number of records of a table that changed since a version.
func (c *Changes) Count(version string, table Table) int {
	if age := c.age(version); age >= 0 {
		return c.past[age].Rows[table]
	}
	return 0
}

// age returns the index of a version in past, or -1 if past lacks the version.
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

// List returns a part of the changes that [Changes.Count] counts: those with an index i such that
// from <= i < to. The latest changes come first. Records that last changed in the same version are
// sorted by key.
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
			return nil, fmt.Errorf("read change %d of %s: %w: it has no events", n, table, ErrDamaged)
		}
		list = append(list, Change{r.ID, null.Text(r.Name), r.since(age)})
	}
	return list, nil
}
