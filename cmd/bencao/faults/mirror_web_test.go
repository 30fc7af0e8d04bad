//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"bencao/store/snapshot"
)

// web is a web server in the test that serves a data folder. For some requests, harm may respond
// instead.
type web struct {
	url  string
	harm atomic.Pointer[func(http.ResponseWriter, *http.Request) bool] // the function returns true if it has responded
}

// web starts a web server for the site's data folder.
func (s *site) web(t *testing.T) *web {
	t.Helper()
	w := &web{}
	files := http.FileServer(http.Dir(s.data))
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if harm := w.harm.Load(); harm != nil && (*harm)(out, r) {
			return
		}
		files.ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

// newMirror returns a mirror with an empty data folder and the site's keys.
func (s *site) newMirror(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	return &site{data: filepath.Join(dir, "data"), access: s.access, older: s.older, newer: s.newer, all: s.all}
}

// pull runs "bencao pull" and returns its exit code and output.
func (s *site) pull(t *testing.T, url string, flags ...string) (code int, said string) {
	t.Helper()
	cmd := exec.Command(program(), append([]string{"pull", url, "--data", s.data, "--retries", "1", "--log", "json"}, flags...)...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// pulled runs a pull, which must succeed.
func (s *site) pulled(t *testing.T, url string, flags ...string) {
	t.Helper()
	if code, said := s.pull(t, url, flags...); code != 0 {
		t.Fatalf("pull ended with %d:\n%s", code, said)
	}
}

// has checks that id is the current snapshot of the data folder, and that every snapshot is
// complete.
func (s *site) has(t *testing.T, id string) {
	t.Helper()
	d := snapshot.At(s.data)
	p, err := d.Current()
	if err != nil || p.ID != id {
		t.Errorf("current is %q (%v), want %s", p.ID, err, id)
	}
	list, err := d.List()
	must(t, err)
	for _, i := range list {
		if _, err := d.Verify(t.Context(), i.ID, snapshot.Deep); err != nil {
			t.Errorf("a broken snapshot has an id: %v", err)
		}
	}
}

// TestPullFromBrokenPublisher makes the publisher's web server fail in many ways. The pull must
// report each failure in one line and exit with 1. The mirror must keep its snapshot. After the
// last failure, the next pull must succeed.
func TestPullFromBrokenPublisher(t *testing.T) {
	p := twoBuilds(t)
	m := p.mirror(t)
	files := p.web(t)
	m.url = files.url
	m.pulled(t)
	p.rollback(t, p.newer)
	file := func(suffix string, change func([]byte) []byte) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, suffix) {
				return false
			}
			b, err := os.ReadFile(filepath.Join(p.data, r.URL.Path))
			if err != nil {
				http.NotFound(w, r)
				return true
			}
			_, _ = w.Write(change(b)) // an error means that the client closed the connection
			return true
		}
	}
	for _, tt := range []struct {
		name, want string
		harm       func(http.ResponseWriter, *http.Request) bool
		flags      []string
	}{
		{"corrupt", "store.bolt is altered", file("store.bolt", func(b []byte) []byte { b[len(b)/2] ^= 4; return b }), nil},
		{"truncated", "store.bolt has", file("store.bolt", func(b []byte) []byte { return b[:1000] }), nil},
		{"swapped", "store.bolt: ended after", file("store.bolt", func([]byte) []byte {
			b, err := os.ReadFile(p.path(p.newer, "names.idx"))
			must(t, err)
			return b
		}), nil},
		{"stale", "the publisher is stale", nil, []string{"--max-age", "1ns"}},
		{"cut off", "EOF", file("store.bolt", func([]byte) []byte { panic(http.ErrAbortHandler) }), nil},
		// This must be the last case, because it leaves a complete file in the mirror's folder.
		{"longer", "store.bolt has", file("store.bolt", func(b []byte) []byte { return append(b, b...) }), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.harm != nil {
				files.harm.Store(&tt.harm)
			}
			m.refused(t, tt.want, p.older, tt.flags...)
			files.harm.Store(nil)
		})
	}
	m.pulled(t)
	m.has(t, p.newer)
}

// TestPullDiskFull pulls twice to a disk with space for one snapshot. The second pull must fail and
// advise the operator to make room.
func TestPullDiskFull(t *testing.T) {
	if os.Getuid() != 0 {
		lacking(t, "root, to mount a small disk,")
	}
	p := twoBuilds(t)
	p.nginx.start(t, 0)
	info, err := snapshot.At(p.data).Published()
	must(t, err)
	m := p.mirror(t)
	must(t, os.MkdirAll(m.data, 0o755))
	if err := syscall.Mount("bencao", m.data, "tmpfs", 0, fmt.Sprintf("size=%d", info.Bytes()*5/4)); err != nil {
		lacking(t, "the right to mount ("+err.Error()+")")
	}
	t.Cleanup(func() { must(t, syscall.Unmount(m.data, syscall.MNT_DETACH)) })
	m.pulled(t)
	p.rollback(t, p.newer)
	m.refused(t, "make room", p.older)
}
