package bucket_test

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/internal/testkit"
	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
	"bencao/store/snapshot/mirror"
)

const (
	access = "AKTESTTESTTEST"
	secret = "correct/horse+battery+staple"
	name   = "plants"
)

// store is an S3 store: the program versitygw, which stores objects in a folder, and a proxy in
// front of it.
type store struct {
	address string // of versitygw itself
	folder  string // the folder that holds the bucket
	url     string // of the proxy
	end     func() // stops versitygw

	mu      sync.Mutex                                    // guards the fields below
	between func(http.ResponseWriter, *http.Request) bool // the proxy's handler, see put
	asked   []string                                      // the requests since the last call of put
}

// newStore runs versitygw with an empty bucket until the test ends, and sets the test's
// credentials.
func newStore(t *testing.T) *store {
	t.Helper()
	root := t.TempDir()
	s := &store{address: testkit.FreeAddress(t), folder: filepath.Join(root, name)}
	must(t, os.Mkdir(s.folder, 0o755))
	s.start(t)
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: s.address})
			r.Out.Host = r.In.Host // the signature includes the host
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { panic(http.ErrAbortHandler) },
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		between := s.between
		s.mu.Unlock()
		if between == nil || !between(w, r) {
			forward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	s.url = front.URL
	t.Setenv("AWS_ACCESS_KEY_ID", access)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	return s
}

// start runs versitygw.
func (s *store) start(t *testing.T) {
	t.Helper()
	s.end = testkit.Versitygw(t, s.address, filepath.Dir(s.folder), access, secret)
}

// put sets the proxy's handler. The handler returns true if it has sent a response; otherwise the
// proxy forwards the request to versitygw.
func (s *store) put(between func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.between, s.asked = between, nil
}

// stopAt lets n requests pass and fails all later ones. It calls stop before the first failure.
func (s *store) stopAt(requests int, stop func()) {
	n, mu := 0, sync.Mutex{}
	s.put(func(http.ResponseWriter, *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if n++; n > requests {
			stop()
			panic(http.ErrAbortHandler)
		}
		return false
	})
}

// requests returns the requests since the last call of put.
func (s *store) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// open returns the folder "data" in the bucket.
func (s *store) open(t testing.TB) *bucket.Bucket {
	t.Helper()
	b, err := bucket.Open("s3://"+name+"/data", bucket.Options{Endpoint: s.url, Retries: 1, Stall: 10 * time.Second})
	must(t, err)
	return b
}

// push pushes, and fails the test on an error.
func (s *store) push(t *testing.T, d snapshot.Dir, opt bucket.PushOptions) bucket.Report {
	t.Helper()
	r, err := bucket.Push(t.Context(), d, s.open(t), opt)
	if err != nil {
		t.Fatalf("push: %v", err)
	}
	return r
}

// pull copies from the bucket as a mirror does.
func (s *store) pull(t *testing.T, to snapshot.Dir) (mirror.Report, error) {
	t.Helper()
	b := s.open(t)
	return mirror.Pull(t.Context(), b.URL(), to, mirror.Options{Sign: b.Sign, Pause: time.Millisecond, Retries: 1, Stall: 10 * time.Second})
}

// shows checks that a mirror can copy the snapshot that the bucket serves, and that its id is in
// ids. It returns the id.
func (s *store) shows(t *testing.T, ids ...string) string {
	t.Helper()
	to := dataDir(t)
	r, err := s.pull(t, to)
	if err != nil {
		t.Fatalf("a mirror can't copy from the bucket: %v", err)
	}
	for _, id := range ids {
		if r.Snapshot != id {
			continue
		}
		if _, err := to.Verify(t.Context(), id, snapshot.Deep); err != nil {
			t.Errorf("the copy is incomplete: %v", err)
		}
		return id
	}
	t.Fatalf("the bucket shows %s, want one of %v", r.Snapshot, ids)
	return ""
}

// dataDir returns a data directory that does not exist yet. At the end of the test it makes the
// folders in it writable, so that they can be removed.
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

// large is the size in bytes of the file that is the same in all snapshots. A push sends this file
// in two parts.
const large = 17 << 20

// nightly publishes a snapshot in d, as a nightly build does.
func nightly(t *testing.T, d snapshot.Dir, what string) snapshot.Manifest {
	t.Helper()
	return publish(t, d, what, map[string][]byte{"store.bolt": noise(what, 200_000), "species.bleve/store/1 %41+b.zap": noise("", large), "empty": {}})
}

// publish publishes a snapshot of the given files in d.
func publish(t *testing.T, d snapshot.Dir, what string, files map[string][]byte) snapshot.Manifest {
	t.Helper()
	w, err := d.Lock(snapshot.WriterOptions{})
	must(t, err)
	defer func() { must(t, w.Close()) }()
	draft, err := w.Draft()
	must(t, err)
	for file, b := range files {
		file = filepath.Join(draft.Path(), file)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, b, 0o644))
	}
	m, err := draft.Publish(t.Context(), snapshot.Content{Program: "bencao test", Schema: what}, func(string) error { return nil })
	must(t, err)
	return m
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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keepsSecret checks that the text of an error contains no secret.
func keepsSecret(t *testing.T, err error) {
	t.Helper()
	for _, word := range []string{secret, "sessiontoken", "Signature="} {
		if err != nil && strings.Contains(err.Error(), word) {
			t.Errorf("the error contains %q: %v", word, err)
		}
	}
}

// answer returns a handler that responds with an S3 error.
func answer(status int, code, message string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body) // the client may have closed the connection
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, err := io.WriteString(w, "<Error><Code>"+code+"</Code><Message>"+message+"</Message></Error>")
		return err == nil || errors.Is(err, http.ErrBodyNotAllowed) || r.Method == http.MethodHead
	}
}

func pointer(t *testing.T, d snapshot.Dir) snapshot.Pointer {
	t.Helper()
	p, err := d.Current()
	must(t, err)
	return p
}
