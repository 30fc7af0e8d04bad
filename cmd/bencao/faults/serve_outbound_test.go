//go:build linux

package faults_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestServerCallsNobody traces the system calls of a server that gets every kind of request, also
// requests that contain foreign addresses. The server must accept connections and open none.
func TestServerCallsNobody(t *testing.T) {
	s := newSite(t)
	strace := tool(t, "strace")
	log := filepath.Join(t.TempDir(), "calls")
	// With -D, strace is the child and the server is the process that the test started.
	srv := s.serveUnder(t, []string{strace, "-D", "-f", "-qq", "-o", log, "-e", "trace=socket,connect,sendto,sendmsg,sendmmsg,accept4"})
	srv.answers(t)
	const other = "http%3A%2F%2F127.0.0.1%3A9%2Fx"
	for _, path := range []string{"/species?q=" + other, "/papers?q=https%3A%2F%2Fdoi.org%2F10.1000%2F1", "/names/match?name=" + other} {
		if r := srv.with(t, s.all, path, "Host", "127.0.0.1:9", "X-Forwarded-Host", "127.0.0.1:9", "Forwarded", "host=127.0.0.1:9", "Referer", "http://127.0.0.1:9/", "Origin", "http://127.0.0.1:9"); r.status >= http.StatusInternalServerError {
			t.Errorf("%s: status %d", path, r.status)
		}
	}
	for _, path := range []string{"/species/" + other, "/formulas/" + other, "/species/127.0.0.1:9"} {
		if r := srv.get(t, path); r.status != http.StatusNotFound && r.status != http.StatusBadRequest {
			t.Errorf("%s: status %d, want 404 or 400", path, r.status)
		}
	}
	srv.hangup(t)
	s.rollback(t, s.older)
	until(t, "the older snapshot answers", func() bool { return srv.ready(t).Snapshot == s.older })
	srv.stop(t)
	b, err := os.ReadFile(log)
	must(t, err)
	calls := string(b)
	if !strings.Contains(calls, "accept4(") {
		t.Fatalf("strace shows no incoming connection, so the test covers too little:\n%.2000s", calls)
	}
	// At its start, Go opens sockets to find out whether the system has IPv6. They do not connect,
	// so the pattern leaves out socket calls.
	for _, call := range regexp.MustCompile(`(?m)^.*\b(connect|sendto|sendmsg|sendmmsg)\(.*$`).FindAllString(calls, -1) {
		t.Errorf("the server opens a connection: %s", call)
	}
}
