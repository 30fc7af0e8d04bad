//go:build linux

package faults_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// callsOfBuild runs the nightly build once without a fault and returns the system calls that it
// makes. calls selects the kinds of calls.
func callsOfBuild(t *testing.T, calls []uint64) []string {
	t.Helper()
	n := newBuild(t)
	end := afflict(t, harm{calls: calls, under: filepath.Dir(n.data)}, n.flags...)
	if end.code != 0 {
		t.Fatalf("a build without a fault ended with %d:\n%s", end.code, end.said)
	}
	return end.met
}

// switches reports whether call is the rename that changes CURRENT.
func switches(call string) bool {
	return strings.HasPrefix(call, "rename to ") && strings.HasSuffix(call, "/CURRENT")
}

// TestNightKilledAtEachCall kills the nightly build with signal 9 before each fsync, rename and
// removal. The build makes these calls for snapshots and their files, the lock, the report, the
// metrics, and the removal of old snapshots.
func TestNightKilledAtEachCall(t *testing.T) {
	calls := slices.Concat(syncs, renames, unlinks)
	all := callsOfBuild(t, calls)
	if len(all) < 80 || !slices.ContainsFunc(all, switches) {
		t.Fatalf("the build makes only these calls, so the test covers too little: %q", all)
	}
	// The number of calls varies a little from run to run. So the test also tries the next two
	// numbers, which the process may not reach.
	tried := 0
	for at := range chosen(len(all)+2, all, 1) {
		tried++
		recovers := tried%3 == 0
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			n := newBuild(t)
			end := afflict(t, harm{calls: calls, under: filepath.Dir(n.data), at: at}, n.flags...)
			if killed := end.code == -1; killed != (end.hit != "") || !killed && end.code != 0 {
				t.Fatalf("the fault was at %q, and the exit code is %d:\n%s", end.hit, end.code, end.said)
			}
			want := plantsTuesday
			if slices.ContainsFunc(end.met[:min(at-1, len(end.met))], switches) {
				want = plantsWednesday
			}
			if got := n.serves(t); got != want {
				t.Errorf("killed before %s, the current snapshot has %d plants, want %d", end.hit, got, want)
			}
			n.wholeFiles(t)
			// The next build runs only after every third kill: it takes longer than a killed build,
			// and neighbouring kills leave similar files.
			if recovers {
				n.recovers(t)
			}
			if t.Failed() {
				t.Logf("call %d: %s", at, end.hit)
			}
		})
	}
	t.Logf("%d kills at %d calls", tried, len(all))
}

// TestNightCallFails lets each fsync and rename of the nightly build fail. It also lets some writes
// and truncations fail.
func TestNightCallFails(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls []uint64
		err   syscall.Errno
		each  int // every each-th call is tried
	}{
		{"fsync", syncs, syscall.EIO, 1},
		{"rename", renames, syscall.EIO, 1},
		{"rename on a full disk", renames, syscall.ENOSPC, 3},
		{"write", writes, syscall.EIO, 40},
		{"write on a full disk", writes, syscall.ENOSPC, 40},
		{"truncate", truncates, syscall.EIO, 3},
	} {
		all := callsOfBuild(t, tt.calls)
		if len(all)/tt.each < 2 {
			t.Fatalf("%s: the build makes only these calls, so the test covers too little: %q", tt.name, all)
		}
		tried := 0
		for at := range chosen(len(all), all, tt.each) {
			tried++
			recovers := tried%5 == 0
			t.Run(fmt.Sprint(tt.name, " ", at), func(t *testing.T) {
				t.Parallel()
				n := newBuild(t)
				end := afflict(t, harm{calls: tt.calls, under: filepath.Dir(n.data), at: at, err: tt.err}, n.flags...)
				if end.hit == "" {
					t.Skip("this run made fewer calls than the first run")
				}
				n.failed(t, end, tt.err)
				n.wholeFiles(t)
				// The next build runs only after every fifth failure: it takes long, and most
				// failures leave no temporary files.
				if recovers {
					n.recovers(t)
				}
			})
		}
		t.Logf("%s: %d of %d calls", tt.name, tried, len(all))
	}
}

// failed checks the result of a nightly build in which the call end.hit failed with err.
func (n *build) failed(t *testing.T, end ending, err syscall.Errno) {
	t.Helper()
	plants := n.serves(t)
	// The build ignores two kinds of errors: errors while it removes old snapshots, and a full disk
	// while it writes LOCK, whose content is only information for people.
	harmless := strings.Contains(end.hit, "/snapshots/.old-") || strings.HasSuffix(end.hit, "/LOCK") && err == syscall.ENOSPC
	// A call after the change of CURRENT cannot undo the change. These calls are the fsync of the
	// data folder, and the writes of the signatures, the reports and the metrics.
	after := end.hit == "sync "+n.data || strings.Contains(end.hit, "/tuf") || strings.Contains(end.hit, "/last-") || strings.Contains(end.hit, "/.last-") ||
		strings.Contains(end.hit, filepath.Dir(n.metrics)) || strings.HasSuffix(end.hit, "/LOCK") && plants == plantsWednesday
	code, want := 1, plantsTuesday
	if harmless {
		code = 0
	}
	if harmless || after {
		want = plantsWednesday
	}
	if end.code != code || plants != want {
		t.Errorf("%s fails: exit code %d and %d plants, want %d and %d:\n%s", end.hit, end.code, plants, code, want, end.said)
	}
	// The message must name the file or its folder.
	_, path, _ := strings.Cut(strings.TrimPrefix(end.hit, "rename "), " ")
	named := strings.Contains(end.said, path) || strings.Contains(end.said, filepath.Dir(filepath.Dir(path)))
	if !harmless && (!named || !strings.Contains(end.said, err.Error())) {
		t.Errorf("%s fails, and the message lacks the file or %q:\n%s", end.hit, err, end.said)
	}
	if err == syscall.ENOSPC && !harmless && !after && !strings.Contains(end.said, "make room") {
		t.Errorf("%s fails, and the message does not say what to do:\n%s", end.hit, end.said)
	}
	if !harmless && !after { // after harmless and late errors, an old snapshot may remain until the next build
		n.tidy(t)
	}
}
