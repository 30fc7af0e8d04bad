package mirror_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// store is a real S3 server with a bucket, and a proxy before it that can end
// it.
type store struct {
	folder string       // of the bucket
	left   atomic.Int64 // so many requests are let through yet
	met    atomic.Int64
}

// newStore runs versitygw until the test ends, and points the environment to it.
func newStore(t *testing.T) *store {
	t.Helper()
	path, err := exec.LookPath("versitygw")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("versitygw is needed for this test and must be there when CI is true")
		}
		t.Skip("SKIPPED: versitygw is needed for this test; .ci/run says how to install it")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	addr := l.Addr().String()
	must(t, l.Close())
	key, secret, root := rand.Text(), rand.Text(), t.TempDir()
	s := &store{folder: filepath.Join(root, "plants")}
	must(t, os.Mkdir(s.folder, 0o755))
	cmd := exec.Command(path, "--port", addr, "--access", key, "--secret", secret, "--quiet", "posix", root)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, cmd.Start())
	t.Cleanup(func() {
		must(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(out.String())
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			must(t, c.Close())
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("versitygw does not listen")
		}
	}
	s.left.Store(1 << 40)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: addr})
		r.Out.Host = r.In.Host // it is signed
	}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.met.Add(1)
		if s.left.Add(-1) < 0 {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": front.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret,
		"AWS_SHARED_CREDENTIALS_FILE": filepath.Join(root, "none"),
	} {
		t.Setenv(name, value)
	}
	return s
}

const inBucket = "s3://plants/some/folder"

// push fails the test if that fails.
func push(t *testing.T, p *publisher, to string) mirror.Pushed {
	t.Helper()
	done, err := mirror.Push(t.Context(), p.dir, to, mirror.PushOptions{})
	if err != nil {
		t.Fatalf("push: %v", err)
	}
	return done
}

// TestPush publishes nights in a bucket and pulls them from there.
func TestPush(t *testing.T) {
	newStore(t)
	p := newPublisher(t)
	key, err := snapshot.NewSigningKey()
	must(t, err)
	p.key = &key
	p.url = inBucket
	to := dataDir(t)
	opt := quick()
	opt.KeyFile = filepath.Join(t.TempDir(), "publisher.pub")
	must(t, os.WriteFile(opt.KeyFile, []byte(key.Public().String()+"\n"), 0o644))
	for _, night := range []string{"monday", "tuesday", "wednesday", "thursday"} {
		m := p.night(t, night)
		done := push(t, p, inBucket)
		if done.Snapshot != m.ID || done.Bytes != m.Bytes() || done.Sent != m.Bytes() {
			t.Errorf("%s: pushed %+v, want all %d bytes of %s", night, done, m.Bytes(), m.ID)
		}
		if gone := len(done.Removed); gone != 0 && night != "thursday" || gone != 1 && night == "thursday" {
			t.Errorf("%s: %d old snapshots are removed from the bucket", night, gone)
		}
		pull(t, p, to, opt)
		same(t, p, to)
	}
	if done := push(t, p, inBucket); done.Sent != 0 || len(done.Removed) != 0 {
		t.Errorf("a second push did %+v, want nothing", done)
	}
	if r := pull(t, p, to, opt); r.Outcome != mirror.Unchanged {
		t.Errorf("a second pull: %+v", r)
	}
}

// TestPushRefuses leaves a bucket alone that has a newer state, and says what is
// wrong with an address, a bucket and keys.
func TestPushRefuses(t *testing.T) {
	newStore(t)
	p := newPublisher(t)
	p.night(t, "monday")
	old := dataDir(t)
	must(t, os.RemoveAll(old.Path()))
	must(t, os.CopyFS(old.Path(), os.DirFS(p.dir.Path())))
	p.night(t, "tuesday")
	push(t, p, inBucket)
	if _, err := mirror.Push(t.Context(), old, inBucket, mirror.PushOptions{Retries: 1}); !errors.Is(err, mirror.ErrRollback) {
		t.Errorf("a push of an older state: %v, want it refused", err)
	}
	p.url = inBucket
	to := dataDir(t)
	pull(t, p, to, quick())
	same(t, p, to)
	if _, err := mirror.Push(t.Context(), p.dir, "s3://nowhere", mirror.PushOptions{Retries: 1}); err == nil || !strings.Contains(err.Error(), "bucket does not exist") {
		t.Errorf("a push to no bucket: %v", err)
	}
	const secret = "not-the-secret"
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	_, err := mirror.Push(t.Context(), p.dir, inBucket, mirror.PushOptions{Retries: 1})
	if err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a push with a wrong key: %v", err)
	}
	if _, err := mirror.Pull(t.Context(), inBucket, dataDir(t), quick()); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a pull with a wrong key: %v", err)
	}
}

