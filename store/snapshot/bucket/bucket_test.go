package bucket_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
	"bencao/store/snapshot/mirror"
	"bencao/store/snapshot/trust"
)

// TestPush pushes three nights, and copies each, with credentials and, from the
// folder that the store keeps, as from a public bucket without.
func TestPush(t *testing.T) {
	s := newStore(t)
	d, to := dataDir(t), dataDir(t)
	first := night(t, d, "first")
	if r := s.push(t, d, bucket.PushOptions{}); r.Outcome != "published" || r.Sent != first.Bytes() || r.Snapshot != first.ID {
		t.Errorf("the first push: %+v", r)
	}
	if r := s.push(t, d, bucket.PushOptions{}); r.Outcome != "unchanged" || r.Sent != 0 || r.There != first.Bytes() {
		t.Errorf("the same again: %+v", r)
	}
	r, err := s.pull(t, to)
	if err != nil || r.Snapshot != first.ID {
		t.Fatalf("pull: %+v, %v", r, err)
	}
	second := night(t, d, "second")
	if r := s.push(t, d, bucket.PushOptions{}); r.Outcome != "published" || r.Copied != large || r.Sent != 200_000 {
		t.Errorf("the second push, of which the large file is the same: %+v", r)
	}
	if r, err := s.pull(t, to); err != nil || r.Snapshot != second.ID || r.Fetched != 200_000 {
		t.Errorf("pull: %+v, %v", r, err)
	}
	third := night(t, d, "third")
	if r := s.push(t, d, bucket.PushOptions{Keep: 2}); !slices.Equal(r.Removed, []string{first.ID}) {
		t.Errorf("a push that keeps two snapshots: %+v", r)
	}
	s.shows(t, third.ID)
	left, err := filepath.Glob(filepath.Join(s.folder, "data", "snapshots", "*", snapshot.ManifestName))
	if err != nil || len(left) != 2 {
		t.Errorf("the bucket keeps %q, %v", left, err)
	}
	public := httptest.NewServer(http.FileServer(http.Dir(s.folder)))
	defer public.Close()
	if r, err := mirror.Pull(t.Context(), public.URL+"/data", to, mirror.Options{}); err != nil || r.Snapshot != third.ID {
		t.Errorf("pull without credentials: %+v, %v", r, err)
	}
}

// TestPushDeltas pushes deltas, by which a mirror has the second night, and
// removes them with the snapshot to which they lead.
func TestPushDeltas(t *testing.T) {
	s := newStore(t)
	d, to := dataDir(t), dataDir(t)
	night(t, d, "night 1")
	s.push(t, d, bucket.PushOptions{})
	if _, err := s.pull(t, to); err != nil {
		t.Fatal(err)
	}
	night(t, d, "night 2")
	size := deltas(t, d)
	if r := s.push(t, d, bucket.PushOptions{}); r.Deltas != size || size == 0 || r.Sent != 200_000+size {
		t.Errorf("pushed with deltas of %d bytes: %+v", size, r)
	}
	if r := s.push(t, d, bucket.PushOptions{}); r.Sent != 0 || r.There != r.Bytes {
		t.Errorf("pushed again: %+v", r)
	}
	if r, err := s.pull(t, to); err != nil || r.Made != 200_000 || r.Fetched != size {
		t.Errorf("pull: %+v, %v; want store.bolt made of %d bytes", r, err, size)
	}
	s.shows(t, pointer(t, d).ID)

	// Made after the push: the next one sends them.
	night(t, d, "night 3")
	s.push(t, d, bucket.PushOptions{Keep: 2})
	deltas(t, d)
	if r := s.push(t, d, bucket.PushOptions{Keep: 2}); r.Sent != r.Deltas || r.Deltas == 0 || r.Outcome != "unchanged" {
		t.Errorf("deltas made after the push: %+v", r)
	}
	there := func() []string {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(s.folder, "data", "deltas", "*", "*"))
		must(t, err)
		return all
	}
	if n := len(there()); n != 3 {
		t.Errorf("the bucket has %d deltas, want one to the second night and two to the third: %q", n, there())
	}
	s.push(t, d, bucket.PushOptions{Keep: 1})
	if n := len(there()); n != 2 {
		t.Errorf("after pruning the bucket has %q, want those to the third night", there())
	}
}

