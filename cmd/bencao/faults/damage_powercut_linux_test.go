package faults_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/sample"
	"bencao/internal/test/powercut"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// lab is a disk that can lose power. The disk holds the snapshot of one nightly build. The sources
// of the next build are ready.
type lab struct {
	disk      *powercut.Disk
	pkg, keys string
	before    string // id of the snapshot on the disk
}

// The paths that the nightly build writes to, relative to the root of the disk.
const (
	labData    = "data"
	labMetrics = "bencao.prom"
)

func newLab(t *testing.T) *lab {
	t.Helper()
	faultsOnly(t)
	if why := powercut.Lacking(); why != nil {
		lacking(t, why.Error())
	}
	dir := t.TempDir()
	l := &lab{disk: powercut.NewDisk(t, 64), pkg: filepath.Join(dir, "package"), keys: filepath.Join(dir, "keys")}
	must(t, os.CopyFS(l.pkg, sample.Package()))
	bencao(t, "trust", "init", "--data", filepath.Join(l.disk.Path, labData), "--trust-keys", l.keys)
	must(t, l.build(l.disk.Path).Run())
	p, err := snapshot.At(filepath.Join(l.disk.Path, labData)).Current()
	must(t, err)
	l.before = p.ID
	row := []string{"9999", "", "夜合", "", "Lirianthe coco", "(Lour.) N.H.Xia & C.Y.Wu", "species", "Magnoliaceae", "木兰科", "Lirianthe", "", ""}
	must(t, appendCSV(filepath.Join(l.pkg, "species.csv"), [][]string{row}))
	l.disk.Sync() // writes the first build to the disk, as if it had ended long ago
	return l
}

// build returns the command of the nightly build that writes to the folder disk.
func (l *lab) build(disk string) *exec.Cmd {
	return exec.Command(program(), "index", "--data", filepath.Join(disk, labData), "--source", l.pkg,
		"--metrics-file", filepath.Join(disk, labMetrics), "--trust-keys", l.keys, "--log", "json")
}

// whole checks a disk after a power cut: every snapshot is complete, one is current, and the
// pointer for mirrors names one of the snapshots. It returns the id of the current snapshot.
func (l *lab) whole(t *testing.T, disk string) string {
	t.Helper()
	d := snapshot.At(filepath.Join(disk, labData))
	list, err := d.List()
	must(t, err)
	for _, i := range list {
		if _, err := d.Verify(t.Context(), i.ID, snapshot.Deep); err != nil {
			t.Errorf("a broken snapshot has an id: %v", err)
		}
	}
	p, err := d.Current()
	if err != nil {
		t.Errorf("CURRENT: %v", err)
		return ""
	}
	if announced, err := trust.Announced(d); err != nil || !slices.ContainsFunc(list, func(i snapshot.Info) bool { return i.ID == announced.ID }) {
		t.Errorf("mirrors are pointed to %s, want one of %v: %v", announced.ID, list, err)
	}
	for _, name := range []string{labMetrics, labData + "/last-report.json"} {
		b, err := os.ReadFile(filepath.Join(disk, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if err == nil && (len(b) == 0 || strings.HasSuffix(name, ".json") && !json.Valid(b)) {
			t.Errorf("%s is incomplete: %q", name, b)
		}
	}
	return p.ID
}

// mends checks that after a power cut a server can start and the next nightly build can publish.
func (l *lab) mends(t *testing.T, disk, access string, current string) {
	t.Helper()
	s := &site{data: filepath.Join(disk, labData), access: access}
	s.all = s.openAll(t, "key"+strings.ReplaceAll(filepath.Base(filepath.Dir(disk)), "_", ""))
	srv := s.serve(t)
	if is := srv.ready(t); !is.Ready || is.Stale || is.Snapshot != current {
		t.Errorf("/readyz says %+v, want ready on %s, not stale", is, current)
	}
	want := plantsOlder
	if current != l.before {
		want = plantsNewer
	}
	if got := srv.plants(t); got != want {
		t.Errorf("%d plants, want %d", got, want)
	}
	srv.stop(t)
	if out, err := l.build(disk).CombinedOutput(); err != nil {
		t.Errorf("the next build: %v\n%s", err, out)
	}
	if now := l.whole(t, disk); now == l.before {
		t.Error("the next build published nothing")
	}
	entries, err := os.ReadDir(filepath.Join(disk, labData, "snapshots"))
	must(t, err)
	for _, e := range entries {
		if !snapshot.ValidID(e.Name()) {
			t.Errorf("the next build left the temporary file %s", e.Name())
		}
	}
}

// TestPowerCutDuringIndex runs the nightly build and cuts the power after each fsync and rename.
// Every resulting disk must hold the old or the new snapshot, complete. On some disks the test also
// starts a server and runs the next build.
func TestPowerCutDuringIndex(t *testing.T) {
	l := newLab(t)
	cuts, err := l.disk.During(l.build(l.disk.Path), false)
	if err != nil {
		t.Fatalf("the build whose power is cut: %v", err)
	}
	access := filepath.Join(t.TempDir(), "access.toml")
	var now []string
	l.disk.Each(cuts, func(n int, c powercut.Cut, dir string) {
		failed := t.Failed()
		now = append(now, l.whole(t, dir))
		if len(now)%several(12, 24) == 0 || n == len(cuts)-1 {
			l.mends(t, dir, access, now[len(now)-1])
		}
		if t.Failed() && !failed {
			t.Errorf("this disk is from power cut %d, %s", n, c.After)
		}
	})
	if len(cuts) < 60 || len(now) < 30 {
		t.Errorf("%d power cuts left %d different disks, want at least 60 and 30; the test covers too little", len(cuts), len(now))
	}
	old := 0
	for old < len(now) && now[old] == l.before {
		old++
	}
	if newer := now[old:]; len(newer) == 0 || len(slices.Compact(slices.Clone(newer))) != 1 {
		t.Errorf("current after each cut: %q, want %s at first and then the new one", now, l.before)
	}
	t.Logf("%d power cuts left %d different disks: %d with the old snapshot, %d with the new one", len(cuts), len(now), old, len(now)-old)
}

// TestPowerCutDuringIndexShowsDamage runs the nightly build on a disk that ignores fsync, and cuts
// the power. Some snapshots must then be damaged; otherwise [TestPowerCutDuringIndex] proves
// nothing.
func TestPowerCutDuringIndexShowsDamage(t *testing.T) {
	l := newLab(t)
	cuts, err := l.disk.During(l.build(l.disk.Path), true)
	if err != nil {
		t.Fatalf("the build whose power is cut: %v", err)
	}
	broken := 0
	l.disk.Each(cuts, func(_ int, _ powercut.Cut, dir string) {
		d := snapshot.At(filepath.Join(dir, labData))
		s, err := d.OpenCurrent(t.Context())
		if err != nil {
			broken++
			return
		}
		must(t, s.Close())
	})
	if broken == 0 {
		t.Errorf("without fsync, none of %d power cuts damaged a snapshot", len(cuts))
	}
	t.Logf("%d disks with a damaged snapshot", broken)
}
