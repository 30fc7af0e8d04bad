package store

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"

	"bencao/names/han"

	bolt "go.etcd.io/bbolt"
)

// herbAliases writes the bucket of [Herb.Merged], the other names that have no record of their own.
// Each name has two keys: its folded form, and the id that a record of that name would have. The
// value of both keys is the herb's number and the name.
func (w *writer) herbAliases() error {
	type entry struct {
		key   string
		value []byte
	}
	var all []entry
	for i := range w.data.Herbs {
		for _, m := range w.data.Herbs[i].Merged {
			value := append(numKey(Num(i)), m.Name...)
			all = append(all, entry{strings.ToLower(m.GUID), value}, entry{han.Fold(m.Name), value})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return w.db.Update(func(tx *bolt.Tx) error {
		b, err := createBucket(tx, herbAliases)
		if err != nil {
			return err
		}
		for _, e := range all {
			if err := b.Put([]byte(e.key), e.value); err != nil {
				return err
			}
		}
		return nil
	})
}

// herbByAlias finds a herb by one of its merged names. It returns the herb's number and the merged
// name. key is the name in any spelling, or the id that a record of that name would have. The
// standard names of herbs are not found.
func (t *Tx) herbByAlias(key string) (n Num, alias string, ok bool) {
	if key = strings.ToLower(han.Fold(key)); key == "" {
		return 0, "", false
	}
	v := t.get(herbAliases, []byte(key))
	if len(v) <= 4 {
		return 0, "", false
	}
	return binary.BigEndian.Uint32(v), string(v[4:]), true
}

// HerbName returns the standard name of the herb for one of its other names in [Herb.Merged]. It
// returns every other text unchanged.
func (t *Tx) HerbName(name string) string {
	if n, _, ok := t.herbByAlias(name); ok {
		if standard, err := t.HerbSummary(n).Text("name"); err == nil {
			return standard
		}
	}
	return name
}

// HerbSummaryFor returns the [HerbSummary] of herb n. If query is a merged name of the herb, the
// summary has the field aliasOf.
func (t *Tx) HerbSummaryFor(query string, n Num) Template {
	summary := t.HerbSummary(n)
	if query = strings.TrimSpace(query); query == "" {
		return summary
	}
	if of, alias, ok := t.herbByAlias(query); ok && of == n {
		return t.withAlias(summary, n, alias)
	}
	return summary
}

// withAlias adds the field aliasOf to the [HerbSummary] or [HerbDetail] of herb n.
func (t *Tx) withAlias(answer Template, n Num, alias string) Template {
	summary := t.HerbSummary(n)
	id, err := summary.Text("id")
	if err != nil {
		return answer
	}
	name, err := summary.Text("name")
	if err != nil {
		return answer
	}
	of, err := json.Marshal(HerbAlias{GUID: id, Name: name, Alias: alias})
	if err != nil || len(answer) == 0 {
		return answer
	}
	out := append(slices.Clone(answer[:len(answer)-1]), `,"aliasOf":`...)
	return append(append(out, of...), '}')
}
