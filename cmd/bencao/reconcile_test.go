package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// reconcileOver runs "bencao reconcile" with a server that answers by the handler server. It runs
// until the test ends. reconcileOver returns its address.
func reconcileOver(t *testing.T, server http.HandlerFunc) (address string) {
	t.Helper()
	there := httptest.NewServer(server)
	t.Cleanup(there.Close)
	key := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(key, []byte("key\n"), 0o600))
	address = testkit.FreeAddress(t)
	root := newRoot()
	root.SetArgs([]string{"reconcile", "--server", there.URL, "--key-file", key, "--listen", address})
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("bencao reconcile ended with %v", err)
		}
	})
	testkit.WaitFor(t, patience, "bencao reconcile listens", func() bool {
		c, err := net.Dial("tcp", address)
		return err == nil && c.Close() == nil
	})
	return address
}

// browse requests a path at address, with host in the header Host, as a browser does.
func browse(t *testing.T, address, host, path string) (resp *http.Response, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
	must(t, err)
	req.Host = host
	resp, err = http.DefaultClient.Do(req)
	must(t, err)
	b, err := io.ReadAll(resp.Body)
	must(t, err)
	must(t, resp.Body.Close())
	return resp, string(b)
}

// TestReconcileHost checks that a web page whose host name resolves to this machine gets no
// response.
func TestReconcileHost(t *testing.T) {
	address := reconcileOver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	for host, want := range map[string]int{
		address: 200, "localhost:" + port: 200, "LOCALHOST:" + port: 200, "[::1]:" + port: 200, "192.0.2.7:" + port: 200,
		"evil.example:" + port: 421, "evil.example": 421, "127.0.0.1": 421, "127.0.0.1:1": 421,
		"localhost.evil.example:" + port: 421, "127.0.0.1.evil.example:" + port: 421,
	} {
		resp, body := browse(t, address, host, "/")
		if resp.StatusCode != want || want == 421 && (!strings.Contains(body, "--listen") || resp.Header.Get("Access-Control-Allow-Origin") != "") {
			t.Errorf("host %s gives %d %.200s, want %d", host, resp.StatusCode, body, want)
		}
	}
}

// TestReconcilePassesWaitOn checks that the client gets the long wait that the server asks for. It
// also checks that a repeated extension query continues where the first one stopped.
func TestReconcilePassesWaitOn(t *testing.T) {
	var served, left atomic.Int64
	var refuse atomic.Value
	refuse.Store([3]string{"429", "40", "limit of the key"})
	left.Store(3)
	address := reconcileOver(t, func(w http.ResponseWriter, r *http.Request) {
		if left.Add(-1) < 0 {
			how := refuse.Load().([3]string)
			var status int
			if _, err := fmt.Sscan(how[0], &status); err != nil {
				t.Error(err)
			}
			w.Header().Set("Retry-After", how[1])
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"detail":%q}`, how[2])
			return
		}
		served.Add(1)
		fmt.Fprint(w, `{"chineseName":"人参"}`)
	})
	ids := make([]string, 5)
	for i := range ids {
		ids[i] = fmt.Sprintf("%q", fmt.Sprintf("00000000-0000-0000-0000-%012d", i))
	}
	extend := "/?extend=" + url.QueryEscape(`{"ids":[`+strings.Join(ids, ",")+`],"properties":[{"id":"chineseName"}]}`)
	for _, how := range [][3]string{
		{"429", "40", "limit of the key"}, {"503", "120", "not here yet"},
		{"503", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat), "a date"},
	} {
		refuse.Store(how)
		resp, body := browse(t, address, address, extend)
		after := resp.Header.Get("Retry-After")
		if fmt.Sprint(resp.StatusCode) != how[0] || after == "" || len(how[1]) < 4 && after != how[1] || !strings.Contains(body, how[2]) {
			t.Errorf("the response %v reaches the client as %d, Retry-After %q, %s", how, resp.StatusCode, after, body)
		}
		if how[0] == "429" && resp.Header.Get("Access-Control-Expose-Headers") != "Retry-After" {
			t.Error("scripts of pages cannot read Retry-After")
		}
	}
	left.Store(2)
	resp, body := browse(t, address, address, extend)
	if resp.StatusCode != 200 || strings.Count(body, "人参") != 5 || served.Load() != 5 {
		t.Errorf("the extension gives %d after %d requests, want 200 after 5: %s", resp.StatusCode, served.Load(), body)
	}
}

// TestReconcileLimits checks that silent and slow clients lose their connections, and that other
// clients are served beside many connections.
func TestReconcileLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: it waits for the limits of bencao reconcile, 15 s")
	}
	t.Parallel()
	address := reconcileOver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	open := func(sent string) net.Conn {
		c := testkit.Dial(t, address)
		if _, err := io.WriteString(c, sent); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for range 3 * reconcileConnections {
		open("")
	}
	if resp, body := browse(t, address, address, "/"); resp.StatusCode != 200 {
		t.Errorf("beside many silent connections: %d %s", resp.StatusCode, body)
	}
	large := "GET / HTTP/1.1\r\nHost: " + address + "\r\nCookie: " + strings.Repeat("x", 100<<10) + "\r\n\r\n"
	clients := map[string]net.Conn{
		"half a header": open("POST / HTTP/1.1\r\nHost: " + address + "\r\n"),
		"half a body":   open("POST / HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nqueries="),
		"large header":  open(large),
	}
	for name, c := range clients {
		answer, err := io.ReadAll(c)
		if ne, late := err.(net.Error); late && ne.Timeout() || strings.Contains(string(answer), " 200 ") {
			t.Errorf("%s: %q, %v; want a closed connection", name, answer, err)
		}
	}
}

// TestOpenRefineNeedsRequests runs the check of "make openrefine" with a Python that has no modules
// installed. The check must print which module is missing. With CI=true it must also fail.
func TestOpenRefineNeedsRequests(t *testing.T) {
	python := need(t, "python3", "python3")
	for _, ci := range []string{"", "true"} {
		cmd := exec.Command(python, "-S", filepath.Join("..", "..", "clients", "openrefine", "check.py"))
		cmd.Env = append(os.Environ(), "CI="+ci)
		said, err := cmd.CombinedOutput()
		if (err != nil) != (ci != "") || !strings.Contains(string(said), "apt install python3-requests") {
			t.Errorf("with CI=%s: %v\n%s", ci, err, said)
		}
	}
}
