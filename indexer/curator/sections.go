package curator

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bencao/indexer"
	"bencao/indexer/finding"
)

// writer writes the sections of a report in one language.
type writer struct {
	*Report
	words
	// rows is the maximum number of rows that a list shows; 0 is no limit.
	rows int
}

// page returns the page with its sections, the most urgent first. It leaves out empty sections.
func (r *Report) page(in words, rows int) *page {
	w := &writer{r, in, rows}
	title := in.Say("title."+strings.ReplaceAll(string(r.run.Outcome), " ", "-"), minute(r.run.StartedAt))
	p := &page{Language: in.Say("tag"), Title: title, Contents: in.Say("contents")}
	for _, part := range []struct {
		name  string
		write func(*section)
	}{
		{"short", w.summary}, {"refused", w.refused}, {"changed", w.changed}, {"rejected", w.rejected}, {"unlinked", w.unlinked},
		{"doubtful", w.doubtful}, {"merged", w.merged}, {"candidates", w.candidates}, {"names", w.acceptedNames}, {"sources", w.sources}, {"gates", w.gates}, {"warnings", w.warnings}, {"size", w.size},
	} {
		s := &section{ID: part.name, Heading: in.Say("section." + part.name)}
		if part.write(s); len(s.Blocks) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

// list adds a table of at most w.rows rows. total is the number of all rows, which may exceed
// len(rows). If rows are left out, fullList tells the curator where to find all rows.
func (w *writer) list(s *section, heading string, columns []string, total int, rows [][]cell, fullList string) {
	if len(rows) == 0 {
		return
	}
	if w.rows > 0 && len(rows) > w.rows {
		rows = rows[:w.rows]
	}
	b := block{Heading: heading, Columns: columns, Rows: rows}
	if more := total - len(rows); more > 0 {
		b.Note = w.Say("more", w.count(more), fullList)
	}
	s.Blocks = append(s.Blocks, b)
}

// table adds a table with all its rows.
func (w *writer) table(s *section, heading string, columns []string, rows [][]cell) {
	if len(rows) > 0 {
		s.Blocks = append(s.Blocks, block{Heading: heading, Columns: columns, Rows: rows})
	}
}

// byReport returns the advice to list all rows with "bencao report".
func (w *writer) byReport() string { return w.Say("all.report") }

// inFindings returns the note that the file of findings lists all rows.
func (w *writer) inFindings() string { return w.Say("all.findings", w.findingsFile) }

// summary writes the result and the main numbers of the build.
func (w *writer) summary(s *section) {
	r := w.run
	s.paragraph(w.Say("outcome."+strings.ReplaceAll(string(r.Outcome), " ", "-"), cmp.Or(w.id, r.Snapshot, "–"), minute(r.FinishedAt)))
	switch {
	case w.notCompared != nil:
		s.paragraph(w.Say("not-compared", w.notCompared))
	case w.id != "" && r.Before == "":
		s.paragraph(w.Say("first"))
	case w.id != "":
		s.paragraph(w.Say("against", r.Before))
	}
	var rows [][]cell
	for _, t := range tables {
		c, compared := r.Changes[string(t.name)]
		if !compared {
			continue
		}
		rows = append(rows, []cell{{Text: w.Say("table." + string(t.name))}, w.number(c.Before), w.number(c.After), w.number(c.Added), w.number(c.Removed), w.number(c.Changed)})
	}
	w.table(s, "", w.columns("table", "before", "after", "added", "removed", "differ"), rows)
	rejected, warned := 0, 0
	for _, f := range r.Findings {
		switch f.Severity {
		case finding.Reject:
			rejected += f.Count
		case finding.Warn:
			warned += f.Count
		}
	}
	s.paragraph(w.Say("look", w.count(rejected), w.count(warned), w.count(r.Herbs.Unlinked), w.count(r.Reconciliation.None+r.Reconciliation.Ambiguous)))
}

// refused lists the reasons why nothing was published.
func (w *writer) refused(s *section) {
	if w.run.Outcome != indexer.Refused && w.run.Outcome != indexer.Failed && w.run.Outcome != indexer.Held {
		return
	}
	s.paragraph(w.Say("kept"))
	var rows [][]cell
	for _, f := range w.findings {
		if f.Severity == finding.Fatal {
			rows = append(rows, []cell{{Text: cmp.Or(f.Table, f.File)}, {Text: f.Column}, {Text: w.rule(f.Code)}, {Text: f.Message}, {Text: f.Hint}})
		}
	}
	w.list(s, "", w.columns("table", "column", "rule", "message", "fix"), len(rows), rows, w.inFindings())
	if len(rows) == 0 {
		s.paragraph(w.run.Error)
	}
	if len(w.run.Allow) > 0 {
		s.paragraph(w.Say("allow", strings.Join(w.run.Allow, " ")))
	}
}

// rule returns the meaning of a finding's code in the report's language.
func (w *writer) rule(c finding.Code) string { return w.Known("code."+string(c), string(c)) }

// group is the key of findings that have the same table, column, code and hint.
type group struct {
	table, column, hint string
	code                finding.Code
}

// grouped returns the findings of a severity by group. wanted decides which of them to include.
// grouped also returns the groups, sorted from the largest to the smallest.
func (w *writer) grouped(severity finding.Severity, wanted func(finding.Finding) bool) (groups []group, of map[group][]finding.Finding) {
	of = map[group][]finding.Finding{}
	for _, f := range w.findings {
		if f.Severity == severity && f.Code != finding.Cut && wanted(f) {
			g := group{f.Table, f.Column, f.Hint, f.Code}
			of[g] = append(of[g], f)
		}
	}
	groups = slices.SortedFunc(maps.Keys(of), func(a, b group) int {
		return cmp.Or(cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(a.table, b.table), cmp.Compare(a.column, b.column), cmp.Compare(a.code, b.code), cmp.Compare(a.hint, b.hint))
	})
	return groups, of
}

// findingGroups writes a list for each group of findings of a severity. wanted decides which
// findings to include.
func (w *writer) findingGroups(s *section, severity finding.Severity, wanted func(finding.Finding) bool) {
	groups, of := w.grouped(severity, wanted)
	for _, g := range groups {
		heading := w.Say("group", g.table, w.rule(g.code), w.count(len(of[g])))
		if g.column != "" {
			heading = w.Say("group.column", g.table, g.column, w.rule(g.code), w.count(len(of[g])))
		}
		var rows [][]cell
		for _, f := range of[g] {
			place := f.File
			if f.Line > 0 {
				place = fmt.Sprintf("%s:%d", f.File, f.Line)
			}
			rows = append(rows, []cell{{Text: place}, {Text: clip(f.Value)}, {Text: f.Message}})
		}
		w.list(s, heading, w.columns("row", "cell", "message"), len(of[g]), rows, w.inFindings())
		if g.hint != "" {
			s.paragraph(w.Say("fix", g.hint))
		}
	}
}

// rejected lists the rejected rows by kind of error.
func (w *writer) rejected(s *section) {
	w.findingGroups(s, finding.Reject, func(finding.Finding) bool { return true })
	w.unlistedFindings(s, finding.Reject)
}

// unlistedFindings writes how many findings of a severity were counted but are not in the file of
// findings.
func (w *writer) unlistedFindings(s *section, severity finding.Severity) {
	for _, f := range w.findings {
		if f.Severity == severity && f.Code == finding.Cut {
			s.paragraph(w.Say("cut", f.Table, f.Message))
		}
	}
}

// unlinked lists the herbs in formulas that resolve to no species.
func (w *writer) unlinked(s *section) {
	h := w.run.Herbs
	if h.Unlinked == 0 {
		return
	}
	s.paragraph(w.Say("herbs", w.count(h.Linked), w.count(h.NoPlant), w.count(h.Unlinked)))
	rows := make([][]cell, len(h.First))
	for i, one := range h.First {
		rows[i] = []cell{{Text: one.Herb}, w.number(one.Count)}
	}
	total := len(rows)
	for _, f := range w.run.Findings {
		if f.Code == finding.Unlinked {
			total = f.Count
		}
	}
	w.list(s, "", w.columns("herb", "ingredients"), total, rows, w.Say("all.unlinked", w.findingsFile))
	s.paragraph(w.Say("herbs.once", w.count(h.Once)))
}

// doubtful lists ingredients that are probably not herbs.
func (w *writer) doubtful(s *section) {
	w.findingGroups(s, finding.Warn, func(f finding.Finding) bool { return f.Code == finding.Herb })
}

// standardFile is the file whose rows merge names of herbs.
const standardFile = "names/herb/names.txt"

// merged lists the names in formulas that the program counts as other names of a herb.
func (w *writer) merged(s *section) {
	list := w.run.Herbs.Merged
	if len(list) == 0 {
		return
	}
	s.paragraph(w.Say("merged", w.count(len(list)), standardFile))
	rows := make([][]cell, len(list))
	for i, m := range list {
		line := ""
		if m.Line > 0 {
			line = fmt.Sprintf("%s:%d", standardFile, m.Line)
		}
		rows[i] = []cell{{Text: m.Name}, {Text: m.Herb}, w.number(m.Formulas), {Text: cmp.Or(m.Source, w.Say("merged.table"))}, {Text: line}}
	}
	w.list(s, "", w.columns("written", "drug", "formulas", "source", "row"), len(rows), rows, w.byReport())
}

// candidates lists pairs of herbs that may be one herb. They are grouped by how often the two herbs
// occur together in formulas.
func (w *writer) candidates(s *section) {
	if len(w.run.Herbs.Candidates) == 0 {
		return
	}
	s.paragraph(w.Say("candidates", standardFile))
	for _, says := range []string{"seldom", "few", "often"} {
		var rows [][]cell
		for _, c := range w.run.Herbs.Candidates {
			if c.Says != says {
				continue
			}
			plant := ""
			if c.Plant {
				plant = w.Say("candidates.plant")
			}
			rows = append(rows, []cell{{Text: c.Herb}, w.number(c.Formulas), {Text: c.Other}, w.number(c.OtherFormulas), w.number(c.Together), {Text: fmt.Sprintf("%.1f", c.Expected), Number: true}, {Text: plant}})
		}
		w.list(s, w.Say("candidates."+says, w.count(len(rows))), w.columns("herb", "formulas", "other", "formulas", "both", "expected", "plant"), len(rows), rows, w.byReport())
	}
}

// sources lists the sources with their dates and their age in days.
func (w *writer) sources(s *section) {
	var rows [][]cell
	for _, src := range w.run.Sources {
		age := cell{Number: true}
		if date := cmp.Or(src.Dated, src.NewestRecord, src.Modified); date != nil {
			age.Text = w.count(max(0, int(w.run.StartedAt.Sub(*date).Hours()/24)))
		}
		rows = append(rows, []cell{{Text: src.Name}, {Text: src.Version}, {Text: src.Path}, w.number(src.Rows), {Text: day(src.Dated)}, {Text: day(src.NewestRecord)}, {Text: day(src.Modified)}, age})
	}
	w.table(s, "", w.columns("source", "version", "file", "rows", "dated", "newest", "files", "age"), rows)
}

// shownFrom is a share of a measure's limit. Only measures that reach this share are listed.
const shownFrom = 0.5

// gates lists the measures that are near or above their limit.
func (w *writer) gates(s *section) {
	if len(w.run.Measures) == 0 {
		return
	}
	var rows [][]cell
	for _, m := range w.run.Measures {
		if m.Verdict == "ok" && (m.Count == 0 || float64(m.Count) < shownFrom*m.Limit) {
			continue
		}
		rows = append(rows, []cell{
			{Text: w.Known("measure."+m.Name, m.Name)}, {Text: m.Table}, {Text: m.Column}, w.number(m.Count), w.number(m.Of), w.number(int(m.Limit)), {Text: w.Known("verdict."+m.Verdict, m.Verdict)},
		})
	}
	s.paragraph(w.Say("gates", w.count(len(w.run.Measures)), w.count(len(rows))))
	w.list(s, "", w.columns("measure", "table", "column", "count", "of", "limit", "verdict"), len(rows), rows, w.byReport())
}

// warnings lists warnings about rows that were accepted, and the records that the self-check did
// not find.
func (w *writer) warnings(s *section) {
	few := *w
	if few.rows > 0 {
		few.rows = min(few.rows, 5)
	}
	few.findingGroups(s, finding.Warn, func(f finding.Finding) bool { return f.Code != finding.Herb && f.Code != finding.Unlinked })
	w.unlistedFindings(s, finding.Warn)
	var rows [][]cell
	for _, c := range w.run.SelfCheck {
		if c.Failed > 0 {
			rows = append(rows, []cell{{Text: w.Known("check."+c.Name, c.Name)}, w.number(c.Checked), w.number(c.Failed), {Text: w.join(c.First[:min(len(c.First), 5)])}})
		}
	}
	w.table(s, w.Say("checks"), w.columns("check", "checked", "failed", "examples"), rows)
}

// size writes the time of each phase, the memory used, and the size of the snapshot.
func (w *writer) size(s *section) {
	r := w.run
	peak, total := int64(0), int64(0)
	var rows [][]cell
	for _, p := range r.Phases {
		peak = max(peak, p.PeakBytes)
		rows = append(rows, []cell{{Text: w.Known("phase."+p.Name, p.Name)}, {Text: fmt.Sprintf("%.1f", p.Seconds), Number: true}})
	}
	s.paragraph(w.Say("took", fmt.Sprintf("%.0f", r.FinishedAt.Sub(r.StartedAt).Seconds()), mebibytes(peak), r.Program))
	w.table(s, "", w.columns("phase", "seconds"), rows)
	rows = nil
	for _, name := range slices.Sorted(maps.Keys(w.bytes)) {
		total += w.bytes[name]
		rows = append(rows, []cell{{Text: name}, {Text: mebibytes(w.bytes[name]), Number: true}})
	}
	if total > 0 {
		w.table(s, w.Say("bytes", mebibytes(total)), w.columns("file", "mebibytes"), rows)
	}
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<20)) }

