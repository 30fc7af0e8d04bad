//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
)

// otherProgram builds a program with another schema, and returns its path.
func otherProgram(t *testing.T) string {
	t.Helper()
	const file, code = "../../../internal/snapshotfiles/schema.go", "h.Sum(nil)"
	text, err := os.ReadFile(file)
	must(t, err)
	if strings.Count(string(text), code) != 1 {
		t.Fatalf("%s does not compute the schema by %s", file, code)
	}
	dir := t.TempDir()
	changed := filepath.Join(dir, "schema.go")
	must(t, os.WriteFile(changed, []byte(strings.Replace(string(text), code, "h.Sum([]byte{1})", 1)), 0o644))
	at, err := filepath.Abs(file)
	must(t, err)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {at: changed}})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
	out := filepath.Join(dir, "other")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", out, "bencao/cmd/bencao")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build a program with another schema: %v\n%s", err, said)
	}
	return out
}

// TestTwoPrograms pins a snapshot of a program with another schema. Today's program cannot answer
// from it and says so. The other program can, beside today's, and nginx chooses by the version, with
// the configuration of docs/cite.md.
func TestTwoPrograms(t *testing.T) {
	s := newSite(t)
	other := otherProgram(t)
	earlier := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { must(t, clear(earlier)) })
	if said, err := exec.Command(other, "index", "--source", "bencao:sample", "--data", earlier).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	cited, err := snapshot.At(earlier).Current()
	must(t, err)
	must(t, os.CopyFS(filepath.Join(s.data, "snapshots", cited.ID), os.DirFS(filepath.Join(earlier, "snapshots", cited.ID))))
	if said := bencao(t, "pin", "--data", s.data, cited.ID, "--as", "cited"); !strings.Contains(said, "this program cannot answer from it: built with schema 01") {
		t.Errorf("pin says %q", said)
	}
	if said, err := exec.Command(program(), "doctor", "--data", s.data).Output(); err != nil && !strings.Contains(string(said), "pinned, but this program cannot answer from it") {
		t.Errorf("doctor says %s: %v", said, err)
	}

	today := s.serve(t)
	then := s.serveUnder(t, []string{"/bin/sh", "-c", `shift; exec "$0" "$@"`, other})
	docs, err := os.ReadFile("../../../docs/cite.md")
	must(t, err)
	_, rest, _ := strings.Cut(string(docs), "```nginx\n")
	choice, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/cite.md has no configuration of nginx")
	}
	for doc, here := range map[string]string{"127.0.0.1:8080": today.addr, "127.0.0.1:8090": then.addr, "20260[1-6]": cited.ID[:15]} {
		if !strings.Contains(choice, doc) {
			t.Fatalf("the configuration has no %s:\n%s", doc, choice)
		}
		choice = strings.ReplaceAll(choice, doc, here)
	}
	front := proxy{"nginx", nginxHead + choice + `
	server {
		listen FRONT;
		location / {
			proxy_pass http://$bencao;
			proxy_set_header Host $host;
			proxy_set_header X-Forwarded-For $remote_addr;
		}
	}
}
`, []string{"-c", "CONFIG", "-p", "DIR", "-e", "stderr"}}.start(t, "unused")
	ask := func(at, version string) *http.Response {
		t.Helper()
		req, err := http.NewRequest(http.MethodGet, "http://"+at+"/api/v1/stats", nil)
		must(t, err)
		req.Header.Set("X-Api-Key", s.all)
		if version != "" {
			req.Header.Set("X-Data-Version", version)
		}
		resp, err := today.client.Do(req)
		must(t, err)
		must(t, resp.Body.Close())
		return resp
	}
	// In this test, the cited snapshot is newer than the current one, so the server expects it to come.
	if got := ask(today.addr, cited.ID).StatusCode; got != http.StatusServiceUnavailable {
		t.Errorf("today's program answers %d for a snapshot of another schema, want 503", got)
	}
	for asked, want := range map[string]string{"": s.newer, s.newer: s.newer, cited.ID: cited.ID} {
		if got := ask(front, asked); got.StatusCode != http.StatusOK || got.Header.Get("X-Data-Version") != want {
			t.Errorf("asked for %q: %d from %s, want %s", asked, got.StatusCode, got.Header.Get("X-Data-Version"), want)
		}
	}
}

// TestPinnedUnderLoad prunes, unpins and pins again while clients ask for the pinned version and for
// the current one, with the limits of a real Redis. No answer may come from another version than
// that asked for, and nobody but the clients of the version may be refused.
func TestPinnedUnderLoad(t *testing.T) {
	s := newSite(t)
	addr := testkit.FreeAddress(t)
	redis(t, addr, "secret")
	t.Setenv("BENCAO_REDIS_PASSWORD", "secret")
	bencao(t, "pin", "--data", s.data, s.older)
	srv := s.serve(t, "--keep-open", "1", "--redis", "redis://"+addr)
	end := make(chan struct{})
	var wg sync.WaitGroup
	for _, version := range []string{s.older, s.newer} {
		for range 3 {
			wg.Go(func() {
				for {
					select {
					case <-end:
						return
					default:
					}
					req, err := http.NewRequest(http.MethodGet, "http://"+srv.addr+"/api/v1/stats", nil)
					if err != nil {
						t.Error(err)
						return
					}
					req.Header.Set("X-Api-Key", s.all)
					req.Header.Set("X-Data-Version", version)
					resp, err := srv.client.Do(req)
					if err != nil {
						t.Error(err)
						return
					}
					got := resp.Header.Get("X-Data-Version")
					if err := resp.Body.Close(); err != nil {
						t.Error(err)
					}
					switch {
					case resp.StatusCode == http.StatusOK && got == version:
					case resp.StatusCode == http.StatusGone && version == s.older:
					default:
						t.Errorf("asked for %s: %s from %s", version, resp.Status, got)
						return
					}
				}
			})
		}
	}
	for round := range 5 {
		until(t, fmt.Sprintf("the pinned version is open in round %d", round), func() bool { return s.inUse(t, s.older) })
		bencao(t, "prune", "--data", s.data, "--keep", "1")
		bencao(t, "unpin", "--data", s.data, s.older)
		bencao(t, "prune", "--data", s.data, "--keep", "1") // in use, so it stays
		bencao(t, "pin", "--data", s.data, s.older)
	}
	close(end)
	wg.Wait()
}
