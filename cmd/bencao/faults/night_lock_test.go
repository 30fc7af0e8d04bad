package faults_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bencao/store/snapshot"
)

// started is a run that is under way.
type started struct {
	cmd  *exec.Cmd
	said bytes.Buffer
}

// start begins the night and stops it, by SIGSTOP, when it has the lock.
func (n *night) start(t *testing.T) *started {
	t.Helper()
	s := &started{cmd: exec.Command(program(), n.flags...)}
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	must(t, s.cmd.Start())
	until(t, "the night has the lock", func() bool {
		who, err := snapshot.At(n.data).Holder()
		must(t, err)
		return strings.Contains(who, fmt.Sprint("process ", s.cmd.Process.Pid, " (bencao index"))
	})
	must(t, s.cmd.Process.Signal(syscall.SIGSTOP))
	return s
}

// locked checks that a command says who has the lock, and exits with 1.
func locked(t *testing.T, holder string, code int, said string) {
	t.Helper()
	if code != 1 || !strings.Contains(said, "data directory is locked") || !strings.Contains(said, holder) || !strings.Contains(said, "wait until that is done") {
		t.Errorf("exit code %d, want 1 and a message that names %s:\n%s", code, holder, said)
	}
}

// try runs a command that may fail.
func try(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	n := &night{flags: args}
	return n.run(t)
}

// TestTwoNightsAtOnce starts a second night, and everything else that writes,
// while the first is at work.
func TestTwoNightsAtOnce(t *testing.T) {
	t.Parallel()
	n := newNight(t)
	first := n.start(t)
	holder := fmt.Sprint("process ", first.cmd.Process.Pid, " (bencao index, since ")
	report, err := os.ReadFile(filepath.Join(n.data, "last-report.json"))
	must(t, err)
	before := n.state(t)
	code, said := n.run(t)
	locked(t, holder, code, said)
	list, err := snapshot.At(n.data).List()
	must(t, err)
	for _, args := range [][]string{
		{"prune", "--data", n.data, "--keep", "1"},
		{"rollback", "--data", n.data, list[1].ID},
		{"pull", "http://127.0.0.1:9", "--data", n.data, "--retries", "1"},
	} {
		code, said := try(t, args...)
		locked(t, holder, code, said)
	}
	if now, err := os.ReadFile(filepath.Join(n.data, "last-report.json")); err != nil || !bytes.Equal(now, report) || n.state(t) != before {
		t.Error("who did not get the lock has changed the data folder")
	}
	must(t, first.cmd.Process.Signal(syscall.SIGCONT))
	if err := first.cmd.Wait(); err != nil {
		t.Errorf("the first night: %v, want that nothing disturbs it:\n%s", err, &first.said)
	}
	if got := n.serves(t); got != plantsWednesday {
		t.Errorf("%d plants, want the first night's %d", got, plantsWednesday)
	}
	n.recovers(t) // the metrics are those of the last one that ended
}

// TestNightsRace starts eight nights at the same moment.
func TestNightsRace(t *testing.T) {
	t.Parallel()
	n := newNight(t)
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex // guards done
		done []int
	)
	for range 8 {
		wg.Go(func() {
			code, said := n.run(t, "--rebuild")
			if code != 0 {
				locked(t, "process ", code, said)
			}
			mu.Lock()
			defer mu.Unlock()
			done = append(done, code)
		})
	}
	wg.Wait()
	if !slices.Contains(done, 0) {
		t.Errorf("exit codes %v, want at least one 0", done)
	}
	if got := n.serves(t); got != plantsWednesday {
		t.Errorf("%d plants, want %d", got, plantsWednesday)
	}
	n.recovers(t)
}

// TestLockHolderIsKilled kills a night that has the lock: it is free at once.
func TestLockHolderIsKilled(t *testing.T) {
	t.Parallel()
	n := newNight(t)
	first := n.start(t)
	must(t, first.cmd.Process.Kill())
	if err := first.cmd.Wait(); err == nil {
		t.Error("the night that was to be killed has ended well")
	}
	if got := n.serves(t); got != plantsTuesday {
		t.Errorf("%d plants, want %d", got, plantsTuesday)
	}
	n.recovers(t)
}

// TestNightWhilePullAndPrune lets a pull, and then a prune, have the lock.
func TestNightWhilePullAndPrune(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	files := s.web(t)
	n := newNight(t)
	asked, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	wait := func(http.ResponseWriter, *http.Request) bool {
		once.Do(func() { close(asked); <-goOn })
		return false
	}
	files.harm.Store(&wait)
	pulled := make(chan error)
	go func() { pulled <- exec.Command(program(), "pull", files.url, "--data", n.data).Run() }()
	<-asked
	code, said := n.run(t)
	locked(t, "(bencao pull, since ", code, said)
	close(goOn)
	must(t, <-pulled)
	if p, err := snapshot.At(n.data).Current(); err != nil || p.ID != s.newer {
		t.Errorf("after the pull current is %v, %v, want %s", p, err, s.newer)
	}
	w, err := snapshot.At(n.data).Lock(snapshot.WriterOptions{Purpose: "bencao prune", Existing: true})
	must(t, err)
	code, said = n.run(t)
	locked(t, "(bencao prune, since ", code, said)
	_, err = w.Prune(1)
	must(t, err)
	must(t, w.Close())
	// What was pulled had formulas; that they are gone must be allowed.
	for _, table := range []string{"formulas", "formula_ingredients", "formula_codes", "herb_species", "papers", "species_papers", "uses"} {
		n.flags = append(n.flags, "--allow-shrink", table)
	}
	n.recovers(t)
}
