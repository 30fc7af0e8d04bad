package mirror_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// publisher is a data directory that a web server serves. A test may wrap the server's handler.
type publisher struct {
	dir snapshot.Dir
	url string
	// trust signs the published snapshots, if the publisher has a root.
	trust trust.Publisher
	now   func() time.Time // the publisher's clock; nil is time.Now

	mu      sync.Mutex                                // guards the fields below
	between func(files http.Handler) http.HandlerFunc // wraps the server's handler, see put
	asked   []string                                  // requested paths, each with its range
}

func newPublisher(t *testing.T) *publisher {
	t.Helper()
	p := &publisher{dir: dataDir(t)}
	files := http.FileServer(http.Dir(p.dir.Path()))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/data")
		p.mu.Lock()
		between := p.between
		p.asked = append(p.asked, strings.TrimSpace(path+" "+r.Header.Get("Range")))
		p.mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/") {
			http.NotFound(w, r)
			return
		}
		handler := http.StripPrefix("/data", files)
		if between == nil {
			handler.ServeHTTP(w, r)
			return
		}
		between(handler)(w, r)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL + "/data"
	return p
}

// put sets a function that wraps the handler of the publisher's files. Nil removes it.
func (p *publisher) put(between func(files http.Handler) http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.between, p.asked = between, nil
}

// requests returns the requests since the last call of put.
func (p *publisher) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// files returns the content of a nightly build. The largest file is always the same.
func files(build string) map[string][]byte {
	set := map[string][]byte{"store.bolt": noise(build, 200_000), "names.idx": noise(build, 4096), "species.bleve/store/1 %41.zap": noise("", 900_000), "empty": {}}
	copy(set["store.bolt"], build)
	return set
}

func noise(seed string, size int) []byte {
	rnd := rand.New(rand.NewPCG(uint64(len(seed)), uint64(size)))
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	copy(b, seed)
	return b
}

// nightly publishes a snapshot, as a nightly build does.
func (p *publisher) nightly(t *testing.T, name string) snapshot.Manifest {
	t.Helper()
	return p.publish(t, name, files(name))
}

// lock takes the write lock of the publisher's data directory. Each time the writer makes a snapshot
// current, it signs metadata that names the snapshot for mirrors.
func (p *publisher) lock(t *testing.T, opt snapshot.WriterOptions) *snapshot.Writer {
	t.Helper()
	if opt.Now == nil {
		opt.Now = p.now
	}
	opt.Announce = func(at snapshot.Pointer) error {
		publisher := p.trust
		if opt.Now != nil {
			publisher.Now = opt.Now
		}
		return publisher.Announce(p.dir, at)
	}
	w, err := p.dir.Lock(opt)
	must(t, err)
	return w
}

// publish publishes a snapshot of the given files.
func (p *publisher) publish(t *testing.T, name string, set map[string][]byte) snapshot.Manifest {
	t.Helper()
	w := p.lock(t, snapshot.WriterOptions{})
	defer func() { must(t, w.Close()) }()
	d, err := w.Draft()
	must(t, err)
	for file, b := range set {
		file = filepath.Join(d.Path(), file)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, b, 0o644))
	}
	m, err := d.Publish(t.Context(), snapshot.Content{Program: "bencao test", Schema: name}, func(string) error { return nil })
	must(t, err)
	return m
}

// quick returns options with short pauses and few retries, by which no server is too slow.
func quick() mirror.Options {
	return mirror.Options{Pause: time.Millisecond, Retries: 3, Stall: testkit.Patience}
}

// pull copies the snapshot, and fails the test on an error.
func pull(t *testing.T, p *publisher, to snapshot.Dir, opt mirror.Options) mirror.Report {
	t.Helper()
	r, err := mirror.Pull(t.Context(), p.url, to, opt)
	if err != nil {
		t.Fatalf("pull: %v", err)
	}
	return r
}

