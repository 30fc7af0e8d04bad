package main

import (
	"bufio"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// front is a running proxy.
type front struct {
	base   string // its address
	client *http.Client
}

// fronts maps the name of a proxy to a function that starts it with its file from deploy. The proxy
// forwards requests to the server at backend, whose /readyz is at the address admin. A proxy with
// files also publishes the snapshots in the folder data.
var fronts = map[string]struct {
	start func(t *testing.T, backend, admin, data string) front
	files bool
}{
	"nginx":   {func(t *testing.T, backend, _, data string) front { return startNginx(t, backend, data) }, true},
	"Caddy":   {func(t *testing.T, backend, _, data string) front { return startCaddy(t, backend, data) }, true},
	"HAProxy": {func(t *testing.T, backend, admin, _ string) front { return startHAProxy(t, backend, admin, once) }, false},
	"HAProxy and nginx": {func(t *testing.T, backend, admin, data string) front {
		return startHAProxy(t, nginxBehind(t, backend, data), admin, once)
	}, true},
}

// once is the interval of HAProxy's checks in tests that need only one successful check. HAProxy
// also waits that long for the answer to a check, so no check is too late.
const once = "1h downinter 50ms"

// TestProxies checks three things that each proxy must do: overwrite the headers that a client
// forges, forward long lists and long addresses, and forward each row of an answer at once. If the
// proxy publishes files, it must publish the snapshots of the data folder and no other file.
func TestProxies(t *testing.T) {
	data := t.TempDir()
	id := "20261120T021500Z-3f9a1c"
	for name, text := range map[string]string{
		"CURRENT": "current", "CHECKED": "checked", "last-report.json": "secret", "access.toml": "secret", "LOCK": "secret",
		"tuf/1.root.json": "root", "tuf/timestamp.json": "stamp", "tuf/.timestamp.json.tmp-1": "secret", "trusted/timestamp.json": "secret",
		"snapshots/" + id + "/store/a b.zap": "file", "snapshots/.pull-" + id + "/x": "secret",
	} {
		name = filepath.Join(data, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, []byte(text), 0o644))
	}
	if err := os.Chmod(filepath.Dir(data), 0o755); err != nil { // nginx's workers run as another user
		t.Fatal(err)
	}
	for name, f := range fronts {
		t.Run(name, func(t *testing.T) {
			more := make(chan struct{})
			behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n, err := io.Copy(io.Discard, r.Body)
				if err != nil {
					t.Error(err)
				}
				if r.URL.Path == "/match" && n == 0 { // the server sends the second row only after the client has the first
					w.Header().Set("X-Accel-Buffering", "no")
					_, err := io.WriteString(w, "first\n")
					if err := errors.Join(err, http.NewResponseController(w).Flush()); err != nil {
						t.Error(err)
					}
					<-more
				}
				fmt.Fprintf(w, "forwarded %q %q", r.Header.Values("X-Forwarded-For"), r.Header.Values("Forwarded"))
				if n > 0 {
					fmt.Fprintf(w, " %d bytes", n)
				}
			}))
			defer behind.Close()
			server := strings.TrimPrefix(behind.URL, "http://")
			p := f.start(t, server, server, data)
			ask := func(method, path string, body io.Reader) *http.Response {
				t.Helper()
				req, err := http.NewRequestWithContext(t.Context(), method, p.base+path, body)
				must(t, err)
				req.Host = "plants.example"
				req.Header["X-Forwarded-For"] = []string{"10.0.0.1", "10.0.0.2, 10.0.0.3"}
				req.Header.Set("Forwarded", "for=10.0.0.4")
				return p.patient(t, req)
			}
			get := func(path string) string {
				t.Helper()
				var b strings.Builder
				must(t, ask(http.MethodGet, path, nil).Write(&b))
				return b.String()
			}
			for _, path := range []string{"/api/v1/stats", "/patterns?indication=" + strings.Repeat("%E6%A1%82", 1300)} {
				if got := get(path); !strings.Contains(got, `forwarded ["127.0.0.1"] []`) {
					t.Errorf("the server after the proxy gets %s; want only the client's address", got)
				}
			}

			// the longest form that the server reads
			list := strings.Repeat("Panax+ginseng%0A", 1<<20)
			resp := ask(http.MethodPost, "/match/table", strings.NewReader(list))
			text, err := io.ReadAll(resp.Body)
			if err := errors.Join(err, resp.Body.Close()); err != nil || !strings.HasSuffix(string(text), fmt.Sprintf(" %d bytes", len(list))) {
				t.Errorf("a list of %d bytes gets %s %s (%v)", len(list), resp.Status, text, err)
			}

			waits := time.AfterFunc(patience, func() { close(more) })
			resp = ask(http.MethodPost, "/match", nil)
			rows := bufio.NewReader(resp.Body)
			first, err := rows.ReadString('\n')
			if err != nil || first != "first\n" {
				t.Errorf("the first row is %q (%v)", first, err)
			}
			if waits.Stop() {
				close(more)
			} else {
				t.Error("the proxy holds back the first row until the last")
			}
			if rest, err := io.ReadAll(rows); err != nil || !strings.HasPrefix(string(rest), "forwarded") {
				t.Errorf("the last row is %q (%v)", rest, err)
			}
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
			if f.files {
				checkPublished(t, id, get)
			}
		})
	}
}

