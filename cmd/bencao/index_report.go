package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"bencao/indexer"
	"bencao/indexer/finding"

	"github.com/spf13/cobra"
)

// printReport says in a screenful, or in JSON, what a run did, and where its
// findings are listed.
func printReport(cmd *cobra.Command, r *indexer.Report, findings string, asJSON bool) error {
	if r == nil {
		return nil
	}
	if asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Outcome)
	if r.Snapshot != "" {
		fmt.Fprintf(&b, ", current snapshot %s", r.Snapshot)
	}
	b.WriteByte('\n')
	if p := r.Public; p != nil {
		fmt.Fprintf(&b, "public snapshot %s in %s: %s, %s\n", p.Outcome, p.Data, p.Snapshot, size(total(p.Bytes)))
	}
	if err := summary(cmd, &b, r, findings); err != nil {
		return err
	}
	_, err := io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}

// summary writes the tables, changes, findings, times and sizes of a run.
func summary(cmd *cobra.Command, b *strings.Builder, r *indexer.Report, findings string) error {
	if len(r.Tables) > 0 {
		b.WriteByte('\n')
		t := newTable(cmd, "table", "rows", "rejected", "added", "removed", "changed")
		for _, name := range slices.Sorted(maps.Keys(r.Tables)) {
			of := r.Tables[name]
			if c, compared := r.Changes[name]; compared {
				t.row(name, of.Kept, of.Rejected, c.Added, c.Removed, c.Changed)
			} else {
				t.row(name, of.Kept, of.Rejected)
			}
		}
		if err := t.write(b); err != nil {
			return err
		}
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
		t := newTable(cmd, "findings", "severity", "code", "table")
		t.colours = map[string]colour{"warn": yellow, "reject": red, "fatal": red}
		for _, f := range r.Findings {
			t.row(f.Count, f.Severity, f.Code, f.Table)
		}
		if err := t.write(b); err != nil {
			return err
		}
		fmt.Fprintf(b, "each with file and line: %s\n", findings)
	}
	notices(cmd, b, r.Noticed)
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
	if len(r.Bytes) > 0 {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(r.Bytes)) {
			parts = append(parts, name+" "+size(r.Bytes[name]))
		}
		fmt.Fprintf(b, "size %s: %s\n", size(total(r.Bytes)), strings.Join(parts, ", "))
	}
	return nil
}

// maxNotices is how many notices a person is shown; the findings have all.
const maxNotices = 10

// notices lists what differs from the snapshot before and no gate refused.
func notices(cmd *cobra.Command, b *strings.Builder, all []finding.Finding) {
	if len(all) == 0 {
		return
	}
	l := languageOf(cmd)
	fmt.Fprintf(b, "\n%s\n", l.word("look at these differences from the snapshot before, which no gate refused:"))
	for _, f := range all[:min(len(all), maxNotices)] {
		place := f.Table
		if f.Column != "" {
			place += "." + f.Column
		}
		fmt.Fprintf(b, "  %s: %s\n", place, f.Message)
	}
	if more := len(all) - maxNotices; more > 0 {
		fmt.Fprintf(b, "  %s\n", l.say("and %d more, which the findings list", more))
	}
}

// total is the size of a snapshot by its files.
func total(of map[string]int64) (sum int64) {
	for n := range maps.Values(of) {
		sum += n
	}
	return sum
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
