package faults_test

import (
	"errors"
	"fmt"
	"io"
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

// web hands out a data folder by a web server. It sends at most limit bytes of
// files before it calls spent, once; 0 is any number.
type web struct {
	url   string
	sent  atomic.Int64
	limit atomic.Int64
	spent func()
	harm  atomic.Pointer[func(http.ResponseWriter, *http.Request) bool] // true if it has answered
}

func (s *site) web(t *testing.T) *web {
	t.Helper()
	w := &web{}
	files := http.FileServer(http.Dir(s.data))
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if harm := w.harm.Load(); harm != nil && (*harm)(out, r) {
			return
		}
		files.ServeHTTP(&metered{out, w}, r)
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

// metered counts what goes out.
type metered struct {
	http.ResponseWriter
	web *web
}

func (m *metered) Write(b []byte) (int, error) {
	before := m.web.sent.Load()
	now := m.web.sent.Add(int64(len(b)))
	if limit := m.web.limit.Load(); limit > 0 && before < limit && now >= limit {
		m.web.spent()
		panic(http.ErrAbortHandler)
	}
	return m.ResponseWriter.Write(b)
}

// ReadFrom keeps the file server from going round Write.
func (m *metered) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{m}, r) }

// newMirror is an empty data folder of a mirror, with the site's keys.
func (s *site) newMirror(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	return &site{data: filepath.Join(dir, "data"), access: s.access, older: s.older, newer: s.newer, all: s.all}
}

// pull runs "bencao pull" and returns its exit code and what it printed.
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

// pulled is pull that must succeed.
func (s *site) pulled(t *testing.T, url string, flags ...string) {
	t.Helper()
	if code, said := s.pull(t, url, flags...); code != 0 {
		t.Fatalf("pull ended with %d:\n%s", code, said)
	}
}

// has checks that the folder's current snapshot is id, and every snapshot
// whole.
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
			t.Errorf("a broken snapshot bears an id: %v", err)
		}
	}
}

// kill -9 at each fsync, rename, unlink, link, mkdir and chmod of a pull.
func TestPullKilledAtEachCall(t *testing.T) {
	s := newSite(t)
	strace := tool(t, "strace")
	files := s.web(t)
	for _, calls := range []string{"fsync", "/^rename", "/^unlink", "/^link", "/^mkdir", "/^f?chmod"} {
		t.Run(calls, func(t *testing.T) {
			kills := 0
			for n := 1; ; n++ {
				// Each time from the older snapshot, so that there is a rename
				// to be killed at; what is linked is not fetched.
				m := s.newMirror(t)
				s.rollback(t, s.older)
				m.pulled(t, files.url)
				s.rollback(t, s.newer)
				cmd := exec.Command(strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace="+calls, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", calls, n),
					program(), "pull", files.url, "--data", m.data, "--keep", "1")
				out, err := cmd.CombinedOutput()
				if err == nil {
					break
				}
				if !cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
					t.Fatalf("call %d: %v\n%s", n, err, out)
				}
				kills++
				p, err := snapshot.At(m.data).Current()
				if err != nil || p.ID != s.older && p.ID != s.newer {
					t.Fatalf("killed at call %d, current is %q: %v", n, p.ID, err)
				}
				m.has(t, p.ID)
				m.pulled(t, files.url)
				m.has(t, s.newer)
			}
			if kills == 0 {
				t.Errorf("no call of %s was met", calls)
			}
			t.Logf("%d kills", kills)
		})
	}
}

// Whatever the publisher's web server does, the program says it in one line
// and exits with 1, the mirror keeps what it has, and recovers.
func TestPullFromBrokenPublisher(t *testing.T) {
	s := newSite(t)
	s.rollback(t, s.older)
	files := s.web(t)
	m := s.newMirror(t)
	m.pulled(t, files.url)
	s.rollback(t, s.newer)
	file := func(suffix string, change func([]byte) []byte) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, suffix) {
				return false
			}
			b, err := os.ReadFile(filepath.Join(s.data, r.URL.Path))
			if err != nil {
				http.NotFound(w, r)
				return true
			}
			_, _ = w.Write(change(b)) // the client may go
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
			b, err := os.ReadFile(s.path(s.newer, "names.idx"))
			must(t, err)
			return b
		}), nil},
		{"stale", "the publisher is stale", nil, []string{"--max-age", "1ns"}},
		{"too large", "is over the limit", nil, []string{"--max-size", "1M"}},
		{"cut off", "EOF", file("store.bolt", func([]byte) []byte { panic(http.ErrAbortHandler) }), nil},
		// Last, since it leaves a file behind that is whole.
		{"longer", "store.bolt has", file("store.bolt", func(b []byte) []byte { return append(b, b...) }), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.harm != nil {
				files.harm.Store(&tt.harm)
			}
			code, said := m.pull(t, files.url, tt.flags...)
			lines := strings.Split(strings.TrimSpace(said), "\n")
			if last := lines[len(lines)-1]; code != 1 || !strings.HasPrefix(last, "bencao: ") || !strings.Contains(last, tt.want) {
				t.Errorf("exit code %d, want 1 and %q:\n%s", code, tt.want, said)
			}
			m.has(t, s.older)
			files.harm.Store(nil)
		})
	}
	m.pulled(t, files.url)
	m.has(t, s.newer)
}

// A disk that is too small: said before a byte is fetched, and pruned away.
func TestPullDiskFull(t *testing.T) {
	if os.Getuid() != 0 {
		lacking(t, "root, to mount a small disk,")
	}
	s := newSite(t)
	s.rollback(t, s.older)
	files := s.web(t)
	info, err := snapshot.At(s.data).Published()
	must(t, err)
	m := s.newMirror(t)
	must(t, os.MkdirAll(m.data, 0o755))
	if err := syscall.Mount("bencao", m.data, "tmpfs", 0, fmt.Sprintf("size=%d", info.Bytes()*5/4)); err != nil {
		lacking(t, "the right to mount ("+err.Error()+")")
	}
	t.Cleanup(func() { must(t, syscall.Unmount(m.data, syscall.MNT_DETACH)) })
	m.pulled(t, files.url)
	s.rollback(t, s.newer)
	if code, said := m.pull(t, files.url); code != 1 || !strings.Contains(said, "make room") {
		t.Errorf("exit code %d, want 1 and advice:\n%s", code, said)
	}
	m.has(t, s.older)
}