// checkPublished checks which files of the data folder a proxy publishes. get requests a path and
// returns the whole response.
func checkPublished(t *testing.T, id string, get func(path string) string) {
	t.Helper()
	for path, want := range map[string]string{
		"/bencao/CURRENT": "current", "/bencao/CHECKED": "checked",
		"/bencao/tuf/1.root.json": "root", "/bencao/tuf/timestamp.json": "stamp",
		"/bencao/snapshots/" + id + "/store/a%20b.zap": "file",
	} {
		if got := get(path); !strings.HasSuffix(got, "\r\n\r\n"+want) {
			t.Errorf("%s gives %s, want %q", path, got, want)
		}
		keep := "no-cache"
		if want == "file" {
			keep = "public, max-age=31536000, immutable"
		}
		if got := get(path); !strings.Contains(strings.ToLower(got), "\r\ncache-control: "+keep+"\r\n") {
			t.Errorf("%s gives %s, want the header Cache-Control: %s", path, got, keep)
		}
	}
	// A proxy must not let clients cache a 404, because the file may appear later.
	if got := get("/bencao/snapshots/" + id + "/store/none.zap"); !strings.HasPrefix(got, "HTTP/1.1 404") || strings.Contains(got, "immutable") {
		t.Errorf("a missing file gives %s; want a 404 that is not cached", got)
	}
	for _, path := range []string{"/bencao/access.toml", "/bencao/last-report.json", "/bencao/LOCK", "/bencao/trusted/timestamp.json", "/bencao/tuf/.timestamp.json.tmp-1", "/bencao/snapshots/.pull-" + id + "/x", "/bencao/", "/bencao/snapshots/",
		"/bencao/snapshots/" + id + "/../../access.toml", "/bencao/snapshots/" + id + "/%2e%2e/%2e%2e/access.toml", "/bencao/CURRENT/../access.toml"} {
		if got := get(path); strings.Contains(got, "secret") {
			t.Errorf("the proxy publishes %s, which is not for mirrors: %s", path, got)
		}
	}
}

// TestHAProxyChecks checks that HAProxy sends no requests to a server while its /readyz returns
// 503, as it does before it shuts down.
func TestHAProxyChecks(t *testing.T) {
	var ending atomic.Bool
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" && ending.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer behind.Close()
	server := strings.TrimPrefix(behind.URL, "http://")
	p := startHAProxy(t, server, server, "50ms")
	status := func() int {
		req, err := http.NewRequest(http.MethodGet, p.base+"/api/v1/stats", nil)
		must(t, err)
		resp := p.patient(t, req)
		must(t, resp.Body.Close())
		return resp.StatusCode
	}
	for _, want := range []int{http.StatusOK, http.StatusServiceUnavailable, http.StatusOK} {
		ending.Store(want != http.StatusOK)
		testkit.WaitFor(t, patience, fmt.Sprintf("HAProxy answers %d", want), func() bool { return status() == want })
	}
}