// TestPushEndedAtEachRequest cuts a push off before each of its requests: the
// bucket has the old snapshot or the new one, whole, and the next push mends it.
func TestPushEndedAtEachRequest(t *testing.T) {
	s := newStore(t)
	p := newPublisher(t)
	older := p.night(t, "monday")
	whole := dataDir(t)
	must(t, os.RemoveAll(whole.Path()))
	must(t, os.CopyFS(whole.Path(), os.DirFS(p.dir.Path())))
	newer := p.night(t, "tuesday")
	monday := &publisher{dir: whole}
	push(t, monday, "s3://plants/tried")
	before := s.met.Load()
	push(t, p, "s3://plants/tried")
	requests := s.met.Load() - before
	if requests < 10 {
		t.Errorf("a push makes %d requests; the test tests too little", requests)
	}
	for at := range requests {
		bucket := fmt.Sprintf("s3://plants/%d", at)
		push(t, monday, bucket)
		s.left.Store(at)
		_, err := mirror.Push(t.Context(), p.dir, bucket, mirror.PushOptions{Retries: -1})
		if err == nil {
			t.Errorf("cut off before request %d, and it succeeds", at)
		}
		s.left.Store(1 << 40)
		to := dataDir(t)
		if _, err := mirror.Pull(t.Context(), bucket, to, quick()); err != nil {
			t.Errorf("cut off before request %d, the bucket can't be pulled: %v", at, err)
		} else if got, err := to.Current(); err != nil || got.ID != older.ID && got.ID != newer.ID {
			t.Errorf("cut off before request %d, the bucket has %v, %v", at, got, err)
		}
		push(t, p, bucket)
		p.url = bucket
		pull(t, p, to, quick())
		same(t, p, to)
	}
}

// TestBucketDamaged alters each object of the bucket: whoever pulls refuses it.
func TestBucketDamaged(t *testing.T) {
	s := newStore(t)
	p := newPublisher(t)
	m := p.night(t, "monday")
	push(t, p, inBucket)
	folder := filepath.Join(s.folder, "some", "folder")
	for _, f := range append([]string{snapshot.TimestampName, snapshot.FilePath(m.ID, snapshot.ManifestName)},
		snapshot.FilePath(m.ID, "store.bolt"), snapshot.FilePath(m.ID, "species.bleve/store/1 %41.zap")) {
		path := filepath.Join(folder, f)
		good, err := os.ReadFile(path)
		must(t, err)
		bad := append([]byte{}, good...)
		bad[len(bad)/2] ^= 4
		must(t, os.WriteFile(path, bad, 0o644))
		to := dataDir(t)
		if _, err := mirror.Pull(t.Context(), inBucket, to, quick()); err == nil {
			t.Errorf("%s is altered, and it is pulled", f)
		}
		if _, err := to.Current(); !errors.Is(err, snapshot.ErrNone) {
			t.Errorf("%s is altered, and the mirror has %v", f, err)
		}
		must(t, os.WriteFile(path, good, 0o644))
	}
	p.url = inBucket
	to := dataDir(t)
	pull(t, p, to, quick())
	same(t, p, to)
}

func TestCheckBucket(t *testing.T) {
	for address, want := range map[string]string{
		"s3://plants":                  "",
		"s3://plants/bencao/data/":     "",
		"https://s3.example/plants":    "is not one",
		"s3://key:secret@plants/":      "more than a bucket",
		"s3://plants/?versionId=1":     "more than a bucket",
		"s3:///bencao":                 "Bucket name",
		"s3://Plants_of_the_World/all": "Bucket name",
	} {
		err := mirror.CheckBucket(address)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error tells the key: %v", address, err)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL_S3", "s3.example:9000")
	if err := mirror.CheckBucket("s3://plants"); err == nil || !strings.Contains(err.Error(), "AWS_ENDPOINT_URL_S3") {
		t.Errorf("with an endpoint that is none: %v", err)
	}
}
