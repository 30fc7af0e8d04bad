package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"bencao/indexer"
)

// printReport says in a screenful, or in JSON, what a run did, and where its
// findings are listed.
func printReport(w io.Writer, r *indexer.Report, findings string, asJSON bool) error {
	if r == nil {
		return nil
	}
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Outcome)
	if r.Snapshot != "" {
		fmt.Fprintf(&b, ", current snapshot %s", r.Snapshot)
	}
	b.WriteByte('\n')
	summary(&b, r, findings)
	_, err := io.WriteString(w, b.String())
	return err
}

// summary writes the tables, changes, findings, times and sizes of a run.
func summary(b *strings.Builder, r *indexer.Report, findings string) {
	if len(r.Tables) > 0 {
		b.WriteByte('\n')
		table(b, "table\trows\trejected\tadded\tremoved\tchanged", func(row func(string, ...any)) {
			for _, name := range slices.Sorted(maps.Keys(r.Tables)) {
				t := r.Tables[name]
				if c, compared := r.Changes[name]; compared {
					row("%s\t%d\t%d\t%d\t%d\t%d", name, t.Kept, t.Rejected, c.Added, c.Removed, c.Changed)
				} else {
					row("%s\t%d\t%d\t\t\t", name, t.Kept, t.Rejected)
				}
			}
		})
		for _, name := range slices.Sorted(maps.Keys(r.Changes)) {
			c := r.Changes[name]
			if c.Before > 0 {
				examples(b, name+" added", c.AddedFirst)
				examples(b, name+" changed", c.ChangedFirst)
			}
			examples(b, name+" removed", c.RemovedFirst)
		}
	}
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
		table(b, "findings\tseverity\tcode\ttable", func(row func(string, ...any)) {
			for _, f := range r.Findings {
				row("%d\t%s\t%s\t%s", f.Count, f.Severity, f.Code, f.Table)
			}
		})
		fmt.Fprintf(b, "each with file and line: %s\n", findings)
	}
	b.WriteByte('\n')
	var phases []string
	peak := int64(0)
	for _, p := range r.Phases {
		if p.Seconds >= 0.1 {
			phases = append(phases, fmt.Sprintf("%s %.1f s", p.Name, p.Seconds))
		}
		peak = max(peak, p.PeakBytes)
	}
	fmt.Fprintf(b, "took %s", r.FinishedAt.Sub(r.StartedAt).Round(100*time.Millisecond))
	if peak > 0 {
		fmt.Fprintf(b, ", at most %s of memory", size(peak))
	}
	if len(phases) > 0 {
		fmt.Fprintf(b, ": %s", strings.Join(phases, ", "))
	}
	b.WriteByte('\n')
	if total := int64(0); len(r.Bytes) > 0 {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(r.Bytes)) {
			total += r.Bytes[name]
			parts = append(parts, name+" "+size(r.Bytes[name]))
		}
		fmt.Fprintf(b, "size %s: %s\n", size(total), strings.Join(parts, ", "))
	}
}

// table writes rows under a heading, in columns.
func table(b *strings.Builder, heading string, rows func(row func(string, ...any))) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, heading)
	rows(func(format string, values ...any) { fmt.Fprintf(w, format+"\n", values...) })
	_ = w.Flush() // a strings.Builder takes everything
}

// maxExamples is how many keys of a kind a person is shown; the report has 20.
const maxExamples = 3

func examples(b *strings.Builder, what string, keys []string) {
	if len(keys) == 0 {
		return
	}
	more := ""
	if len(keys) > maxExamples {
		keys, more = keys[:maxExamples], " …"
	}
	fmt.Fprintf(b, "%s: %s%s\n", what, strings.Join(keys, " "), more)
}
