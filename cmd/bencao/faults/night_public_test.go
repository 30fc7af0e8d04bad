//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// TestPublicNightKilled kills a nightly build that also publishes a public snapshot. Both data
// folders have a TUF root of trust. The test kills before every sixteenth fsync, rename and
// removal, and around each change of CURRENT. After each kill, both folders must hold complete
// snapshots, and the public snapshot must not be newer than the full one. The next run must publish
// Wednesday's data in both folders, and mirrors must find them.
func TestPublicNightKilled(t *testing.T) {
	calls := slices.Concat(syncs, renames, unlinks)
	n, public := publicBuild(t)
	end := afflict(t, harm{calls: calls, under: filepath.Dir(n.data)}, n.flags...)
	if end.code != 0 {
		t.Fatalf("a build without a fault ended with %d:\n%s", end.code, end.said)
	}
	both := 0
	for _, call := range end.met {
		if switches(call) {
			both++
		}
	}
	if both != 2 || n.serves(t) != plantsWednesday || public.serves(t) != plantsWednesday {
		t.Fatalf("a build without a fault changes %d files CURRENT, want 2: %q", both, end.met)
	}
	for i, call := range end.met {
		at := i + 1
		if at%16 != 0 && !switches(call) && (i == 0 || !switches(end.met[i-1])) {
			continue
		}
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			n, public := publicBuild(t)
			end := afflict(t, harm{calls: calls, under: filepath.Dir(n.data), at: at}, n.flags...)
			if killed := end.code == -1; killed != (end.hit != "") || !killed && end.code != 0 {
				t.Fatalf("the fault was at %q, and the exit code is %d:\n%s", end.hit, end.code, end.said)
			}
			whole := n.serves(t)
			if _, err := snapshot.At(public.data).Current(); err == nil {
				if public.serves(t) != plantsWednesday || whole != plantsWednesday {
					t.Errorf("killed before %s, the public snapshot is newer than the full one", end.hit)
				}
			} else if !errors.Is(err, snapshot.ErrNone) {
				t.Errorf("the public folder: %v", err)
			}
			if code, said := n.run(t); code != 0 {
				t.Errorf("the next run ended with %d, want 0:\n%s", code, said)
			}
			for _, of := range []*build{n, public} {
				if got := of.serves(t); got != plantsWednesday {
					t.Errorf("after the next run, %d plants in %s, want the new snapshot's %d", got, of.data, plantsWednesday)
				}
				followed(t, of)
			}
		})
	}
}

// publicBuild returns a nightly build that also publishes a public snapshot. public is the data
// folder of the public snapshot. Both folders have the same root of trust.
func publicBuild(t *testing.T) (n, public *build) {
	t.Helper()
	n = newBuild(t)
	public = &build{data: n.data + "-public", metrics: n.metrics}
	must(t, os.Mkdir(public.data, 0o755))
	n.flags = append(n.flags, "--public", public.data)
	root, err := trust.Current(snapshot.At(n.data))
	must(t, err)
	must(t, trust.Install(snapshot.At(public.data), root))
	return n, public
}

// followed checks that a mirror that starts from the first root of trust finds the current
// snapshot.
func followed(t *testing.T, of *build) {
	t.Helper()
	root, err := os.ReadFile(filepath.Join(of.data, "tuf", "1.root.json"))
	must(t, err)
	f, err := trust.Follow(root, snapshot.At(t.TempDir()), func(path string, _ int64) ([]byte, error) {
		return os.ReadFile(filepath.Join(of.data, filepath.FromSlash(path)))
	}, time.Now(), false)
	p, currentErr := snapshot.At(of.data).Current()
	if err := errors.Join(err, currentErr); err != nil || f.Pointer != p {
		t.Errorf("mirrors of %s do not find the current snapshot: %v", of.data, err)
	}
	left, err := filepath.Glob(filepath.Join(of.data, "tuf", ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %s, %v", strings.Join(left, ", "), err)
	}
}
