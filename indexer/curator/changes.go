package curator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bencao/internal/contents"
	"bencao/store"
	"bencao/store/snapshot"
)

// tables are those whose changes are told, in the order in which they are.
var tables = []table{
	{
		name: store.TableSpecies, key: "entryId", number: (*store.Tx).SpeciesNum, detail: (*store.Tx).SpeciesDetail,
		names: []string{"chineseName", "scientificName", "author"}, about: []string{"family"},
	},
	{
		name: store.TableFormulas, key: "entryId", number: (*store.Tx).FormulaNum, detail: formulaAlone,
		names: []string{"name"}, about: []string{"dynasty", "originalSource"},
	},
	{
		name: store.TablePapers, key: "id", number: (*store.Tx).PaperNum, detail: (*store.Tx).PaperSummary,
		names: []string{"title"}, about: []string{"authors", "year"},
	},
	{
		name: store.TableHerbs, key: "formulas", number: (*store.Tx).HerbNum, detail: (*store.Tx).HerbDetail,
		names: []string{"name"}, about: []string{"species"},
	},
}

// formulaAlone is a formula without those that resemble it, which change with every
// other.
func formulaAlone(tx *store.Tx, n store.Num) store.Template { return tx.FormulaDetail(n, 0) }

// table says how the records of a table are read and told.
type table struct {
	name store.Table
	// key is the field that comes first in a list.
	key    string
	number func(*store.Tx, string) (store.Num, bool)
	detail func(*store.Tx, store.Num) store.Template
	// names are the fields by which people call a record, about those that say
	// more of it in a list.
	names, about []string
}

// record is a record's answer as JSON has it.
type record map[string]any

// changes are those of a table.
type changes struct {
	added, removed []record
	// renamed are called otherwise now; changed are all that differ otherwise.
	renamed, changed []change
}

// change is a record that is not as it was.
type change struct {
	before, after record
	fields        []difference
}

// against compares with an older snapshot. That this one cannot be read is no
// failure: unlike says why.
func against(ctx context.Context, dir snapshot.Dir, id string, now *store.Tx) (all map[string]*changes, unlike, err error) {
	held, err := dir.Open(ctx, id)
	if err != nil {
		return nil, err, nil
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	if err := contents.Readable(held.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", id, err), nil
	}
	before, err := contents.Open(held.Path(), contents.Store)
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

// compare finds what differs between two stores.
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

// records reads records, in the order of their source, or else by name.
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

// order is that of the source's numbers, then of the names and keys.
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

// decode reads an answer, as somebody sees it who may see all of it.
func decode(answer store.Template) (record, error) {
	var r record
	if err := json.Unmarshal(answer.Append(nil, "", store.Composition), &r); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	return r, nil
}

// unmatched are the species without an accepted name.
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

// text is what a field says: of a list its items, of an object its name.
func (r record) text(field string) string { return said(r[field], false) }

// said writes a value of JSON for people, deep with the species that hang on it.
func said(v any, deep bool) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = said(v[i], deep)
		}
		return strings.Join(items, ", ")
	case map[string]any:
		var words []string
		for _, field := range []string{"herb", "dose", "note", "system", "code", "chineseName", "scientificName", "name", "part", "acceptedName", "acceptedAuthor"} {
			if s := said(v[field], deep); s != "" {
				words = append(words, s)
			}
		}
		if s := said(v["species"], deep); deep && s != "" {
			words = append(words, "("+s+")")
		}
		return strings.Join(words, " ")
	}
	return fmt.Sprint(v)
}

// difference is a field that says something else than before. Of a list it has
// the items that came and went.
type difference struct {
	field         string
	before, after string
	came, went    []string
	list          bool
}

// unsaid are fields of no interest to people, or that follow from others.
var unsaid = []string{"url", "guid", "id", "entryId", "namePinyin", "chineseNamePinyin", "goesWith", "writtenAs"}

// differences lists the fields that differ, by name.
func differences(before, after record) []difference {
	var all []difference
	for field, now := range after {
		was := before[field]
		if slices.Contains(unsaid, field) || reflect.DeepEqual(was, now) {
			continue
		}
		d := difference{field: field}
		newer, isList := now.([]any)
		older, wasList := was.([]any)
		if d.list = isList || wasList; d.list {
			for _, deep := range []bool{false, true} {
				if len(d.came)+len(d.went) == 0 {
					d.came, d.went = without(newer, older, deep), without(older, newer, deep)
				}
			}
		} else {
			d.before, d.after = said(was, false), said(now, false)
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b difference) int { return strings.Compare(a.field, b.field) })
	return all
}

// without are the items of a that b has not, each said once.
func without(a, b []any, deep bool) []string {
	var out []string
	for _, item := range a {
		s := said(item, deep)
		if !slices.ContainsFunc(b, func(other any) bool { return said(other, deep) == s }) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
