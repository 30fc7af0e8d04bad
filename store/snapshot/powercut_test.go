package snapshot_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"bencao/store/snapshot"
)

// A power cut, unlike a kill, loses whatever was not made durable. Here the
// disk is a file: what the file system has not written into it at the moment
// of the cut is not in the copy that is made then, and mounted afterwards.
func TestPowerCut(t *testing.T) {
	needRoot(t)
	tracer(t)
	cuts := 0
	all := []string{"fsync", "/^rename", "/^f?chmod"}
	if raced {
		all = all[:1]
	}
	for _, calls := range all {
		for n := 1; ; n++ {
			image := filepath.Join(t.TempDir(), "disk")
			run(t, "truncate", "--size=16M", image)
			run(t, "mkfs.ext4", "-q", "-F", "-J", "size=4", image)
			disk := mountImage(t, image)
			d := snapshot.At(filepath.Join(disk, "data"))
			mustBuild(t, d, "old")
			unix.Sync() // the night before was long ago

			_, err := traced(t, d, fmt.Sprintf("%s:signal=SIGKILL:when=%d", calls, n), "build", "new", 0)
			killed := wasKilled(t, err)
			run(t, "cp", "--sparse=always", image, image+".cut")
			must(t, unix.Unmount(disk, 0))

			cut := mountImage(t, image+".cut")
			now := afterCrash(t, snapshot.At(filepath.Join(cut, "data")), "old")
			must(t, unix.Unmount(cut, 0))
			if !killed {
				if now != "new" {
					t.Errorf("power cut after a night that ended well: current is %q, want new", now)
				}
				break
			}
			cuts++
		}
	}
	if cuts < 4*len(all) {
		t.Errorf("only %d power cuts; the test tests too little", cuts)
	}
	t.Logf("%d power cuts", cuts)
}

// mountImage mounts a disk image with the fewest promises that ext4 can make:
// no order between data and names, no flush at a rename, no timed flush.
func mountImage(t *testing.T, image string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	run(t, "mount", "-o", "loop,data=writeback,noauto_da_alloc,commit=600", image, dir)
	t.Cleanup(func() { // when the test failed between
		if err := unix.Unmount(dir, 0); err != nil && err != unix.EINVAL {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

// run runs a tool of the system. Without it the test is skipped.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	if path, err := exec.LookPath("/usr/sbin/" + name); err == nil {
		cmd.Path, cmd.Err = path, nil
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no disk image can be cut off here: %s: %v: %s", name, err, out)
	}
}

// What one file system makes durable by the way, another may not: everything
// is synced by name before the step that relies on it.
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

	var got [][]string // what was synced before each rename, and after the last
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
		{""}, // the data directory, for the name CURRENT
	}
	for _, group := range slices.Concat(got, want) {
		slices.Sort(group)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("synced before the draft's rename, before CURRENT's, and after (-want +got):\n%s\ntrace:\n%s", diff, b)
	}
}
