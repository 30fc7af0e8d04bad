package snapshot_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSyncOrder checks which files and directories a build syncs before each rename. Tests that cut the
// power do not detect every missing sync, since some file systems sync more than requested.
func TestSyncOrder(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "old")
	log := filepath.Join(t.TempDir(), "log")
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("SKIPPED: system calls can't be seen without strace; install it, such as with apt-get install strace")
	}
	if out, err := exec.Command(strace, "-qq", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: strace may not trace here (in a container, add the capability SYS_PTRACE): %v: %s", err, out)
	}
	cmd := child(t, d, "build", "new", 0)
	cmd.Args = []string{strace, "-f", "-qq", "-y", "-o", log, "-e", "trace=fsync,/^rename", cmd.Path}
	cmd.Path = strace
	must(t, cmd.Run())
	b, err := os.ReadFile(log)
	must(t, err)

	var got [][]string // the paths synced before each rename and after the last rename
	var group []string
	sync := regexp.MustCompile(`fsync\(\d+<` + regexp.QuoteMeta(d.Path()) + `(.*?)>`)
	random := regexp.MustCompile(`tmp-\d+`)
	for line := range strings.Lines(string(b)) {
		if m := sync.FindStringSubmatch(line); m != nil {
			group = append(group, random.ReplaceAllString(m[1], "tmp-"))
		} else if strings.Contains(line, "rename") && !strings.Contains(line, "resumed") {
			got, group = append(got, group), nil
		}
	}
	got = append(got, group)
	const draft = "/snapshots/.tmp-"
	want := [][]string{
		{
			draft, draft + "/species.bleve", draft + "/species.bleve/store", draft + "/manifest.json",
			draft + "/store.bolt", draft + "/names.idx", draft + "/report.json",
			draft + "/species.bleve/index_meta.json", draft + "/species.bleve/store/root.bolt", draft + "/species.bleve/store/1.zap",
		},
		{"/snapshots", "/.CURRENT.tmp-"},
		{""}, // the data directory, which holds the name CURRENT
	}
	for _, group := range slices.Concat(got, want) {
		slices.Sort(group)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("synced before the draft's rename, before CURRENT's, and after (-want +got):\n%s\ntrace:\n%s", diff, b)
	}
}
