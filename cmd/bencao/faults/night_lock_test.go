//go:build linux

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
	"testing"

	"bencao/store/snapshot"
)

// locked checks the result of a command that did not get the lock: exit code 1 and a message that
// names the holder.
func locked(t *testing.T, holder string, code int, said string) {
	t.Helper()
	if code != 1 || !strings.Contains(said, "data directory is locked") || !strings.Contains(said, holder) || !strings.Contains(said, "wait until that is done") {
		t.Errorf("exit code %d, want 1 and a message that names %s:\n%s", code, holder, said)
	}
}

// source returns the folder with Wednesday's sources.
func (n *build) source(t *testing.T) string {
	t.Helper()
	root, err := buildSources()
	must(t, err)
	return filepath.Join(root, "wednesday")
}

// try runs a command and returns its exit code and its output. The command may fail.
func try(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	n := &build{flags: args}
	return n.run(t)
}

// TestTwoNightsAtOnce starts a second build, and other commands that write, while the first build
// holds the lock. All but the first build must fail and change nothing.
func TestTwoNightsAtOnce(t *testing.T) {
	t.Parallel()
	n := newBuild(t)
	list, err := snapshot.At(n.data).List()
	must(t, err)
	report, err := os.ReadFile(filepath.Join(n.data, "last-report.json"))
	must(t, err)
	before := n.state(t)
	end := afflict(t, harm{calls: opens, under: n.source(t), at: 1, do: func() {
		holder, err := snapshot.At(n.data).LockOwner()
		if err != nil || !strings.Contains(holder, " (bencao index, since ") {
			t.Errorf("the lock is held by %q, %v, want the first build", holder, err)
		}
		code, said := n.run(t)
		locked(t, holder, code, said)
		for _, args := range [][]string{
			{"prune", "--data", n.data, "--keep", "1"},
			{"rollback", "--data", n.data, list[1].ID},
			{"pull", "http://127.0.0.1:9", "--data", n.data, "--retries", "1"},
		} {
			code, said := try(t, args...)
			locked(t, holder, code, said)
		}
		if now, err := os.ReadFile(filepath.Join(n.data, "last-report.json")); err != nil || !bytes.Equal(now, report) || n.state(t) != before {
			t.Error("a command that did not get the lock changed the data folder")
		}
	}}, n.flags...)
	if end.hit == "" || end.code != 0 {
		t.Errorf("the first build ended with %d, want 0:\n%s", end.code, end.said)
	}
	if got := n.serves(t); got != plantsWednesday {
		t.Errorf("%d plants, want the first build's %d", got, plantsWednesday)
	}
	n.recovers(t)
}

// TestNightsRace starts eight builds at the same moment. At least one must succeed.
func TestNightsRace(t *testing.T) {
	t.Parallel()
	n := newBuild(t)
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

// TestLockHolderIsKilled kills a build that holds the lock. The lock must be free at once.
func TestLockHolderIsKilled(t *testing.T) {
	t.Parallel()
	n := newBuild(t)
	if end := afflict(t, harm{calls: opens, under: n.source(t), at: 1}, n.flags...); end.code != -1 {
		t.Errorf("the build that was to be killed ended with %d:\n%s", end.code, end.said)
	}
	if who, err := snapshot.At(n.data).LockOwner(); who != "" || err != nil {
		t.Errorf("the lock is held by %q, %v, want no holder", who, err)
	}
	if got := n.serves(t); got != plantsTuesday {
		t.Errorf("%d plants, want %d", got, plantsTuesday)
	}
	n.recovers(t)
}

// TestNightWhilePullAndPrune runs a build while a pull holds the lock, and again while a prune
// holds it. Both builds must fail with a message that names the holder.
func TestNightWhilePullAndPrune(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	files := s.web(t)
	n := newBuild(t)
	asked, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	wait := func(http.ResponseWriter, *http.Request) bool {
		once.Do(func() { close(asked); <-goOn })
		return false
	}
	files.harm.Store(&wait)
	pulled := make(chan error)
	go func() {
		out, err := exec.Command(program(), "pull", files.url, "--data", n.data, "--no-trust").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		pulled <- err
	}()
	select {
	case <-asked:
	case err := <-pulled:
		t.Fatalf("the pull ended before it asked for anything: %v", err)
	}
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
	// The pulled snapshot has formulas and more plants than Wednesday's sources. The flags allow
	// the build to lose them.
	for _, table := range []string{"species", "synonyms", "aliases", "flora", "formulas", "formula_ingredients", "formula_codes", "herb_species", "papers", "species_papers", "uses"} {
		n.flags = append(n.flags, "--allow", "shrink="+table, "--allow", "changes="+table, "--allow", "empty="+table)
	}
	n.recovers(t)
}
