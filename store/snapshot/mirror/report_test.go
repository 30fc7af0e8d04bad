package mirror_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// lastReport reads the report of the last run.
func lastReport(t *testing.T, d snapshot.Dir) (r mirror.Report) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(d.Path(), mirror.LastReport))
	must(t, err)
	must(t, json.Unmarshal(b, &r))
	return r
}

// TestReport runs pulls with different outcomes. The report and the metrics must have the outcome,
// and after a failure still the old snapshot.
func TestReport(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	monday := p.nightly(t, "monday")
	opt := quick()
	opt.Program, opt.MetricsFile = "bencao test", filepath.Join(t.TempDir(), "bencao.prom")
	now := monday.Created.Add(time.Hour)
	opt.Now = func() time.Time { return now }
	var succeeded time.Time
	run := func(want mirror.Outcome, snap string, fails error) {
		t.Helper()
		r, err := mirror.Pull(t.Context(), p.url, to, opt)
		if !errors.Is(err, fails) {
			t.Fatalf("%s: ended with %v, want %v", want, err, fails)
		}
		if fails == nil {
			succeeded = now
		}
		written := lastReport(t, to)
		if r.Outcome != want || written.Outcome != want || written.Snapshot != snap || written.Fresh == nil || written.From != p.url || written.Program != "bencao test" ||
			(written.Error == "") != (fails == nil) || !written.FinishedAt.Equal(now) {
			t.Errorf("%s: the run returns the report %+v\nand writes %+v", want, r, written)
		}
		b, err := os.ReadFile(opt.MetricsFile)
		must(t, err)
		for _, line := range []string{
			`bencao_pull_outcome{outcome="` + string(want) + `"} 1`,
			"bencao_pull_last_run_timestamp_seconds " + strconv.FormatInt(now.Unix(), 10),
			"bencao_pull_last_success_timestamp_seconds " + strconv.FormatInt(succeeded.Unix(), 10),
			"bencao_pull_snapshot_fresh_timestamp_seconds " + strconv.FormatInt(monday.Created.Unix(), 10),
		} {
			if !strings.Contains(string(b), line+"\n") {
				t.Errorf("%s: the metrics lack %s:\n%s", want, line, b)
			}
		}
	}
	run(mirror.Published, monday.ID, nil)
	now = now.Add(time.Hour)
	run(mirror.Unchanged, monday.ID, nil)

	now = now.Add(time.Hour)
	opt.MaxAge = time.Hour
	run(mirror.Stale, monday.ID, mirror.ErrStale)
	opt.MaxAge = 0

	now = now.Add(time.Hour)
	p.nightly(t, "tuesday")
	p.put(altered(".bolt", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	r, err := mirror.Pull(t.Context(), p.url, to, opt)
	if err == nil || r.Outcome != mirror.Failed || lastReport(t, to).Snapshot != monday.ID || lastReport(t, to).Error != err.Error() {
		t.Errorf("a file that the server refuses: %v, %+v", err, lastReport(t, to))
	}
	p.put(nil)

	// A root that cannot be read is reported too.
	opt.RootFile = filepath.Join(t.TempDir(), "nothing")
	now = now.Add(time.Hour)
	run(mirror.Failed, monday.ID, os.ErrNotExist)
	opt.RootFile = ""

	// Only the run that has the lock writes the report.
	w, err := to.Lock(snapshot.WriterOptions{})
	must(t, err)
	before := lastReport(t, to)
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); !errors.Is(err, snapshot.ErrLocked) {
		t.Errorf("a locked folder: %v", err)
	}
	if after := lastReport(t, to); after.FinishedAt != before.FinishedAt || after.Error != before.Error {
		t.Errorf("a run without the lock has replaced the report by %+v", after)
	}
	must(t, w.Close())

	// A report that cannot be written is an error as well.
	must(t, os.Remove(filepath.Join(to.Path(), mirror.LastReport)))
	must(t, os.Mkdir(filepath.Join(to.Path(), mirror.LastReport), 0o755))
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err == nil || !strings.Contains(err.Error(), "write report") {
		t.Errorf("a report that can't be written: %v", err)
	}
}

// TestMetricsFile checks that a run that cannot write its metrics fails before it fetches anything.
// A run must also remove the temporary metrics files that killed runs left.
func TestMetricsFile(t *testing.T) {
	p, to := newPublisher(t), dataDir(t)
	p.nightly(t, "monday")
	opt, folder := quick(), filepath.Join(t.TempDir(), "metrics")
	opt.MetricsFile = filepath.Join(folder, "bencao.prom")
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err == nil || !strings.Contains(err.Error(), "metrics file "+opt.MetricsFile) {
		t.Errorf("no folder for the metrics: %v, want an error that names the file", err)
	}
	if _, err := to.Current(); !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("current: %v, want nothing pulled", err)
	}
	left, other := filepath.Join(folder, ".bencao.prom.tmp-123"), filepath.Join(folder, ".other.prom.tmp-123")
	must(t, errors.Join(os.Mkdir(folder, 0o755), os.WriteFile(left, nil, 0o600), os.WriteFile(other, nil, 0o600)))
	if _, err := mirror.Pull(t.Context(), p.url, to, opt); err != nil {
		t.Fatal(err)
	}
	if found, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(found) != 1 || found[0] != other {
		t.Errorf("left in the folder: %q, %v; want only the file of another job", found, err)
	}
}
