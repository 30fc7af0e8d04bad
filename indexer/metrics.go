package indexer

import (
	"maps"
	"slices"

	"bencao/internal/textfile"
)

// writeMetrics atomically writes the report for Prometheus' textfile collector. After a failed run,
// the file keeps the time of the last success.
func (r *Report) writeMetrics(path string) error {
	g := textfile.New(path)
	g.Time("bencao_index_last_run_timestamp_seconds", "When the last run ended.", r.FinishedAt)
	g.Last("bencao_index_last_success_timestamp_seconds", "When a run last ended with a current snapshot of its sources.",
		r.Outcome == Published || r.Outcome == Unchanged, r.FinishedAt)
	g.OneOf("bencao_index_outcome", "1 for the outcome of the last run, 0 for the others.", "outcome", string(r.Outcome),
		string(Published), string(Unchanged), string(Refused), string(Held), string(DryRun), string(Failed))
	g.Gauge("bencao_index_duration_seconds", "How long the last run took.")(seconds(r.FinishedAt.Sub(r.StartedAt)))
	phase := g.Gauge("bencao_index_phase_seconds", "How long each phase took.")
	for _, p := range r.Phases {
		phase(p.Seconds, "phase", p.Name)
	}
	rows := g.Gauge("bencao_index_rows", "Rows of the sources by table and result.")
	for _, t := range slices.Sorted(maps.Keys(r.Tables)) {
		rows(float64(r.Tables[t].Kept), "table", t, "result", "kept")
		rows(float64(r.Tables[t].Rejected), "table", t, "result", "rejected")
	}
	findings := g.Gauge("bencao_index_findings", "Findings by table, severity and code.")
	for _, f := range r.Findings {
		findings(float64(f.Count), "table", f.Table, "severity", string(f.Severity), "code", string(f.Code))
	}
	made := g.Gauge("bencao_index_source_timestamp_seconds", "Date of a source: the date stated in it (of=content), of its newest record (of=record), of its newest file (of=files).")
	for _, s := range r.Sources {
		if s.Dated != nil {
			made(float64(s.Dated.Unix()), "source", s.Key, "of", "content")
		}
		if s.NewestRecord != nil {
			made(float64(s.NewestRecord.Unix()), "source", s.Key, "of", "record")
		}
		if s.Modified != nil {
			made(float64(s.Modified.Unix()), "source", s.Key, "of", "files")
		}
	}
	if r.RootExpiresAt != nil {
		g.Gauge("bencao_index_root_expires_timestamp_seconds", "When the root of trust that mirrors follow expires.")(float64(r.RootExpiresAt.Unix()))
	}
	total := int64(0)
	for n := range maps.Values(r.Bytes) {
		total += n
	}
	g.Gauge("bencao_index_snapshot_bytes", "Size of the snapshot that the last run published.")(float64(total))
	return g.Write()
}
