package api_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/problem"
	"bencao/internal/test/testkit"

	"github.com/getkin/kin-openapi/openapi3"
)

// raw sends bytes on a new connection and returns everything that the server sends until it closes
// the connection.
func (s *site) raw(tb testing.TB, request string) string {
	tb.Helper()
	c := testkit.Dial(tb, s.addr)
	if _, err := io.WriteString(c, request); err != nil {
		tb.Fatal(err)
	}
	out, err := io.ReadAll(c)
	if err != nil {
		tb.Fatalf("read the answer to %q: %v; got %q", request, err, out)
	}
	return string(out)
}

// TestBodyRefused sends requests with a body in all forms that HTTP has. The server must close the
// connection after the first answer, so that the following bytes are not read as another request.
func TestBodyRefused(t *testing.T) {
	s := start(t, config{})
	head := "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + s.keys["all"] + "\r\n"
	smuggled := "GET /api/v1/species HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + s.keys["all"] + "\r\n\r\n"
	for name, request := range map[string]string{
		"content length":        head + "Content-Length: 5\r\n\r\nhello",
		"chunked":               head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"chunked and empty":     head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"both":                  head + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
		"length shorter":        head + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5c\r\nGPOST",
		"on an unknown address": strings.Replace(head, "/api/v1/stats", "/nowhere", 1) + "Content-Length: 5\r\n\r\nhello",
		"without a key":         "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
		"in a POST":             strings.Replace(head, "GET", "POST", 1) + "Content-Length: 5\r\n\r\nhello",
	} {
		got := s.raw(t, request+smuggled)
		if n := strings.Count(got, "HTTP/1.1 "); n != 1 || !strings.HasPrefix(got, "HTTP/1.1 400 ") {
			t.Errorf("body by %s: %d answers, want one 400:\n%s", name, n, got)
		}
		for _, want := range []string{"Connection: close\r\n", "X-RateLimit-Limit: ", `"/problems/body-refused"`} {
			if !strings.Contains(got, want) {
				t.Errorf("body by %s: the answer lacks %q:\n%s", name, want, got)
			}
		}
	}
	// HTTP/1.0 has no transfer encodings, but a proxy may support them.
	ten := strings.Replace(head, "HTTP/1.1", "HTTP/1.0", 1) + "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
	if got := s.raw(t, ten+smuggled); strings.Count(got, "HTTP/1.") != 1 {
		t.Errorf("HTTP/1.0 with a transfer encoding: more than one answer:\n%s", got)
	}
	if got := s.raw(t, head+"Content-Length: 0\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("a body of length 0 is none, but the answer is:\n%s", got)
	}
}

// TestUnreadable sends requests that net/http itself refuses. The answers must look like all
// others.
func TestUnreadable(t *testing.T) {
	s := start(t, config{})
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	must(t, err)
	tooLarge := doc.Components.Responses["HeaderTooLarge"]
	key := "X-Api-Key: " + s.keys["all"] + "\r\n"
	for _, tt := range []struct {
		name, request string
		status        int
		slug          string
	}{
		{"a header of 17 KiB", "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + key + "X-Long: " + strings.Repeat("a", 17<<10) + "\r\n\r\n", 431, "header-too-large"},
		{"an address of 17 KiB", "GET /api/v1/species?q=" + strings.Repeat("a", 17<<10) + " HTTP/1.1\r\nHost: x\r\n" + key + "\r\n", 431, "header-too-large"},
		{"a bad percent sign in the path", "GET /api/v1/species/%zz HTTP/1.1\r\nHost: x\r\n" + key + "\r\n", 400, "bad-request"},
		{"no host", "GET /api/v1/stats HTTP/1.1\r\n" + key + "\r\n", 400, "bad-request"},
		{"noise", "\x16\x03\x01\x02\x00\x01\r\n\r\n", 400, "bad-request"},
		{"two lengths", "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + key + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, "bad-request"},
		{"an unknown transfer encoding", "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + key + "Transfer-Encoding: identity\r\n\r\n", 501, "not-implemented"},
		{"HTTP/3.0", "GET /api/v1/stats HTTP/3.0\r\nHost: x\r\n" + key + "\r\n", 505, "http-version"},
	} {
		got := s.raw(t, tt.request)
		resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(got)), nil)
		if err != nil {
			t.Errorf("%s: %v in %q", tt.name, err, got)
			continue
		}
		var p problem.Problem
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
			t.Errorf("%s: %v in %q", tt.name, err, got)
			continue
		}
		if resp.StatusCode != tt.status || int(p.Status) != tt.status || p.Type != "/problems/"+tt.slug {
			t.Errorf("%s: status %d, problem %+v; want %d and %s", tt.name, resp.StatusCode, p, tt.status, tt.slug)
		}
		if tt.status == http.StatusRequestHeaderFieldsTooLarge {
			for name := range tooLarge.Value.Headers {
				if resp.Header.Get(name) == "" {
					t.Errorf("%s: the answer lacks the documented header %s", tt.name, name)
				}
			}
		}
		if resp.Header.Get("Content-Type") != "application/problem+json" || resp.Header.Get("X-RateLimit-Limit") == "" || p.Instance != resp.Header.Get("X-Request-Id") {
			t.Errorf("%s: headers are %v, want problem+json, rate limit and the request's id", tt.name, resp.Header)
		}
	}
	if log := s.log.String(); strings.Count(log, `"status":431`) != 2 {
		t.Errorf("the log has not both requests that were answered with 431: %s", log)
	}
}