// TestProxiesWait checks that proxies wait long enough for the table of a long list. The server may
// take 130 s to send the first byte.
func TestProxiesWait(t *testing.T) {
	const longest = 130 * time.Second
	for path, timeout := range map[string]string{
		"nginx/bencao.conf": `proxy_read_timeout (\w+);`, "caddy/Caddyfile": `response_header_timeout (\w+)\n`, "haproxy/bencao.cfg": `timeout server (\w+)\n`,
	} {
		m := regexp.MustCompile(timeout).FindStringSubmatch(read(t, deploy(path)))
		if m == nil {
			t.Errorf("%s has no %s", path, timeout)
			continue
		}
		if d, err := time.ParseDuration(m[1]); err != nil || d <= longest {
			t.Errorf("%s waits %s (%v) for a response, want more than %s", path, m[1], err, longest)
		}
	}
}

// patient sends a request and repeats it until a server listens.
func patient(t *testing.T, req *http.Request) *http.Response {
	t.Helper()
	return front{client: http.DefaultClient}.patient(t, req)
}

// patient sends a request and repeats it until the proxy listens.
func (p front) patient(t *testing.T, req *http.Request) (resp *http.Response) {
	t.Helper()
	testkit.WaitFor(t, patience, "a server answers at "+req.URL.Host, func() bool {
		var err error
		resp, err = p.client.Do(req)
		return err == nil
	})
	return resp
}

// insecure returns a proxy without TLS.
func insecure(listen string) front { return front{"http://" + listen, http.DefaultClient} }

func startNginx(t *testing.T, backend, data string) front {
	t.Helper()
	return insecure(nginxWith(t, read(t, deploy("nginx", "bencao.conf")), backend, data))
}

// nginxBehind starts nginx for use after another proxy: with the lines of the shipped file that
// accept the client's address from that proxy. It returns the address of nginx.
func nginxBehind(t *testing.T, backend, data string) string {
	t.Helper()
	text := read(t, deploy("nginx", "bencao.conf"))
	return nginxWith(t, strings.NewReplacer("# set_real_ip_from", "set_real_ip_from", "# real_ip_header", "real_ip_header").Replace(text), backend, data)
}

func nginxWith(t *testing.T, conf, backend, data string) (listen string) {
	t.Helper()
	nginx := need(t, "nginx", "nginx")
	dir := t.TempDir()
	listen = testkit.FreeAddress(t)
	site := strings.NewReplacer("127.0.0.1:8080", backend, "listen 80;", "listen "+listen+";", "/var/lib/bencao", data, "/var/lib/nginx", dir).Replace(conf)
	whole := fmt.Sprintf("daemon off;\npid %[1]s/pid;\nerror_log %[1]s/error.log;\nuser root;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path %[1]s;\nproxy_temp_path %[1]s/p;\nfastcgi_temp_path %[1]s/f;\nuwsgi_temp_path %[1]s/u;\nscgi_temp_path %[1]s/s;\n%[2]s}\n", dir, site)
	if os.Getuid() != 0 {
		whole = strings.Replace(whole, "user root;\n", "", 1)
	}
	path := filepath.Join(dir, "nginx.conf")
	must(t, os.WriteFile(path, []byte(whole), 0o644))
	out(t, nginx, "-t", "-c", path, "-e", filepath.Join(dir, "error.log"))
	background(t, exec.Command(nginx, "-c", path, "-e", filepath.Join(dir, "error.log")))
	testkit.WaitFor(t, patience, "nginx listens", func() bool {
		c, err := net.Dial("tcp", listen)
		return err == nil && c.Close() == nil
	})
	return listen
}

