package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMirrorCaches checks the cache of a public mirror: nginx alone, and nginx after Caddy or
// HAProxy. Of two equal requests without a key, the cache answers the second. It answers no request
// with a key, stores no answer to such a request, and stores no error.
func TestMirrorCaches(t *testing.T) {
	need(t, "nginx", "nginx")
	dir := t.TempDir()
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", dir) })
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // nginx's workers run as another user
		t.Fatal(err)
	}
	must(t, copySample(filepath.Join(dir, "data")))
	access := filepath.Join(dir, "access.toml")
	must(t, os.WriteFile(access, []byte("[anonymous]\nrate = 1000\n# end of access file\n"), 0o600))
	server := serveSample(t, dir, "--trusted-proxy", "127.0.0.1/32")
	key := strings.TrimSpace(read(t, filepath.Join(dir, "x.key")))
	for name, start := range map[string]func(t *testing.T) front{
		"nginx": func(t *testing.T) front { return startNginx(t, server.listen, dir) },
		"Caddy": func(t *testing.T) front { return startCaddy(t, nginxBehind(t, server.listen, dir), dir) },
		"HAProxy": func(t *testing.T) front {
			return startHAProxy(t, nginxBehind(t, server.listen, dir), server.admin, once)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			ask := func(path, key string) http.Header {
				t.Helper()
				return p.through(t, path, key, http.StatusOK).Header
			}
			page := "/api/v1/species?q=%E4%BA%BA%E5%8F%82&pageSize=3"
			mine := ask(page, key)
			if got := mine.Get("X-Cache-Status"); got != "BYPASS" || !strings.Contains(mine.Get("Cache-Control"), "private") {
				t.Errorf("a request with a key gets X-Cache-Status %s and Cache-Control %q, want BYPASS and private", got, mine.Get("Cache-Control"))
			}
			first := ask(page, "")
			if got := first.Get("X-Cache-Status"); got != "MISS" {
				t.Errorf("the first request without a key, after one with a key, gets X-Cache-Status %s, want MISS", got)
			}
			second := ask(page, "")
			if second.Get("X-Cache-Status") != "HIT" || second.Get("X-Request-Id") != first.Get("X-Request-Id") {
				t.Errorf("the second request without a key gets X-Cache-Status %s and X-Request-Id %s, want HIT and the id of the first, %s", second.Get("X-Cache-Status"), second.Get("X-Request-Id"), first.Get("X-Request-Id"))
			}
			if got := second.Get("Access-Control-Allow-Origin"); got != "*" {
				t.Errorf("Access-Control-Allow-Origin is %q, want *", got)
			}
			if again := ask(page, key); again.Get("X-Cache-Status") != "BYPASS" || again.Get("X-Request-Id") == first.Get("X-Request-Id") {
				t.Errorf("a second request with a key gets X-Cache-Status %s and X-Request-Id %s, want BYPASS and a new id", again.Get("X-Cache-Status"), again.Get("X-Request-Id"))
			}
			// Private answers pass through the proxy with their ETag, so a client that has one gets 304.
			for path, key := range map[string]string{page: key, "/": ""} {
				tag := ask(path, key).Get("ETag")
				for sent, status := range map[string]int{tag: http.StatusNotModified, `"other"`: http.StatusOK} {
					if got := p.through(t, path, key, 0, "If-None-Match", sent).StatusCode; tag == "" || got != status {
						t.Errorf("%s with If-None-Match %s answers %d, want %d; its ETag is %s", path, sent, got, status, tag)
					}
				}
			}
			for _, path := range []string{"/api/v1/species/nobody", "/api/v1/formulas"} {
				for range 2 {
					if got := p.through(t, path, "", 0).Header.Get("X-Cache-Status"); got == "HIT" {
						t.Errorf("%s: the cache returns an error that it stored", path)
					}
				}
			}
			p.through(t, "/api/v1/stats", "bencao_wrong", http.StatusUnauthorized)
		})
	}
}

// through sends a request with a key, or without one if key is "", and repeats it until the proxy
// listens. The test fails if the response has another status; status 0 allows every status.
func (p front) through(t *testing.T, path, key string, status int, header ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, p.base+path, nil)
	must(t, err)
	req.Host = "plants.example"
	if key != "" {
		req.Header.Set("X-Api-Key", key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp := p.patient(t, req)
	must(t, resp.Body.Close())
	if status != 0 && resp.StatusCode != status {
		t.Fatalf("%s answers %s, want %d", path, resp.Status, status)
	}
	return resp
}