// matchField is the field that holds the accepted name of a species.
const matchField = "nameMatch"

// changed lists the records that were added, removed, renamed or changed, by table.
func (w *writer) changed(s *section) {
	for _, t := range tables {
		c := w.changes[string(t.name)]
		if c == nil {
			continue
		}
		heading := func(kind string, n int) string {
			return w.Say("heading."+kind, w.Say("table."+string(t.name)), w.count(n))
		}
		columns := w.headings(t)
		w.list(s, heading("added", len(c.added)), columns, len(c.added), w.records(t, c.added), w.byReport())
		w.list(s, heading("removed", len(c.removed)), columns, len(c.removed), w.records(t, c.removed), w.byReport())
		var renamed, changed [][]cell
		for _, one := range c.renamed {
			var was, is []string
			for _, name := range t.names {
				was, is = append(was, one.before.text(name)), append(is, one.after.text(name))
			}
			renamed = append(renamed, []cell{
				{Text: one.after.text(t.key)}, {Text: strings.Join(was, " ")}, {Text: strings.Join(is, " ")},
				{Text: w.otherChanges(t, one)},
			})
		}
		for _, one := range c.changed {
			row := append(w.record(t, one.after), cell{Text: w.fieldChanges(one.fields)})
			changed = append(changed, row)
		}
		w.list(s, heading("renamed", len(renamed)), append([]string{w.Say("field." + t.key)}, w.columns("was", "is", "also")...), len(renamed), renamed, w.byReport())
		w.list(s, heading("changed", len(changed)), append(columns, w.Say("column.what")), len(changed), changed, w.byReport())
	}
	if w.changes != nil && len(s.Blocks) == 0 {
		s.paragraph(w.Say("same"))
	}
}

