package mirror

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bencao/internal/durable"
	"bencao/internal/textfile"
	"bencao/store/snapshot"
)

// Outcome is the result of a run.
type Outcome string

const (
	// Published means that the run made the publisher's snapshot the mirror's current snapshot.
	Published Outcome = "published"
	// Unchanged means that the publisher's snapshot was the mirror's current snapshot already.
	Unchanged Outcome = "unchanged"
	// Stale means that the publisher has no snapshot that is new enough. Nothing was changed.
	Stale Outcome = "stale"
	// Refused means that the mirror has already followed a newer state of the publisher. Nothing
	// was changed.
	Refused Outcome = "refused"
	// Failed means that an error occurred. Nothing was changed.
	Failed Outcome = "failed"
)

// Report describes a run. The file last-pull.json in the data directory has the report of the last
// run.
type Report struct {
	Outcome    Outcome   `json:"outcome"`
	Error      string    `json:"error,omitempty"`
	Snapshot   string    `json:"snapshot,omitempty"` // the current snapshot after the run
	Program    string    `json:"program"`
	From       string    `json:"from"` // the publisher's address
	StartedAt  time.Time `json:"startedAt"`
	FinishedAt time.Time `json:"finishedAt"`
	// Fresh is the last known time at which the publisher built or confirmed the current snapshot.
	// It is nil if there is no snapshot.
	Fresh *time.Time `json:"fresh"`
	// NoTrust reports whether the last pull that succeeded was made with [Options.NoTrust], so nobody
	// has signed the current snapshot.
	NoTrust bool `json:"noTrust,omitempty"`
	// Root, Version and Expires come from the publisher's root and timestamp that the mirror accepted
	// last, in this run or an earlier one. They are zero and nil if it never had a root of trust.
	Root    int64      `json:"root,omitempty"`
	Version int64      `json:"version,omitempty"`
	Expires *time.Time `json:"expires,omitempty"`
	Transfer
	// Removed lists the old snapshots that the run removed.
	Removed []string `json:"removed"`
}

// Transfer counts where the bytes of a snapshot came from.
type Transfer struct {
	// Bytes is the size of the publisher's snapshot. Linked is the number of these bytes that were
	// in other local snapshots. Resumed is the number that an earlier run fetched.
	Bytes   int64 `json:"bytes"`
	Linked  int64 `json:"linked"`
	Resumed int64 `json:"resumed"`
	// Fetched is the number of bytes fetched over the network. If the run failed, it also counts
	// the bytes that were still missing.
	Fetched int64 `json:"fetched"`
}

// LastReport is the name of the last run's report in the data directory.
const LastReport = "last-pull.json"

// finish adds the outcome to the report, and writes the report and the metrics. It returns err and
// the errors of writing.
func (p *pull) finish(d snapshot.Dir, err error) error {
	r := &p.report
	r.FinishedAt = p.opt.Now().UTC()
	m, currentErr := d.Published()
	if currentErr == nil {
		fresh := d.Fresh(m).UTC()
		r.Snapshot, r.Fresh = m.ID, &fresh
	} else if err == nil {
		err = currentErr
	}
	switch {
	case errors.Is(err, ErrRollback):
		r.Outcome = Refused
	case errors.Is(err, ErrStale), errors.Is(err, ErrExpired):
		r.Outcome = Stale
	case err != nil:
		r.Outcome = Failed
	}
	if err != nil {
		r.Error = err.Error()
		r.NoTrust = p.last.NoTrust
	} else {
		r.NoTrust = p.opt.NoTrust
	}
	if r.Root == 0 {
		r.Root, r.Version, r.Expires = p.last.Root, p.last.Version, p.last.Expires
	}
	// While another run holds the lock, the report file belongs to that run.
	if !errors.Is(err, snapshot.ErrLocked) {
		if _, statErr := os.Stat(d.Path()); statErr == nil {
			err = errors.Join(err, r.write(d.Path()))
		}
	}
	if p.opt.MetricsFile != "" {
		err = errors.Join(err, r.writeMetrics(p.opt.MetricsFile))
	}
	return err
}

// maxReport is the largest size of a report in bytes.
const maxReport = 1 << 20

// readReport reads the report of the last run. It returns [fs.ErrNotExist] if there is none.
func readReport(folder string) (r Report, err error) {
	path := filepath.Join(folder, LastReport)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return r, err
	case !info.Mode().IsRegular() || info.Size() > maxReport:
		return r, fmt.Errorf("%s is not a regular file, or has more than %d bytes", path, maxReport)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return Report{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func (r *Report) write(folder string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	if err := durable.WriteFile(filepath.Join(folder, LastReport), append(b, '\n'), durable.Options{}); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// writeMetrics writes the report for Prometheus' textfile collector.
func (r *Report) writeMetrics(path string) error {
	g := textfile.New(path)
	g.Time("bencao_pull_last_run_timestamp_seconds", "When the last pull ended.", r.FinishedAt)
	g.Last("bencao_pull_last_success_timestamp_seconds", "When a pull last ended with the publisher's snapshot as the current one.",
		r.Outcome == Published || r.Outcome == Unchanged, r.FinishedAt)
	if r.Fresh != nil {
		g.Time("bencao_pull_snapshot_fresh_timestamp_seconds", "When the publisher built or confirmed the snapshot that is current here.", *r.Fresh)
	}
	g.OneOf("bencao_pull_outcome", "1 for the outcome of the last pull, 0 for the others.", "outcome", string(r.Outcome),
		string(Published), string(Unchanged), string(Stale), string(Refused), string(Failed))
	g.Gauge("bencao_pull_duration_seconds", "How long the last pull took.")(r.FinishedAt.Sub(r.StartedAt).Seconds())
	g.Gauge("bencao_pull_snapshot_bytes", "Size of the publisher's snapshot in the last pull.")(float64(r.Bytes))
	from := g.Gauge("bencao_pull_bytes", "Bytes of that snapshot by origin: net, earlier (interrupted pull) and linked (from local snapshots).")
	from(float64(r.Fetched), "from", "net")
	from(float64(r.Resumed), "from", "earlier")
	from(float64(r.Linked), "from", "linked")
	return g.Write()
}
