//go:build linux

package faults_test

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// slowly is a rate for one connection, in bytes per second. With it, a pull of the sample takes two
// seconds.
const slowly = 4 << 20

// half waits until a running pull of the snapshot id has fetched half of its largest file.
func (m *copyOf) half(t *testing.T, id string) {
	t.Helper()
	whole, err := os.Stat(m.publisher.path(id, "store.bolt"))
	must(t, err)
	until(t, "the pull has fetched half of store.bolt", func() bool {
		part, err := os.Stat(filepath.Join(m.data, "snapshots", ".pull-"+id, "store.bolt"))
		return err == nil && part.Size() >= whole.Size()/2
	})
}

// begin starts a pull and waits until it has fetched half of the snapshot id. ended waits for the
// end of the pull. said holds its output.
func (m *copyOf) begin(t *testing.T, id string, flags ...string) (cmd *exec.Cmd, ended func() error, said *lockedBuffer) {
	t.Helper()
	said = &lockedBuffer{}
	cmd = m.command(flags...)
	cmd.Stdout, cmd.Stderr = said, said
	must(t, cmd.Start())
	var once sync.Once
	var err error
	ended = func() error { once.Do(func() { err = cmd.Wait() }); return err }
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		_ = ended() // the pull was killed, or had ended
	})
	m.half(t, id)
	return cmd, ended, said
}

// TestMirrorInterrupted interrupts a pull over HTTPS in several ways. The old snapshot must stay
// current, and the next run must continue the download.
func TestMirrorInterrupted(t *testing.T) {
	p := twoBuilds(t)
	older, newer := p.older, p.newer
	p.nginx.start(t, 0)
	first := p.mirror(t)
	first.pulled(t)
	p.rollback(t, newer)
	whole, err := os.Stat(p.path(newer, "store.bolt"))
	must(t, err)
	goesOn := func(t *testing.T, m *copyOf) {
		t.Helper()
		m.has(t, older)
		p.nginx.restart(t, 0)
		r := m.pulled(t)
		if r.Snapshot != newer || r.Outcome != mirror.Published || r.Resumed < whole.Size()/2 {
			t.Errorf("the next run published %s, want %s; it used %d bytes of the earlier run, want at least %d", r.Snapshot, newer, r.Resumed, whole.Size()/2)
		}
		if left, err := filepath.Glob(filepath.Join(m.data, "snapshots", ".*")); err != nil || len(left) > 0 {
			t.Errorf("temporary files are left: %q, %v", left, err)
		}
	}
	// old returns a mirror with the older snapshot.
	old := func(t *testing.T) *copyOf {
		t.Helper()
		m := p.mirror(t)
		must(t, os.RemoveAll(m.data))
		must(t, os.CopyFS(m.data, os.DirFS(first.data)))
		m.url = p.nginx.https
		p.nginx.restart(t, slowly)
		return m
	}

	t.Run("pull killed", func(t *testing.T) {
		m := old(t)
		cmd, ended, _ := m.begin(t, newer)
		must(t, cmd.Process.Kill())
		_ = ended() // the error says that the pull was killed
		goesOn(t, m)
	})
	t.Run("pull asked to end", func(t *testing.T) {
		m := old(t)
		cmd, ended, said := m.begin(t, newer)
		must(t, cmd.Process.Signal(syscall.SIGTERM))
		if err := ended(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "interrupted") {
			t.Errorf("the pull ended with %v, want exit code 1 and \"interrupted\":\n%s", err, said)
		}
		goesOn(t, m)
	})
	t.Run("nginx killed", func(t *testing.T) {
		m := old(t)
		cmd, ended, said := m.begin(t, newer, "--retries", "1")
		p.nginx.kill(t)
		if err := ended(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "refused") {
			t.Errorf("the pull ended with %v, want exit code 1 and \"refused\":\n%s", err, said)
		}
		goesOn(t, m)
	})
	t.Run("nginx killed and back", func(t *testing.T) {
		m := old(t)
		cmd, ended, said := m.begin(t, newer)
		p.nginx.restart(t, 0)
		if err := ended(); err != nil || !strings.Contains(said.String(), newer) {
			t.Errorf("the pull ended with %v (%v), want that it continues on its own:\n%s", err, cmd.ProcessState, said)
		}
		m.has(t, newer)
	})
	t.Run("connections cut", func(t *testing.T) {
		m := old(t)
		p.nginx.restart(t, 0)
		cutter, cuts := p.nginx.cut(t, 1<<20)
		m.url = strings.Replace(p.nginx.https, p.nginx.address(), cutter, 1)
		if r := m.pulled(t); r.Snapshot != newer {
			t.Errorf("published %s, want %s", r.Snapshot, newer)
		}
		if n := cuts(); n < 5 {
			t.Errorf("%d connections were cut, want at least 5", n)
		}
	})
}