// headings returns the column headings of a table's records.
func (w *writer) headings(t table) []string {
	var out []string
	for _, field := range slices.Concat([]string{t.key}, t.names, t.details) {
		out = append(out, w.Say("field."+field))
	}
	return out
}

// records returns one row for each record.
func (w *writer) records(t table, all []record) [][]cell {
	rows := make([][]cell, len(all))
	for i, r := range all {
		rows[i] = w.record(t, r)
	}
	return rows
}

// record returns the row of a record.
func (w *writer) record(t table, r record) []cell {
	row := []cell{{Text: r.text(t.key)}}
	for _, field := range slices.Concat(t.names, t.details) {
		row = append(row, cell{Text: clip(r.text(field)), Latin: field == "scientificName"})
	}
	return row
}

// otherChanges describes the changes of a renamed record besides its name.
func (w *writer) otherChanges(t table, one change) string {
	more := slices.DeleteFunc(slices.Clone(one.fields), func(d difference) bool { return slices.Contains(t.names, d.field) })
	if len(more) == 0 {
		return ""
	}
	return w.fieldChanges(more)
}

// fieldChanges describes the changes of fields.
func (w *writer) fieldChanges(fields []difference) string {
	if len(fields) == 0 {
		return w.Say("what.linked") // only records to which this record links differ
	}
	parts := make([]string, len(fields))
	for i, d := range fields {
		field := w.Known("field."+d.field, d.field)
		switch {
		case !d.list:
			parts[i] = w.Say("what.field", field, w.value(d.before), w.value(d.after))
		case len(d.added)+len(d.removed) == 0:
			parts[i] = w.Say("what.inside", field)
		default:
			parts[i] = w.Say("what.list", field, strings.TrimSpace(w.items("+", d.added)+" "+w.items("−", d.removed)))
		}
	}
	return strings.Join(parts, w.Say("semicolon"))
}