// same checks that the mirror has the publisher's current snapshot, byte for byte, and no
// leftovers.
func same(t *testing.T, p *publisher, to snapshot.Dir) {
	t.Helper()
	want, err := p.dir.Current()
	must(t, err)
	got, err := to.Current()
	if err != nil || got != want {
		t.Fatalf("mirror has %v (%v), the publisher %v", got, err, want)
	}
	if _, err := to.Verify(t.Context(), got.ID, snapshot.Deep); err != nil {
		t.Errorf("the copy is incomplete: %v", err)
	}
	for _, file := range []string{"CURRENT", snapshot.FilePath(want.ID, "manifest.json")} {
		a, err := os.ReadFile(filepath.Join(p.dir.Path(), file))
		must(t, err)
		b, err := os.ReadFile(filepath.Join(to.Path(), file))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s differs from the publisher's: %v", file, err)
		}
	}
	info, err := os.Stat(filepath.Join(to.Path(), snapshot.FilePath(want.ID, "store.bolt")))
	if err != nil || info.Mode().Perm() != 0o444 {
		t.Errorf("store.bolt has mode %v (%v), want read-only", info.Mode(), err)
	}
	if left := hidden(t, to); left != nil {
		t.Errorf("left behind %q", left)
	}
}

// hidden returns the hidden entries in the folder of snapshots, such as incomplete copies.
func hidden(t *testing.T, d snapshot.Dir) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(d.Path(), "snapshots"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// state returns a text that must be the same after a failed copy: CURRENT and the ids of the
// snapshots. It checks that the snapshots are complete.
func state(t *testing.T, d snapshot.Dir) string {
	t.Helper()
	at, err := d.Current()
	if err != nil && !errors.Is(err, snapshot.ErrNone) {
		t.Fatal(err)
	}
	all, err := d.List()
	must(t, err)
	text := at.String()
	for _, i := range all {
		if _, err := d.Verify(context.Background(), i.ID, snapshot.Deep); err != nil {
			t.Errorf("snapshot %s is broken: %v", i.ID, err)
		}
		text += " " + i.ID
	}
	return text
}

func dataDir(t *testing.T) snapshot.Dir {
	t.Helper()
	root := t.TempDir()
	t.Cleanup(func() {
		must(t, filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			return os.Chmod(name, 0o755)
		}))
	})
	return snapshot.At(filepath.Join(root, "data"))
}

// must ends the test if there is an error.
var must = testkit.Must

// altered lets how answer requests for files whose name ends with suffix.
func altered(suffix string, how http.HandlerFunc) func(http.Handler) http.HandlerFunc {
	return func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, suffix) {
				how(w, r)
				return
			}
			files.ServeHTTP(w, r)
		}
	}
}

// rewritten changes the content of files whose name ends with suffix. It does not support ranges.
func rewritten(d snapshot.Dir, suffix string, change func([]byte) []byte) func(http.Handler) http.HandlerFunc {
	return altered(suffix, func(w http.ResponseWriter, r *http.Request) {
		b, err := os.ReadFile(filepath.Join(d.Path(), strings.TrimPrefix(r.URL.Path, "/data")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		b = change(b)
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		_, _ = w.Write(b) // the client may have closed the connection
	})
}

// cut breaks off the connection of each response after a number of bytes.
func cut(after int64) func(http.Handler) http.HandlerFunc {
	return func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			files.ServeHTTP(&cutWriter{ResponseWriter: w, left: after}, r)
		}
	}
}

type cutWriter struct {
	http.ResponseWriter
	left int64
}

func (c *cutWriter) Write(b []byte) (int, error) {
	if int64(len(b)) <= c.left {
		c.left -= int64(len(b))
		return c.ResponseWriter.Write(b)
	}
	_, _ = c.ResponseWriter.Write(b[:c.left])
	c.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// ReadFrom makes io.Copy use Write.
func (c *cutWriter) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{c}, r)
}

func pointer(t *testing.T, d snapshot.Dir) snapshot.Pointer {
	t.Helper()
	p, err := d.Current()
	must(t, err)
	return p
}

func readFile(t *testing.T, name ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(name...))
	must(t, err)
	return b
}