// address returns the address at which nginx listens with TLS.
func (n *nginx) address() string { return strings.TrimPrefix(n.https, "https://") }

// cut forwards connections to nginx. It closes each connection when after bytes of responses have
// passed, wherever that is in the TLS stream. It returns its own address. cuts returns the number
// of connections that it has closed.
func (n *nginx) cut(t *testing.T, after int64) (address string, cuts func() int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var mu sync.Mutex
	count := 0
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			all.Go(func() {
				defer c.Close()
				back, err := net.Dial("tcp", n.address())
				if err != nil {
					return
				}
				defer back.Close()
				all.Go(func() {
					_, _ = io.Copy(back, c) // runs until one of the connections is closed
					_ = back.Close()        // may be closed already
				})
				if sent, err := io.CopyN(c, back, after); err == nil && sent == after {
					mu.Lock()
					count++
					mu.Unlock()
				}
			})
		}
	})
	t.Cleanup(func() {
		must(t, l.Close())
		all.Wait()
	})
	return l.Addr().String(), func() int {
		mu.Lock()
		defer mu.Unlock()
		return count
	}
}

// freeze stops nginx from sending, until nginx is killed.
func (n *nginx) freeze(t *testing.T) {
	t.Helper()
	must(t, syscall.Kill(-n.run.Process.Pid, syscall.SIGSTOP))
}

// TestMirrorOfPublisherAtWork pulls again and again while the publisher runs three nightly builds
// and keeps only the newest snapshot. After each pull, the mirror must have a complete snapshot
// that is not older than the previous one.
func TestMirrorOfPublisherAtWork(t *testing.T) {
	p := newPublisher(t)
	p.build(t)
	p.nginx.start(t, 0)
	m := p.mirror(t)
	m.pulled(t)
	const builds = 3
	over := make(chan struct{})
	go func() {
		defer close(over)
		for range builds {
			p.build(t, "--keep", "1")
		}
	}()
	defer func() { <-over }()
	good, bad, before := 0, 0, ""
	for working := true; working; {
		select {
		case <-over:
			working = false
		default:
		}
		code, r, said := m.pull(t, "--retries", "1")
		if code == 0 {
			good++
		} else {
			bad++
			t.Logf("exit code %d: %s", code, said)
		}
		if code > 1 || r.Snapshot < before {
			t.Fatalf("exit code %d, %s after %s:\n%s", code, r.Snapshot, before, said)
		}
		before = r.Snapshot
	}
	t.Logf("%d pulls succeeded, %d failed", good, bad)
	m.has(t, p.built[builds])
	if list, err := snapshot.At(p.data).List(); err != nil || len(list) != 1 {
		t.Errorf("the publisher has %d snapshots (%v), want only the last one", len(list), err)
	}
}

// TestMirrorOfPublisherThatPrunes starts a pull and removes the snapshot from the publisher
// meanwhile. The pull must start again and fetch the next snapshot.
func TestMirrorOfPublisherThatPrunes(t *testing.T) {
	p := newPublisher(t)
	gone := p.build(t)
	p.nginx.start(t, slowly)
	m := p.mirror(t)
	_, ended, said := m.begin(t, gone)
	p.nginx.freeze(t) // otherwise the pull could end too early
	next := p.build(t, "--keep", "1")
	if list, err := snapshot.At(p.data).List(); err != nil || slices.ContainsFunc(list, func(i snapshot.Info) bool { return i.ID == gone }) {
		t.Fatalf("%s is still there: %v", gone, err)
	}
	p.nginx.restart(t, 0) // nginx had the removed files open and could send them until its restart
	if err := ended(); err != nil {
		t.Fatalf("pull ended with %v:\n%s", err, said)
	}
	m.has(t, next)
	if !strings.Contains(said.String(), "starting again") {
		t.Errorf("the pull does not say that it started again:\n%s", said)
	}
}
