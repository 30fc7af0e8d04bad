package curator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bencao/internal/snapshotfiles"
	"bencao/store"
	"bencao/store/snapshot"
)

// tables lists the tables whose changes are reported, in the order of the report.
var tables = []table{
	{
		name: store.TableSpecies, key: "entryId", number: (*store.Tx).SpeciesNum, detail: (*store.Tx).SpeciesDetail,
		names: []string{"chineseName", "scientificName", "author"}, details: []string{"family"},
	},
	{
		name: store.TableFormulas, key: "entryId", number: (*store.Tx).FormulaNum, detail: formulaDetail,
		names: []string{"name"}, details: []string{"dynasty", "originalSource"},
	},
	{
		name: store.TablePapers, key: "id", number: (*store.Tx).PaperNum, detail: (*store.Tx).PaperSummary,
		names: []string{"title"}, details: []string{"authors", "year"},
	},
	{
		name: store.TableHerbs, key: "formulas", number: (*store.Tx).HerbNum, detail: (*store.Tx).HerbDetail,
		names: []string{"name"}, details: []string{"species"},
	},
}

// formulaDetail returns the answer for a formula without its similar formulas. These may change
// whenever any other formula changes.
func formulaDetail(tx *store.Tx, n store.Num) store.Template {
	return tx.FormulaDetail(n, store.Composition)
}

// table defines how to read and list the records of a table.
type table struct {
	name store.Table
	// key is the field in the first column of a list.
	key    string
	number func(*store.Tx, string) (store.Num, bool)
	detail func(*store.Tx, store.Num) store.Template
	// names are the fields by which people recognise a record. details are the fields in the other
	// columns of a list.
	names, details []string
}

// record is the decoded JSON answer for a record.
type record map[string]any

// changes holds the differences of a table between two snapshots.
type changes struct {
	added, removed []record
	// renamed holds the records whose name differs between the snapshots. changed holds all other
	// records that differ.
	renamed, changed []change
}

// change is a record that differs between two snapshots.
type change struct {
	before, after record
	fields        []difference
}

// compareWith compares the store of an older snapshot with the newer store now. id is the id of the
// older snapshot. If the older snapshot cannot be read, notCompared is the reason and err is nil.
func compareWith(ctx context.Context, dir snapshot.Dir, id string, now *store.Tx) (all map[string]*changes, notCompared, err error) {
	before, err := snapshotfiles.Of(ctx, dir, id, snapshotfiles.Store)
	if err != nil {
		return nil, err, nil
	}
	defer func() { err = errors.Join(err, before.Close()) }()
	then, err := before.Store.Begin()
	if err != nil {
		return nil, nil, err
	}
	defer then.Close()
	all = map[string]*changes{}
	for _, t := range tables {
		if all[string(t.name)], err = t.compare(then, now); err != nil {
			return nil, nil, err
		}
	}
	return all, nil, nil
}

// compare returns the differences of the table between two stores.
func (t table) compare(then, now *store.Tx) (*changes, error) {
	d := store.Compare(t.name, then, now)
	c := &changes{}
	var err error
	if c.added, err = t.records(now, d.Added); err != nil {
		return nil, err
	}
	if c.removed, err = t.records(then, d.Removed); err != nil {
		return nil, err
	}
	for _, key := range d.Changed {
		before, err := t.record(then, key)
		if err != nil {
			return nil, err
		}
		after, err := t.record(now, key)
		if err != nil {
			return nil, err
		}
		one := change{before, after, differences(before, after)}
		if slices.ContainsFunc(t.names, func(name string) bool { return before.text(name) != after.text(name) }) {
			c.renamed = append(c.renamed, one)
		} else {
			c.changed = append(c.changed, one)
		}
	}
	order := func(a, b change) int { return t.order(a.after, b.after) }
	slices.SortStableFunc(c.renamed, order)
	slices.SortStableFunc(c.changed, order)
	return c, nil
}

// records reads records and sorts them by [table.order].
func (t table) records(tx *store.Tx, keys []string) ([]record, error) {
	all := make([]record, 0, len(keys))
	for _, key := range keys {
		r, err := t.record(tx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	slices.SortFunc(all, t.order)
	return all, nil
}

// order compares records by entry id, then by name, then by key.
func (t table) order(a, b record) int {
	x, _ := a["entryId"].(float64)
	y, _ := b["entryId"].(float64)
	if x != y {
		return int(x - y)
	}
	if by := strings.Compare(a.text(t.names[0]), b.text(t.names[0])); by != 0 {
		return by
	}
	return strings.Compare(a.text("id"), b.text("id"))
}

func (t table) record(tx *store.Tx, key string) (record, error) {
	n, found := t.number(tx, key)
	if !found {
		return nil, fmt.Errorf("%s has no record %s", t.name, key)
	}
	return decode(t.detail(tx, n))
}

// decode renders an answer with all scopes and decodes its JSON.
func decode(answer store.Template) (record, error) {
	var r record
	if err := json.Unmarshal(answer.Append(nil, "", store.Composition), &r); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	return r, nil
}

// unmatched returns the species without an accepted name.
func unmatched(tx *store.Tx) ([]record, error) {
	var all []record
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		r, err := decode(tx.SpeciesSummary(n))
		if err != nil {
			return nil, err
		}
		if r.text("acceptedName") == "" {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, tables[0].order)
	return all, nil
}

// text returns a field for display.
func (r record) text(field string) string { return display(r[field], false) }

// display formats a JSON value for people. For a list it shows the items, and for an object its
// most important fields. If deep is true, the species of an object follow in parentheses.
func display(v any, deep bool) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = display(v[i], deep)
		}
		return strings.Join(items, ", ")
	case map[string]any:
		var words []string
		for _, field := range []string{"herb", "dose", "note", "system", "code", "chineseName", "scientificName", "name", "part", "acceptedName", "acceptedAuthor"} {
			if s := display(v[field], deep); s != "" {
				words = append(words, s)
			}
		}
		if s := display(v["species"], deep); deep && s != "" {
			words = append(words, "("+s+")")
		}
		return strings.Join(words, " ")
	}
	return fmt.Sprint(v)
}

// difference is a field whose value changed. For a list, it has the added and the removed items.
// For any other value, it has the texts before and after the change.
type difference struct {
	field          string
	before, after  string
	added, removed []string
	list           bool
}

// ignoredFields are fields that people need not see, or that are derived from other fields.
var ignoredFields = []string{"url", "guid", "id", "entryId", "namePinyin", "chineseNamePinyin", "goesWith", "writtenAs"}

// differences returns the fields that differ, sorted by name.
func differences(before, after record) []difference {
	var all []difference
	for field, now := range after {
		was := before[field]
		if slices.Contains(ignoredFields, field) || reflect.DeepEqual(was, now) {
			continue
		}
		d := difference{field: field}
		newer, isList := now.([]any)
		older, wasList := was.([]any)
		if d.list = isList || wasList; d.list {
			for _, deep := range []bool{false, true} {
				if len(d.added)+len(d.removed) == 0 {
					d.added, d.removed = without(newer, older, deep), without(older, newer, deep)
				}
			}
		} else {
			d.before, d.after = display(was, false), display(now, false)
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b difference) int { return strings.Compare(a.field, b.field) })
	return all
}

// without returns the items of a that are not in b. It formats them and drops repetitions.
func without(a, b []any, deep bool) []string {
	var out []string
	for _, item := range a {
		s := display(item, deep)
		if !slices.ContainsFunc(b, func(other any) bool { return display(other, deep) == s }) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