// TestPushTrust pushes what mirrors with a root of trust follow, and follows it.
func TestPushTrust(t *testing.T) {
	s := newStore(t)
	d, to := dataDir(t), dataDir(t)
	key, err := snapshot.NewSigningKey()
	must(t, err)
	keys := []snapshot.PublicKey{key.Public()}
	root, err := trust.NewRoot(trust.Roles{Root: keys, Threshold: 1, Night: keys}, time.Now().Add(time.Hour))
	must(t, err)
	must(t, root.Sign(key))
	must(t, trust.Install(d, root))
	b, err := root.Encode()
	must(t, err)
	file := filepath.Join(t.TempDir(), "root.json")
	must(t, os.WriteFile(file, b, 0o644))
	public := httptest.NewServer(http.FileServer(http.Dir(s.folder)))
	defer public.Close()
	for _, what := range []string{"first", "second"} {
		m := night(t, d, what)
		must(t, trust.Publisher{Night: &key}.Announce(d, pointer(t, d)))
		s.push(t, d, bucket.PushOptions{})
		r, err := mirror.Pull(t.Context(), public.URL+"/data", to, mirror.Options{RootFile: file})
		if err != nil || r.Snapshot != m.ID {
			t.Errorf("pull with a root of trust: %+v, %v", r, err)
		}
	}
}

func pointer(t *testing.T, d snapshot.Dir) snapshot.Pointer {
	t.Helper()
	p, err := d.Current()
	must(t, err)
	return p
}

// TestPushStopped stops a push before each of its requests: the bucket shows the
// old state or the new one, whole, and the next push comes to the new one.
func TestPushStopped(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	old := night(t, d, "old")
	s.push(t, d, bucket.PushOptions{})
	before := t.TempDir()
	must(t, os.CopyFS(filepath.Join(before, "data"), os.DirFS(filepath.Join(s.folder, "data"))))
	next := night(t, d, "new")
	deltas(t, d)
	s.put(nil)
	s.push(t, d, bucket.PushOptions{Keep: 1})
	calls := s.requests()
	if len(calls) < 20 {
		t.Fatalf("a push has %d requests, the test tests too little: %q", len(calls), calls)
	}
	seen := map[string]int{}
	step := 1
	if testing.Short() {
		step = 3
	}
	for at := 0; at < len(calls); at += step {
		// The store's own notes of an object are lost by the copy: all is sent anew.
		must(t, os.RemoveAll(filepath.Join(s.folder, "data")))
		must(t, os.CopyFS(filepath.Join(s.folder, "data"), os.DirFS(filepath.Join(before, "data"))))
		ctx, stop := context.WithCancel(t.Context())
		n, mu := 0, sync.Mutex{}
		s.put(func(http.ResponseWriter, *http.Request) bool {
			mu.Lock()
			defer mu.Unlock()
			if n++; n > at {
				stop()
				panic(http.ErrAbortHandler)
			}
			return false
		})
		_, err := bucket.Push(ctx, d, s.open(t), bucket.PushOptions{Keep: 1})
		stop()
		s.put(nil)
		if err == nil {
			t.Errorf("request %d: the push did not notice that it was stopped", at)
		}
		seen[s.shows(t, old.ID, next.ID)]++
		if at%9 == 0 {
			s.push(t, d, bucket.PushOptions{})
			s.shows(t, next.ID)
		}
	}
	if seen[old.ID] == 0 || seen[next.ID] == 0 {
		t.Errorf("stopped at %d requests, the bucket showed %v; want the old state at some and the new one at others", len(calls), seen)
	}
}

// TestStoreStopped ends the store in the middle of a push, which says so; the
// next goes on with what is there.
func TestStoreStopped(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	m := night(t, d, "only")
	end := s.end // of the store that runs now: a request that comes late ends no other
	s.put(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, snapshot.ManifestName) && r.Method == http.MethodPut {
			end()
		}
		return false
	})
	r, err := bucket.Push(t.Context(), d, s.open(t), bucket.PushOptions{})
	if err == nil || r.Outcome != "failed" || !strings.Contains(err.Error(), snapshot.ManifestName) {
		t.Errorf("a push whose store has ended: %+v, %v", r, err)
	}
	s.put(nil)
	s.start(t)
	if r := s.push(t, d, bucket.PushOptions{}); r.There != m.Bytes() || r.Sent != 0 {
		t.Errorf("the next push: %+v, want all of the files to be there", r)
	}
	s.shows(t, m.ID)
}

