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

// writer puts a night's document together.
type writer struct {
	*Night
	words
	// rows is how many rows of a list are shown; 0 is all.
	rows int
}

// title says what night it was and how it ended.
func (n *Night) title(w words) string {
	return w.Say("title."+strings.ReplaceAll(string(n.report.Outcome), " ", "-"), minute(n.report.StartedAt))
}

// compose writes the sections, the most urgent first; what has nothing to say is
// left out.
func (n *Night) compose(in words, rows int) *document {
	w := &writer{n, in, rows}
	d := &document{Language: in.Say("tag"), Title: n.title(in), Contents: in.Say("contents")}
	for _, part := range []struct {
		name  string
		write func(*section)
	}{
		{"short", w.short}, {"refused", w.refused}, {"changed", w.changed}, {"rejected", w.rejected}, {"unlinked", w.unlinked},
		{"doubtful", w.doubtful}, {"names", w.names}, {"sources", w.sources}, {"gates", w.gates}, {"warnings", w.warnings}, {"size", w.size},
	} {
		s := &section{ID: part.name, Heading: in.Say("section." + part.name)}
		if part.write(s); len(s.Blocks) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
	return d
}

// list adds a table whose rows may be many; whole says where all of them are. All
// is how many there are, which may be more than rows.
func (w *writer) list(s *section, heading string, columns []string, all int, rows [][]cell, whole string) {
	if len(rows) == 0 {
		return
	}
	if w.rows > 0 && len(rows) > w.rows {
		rows = rows[:w.rows]
	}
	b := block{Heading: heading, Columns: columns, Rows: rows}
	if more := all - len(rows); more > 0 {
		b.Below = w.Say("more", w.count(more), whole)
	}
	s.Blocks = append(s.Blocks, b)
}

// table adds a table that is short.
func (w *writer) table(s *section, heading string, columns []string, rows [][]cell) {
	if len(rows) > 0 {
		s.Blocks = append(s.Blocks, block{Heading: heading, Columns: columns, Rows: rows})
	}
}

// all says how all rows are seen that the snapshot knows.
func (w *writer) all() string { return w.Say("whole.report") }

// short says in numbers what the night did.
func (w *writer) short(s *section) {
	r := w.report
	s.say(w.Say("outcome."+strings.ReplaceAll(string(r.Outcome), " ", "-"), cmp.Or(w.id, r.Snapshot, "–"), minute(r.FinishedAt)))
	switch {
	case w.unlike != nil:
		s.say(w.Say("unlike", w.unlike))
	case w.id != "" && w.before() == "":
		s.say(w.Say("first"))
	case w.id != "":
		s.say(w.Say("against", w.before()))
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
	s.say(w.Say("look", w.count(rejected), w.count(warned), w.count(r.Herbs.Unlinked), w.count(r.Reconciliation.None+r.Reconciliation.Ambiguous)))
}

// refused says why nothing was published.
func (w *writer) refused(s *section) {
	if w.report.Outcome != indexer.Refused && w.report.Outcome != indexer.Failed {
		return
	}
	s.say(w.Say("kept"))
	var rows [][]cell
	for _, f := range w.findings {
		if f.Severity == finding.Fatal {
			rows = append(rows, []cell{{Text: cmp.Or(f.Table, f.File)}, {Text: f.Column}, {Text: w.rule(f.Code)}, {Text: f.Message}, {Text: f.Hint}})
		}
	}
	w.list(s, "", w.columns("table", "column", "rule", "message", "mend"), len(rows), rows, w.Say("whole.findings", w.listed))
	if len(rows) == 0 {
		s.say(w.report.Error)
	}
	if len(w.report.Allow) > 0 {
		s.say(w.Say("allow", strings.Join(w.report.Allow, " ")))
	}
}

// rule says what a code of findings means.
func (w *writer) rule(c finding.Code) string { return w.Known("code."+string(c), string(c)) }

// group is findings of one kind in one column, with one advice.
type group struct {
	table, column, hint string
	code                finding.Code
}

// grouped are the findings of a severity by kind, the most frequent first.
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

// found lists findings by kind, each kind with its first ones.
func (w *writer) found(s *section, severity finding.Severity, wanted func(finding.Finding) bool) {
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
		w.list(s, heading, w.columns("row", "cell", "message"), len(of[g]), rows, w.Say("whole.findings", w.listed))
		if g.hint != "" {
			s.say(w.Say("mend", g.hint))
		}
	}
}

// rejected lists the rows that were left out, by what is wrong with them.
func (w *writer) rejected(s *section) {
	w.found(s, finding.Reject, func(finding.Finding) bool { return true })
	w.left(s, finding.Reject)
}

// left says how many findings were counted and not listed.
func (w *writer) left(s *section, severity finding.Severity) {
	for _, f := range w.findings {
		if f.Severity == severity && f.Code == finding.Cut {
			s.say(w.Say("cut", f.Table, f.Message))
		}
	}
}

// unlinked lists the herbs that lead to no species.
func (w *writer) unlinked(s *section) {
	h := w.report.Herbs
	if h.Unlinked == 0 {
		return
	}
	s.say(w.Say("herbs", w.count(h.Linked), w.count(h.NoPlant), w.count(h.Unlinked)))
	rows := make([][]cell, len(h.First))
	for i, one := range h.First {
		rows[i] = []cell{{Text: one.Herb}, w.number(one.Count)}
	}
	all := len(rows)
	for _, f := range w.report.Findings {
		if f.Code == finding.Unlinked {
			all = f.Count
		}
	}
	w.list(s, "", w.columns("herb", "ingredients"), all, rows, w.Say("whole.unlinked", w.listed))
	s.say(w.Say("herbs.once", w.count(h.Once)))
}

// doubtful lists ingredients that may be no herbs.
func (w *writer) doubtful(s *section) {
	w.found(s, finding.Warn, func(f finding.Finding) bool { return f.Code == finding.Herb })
}

// sources says how old each source is.
func (w *writer) sources(s *section) {
	var rows [][]cell
	for _, src := range w.report.Sources {
		age := cell{Number: true}
		if made := cmp.Or(src.Dated, src.NewestRecord, src.Modified); made != nil {
			age.Text = w.count(max(0, int(w.report.StartedAt.Sub(*made).Hours()/24)))
		}
		rows = append(rows, []cell{{Text: src.Name}, {Text: src.Version}, {Text: src.Path}, w.number(src.Rows), {Text: day(src.Dated)}, {Text: day(src.NewestRecord)}, {Text: day(src.Modified)}, age})
	}
	w.table(s, "", w.columns("source", "version", "file", "rows", "dated", "newest", "files", "age"), rows)
}

// near is the share of its limit from which on a measure is shown.
const near = 0.5

// gates lists what the gates looked at and found near its limit, or past it.
func (w *writer) gates(s *section) {
	if len(w.report.Measures) == 0 {
		return
	}
	var rows [][]cell
	for _, m := range w.report.Measures {
		if m.Verdict == "ok" && (m.Count == 0 || float64(m.Count) < near*m.Limit) {
			continue
		}
		rows = append(rows, []cell{
			{Text: w.Known("measure."+m.Name, m.Name)}, {Text: m.Table}, {Text: m.Column}, w.number(m.Count), w.number(m.Of), w.number(int(m.Limit)), {Text: w.Known("verdict."+m.Verdict, m.Verdict)},
		})
	}
	s.say(w.Say("gates", w.count(len(w.report.Measures)), w.count(len(rows))))
	w.list(s, "", w.columns("measure", "table", "column", "count", "of", "limit", "verdict"), len(rows), rows, w.all())
}

// warnings lists what was kept though it looks odd.
func (w *writer) warnings(s *section) {
	few := *w
	if few.rows > 0 {
		few.rows = min(few.rows, 5)
	}
	few.found(s, finding.Warn, func(f finding.Finding) bool { return f.Code != finding.Herb && f.Code != finding.Unlinked })
	w.left(s, finding.Warn)
	var rows [][]cell
	for _, c := range w.report.SelfCheck {
		if c.Failed > 0 {
			rows = append(rows, []cell{{Text: w.Known("check."+c.Name, c.Name)}, w.number(c.Checked), w.number(c.Failed), {Text: w.join(c.First[:min(len(c.First), 5)])}})
		}
	}
	w.table(s, w.Say("checks"), w.columns("check", "checked", "failed", "examples"), rows)
}

// size says how long the night took and how large the snapshot is.
func (w *writer) size(s *section) {
	r := w.report
	peak, total := int64(0), int64(0)
	var rows [][]cell
	for _, p := range r.Phases {
		peak = max(peak, p.PeakBytes)
		rows = append(rows, []cell{{Text: w.Known("phase."+p.Name, p.Name)}, {Text: fmt.Sprintf("%.1f", p.Seconds), Number: true}})
	}
	s.say(w.Say("took", fmt.Sprintf("%.0f", r.FinishedAt.Sub(r.StartedAt).Seconds()), mebibytes(peak), r.Program))
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