// value returns a field's value for display. An empty value becomes "(none)".
func (w *writer) value(s string) string {
	if s == "" {
		return w.Say("nothing")
	}
	return clip(s)
}

// items returns added or removed items for display, each with the sign before it.
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

// acceptedNames writes the numbers of species by kind of match, the species whose accepted name
// changed, and the species without an accepted name.
func (w *writer) acceptedNames(s *section) {
	r := w.run.Reconciliation
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
	w.changedMatches(s)
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
	w.list(s, w.Say("heading.unmatched", w.count(len(rows))), append(w.headings(tables[0]), w.Say("column.why")), len(rows), rows, w.byReport())
}

// changedMatches lists the species whose accepted name or status changed.
func (w *writer) changedMatches(s *section) {
	c := w.changes["species"]
	if c == nil {
		return
	}
	var rows [][]cell
	for _, one := range slices.Concat(c.renamed, c.changed) {
		if slices.ContainsFunc(one.fields, func(d difference) bool { return d.field == matchField }) {
			rows = append(rows, []cell{
				{Text: one.after.text("entryId")}, {Text: one.after.text("chineseName")}, {Text: one.after.text("scientificName"), Latin: true},
				{Text: w.match(one.before)}, {Text: w.match(one.after)},
			})
		}
	}
	columns := []string{w.Say("field.entryId"), w.Say("field.chineseName"), w.Say("field.scientificName"), w.Say("column.was"), w.Say("column.is")}
	w.list(s, w.Say("heading.moved", w.count(len(rows))), columns, len(rows), rows, w.byReport())
}

// match describes the accepted name of a species: the name, its status, the kind of match and the
// checklist.
func (w *writer) match(r record) string {
	m, ok := r[matchField].(map[string]any)
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
	return w.Say("match.how", display(m, false), w.join(parts))
}

// ambiguous returns, by entry id of a species, the accepted names between which the match of the
// species is ambiguous. The report of a build lists only the first such species.
func ambiguous(r indexer.Reconciliation) map[string]string {
	out := map[string]string{}
	for _, line := range r.Examples["ambiguous"] {
		key, rest, _ := strings.Cut(line, " ")
		_, to, _ := strings.Cut(rest, " → ")
		out[key] = to
	}
	return out
}