// TestRefused has stores refuse pushes and pulls: each says what is wrong, and
// nothing that is secret.
func TestRefused(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	m := night(t, d, "only")
	s.push(t, d, bucket.PushOptions{})
	t.Setenv("AWS_SESSION_TOKEN", "")
	for _, tt := range []struct {
		name, want string
		address    string
		region     string
		env        map[string]string
		between    func(http.ResponseWriter, *http.Request) bool
	}{
		{name: "wrong secret", want: "SignatureDoesNotMatch", env: map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong"}},
		{name: "unknown key", want: "does not take the credentials", env: map[string]string{"AWS_ACCESS_KEY_ID": "AKNOBODY"}},
		{name: "no credentials", want: "no credentials for s3://plants/data", env: map[string]string{
			"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "HOME": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true"}},
		{name: "no bucket", want: `there is no bucket "elsewhere"`, address: "s3://elsewhere/data"},
		{name: "wrong region", want: "give --region", region: "eu-west-1"},
		{name: "wrong clock", want: "clock", between: answer(http.StatusForbidden, "RequestTimeTooSkewed", "The difference …")},
		{name: "no right", want: "may not do that", between: answer(http.StatusForbidden, "AccessDenied", "no")},
		{name: "babble", want: "403", between: answer(http.StatusForbidden, "x sessiontoken", secret)},
		{name: "echo", want: "Odd", between: answer(http.StatusForbidden, "Odd", secret+" sessiontoken"), env: map[string]string{"AWS_SESSION_TOKEN": "sessiontoken"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for k, v := range tt.env {
				t.Setenv(k, v)
			}
			address := tt.address
			if address == "" {
				address = "s3://plants/data"
			}
			s.put(tt.between)
			defer s.put(nil)
			b, err := bucket.Open(address, bucket.Options{Endpoint: s.url, Region: tt.region, Retries: 1})
			must(t, err)
			_, pushErr := bucket.Push(t.Context(), d, b, bucket.PushOptions{})
			_, pullErr := mirror.Pull(t.Context(), b.URL(), dataDir(t), mirror.Options{Sign: b.Sign, Pause: time.Millisecond, Retries: 1})
			for what, err := range map[string]error{"push": pushErr, "pull": pullErr} {
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: %v, want one line with %q", what, err, tt.want)
				}
				keepsSecret(t, err)
			}
		})
	}
	s.shows(t, m.ID)
}

// TestDamagedBucket alters what the bucket holds: mirrors take none of it, and
// a push mends it.
func TestDamagedBucket(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	m := night(t, d, "only")
	s.push(t, d, bucket.PushOptions{})
	at := func(file string) string { return filepath.Join(s.folder, "data", "snapshots", m.ID, file) }
	for _, tt := range []struct {
		name  string
		again bool // the store still says that the file is the one that was sent
		harm  func() error
	}{
		{"altered", true, func() error { return altered(at("store.bolt"), 1000) }},
		{"truncated", false, func() error { return os.Truncate(at("store.bolt"), 1000) }},
		{"removed", false, func() error { return os.Remove(at("store.bolt")) }},
		{"manifest altered", false, func() error { return altered(at(snapshot.ManifestName), 100) }},
		{"CURRENT garbled", false, func() error { return altered(filepath.Join(s.folder, "data", "CURRENT"), 3) }},
		{"timestamp garbled", false, func() error { return altered(filepath.Join(s.folder, "data", "timestamp.json"), 120) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must(t, tt.harm())
			to := dataDir(t)
			_, err := s.pull(t, to)
			if _, noneErr := to.Current(); err == nil && tt.name != "CURRENT garbled" || err != nil && !errors.Is(noneErr, snapshot.ErrNone) {
				t.Errorf("a mirror took it: %v, %v", err, noneErr)
			}
			s.push(t, d, bucket.PushOptions{Again: tt.again})
			s.shows(t, m.ID)
		})
	}
}

// altered flips a bit of a file.
func altered(file string, at int64) (err error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= 1
	_, err = f.WriteAt(b[:], at)
	return err
}

// TestPushesAtOnce has several run at once: of the same state none does harm,
// and an older state does not win over a newer one.
func TestPushesAtOnce(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	night(t, d, "old")
	older := dataDir(t)
	must(t, os.CopyFS(older.Path(), os.DirFS(d.Path())))
	next := night(t, d, "next")
	var all sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		all.Go(func() { _, errs[i] = bucket.Push(t.Context(), d, s.open(t), bucket.PushOptions{Keep: 1}) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil && !strings.Contains(err.Error(), "another push") {
			t.Errorf("a push beside others of the same: %v", err)
		}
	}
	s.shows(t, next.ID)
	if r, err := bucket.Push(t.Context(), older, s.open(t), bucket.PushOptions{}); !errors.Is(err, bucket.ErrBehind) || r.Outcome != "refused" {
		t.Errorf("a push of the older state: %+v, %v", r, err)
	}
	s.shows(t, next.ID)

	// A push of the older state that has looked before the other led further.
	must(t, os.RemoveAll(filepath.Join(s.folder, "data")))
	s.push(t, older, bucket.PushOptions{})
	newest := night(t, d, "newest")
	other := night(t, older, "other")
	var once sync.Once
	s.put(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/CURRENT") {
			once.Do(func() {
				s.put(nil)
				s.push(t, d, bucket.PushOptions{})
			})
		}
		return false
	})
	if _, err := bucket.Push(t.Context(), older, s.open(t), bucket.PushOptions{}); err == nil || !strings.Contains(err.Error(), "another push") {
		t.Errorf("a push of %s that another one overtook: %v", other.ID, err)
	}
	s.shows(t, newest.ID)
}

