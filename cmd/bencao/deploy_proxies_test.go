package main

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
	"testing"

	"bencao/internal/testkit"
)

// TestProxies checks that both proxies overwrite the headers that a client forges. They serve the
// snapshots of the data folder and no other file in it.
func TestProxies(t *testing.T) {
	data := t.TempDir()
	id := "20261120T021500Z-3f9a1c"
	for name, text := range map[string]string{
		"CURRENT": "current", "CHECKED": "checked", "timestamp.json": "secret", "SEEN": "secret", "last-report.json": "secret", "access.toml": "secret", "LOCK": "secret",
		"tuf/1.root.json": "root", "tuf/timestamp.json": "stamp", "tuf/.timestamp.json.tmp-1": "secret", "trusted/timestamp.json": "secret",
		"snapshots/" + id + ".sig": "secret", "snapshots/" + id + "/store/a b.zap": "file", "snapshots/.pull-" + id + "/x": "secret",
		"deltas/3f9a1c/77b0e2": "file", "deltas/3f9a1c/.77b0e2.tmp-1": "secret",
	} {
		name = filepath.Join(data, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(data), 0o755); err != nil { // nginx' workers run as another user
		t.Fatal(err)
	}
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "forwarded %q %q", r.Header.Values("X-Forwarded-For"), r.Header.Values("Forwarded"))
		if n > 0 {
			fmt.Fprintf(w, " %d bytes", n)
		}
	}))
	defer behind.Close()
	backend := strings.TrimPrefix(behind.URL, "http://")
	for name, start := range map[string]func(t *testing.T, listen, backend, data string){"nginx": startNginx, "Caddy": startCaddy} {
		t.Run(name, func(t *testing.T) {
			listen := testkit.FreeAddress(t)
			start(t, listen, backend, data)
			get := func(path string) string {
				t.Helper()
				req, err := http.NewRequest(http.MethodGet, "http://"+listen+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Host = "plants.example"
				req.Header["X-Forwarded-For"] = []string{"10.0.0.1", "10.0.0.2, 10.0.0.3"}
				req.Header.Set("Forwarded", "for=10.0.0.4")
				var b strings.Builder
				if err := patient(t, req).Write(&b); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}
			if got := get("/api/v1/stats"); !strings.Contains(got, `forwarded ["127.0.0.1"] []`) {
				t.Errorf("the server behind is told %s; want the client's address alone", got)
			}
			for path, want := range map[string]string{
				"/bencao/CURRENT": "current", "/bencao/CHECKED": "checked",
				"/bencao/tuf/1.root.json": "root", "/bencao/tuf/timestamp.json": "stamp",
				"/bencao/snapshots/" + id + "/store/a%20b.zap": "file",
				"/bencao/deltas/3f9a1c/77b0e2":                 "file",
			} {
				if got := get(path); !strings.HasSuffix(got, "\r\n\r\n"+want) {
					t.Errorf("%s gives %s, want %q", path, got, want)
				}
				keep := "no-cache"
				if want == "file" {
					keep = "public, max-age=31536000, immutable"
				}
				if got := get(path); !strings.Contains(got, "\r\nCache-Control: "+keep+"\r\n") {
					t.Errorf("%s gives %s, want the header Cache-Control: %s", path, got, keep)
				}
			}
			// A list of names makes a longer address than any other request.
			list := "queries=" + strings.Repeat("Panax+ginseng%0A", 20_000)
			req, err := http.NewRequest(http.MethodPost, "http://"+listen+"/match", strings.NewReader(list))
			if err != nil {
				t.Fatal(err)
			}
			req.Host = "plants.example"
			resp := patient(t, req)
			text, err := io.ReadAll(resp.Body)
			if err := errors.Join(err, resp.Body.Close()); err != nil || !strings.HasSuffix(string(text), fmt.Sprintf(" %d bytes", len(list))) {
				t.Errorf("a list of %d bytes is answered %s %s (%v)", len(list), resp.Status, text, err)
			}
			// A proxy must not cache that a file is missing, because the file may come later.
			if got := get("/bencao/deltas/3f9a1c/000000"); !strings.HasPrefix(got, "HTTP/1.1 404") || strings.Contains(got, "immutable") {
				t.Errorf("a delta that is not there gives %s; want 404, which nobody keeps", got)
			}
			for _, path := range []string{"/bencao/access.toml", "/bencao/last-report.json", "/bencao/LOCK", "/bencao/SEEN", "/bencao/timestamp.json", "/bencao/snapshots/" + id + ".sig", "/bencao/trusted/timestamp.json", "/bencao/tuf/.timestamp.json.tmp-1", "/bencao/snapshots/.pull-" + id + "/x", "/bencao/", "/bencao/snapshots/",
				"/bencao/deltas/", "/bencao/deltas/3f9a1c/", "/bencao/deltas/3f9a1c/.77b0e2.tmp-1",
				"/bencao/snapshots/" + id + "/../../access.toml", "/bencao/snapshots/" + id + "/%2e%2e/%2e%2e/access.toml", "/bencao/CURRENT/../access.toml"} {
				if got := get(path); strings.Contains(got, "secret") {
					t.Errorf("%s hands out what is not for mirrors: %s", path, got)
				}
			}
		})
	}
}