// TestLargeHeaderLater sends a header that is too large in the second request of a connection. By
// then net/http has read a part of that header before it starts to count bytes.
func TestLargeHeaderLater(t *testing.T) {
	s := start(t, config{})
	head := "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + s.keys["all"] + "\r\n"
	got := s.raw(t, head+"\r\n"+head+"X-Long: "+strings.Repeat("a", 16<<10)+"\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 200 ") || !strings.Contains(got, "HTTP/1.1 431 ") || !strings.Contains(got, "/problems/header-too-large") {
		t.Errorf("the answers are not 200, then 431:\n%s", got)
	}
	if got := s.raw(t, head+"\r\n"+head+"X-Long: "+strings.Repeat("a", 15<<10)+"\r\nConnection: close\r\n\r\n"); strings.Count(got, "HTTP/1.1 200 ") != 2 {
		t.Errorf("two requests with headers below the bound are not both answered:\n%s", got)
	}
}

func TestOddTargets(t *testing.T) {
	s := start(t, config{})
	key := "Host: x\r\nConnection: close\r\nX-Api-Key: " + s.keys["all"] + "\r\n\r\n"
	for line, want := range map[string]string{
		"OPTIONS * HTTP/1.1\r\n":                            "404",
		"OPTIONS /api/v1/stats HTTP/1.1\r\n":                "405",
		"TRACE /api/v1/stats HTTP/1.1\r\n":                  "405",
		"CONNECT evil.example:443 HTTP/1.1\r\n":             "404",
		"GET http://evil.example/api/v1/stats HTTP/1.1\r\n": "200",
		"GET /api/v1/stats#x HTTP/1.1\r\n":                  "404",
		"GET /api/v1/../v1/stats HTTP/1.1\r\n":              "404",
		"get /api/v1/stats HTTP/1.1\r\n":                    "405",
	} {
		if got := s.raw(t, line+key); !strings.HasPrefix(got, "HTTP/1.1 "+want+" ") {
			t.Errorf("%q: want status %s, got\n%s", line, want, got)
		}
	}
}

