package curator

import (
	"slices"
	"strings"

	"bencao/indexer"
)

// matched is the field that says which accepted name a species has.
const matched = "nameMatch"

// changed lists by name what came, went and is called or said otherwise.
func (w *writer) changed(s *section) {
	for _, t := range tables {
		c := w.changes[string(t.name)]
		if c == nil {
			continue
		}
		heading := func(what string, n int) string {
			return w.Say("heading."+what, w.Say("table."+string(t.name)), w.count(n))
		}
		plain := w.headings(t)
		w.list(s, heading("added", len(c.added)), plain, len(c.added), w.records(t, c.added), w.all())
		w.list(s, heading("removed", len(c.removed)), plain, len(c.removed), w.records(t, c.removed), w.all())
		var renamed, changed [][]cell
		for _, one := range c.renamed {
			var was, is []string
			for _, name := range t.names {
				was, is = append(was, one.before.text(name)), append(is, one.after.text(name))
			}
			renamed = append(renamed, []cell{
				{Text: one.after.text(t.key)}, {Text: strings.Join(was, " ")}, {Text: strings.Join(is, " ")},
				{Text: w.also(t, one)},
			})
		}
		for _, one := range c.changed {
			row := append(w.record(t, one.after), cell{Text: w.what(one.fields)})
			changed = append(changed, row)
		}
		w.list(s, heading("renamed", len(renamed)), append([]string{w.Say("field." + t.key)}, w.columns("was", "is", "also")...), len(renamed), renamed, w.all())
		w.list(s, heading("changed", len(changed)), append(plain, w.Say("column.what")), len(changed), changed, w.all())
	}
	if w.changes != nil && len(s.Blocks) == 0 {
		s.say(w.Say("same"))
	}
}

// headings are those of the columns of a table's records.
func (w *writer) headings(t table) []string {
	var out []string
	for _, field := range slices.Concat([]string{t.key}, t.names, t.about) {
		out = append(out, w.Say("field."+field))
	}
	return out
}

// records are rows of records.
func (w *writer) records(t table, all []record) [][]cell {
	rows := make([][]cell, len(all))
	for i, r := range all {
		rows[i] = w.record(t, r)
	}
	return rows
}

// record is the row of a record.
func (w *writer) record(t table, r record) []cell {
	row := []cell{{Text: r.text(t.key)}}
	for _, field := range slices.Concat(t.names, t.about) {
		row = append(row, cell{Text: clip(r.text(field)), Latin: field == "scientificName"})
	}
	return row
}

// also says what differs of a renamed record beside its name.
func (w *writer) also(t table, one change) string {
	more := slices.DeleteFunc(slices.Clone(one.fields), func(d difference) bool { return slices.Contains(t.names, d.field) })
	if len(more) == 0 {
		return ""
	}
	return w.what(more)
}

// what says how fields differ.
func (w *writer) what(fields []difference) string {
	if len(fields) == 0 {
		return w.Say("what.below") // what hangs on it
	}
	parts := make([]string, len(fields))
	for i, d := range fields {
		field := w.Known("field."+d.field, d.field)
		switch {
		case !d.list:
			parts[i] = w.Say("what.field", field, w.value(d.before), w.value(d.after))
		case len(d.came)+len(d.went) == 0:
			parts[i] = w.Say("what.inside", field)
		default:
			parts[i] = w.Say("what.list", field, strings.TrimSpace(w.items("+", d.came)+" "+w.items("−", d.went)))
		}
	}
	return strings.Join(parts, w.Say("semicolon"))
}

// value is what a field says, or that it says nothing.
func (w *writer) value(s string) string {
	if s == "" {
		return w.Say("nothing")
	}
	return clip(s)
}

// items are those that came or went, each with its sign.
func (w *writer) items(sign string, items []string) string {
	first, more := clipped(items)
	for i := range first {
		first[i] = sign + first[i]
	}
	if more > 0 {
		first = append(first, w.Say("items.more", sign, w.count(more)))
	}
	return strings.Join(first, " ")
}

// names says which species have an accepted name, which lost or changed theirs,
// and which have none.
func (w *writer) names(s *section) {
	r := w.report.Reconciliation
	if r.Species == 0 {
		return
	}
	var rows [][]cell
	for _, one := range []struct {
		name string
		n    int
	}{
		{"operator", r.Operator}, {"exact", r.Exact}, {"variant", r.Variant}, {"fuzzy", r.Fuzzy}, {"synonym", r.Synonym}, {"ambiguous", r.Ambiguous}, {"none", r.None},
	} {
		rows = append(rows, []cell{{Text: w.Say("match." + one.name)}, w.number(one.n)})
	}
	w.table(s, w.Say("match.all", w.count(r.Species)), w.columns("match", "species"), rows)
	w.moved(s)
	candidates := ambiguous(r)
	rows = nil
	for _, one := range w.unmatched {
		why := w.Say("match.none")
		if to, known := candidates[one.text("entryId")]; known {
			why = w.Say("match.several", to)
		} else if r.Ambiguous > len(candidates) {
			why = w.Say("match.either")
		}
		rows = append(rows, append(w.record(tables[0], one), cell{Text: why}))
	}
	w.list(s, w.Say("heading.unmatched", w.count(len(rows))), append(w.headings(tables[0]), w.Say("column.why")), len(rows), rows, w.all())
}

// moved lists the species whose accepted name or status is another one.
func (w *writer) moved(s *section) {
	c := w.changes["species"]
	if c == nil {
		return
	}
	var rows [][]cell
	for _, one := range slices.Concat(c.renamed, c.changed) {
		if slices.ContainsFunc(one.fields, func(d difference) bool { return d.field == matched }) {
			rows = append(rows, []cell{
				{Text: one.after.text("entryId")}, {Text: one.after.text("chineseName")}, {Text: one.after.text("scientificName"), Latin: true},
				{Text: w.match(one.before)}, {Text: w.match(one.after)},
			})
		}
	}
	columns := []string{w.Say("field.entryId"), w.Say("field.chineseName"), w.Say("field.scientificName"), w.Say("column.was"), w.Say("column.is")}
	w.list(s, w.Say("heading.moved", w.count(len(rows))), columns, len(rows), rows, w.all())
}

// match says which accepted name a species has, how it was found and by whom.
func (w *writer) match(r record) string {
	m, ok := r[matched].(map[string]any)
	if !ok {
		return w.Say("nothing")
	}
	in := record(m)
	var parts []string
	for _, field := range []string{"taxonStatus", "matchType", "checklistVersion"} {
		if s := in.text(field); s != "" {
			parts = append(parts, s)
		}
	}
	return w.Say("match.how", said(m, false), w.join(parts))
}

// ambiguous are the candidates of species that have several, by entry id, as far
// as the report has them.
func ambiguous(r indexer.Reconciliation) map[string]string {
	out := map[string]string{}
	for _, line := range r.Examples["ambiguous"] {
		key, rest, _ := strings.Cut(line, " ")
		_, to, _ := strings.Cut(rest, " → ")
		out[key] = to
	}
	return out
}
