package indexer

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"bencao/store/snapshot"
)

const lastSuccess = "bencao_index_last_success_timestamp_seconds"

// writeMetrics writes the report for Prometheus' textfile collector, in its
// text format, atomically. The time of the last success outlives failures: it
// is carried over from the file before.
func (r *Report) writeMetrics(path string) error {
	var b strings.Builder
	gauge := func(name, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name) }
	sample := func(name string, value float64, labels ...string) {
		b.WriteString(name)
		for i := 0; i < len(labels); i += 2 {
			sep := ","
			if i == 0 {
				sep = "{"
			}
			fmt.Fprintf(&b, "%s%s=%s", sep, labels[i], quoteLabel(labels[i+1]))
		}
		if len(labels) > 0 {
			b.WriteString("}")
		}
		b.WriteString(" " + strconv.FormatFloat(value, 'f', -1, 64) + "\n")
	}

	gauge("bencao_index_last_run_timestamp_seconds", "When the last run ended.")
	sample("bencao_index_last_run_timestamp_seconds", float64(r.FinishedAt.Unix()))
	success, known := previousSuccess(path)
	if r.Outcome == Published || r.Outcome == Unchanged {
		success, known = float64(r.FinishedAt.Unix()), true
	}
	if known {
		gauge(lastSuccess, "When a run last ended with a current snapshot of its sources.")
		sample(lastSuccess, success)
	}
	gauge("bencao_index_outcome", "How the last run ended: 1 for its outcome.")
	for _, o := range []Outcome{Published, Unchanged, Refused, DryRun, Failed} {
		v := 0.0
		if r.Outcome == o {
			v = 1
		}
		sample("bencao_index_outcome", v, "outcome", string(o))
	}
	gauge("bencao_index_duration_seconds", "How long the last run took.")
	sample("bencao_index_duration_seconds", seconds(r.FinishedAt.Sub(r.StartedAt)))
	gauge("bencao_index_phase_seconds", "How long each phase took.")
	for _, p := range r.Phases {
		sample("bencao_index_phase_seconds", p.Seconds, "phase", p.Name)
	}
	gauge("bencao_index_rows", "Rows of the sources by table and result.")
	for _, t := range slices.Sorted(maps.Keys(r.Tables)) {
		sample("bencao_index_rows", float64(r.Tables[t].Kept), "table", t, "result", "kept")
		sample("bencao_index_rows", float64(r.Tables[t].Rejected), "table", t, "result", "rejected")
	}
	gauge("bencao_index_findings", "Findings by table, severity and code.")
	for _, f := range r.Findings {
		sample("bencao_index_findings", float64(f.Count), "table", f.Table, "severity", string(f.Severity), "code", string(f.Code))
	}
	gauge("bencao_index_snapshot_bytes", "Size of the snapshot that the last run published.")
	total := int64(0)
	for n := range maps.Values(r.Bytes) {
		total += n
	}
	sample("bencao_index_snapshot_bytes", float64(total))

	if err := snapshot.WriteFileAtomic(path, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func quoteLabel(v string) string { return `"` + labelEscaper.Replace(v) + `"` }

// previousSuccess reads the time of the last success from an earlier file.
func previousSuccess(path string) (float64, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, false // the first run
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, lastSuccess+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			return n, err == nil
		}
	}
	return 0, false
}