// TestOpen reads addresses.
func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		address string
		opt     bucket.Options
		want    string // URL, or part of the error behind a "!"
	}{
		{"s3://plants/a/b/", bucket.Options{Region: "eu-west-1"}, "https://plants.s3.eu-west-1.amazonaws.com/a/b"},
		{"s3://plants.example/a", bucket.Options{}, "https://s3.us-east-1.amazonaws.com/plants.example/a"},
		{"s3://plants", bucket.Options{Region: "cn-north-1"}, "https://plants.s3.cn-north-1.amazonaws.com.cn/"},
		{"s3://plants/a", bucket.Options{Endpoint: "http://10.0.0.1:9000"}, "http://10.0.0.1:9000/plants/a"},
		{"s3://plants/a", bucket.Options{Endpoint: "https://s3.example.org", PathStyle: "never"}, "https://plants.s3.example.org/a"},
		{"s3://plants/a", bucket.Options{PathStyle: "always"}, "https://s3.us-east-1.amazonaws.com/plants/a"},
		{"s3://plants/a", bucket.Options{PathStyle: "often"}, "!auto, always or never"},
		{"s3://plants/../a", bucket.Options{}, "!not one such as"},
		{"s3://user:" + secret + "@plants/a", bucket.Options{}, "!not one such as"},
		{"s3://plants/a?b", bucket.Options{}, "!not one such as"},
		{"s3://P", bucket.Options{}, "!not one such as"},
		{"https://plants/a", bucket.Options{}, "!not one such as"},
		{"s3://plants/a", bucket.Options{Endpoint: "https://a:" + secret + "@s3.example.org"}, "!the endpoint"},
		{"s3://plants/a", bucket.Options{Endpoint: "s3.example.org"}, "!the endpoint"},
	} {
		b, err := bucket.Open(tt.address, tt.opt)
		got := fmt.Sprint("!", err)
		if err == nil {
			got = b.URL()
		}
		if why, isError := strings.CutPrefix(tt.want, "!"); got != tt.want && !(isError && err != nil && strings.Contains(got, why)) {
			t.Errorf("Open(%q, %+v) = %s, want %s", tt.address, tt.opt, got, tt.want)
		}
		keepsSecret(t, err)
	}
}

// FuzzOpen holds that no address leads out of its bucket, or to another host.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{"s3://plants/a/b", "s3://plants", "s3://plants/..", "s3://plants//a", "s3://a@b/c", "s3://pla%2fnts/%2e%2e/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		b, err := bucket.Open(address, bucket.Options{Endpoint: "https://s3.example.org"})
		if err != nil {
			return
		}
		rest := strings.TrimRight(strings.TrimPrefix(address, bucket.Scheme), "/")
		place, _, _ := strings.Cut(rest, "/")
		if got := b.URL(); got != "https://s3.example.org/"+place && !strings.HasPrefix(got, "https://s3.example.org/"+place+"/") || strings.Contains(got, "/../") {
			t.Errorf("%q leads to %s", address, got)
		}
	})
}

// TestStoreHangs has the store stop behind the head of an answer: the push gives
// it up.
func TestStoreHangs(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	night(t, d, "only")
	s.push(t, d, bucket.PushOptions{})
	release := make(chan struct{})
	defer close(release)
	s.put(func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Length", "100")
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-release
		return true
	})
	b, err := bucket.Open("s3://plants/data", bucket.Options{Endpoint: s.url, Retries: 1, Stall: 50 * time.Millisecond})
	must(t, err)
	if _, err := bucket.Push(t.Context(), d, b, bucket.PushOptions{}); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a store that hangs: %v", err)
	}
}

// TestOver refuses what may not take the place of what the bucket shows.
func TestOver(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	first := night(t, d, "first")
	s.push(t, d, bucket.PushOptions{})
	night(t, d, "second")
	mayNot := errors.New("may not")
	over := func(shown, own snapshot.Manifest) error {
		if shown.Schema == "first" && own.Schema == "second" {
			return mayNot
		}
		return nil
	}
	if _, err := bucket.Push(t.Context(), d, s.open(t), bucket.PushOptions{Over: over}); !errors.Is(err, mayNot) {
		t.Errorf("push: %v, want that it may not", err)
	}
	s.shows(t, first.ID)
}