func startCaddy(t *testing.T, backend, data string) front {
	t.Helper()
	caddy := need(t, "caddy", "caddy")
	out(t, caddy, "validate", "--adapter", "caddyfile", "--config", deploy("caddy", "Caddyfile"))
	dir := t.TempDir()
	listen := testkit.FreeAddress(t)
	site := strings.NewReplacer("127.0.0.1:8080", backend, "plants.example {", "http://"+listen+" http://plants.example:"+listen[strings.LastIndexByte(listen, ':')+1:]+" {", "/var/lib/bencao", data).Replace(read(t, deploy("caddy", "Caddyfile")))
	conf := filepath.Join(dir, "Caddyfile")
	must(t, os.WriteFile(conf, []byte("{\n\tadmin off\n}\n"+site), 0o644))
	cmd := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", conf)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	background(t, cmd)
	return insecure(listen)
}

// startHAProxy starts HAProxy with TLS, waits until it has found the server, and checks that it
// redirects requests without TLS. HAProxy checks the server by /readyz at the address admin, once in
// each interval.
func startHAProxy(t *testing.T, backend, admin, interval string) front {
	t.Helper()
	haproxy := need(t, "haproxy", "haproxy")
	dir := t.TempDir()
	known := httptest.NewTLSServer(http.NotFoundHandler()) // its client trusts its certificate, which HAProxy uses too
	t.Cleanup(known.Close)
	certificate := known.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
	must(t, err)
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	must(t, os.WriteFile(filepath.Join(dir, "plants.example.pem"), both, 0o600))
	noTLS, listen := testkit.FreeAddress(t), testkit.FreeAddress(t)
	host, port, err := net.SplitHostPort(admin)
	must(t, err)
	socket := filepath.Join(dir, "socket")
	text := strings.NewReplacer("127.0.0.1:8080", backend, "addr 127.0.0.1 port 9090", "addr "+host+" port "+port, "bind :80", "bind "+noTLS, "bind :443", "bind "+listen,
		"/etc/haproxy/certs/", dir+"/", "inter 2s", "inter "+interval).Replace("global\n\tlog stdout format raw local0\n\tstats socket " + socket + "\n" + read(t, deploy("haproxy", "bencao.cfg")))
	conf := filepath.Join(t.TempDir(), "haproxy.cfg")
	must(t, os.WriteFile(conf, []byte(text), 0o644))
	if said := out(t, haproxy, "-c", "-f", conf); strings.Contains(said, "WARNING") {
		t.Errorf("haproxy -c: %s", said)
	}
	background(t, exec.Command(haproxy, "-db", "-f", conf))
	testkit.WaitFor(t, patience, "HAProxy has checked the server", func() bool { return strings.Contains(haproxyState(t, socket), ",L7OK,") })
	p := front{"https://" + listen, known.Client()}
	req, err := http.NewRequest(http.MethodGet, "http://"+noTLS+"/herbs?q=1", nil)
	must(t, err)
	req.Host = "plants.example"
	unredirected := front{client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	resp := unredirected.patient(t, req)
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	if to := resp.Header.Get("Location"); resp.StatusCode != http.StatusMovedPermanently || to != "https://plants.example/herbs?q=1" {
		t.Errorf("a request without TLS gets %s, Location %s", resp.Status, to)
	}
	return p
}

// haproxyState returns what HAProxy reports on its socket about its servers, as CSV.
// It returns "" while HAProxy does not listen on the socket.
func haproxyState(t *testing.T, socket string) string {
	t.Helper()
	c, err := net.Dial("unix", socket)
	if err != nil {
		return ""
	}
	_, err = io.WriteString(c, "show stat\n")
	state, readErr := io.ReadAll(c)
	must(t, errors.Join(err, readErr, c.Close()))
	return string(state)
}

// background runs a program until the test ends.
func background(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	must(t, cmd.Start())
	t.Cleanup(func() {
		// A shell that runs the tests in the background makes them, and so this program, ignore
		// interrupts.
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // the exit status after the signal does not matter
	})
}
