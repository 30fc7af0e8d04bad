package snapshot_test

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/race"
	"bencao/store/snapshot"
)

// afterCrash checks that the data directory has the old or the new state after a crash during a
// nightly build, and that the next build repairs everything. It returns the name of the current
// build.
func afterCrash(t *testing.T, d snapshot.Dir, before string) string {
	t.Helper()
	now := ""
	switch _, err := d.Current(); {
	case err == nil:
		now = currentName(t, d) // fails the test unless the snapshot is complete
	case !errors.Is(err, snapshot.ErrNone):
		t.Fatalf("CURRENT after a crash: %v", err)
	}
	if now != before && now != "new" {
		t.Errorf("current is %q, want %q or new", now, before)
	}
	// Every snapshot with a valid name must be complete, even if it is not current.
	for _, id := range ids(t, d) {
		if _, err := d.Verify(t.Context(), id, snapshot.Deep); err != nil {
			t.Errorf("a crash left a broken snapshot: %v", err)
		}
	}
	mustBuild(t, d, "next")
	if got := currentName(t, d); got != "next" {
		t.Errorf("after the next build, current is %q", got)
	}
	if left := litter(t, d); left != nil {
		t.Errorf("the next build left behind %q", left)
	}
	return now
}

func TestKilledAtEachStep(t *testing.T) {
	for _, before := range []string{"", "old"} {
		var outcomes []string
		for n := 1; ; n++ {
			d := dataDir(t)
			if before != "" {
				mustBuild(t, d, before)
			}
			killed := wasKilled(t, child(t, d, "build", "new", n).Run())
			outcomes = append(outcomes, afterCrash(t, d, before))
			if !killed {
				break
			}
		}
		// A build has eight steps before CURRENT changes and one after. The last run is not killed.
		want := append(slices.Repeat([]string{before}, 8), "new", "new")
		if !slices.Equal(outcomes, want) {
			t.Errorf("current after a kill at each step: %q, want %q", outcomes, want)
		}
	}
}

func TestPruneKilledAtEachStep(t *testing.T) {
	for n := 1; ; n++ {
		d := dataDir(t)
		for _, name := range []string{"a", "b", "c"} {
			mustBuild(t, d, name)
		}
		killed := wasKilled(t, child(t, d, "prune", 1, n).Run())
		for _, id := range ids(t, d) {
			if _, err := d.Verify(t.Context(), id, snapshot.Deep); err != nil {
				t.Errorf("killed at step %d of a prune: %v", n, err)
			}
		}
		if got := currentName(t, d); got != "c" {
			t.Errorf("killed at step %d of a prune: current is %q, want c", n, got)
		}
		w := lock(t, d)
		if _, err := w.Prune(1); err != nil {
			t.Errorf("prune after a prune that was killed: %v", err)
		}
		if left, all := litter(t, d), ids(t, d); left != nil || len(all) != 1 {
			t.Errorf("a second prune left %q and the snapshots %q, want only the current one", left, all)
		}
		if !killed {
			if n < 5 {
				t.Errorf("only %d kills were tried, want a kill at each rename and removal of two snapshots", n-1)
			}
			return
		}
	}
}

// tracer returns the path of strace, or skips the test.
func tracer(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("SKIPPED: system calls can't be seen or broken without strace; install it, such as with apt-get install strace")
	}
	if out, err := exec.Command(strace, "-qq", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: strace may not trace here (in a container, add the capability SYS_PTRACE): %v: %s", err, out)
	}
	return strace
}

// traced runs a child under strace, which injects faults into its system calls.
func traced(t *testing.T, d snapshot.Dir, inject string, job ...any) (output string, err error) {
	t.Helper()
	strace := tracer(t)
	cmd := child(t, d, job...)
	calls, _, _ := strings.Cut(inject, ":")
	cmd.Args = []string{strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls, "-e", "inject=" + inject, cmd.Path}
	cmd.Path, cmd.Stderr = strace, nil
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// interrupted returns a data directory with the leftovers of a nightly build that crashed. If
// before is not "", the directory also has a published snapshot called before.
func interrupted(t *testing.T, before string) snapshot.Dir {
	t.Helper()
	d := dataDir(t)
	if before != "" {
		mustBuild(t, d, before)
	}
	if !wasKilled(t, child(t, d, "build", "new", 5).Run()) {
		t.Fatal("the interrupted build was not killed")
	}
	return d
}

// tooMany is more than the number of system calls of one kind that any thread of a build makes.
const tooMany = 100

// TestKilledAtEachCall kills a build at each system call of several kinds. TestKilledAtEachStep
// kills a build only at the steps that the program reports.
func TestKilledAtEachCall(t *testing.T) {
	all := []string{"fsync", "/^rename", "/^unlink", "/^f?chmod", "/^mkdir", "write"}
	if race.On {
		all = all[:2]
	}
	for _, calls := range all {
		t.Run(calls, func(t *testing.T) {
			kills := 0
			for n := 1; n < tooMany; n++ {
				d := interrupted(t, "old")
				_, err := traced(t, d, fmt.Sprintf("%s:signal=SIGKILL:when=%d", calls, n), "build", "new", 0)
				if !wasKilled(t, err) {
					break
				}
				kills++
				afterCrash(t, d, "old")
			}
			if kills == 0 || kills == tooMany-1 {
				t.Errorf("%d builds were killed at a call of %s, want some, and then a build that is not killed", kills, calls)
			}
			t.Logf("%d kills", kills)
		})
	}
}

// TestFailedCall lets each system call of several kinds fail, as on a broken disk. The build must
// then fail too. It must not repeat a failed fsync, since the second call may succeed although the
// data is lost.
func TestFailedCall(t *testing.T) {
	all := []string{"fsync:error=EIO", "/^rename:error=EIO", "/^f?chmod:error=EPERM", "ftruncate:error=EIO", "fadvise64:error=EIO"}
	if race.On {
		all = all[:1]
	}
	for _, calls := range all {
		for _, before := range []string{"", "old"} {
			t.Run(calls+" after "+before, func(t *testing.T) {
				failures := 0
				for n := 1; n < tooMany; n++ {
					d := interrupted(t, before)
					out, err := traced(t, d, fmt.Sprintf("%s:when=%d", calls, n), "build", "new", 0)
					if err == nil {
						break
					}
					failures++
					if !strings.Contains(out, "input/output error") && !strings.Contains(out, "operation not permitted") {
						t.Errorf("failure %d does not say why: %q", n, out)
					}
					left := ids(t, d)
					if now := afterCrash(t, d, before); now == before && len(left) > 0 && (before == "" || len(left) > 1) {
						t.Errorf("failure %d published nothing, but left the snapshots %q", n, left)
					}
				}
				if failures == 0 || failures == tooMany-1 {
					t.Errorf("%d builds failed at a call of %s, want some, and then a build that succeeds", failures, calls)
				}
				t.Logf("%d failures", failures)
			})
		}
	}
}