// patient sends a request and repeats it until a server listens.
func patient(t *testing.T, req *http.Request) (resp *http.Response) {
	t.Helper()
	testkit.WaitFor(t, patience, "somebody answers at "+req.URL.Host, func() bool {
		var err error
		resp, err = http.DefaultClient.Do(req)
		return err == nil
	})
	return resp
}

func startNginx(t *testing.T, listen, backend, data string) {
	t.Helper()
	nginxWith(t, read(t, deploy("nginx", "bencao.conf")), listen, backend, data)
}

// nginxBehindCaddy is like startNginx, but activates the lines of the configuration for nginx
// behind another proxy.
func nginxBehindCaddy(t *testing.T, listen, backend, data string) {
	t.Helper()
	text := read(t, deploy("nginx", "bencao.conf"))
	nginxWith(t, strings.NewReplacer("# set_real_ip_from", "set_real_ip_from", "# real_ip_header", "real_ip_header").Replace(text), listen, backend, data)
}

func nginxWith(t *testing.T, conf, listen, backend, data string) {
	t.Helper()
	nginx := need(t, "nginx", "nginx")
	dir := t.TempDir()
	site := strings.NewReplacer("127.0.0.1:8080", backend, "listen 80;", "listen "+listen+";", "/var/lib/bencao", data, "/var/lib/nginx", dir).Replace(conf)
	whole := fmt.Sprintf("daemon off;\npid %[1]s/pid;\nerror_log %[1]s/error.log;\nuser root;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path %[1]s;\nproxy_temp_path %[1]s/p;\nfastcgi_temp_path %[1]s/f;\nuwsgi_temp_path %[1]s/u;\nscgi_temp_path %[1]s/s;\n%[2]s}\n", dir, site)
	if os.Getuid() != 0 {
		whole = strings.Replace(whole, "user root;\n", "", 1)
	}
	path := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	out(t, nginx, "-t", "-c", path, "-e", filepath.Join(dir, "error.log"))
	background(t, exec.Command(nginx, "-c", path, "-e", filepath.Join(dir, "error.log")))
}

func startCaddy(t *testing.T, listen, backend, data string) {
	t.Helper()
	caddy := need(t, "caddy", "caddy")
	out(t, caddy, "validate", "--adapter", "caddyfile", "--config", deploy("caddy", "Caddyfile"))
	dir := t.TempDir()
	site := strings.NewReplacer("127.0.0.1:8080", backend, "plants.example {", "http://"+listen+" http://plants.example:"+listen[strings.LastIndexByte(listen, ':')+1:]+" {", "/var/lib/bencao", data).Replace(read(t, deploy("caddy", "Caddyfile")))
	conf := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(conf, []byte("{\n\tadmin off\n}\n"+site), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", conf)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	background(t, cmd)
}

// background runs a program until the test ends.
func background(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // the program's exit code does not matter
	})
}
