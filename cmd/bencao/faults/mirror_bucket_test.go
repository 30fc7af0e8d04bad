//go:build linux

package faults_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/internal/testkit"
	"bencao/store/snapshot"
)

// TestPushKilled runs "bencao push" to a real S3 store and kills it with signal 9 at each of its
// requests. After each kill, a mirror of the bucket must get the older or the newer snapshot,
// complete. The next push must publish the newer snapshot. The program must never print its secret.
func TestPushKilled(t *testing.T) {
	const access, secret = "AKFAULTS", "correct/horse+battery"
	p := twoBuilds(t)
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, "plants"), 0o755))
	address := testkit.FreeAddress(t)
	testkit.Versitygw(t, address, root, access, secret)

	var mu sync.Mutex // guards the variables below
	var victim *exec.Cmd
	calls, fatal := 0, 0
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: address})
		r.Out.Host = r.In.Host // the signature of a request includes its host
	}, ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		calls++
		if kill := calls == fatal; kill {
			_ = victim.Process.Kill() // the process is still running, because it waits for this response
			mu.Unlock()
			panic(http.ErrAbortHandler)
		}
		mu.Unlock()
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	// run runs the program and kills it when it sends its request number at.
	run := func(t *testing.T, at int, args ...string) (code int, said string) {
		t.Helper()
		out := &lockedBuffer{}
		cmd := exec.Command(program(), append(args, "--log", "json", "--retries", "1")...)
		cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+front.URL, "AWS_ACCESS_KEY_ID="+access, "AWS_SECRET_ACCESS_KEY="+secret)
		cmd.Stdout, cmd.Stderr = out, out
		mu.Lock()
		calls, fatal, victim = 0, at, cmd
		must(t, cmd.Start())
		mu.Unlock()
		_ = cmd.Wait() // the exit code is in cmd.ProcessState
		if strings.Contains(out.String(), secret) {
			t.Errorf("the program prints the secret:\n%s", out)
		}
		return cmd.ProcessState.ExitCode(), out.String()
	}
	push := func(t *testing.T, place string, at int) (int, string) {
		t.Helper()
		return run(t, at, "push", place, "--data", p.data, "--prune", "--keep", "1")
	}
	shown := func(t *testing.T, place string, want ...string) string {
		t.Helper()
		m := p.newMirror(t)
		if code, said := run(t, 0, "pull", place, "--data", m.data); code != 0 {
			t.Fatalf("pull ended with %d:\n%s", code, said)
		}
		at, err := snapshot.At(m.data).Current()
		must(t, err)
		m.has(t, at.ID)
		if !slices.Contains(want, at.ID) {
			t.Errorf("a mirror of the bucket gets %s, want one of %q", at.ID, want)
		}
		return at.ID
	}

	if code, said := push(t, "s3://plants/whole", 0); code != 0 {
		t.Fatalf("push ended with %d:\n%s", code, said)
	}
	shown(t, "s3://plants/whole", p.older)
	p.rollback(t, p.newer)
	if code, said := push(t, "s3://plants/whole", 0); code != 0 {
		t.Fatalf("push ended with %d:\n%s", code, said)
	}
	total := calls
	seen := map[string]int{}
	for at := 1; at <= total; at += max(1, total/12) {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			place := fmt.Sprintf("s3://plants/killed-%d", at)
			p.rollback(t, p.older)
			if code, said := push(t, place, 0); code != 0 {
				t.Fatalf("push ended with %d:\n%s", code, said)
			}
			p.rollback(t, p.newer)
			if code, said := push(t, place, at); code != -1 {
				t.Fatalf("the push was not killed but ended with %d:\n%s", code, said)
			}
			seen[shown(t, place, p.older, p.newer)]++
			if code, said := push(t, place, 0); code != 0 {
				t.Fatalf("the push after the kill ended with %d:\n%s", code, said)
			}
			shown(t, place, p.newer)
		})
	}
	t.Logf("%d requests; after the kills, mirrors got %v", total, seen)
	if seen[p.older] == 0 || total < 20 {
		t.Errorf("%d requests, %v: the test covers too little", total, seen)
	}
}
