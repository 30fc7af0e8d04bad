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
