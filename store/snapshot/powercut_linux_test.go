package snapshot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bencao/internal/test/powercut"
	"bencao/internal/test/race"
	"bencao/store/snapshot"
)

// TestPowerCut cuts the power after each system call of a publication that renames or syncs a file.
// The disk must then have the complete previous or the complete new snapshot.
func TestPowerCut(t *testing.T) {
	calls, enough := powercut.Durable+",write", 60
	if race.On {
		calls, enough = "fsync", 20
	}
	cuts, now := powerCuts(t, powercut.Options{Calls: calls}, func(d snapshot.Dir) string { return afterCrash(t, d, "old") })
	if len(cuts) < enough {
		t.Errorf("only %d power cuts, want at least %d", len(cuts), enough)
	}
	if last := now[len(now)-1]; last != "new" {
		t.Errorf("power cut after a completed build: current is %q, want new", last)
	}
	if back := slices.Index(now, "new"); slices.Contains(now[back:], "old") {
		t.Errorf("the new snapshot is lost after a later cut: current after each cut is %q", now)
	}
	t.Logf("%d power cuts, which left %d different disks", len(cuts), len(now))
}

// TestPowerCutShowsDamage cuts the power of a disk that ignores syncs. Some snapshots must then be
// lost; otherwise TestPowerCut would prove nothing.
func TestPowerCutShowsDamage(t *testing.T) {
	if race.On {
		t.Skip("SKIPPED: the race detector cannot find data that a disk loses")
	}
	broken := map[string]bool{}
	_, now := powerCuts(t, powercut.Options{Forget: true}, func(d snapshot.Dir) string {
		s, err := d.OpenCurrent(t.Context())
		if err == nil {
			must(t, s.Close())
			return "whole"
		}
		broken[err.Error()] = true
		return "broken"
	})
	if !slices.Contains(now, "broken") {
		t.Errorf("nothing is lost although the disk ignores fsync; the disks are %q", now)
	}
	for b := range broken {
		t.Log(b)
	}
}

// powerCuts publishes the snapshots old and new, and cuts the power at many points of the second
// publication. It calls look with the data directory of each resulting disk. It returns the cuts
// and the results of look.
func powerCuts(t *testing.T, opt powercut.Options, look func(snapshot.Dir) string) (cuts []powercut.Cut, seen []string) {
	t.Helper()
	if why := powercut.Lacking(); why != nil {
		t.Skipf("SKIPPED: no power can be cut without %v", why)
	}
	disk := powercut.NewDisk(t, 16)
	d := snapshot.At(filepath.Join(disk.Path, "data"))
	mustBuild(t, d, "old")
	disk.Sync() // the previous build is on the disk
	cuts, err := disk.During(child(t, d, "build", "new", 0), opt)
	if err != nil {
		t.Fatalf("the build before the power cut: %v", err)
	}
	disk.Each(cuts, func(n int, c powercut.Cut, dir string) {
		failed := t.Failed()
		seen = append(seen, look(snapshot.At(filepath.Join(dir, "data"))))
		if t.Failed() && !failed {
			t.Errorf("the errors above are those after cut %d, %s", n, c.After)
		}
	})
	return cuts, seen
}

// TestSyncOrder checks which files and directories a build syncs before each rename. The other
// tests do not detect every missing sync, since some file systems sync more than requested.
func TestSyncOrder(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "old")
	log := filepath.Join(t.TempDir(), "log")
	strace := tracer(t)
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
