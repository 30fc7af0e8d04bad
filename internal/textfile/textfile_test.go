package textfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/internal/test/testkit"
	"bencao/internal/textfile"
)

// must ends the test if there is an error.
var must = testkit.Must

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// write writes the file of a run that ended at the given time, and returns the text of the file.
// well tells whether the run succeeded.
func write(t *testing.T, path string, well bool, at time.Time) string {
	t.Helper()
	g := textfile.New(path)
	g.Time("job_last_run", "When it ended.", at)
	g.Last("job_last_success", "When it ended well.", well, at)
	must(t, g.Write())
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func TestLastOutlivesFailures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.prom")
	const success = "\njob_last_success 1795176000\n"
	if text := write(t, path, false, noon); strings.Contains(text, "job_last_success") {
		t.Errorf("a first run that failed claims a success:\n%s", text)
	}
	if text := write(t, path, true, noon); !strings.Contains(text, success) {
		t.Errorf("a success is not written as %q:\n%s", success, text)
	}
	for hour := range 3 {
		at := noon.Add(time.Duration(hour+1) * time.Hour)
		if text := write(t, path, false, at); !strings.Contains(text, success) {
			t.Errorf("failure %d lost the success before it:\n%s", hour+1, text)
		}
	}
	must(t, os.WriteFile(path, []byte("job_last_success soon\n"), 0o644))
	if text := write(t, path, false, noon); strings.Contains(text, "job_last_success") {
		t.Errorf("a time is taken from a previous file with a garbled value:\n%s", text)
	}
}

func TestFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.prom")
	g := textfile.New(path)
	g.OneOf("job_outcome", "How it ended.", "outcome", "bad", "good", "bad")
	rows := g.Gauge("job_rows", "Rows.")
	rows(0.25, "table", "a \"b\"\\\nc", "result", "kept")
	rows(5e9, "table", "d", "result", "rejected")
	must(t, g.Write())
	got, err := os.ReadFile(path)
	must(t, err)
	const want = `# HELP job_outcome How it ended.
# TYPE job_outcome gauge
job_outcome{outcome="good"} 0
job_outcome{outcome="bad"} 1
# HELP job_rows Rows.
# TYPE job_rows gauge
job_rows{table="a \"b\"\\\nc",result="kept"} 0.25
job_rows{table="d",result="rejected"} 5000000000
`
	if string(got) != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	missing := textfile.New(filepath.Join(t.TempDir(), "nowhere", "job.prom"))
	if err := missing.Write(); err == nil {
		t.Error("writing metrics to a missing folder returns no error")
	}
}