// TestConnectionCap opens more connections than allowed, one after the other. If all connections are
// idle, the one that has been idle longest must make room for a new one. The connections come from a
// proxy, because other addresses have a limit of their own.
func TestConnectionCap(t *testing.T) {
	s := start(t, config{opt: api.Options{Connections: 2}, trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	ask := func() *bufio.Reader {
		c := testkit.Dial(t, s.addr)
		if _, err := io.WriteString(c, "GET /api/v1/version HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 127.0.0.1\r\nX-Api-Key: "+s.keys["all"]+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(c)
		resp, err := http.ReadResponse(in, nil)
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
		}
		if err != nil {
			t.Fatalf("no answer on a new connection while the others are idle: %v", err)
		}
		return in
	}
	first := ask()
	closed := make(chan error, 1)
	go func() {
		_, err := first.ReadByte()
		closed <- err
	}()
	for {
		ask()
		select {
		case err := <-closed:
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection that was idle longest is still open: %v", err)
			}
			return
		default:
		}
	}
}

// TestExpect sends the header Expect. net/http itself refuses all expectations except 100-continue.
// Its answers must look like all others, count against the client's address, and appear in the log.
func TestExpect(t *testing.T) {
	s := start(t, config{addressRate: 4})
	for _, tt := range []struct {
		key, expect string
		status      int
		slug        string
	}{
		{"all", "100-continue", http.StatusOK, ""},
		{"all", "a-miracle", http.StatusExpectationFailed, "expectation-failed"},
		{"", "a-miracle", http.StatusExpectationFailed, "expectation-failed"},
		{"away", "a-miracle", http.StatusExpectationFailed, "expectation-failed"},
		{"", "", http.StatusUnauthorized, "no-valid-key"},
		{"", "", http.StatusTooManyRequests, "too-many-requests"},
	} {
		header := []string{"Expect", tt.expect}
		if tt.expect == "" {
			header = nil
		}
		r := s.do(t, http.MethodGet, "/api/v1/stats", tt.key, header...).wantStatus(t, tt.status)
		if tt.slug != "" && decode[problem.Problem](t, r).Type != "/problems/"+tt.slug {
			t.Errorf("key %q expects %s: %s, want the problem %s", tt.key, tt.expect, r.body, tt.slug)
		}
		if r.Header.Get("X-Request-Id") == "" || r.Header.Get("X-RateLimit-Remaining") == "" {
			t.Errorf("key %q expects %s: headers are %v, want the request's id and the limit", tt.key, tt.expect, r.Header)
		}
	}
	if log := s.log.String(); strings.Count(log, `"status":417`) != 3 {
		t.Errorf("the log does not have the three requests that were answered with 417: %s", log)
	}
	if got := s.raw(t, "GET /api/v1/stats HTTP/1.0\r\nExpect: a-miracle\r\n\r\n"); !strings.Contains(got, "/problems/expectation-failed") {
		t.Errorf("the answer to an expectation in HTTP/1.0 is %s, want the problem expectation-failed", got)
	}
	body := "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + s.keys["all"] + "\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
	if got := s.raw(t, body); !strings.HasPrefix(got, "HTTP/1.1 400 ") {
		t.Errorf("a request announces a body with Expect: 100-continue; the answer is %s, want 400", got)
	}
}

// TestRefusedAreSummedUp sends many requests without a valid key. The metrics must count each, but
// the log must summarize them.
func TestRefusedAreSummedUp(t *testing.T) {
	const requests = 300
	s := start(t, config{addressRate: 100})
	began := time.Now()
	for range requests {
		if status := s.do(t, http.MethodGet, "/api/v1/stats", "").StatusCode; status < 400 {
			t.Fatalf("status %d without a key", status)
		}
		s.get(t, "/api/v1/stats").wantStatus(t, http.StatusOK)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	seconds := int(time.Since(began).Seconds()) + 1 // number of seconds in which the server could log lines; it is higher on a slow machine
	lines, summed, good := 0, 0, 0
	for line := range strings.Lines(s.log.String()) {
		var l struct {
			Msg, Key string
			Requests int
			Reasons  map[string]int
		}
		must(t, json.Unmarshal([]byte(line), &l))
		switch {
		case l.Key != "":
			good++
		case l.Msg == "request":
			lines++
		default:
			summed += l.Requests
			for reason := range l.Reasons {
				if reason != "limit" && reason != "key_missing" {
					t.Errorf("requests were refused for %q: %s", reason, line)
				}
			}
		}
	}
	if good != requests || lines+summed != requests || lines < 100 || lines > 100*seconds {
		t.Errorf("the log has %d requests with a key, %d without in %d seconds and %d summed up; want %d, 100 a second, and the rest of %d",
			good, lines, seconds, summed, requests, requests)
	}
}

// TestAddressesInHeaders checks that addresses are refused if they would break out of the header
// Link.
func TestAddressesInHeaders(t *testing.T) {
	for _, address := range []string{
		"https://x.example/\r\nSet-Cookie: a=b", "https://x.example/>; rel=\"next", "https://x.example/<a", `https://x.example/"`, "https://x.example/a b",
		"https://x.example/\x00", "https://x.example/价", "javascript:alert(1)", "https://", "//x.example/", "https://a:b@x.example/",
	} {
		if err := api.CheckAddress(address); err == nil {
			t.Errorf("the address %q is taken", address)
		}
		if _, err := api.New(nil, nil, api.Options{License: address}); err == nil {
			t.Errorf("a server with the licence %q starts", address)
		}
	}
	for _, address := range []string{"https://creativecommons.org/licenses/by/4.0/", "http://x.example/%E4%BB%B7?a=b&c='d'#e", "https://[2001:db8::1]:8443/"} {
		if err := api.CheckAddress(address); err != nil {
			t.Error(err)
		}
	}
}
