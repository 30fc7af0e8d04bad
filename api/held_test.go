package api_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/explorer"
	"bencao/internal/test/testkit"
)

// patient is a listener whose connections have no time limits of requests: it drops each deadline
// for reading that is more than a second away. A server that waits for a body then waits for ever.
type patient struct{ net.Listener }

func (p patient) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return patientConn{c.(*net.TCPConn)}, nil
}

type patientConn struct{ *net.TCPConn }

func (c patientConn) SetReadDeadline(t time.Time) error {
	if time.Until(t) > time.Second {
		t = time.Time{}
	}
	return c.TCPConn.SetReadDeadline(t)
}

// bodies are the rest of a request whose header ends with them, complete or not.
var bodies = map[string]string{
	"no body":                   "\r\n",
	"a length without a body":   "Content-Length: 9\r\n\r\n",
	"a length, half a body":     "Content-Length: 400000\r\n\r\nhello",
	"a complete body":           "Content-Length: 5\r\n\r\nhello",
	"chunks that do not end":    "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
	"chunks that end":           "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"a length and 100-continue": "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n",
	"two lengths":               "Content-Length: 9\r\nContent-Length: 8\r\n\r\n",
}

// refusing are ways to send a request that is refused whatever its address is. The values are the
// method, a suffix of the address, and headers.
func refusing(s *site) map[string][3]string {
	key := func(id string) string { return "X-Api-Key: " + s.keys[id] + "\r\n" }
	return map[string][3]string{
		"no key":                {"GET", "", ""},
		"no key, HEAD":          {"HEAD", "", ""},
		"wrong key":             {"GET", "", "X-Api-Key: bencao_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n"},
		"key of other networks": {"GET", "", key("away")},
		"key without scopes":    {"GET", "", key("open")},
		"unknown address":       {"GET", "/x/y/z/none", key("all")},
		"wrong method":          {"PUT", "", key("all")},
		"form of other sites":   {"POST", "", "Origin: https://evil.example\r\nAccept: text/html\r\n"},
		"wrong parameter":       {"GET", "?page=0&nothing=1", key("all")},
		"wrong format":          {"GET", "", key("all") + "Accept: image/png\r\n"},
		"wrong version":         {"GET", "", key("all") + "X-Data-Version: never\r\n"},
		"used limit":            {"GET", "", key("three")},
		"expectation":           {"GET", "", key("all") + "Expect: a-miracle\r\n"},
		"large header":          {"GET", "", key("all") + "X-Long: " + strings.Repeat("a", 17<<10) + "\r\n"},
		"not refused":           {"GET", "", key("all")},
	}
}

// TestNothingIsHeld refuses requests for every address in every way, with every kind of body. The
// client then leaves, or stays and sends nothing more. Afterwards the server must hold nothing: no
// connection, goroutine, turn or place for a form.
func TestNothingIsHeld(t *testing.T) {
	s := start(t, config{
		listener: func(l net.Listener) net.Listener { return patient{l} },
		searches: 1, // if one turn is held, no other request gets an answer
		opt:      api.Options{Pages: explorer.New(explorer.Options{}), PagesKey: "all"},
	})
	paths := []string{"/nowhere", "/api/v1/nowhere"}
	for _, e := range endpoints(t) {
		paths = append(paths, e.path)
	}
	for _, p := range explorer.New(explorer.Options{}).Routes() {
		paths = append(paths, regexp.MustCompile(`[:*]\w+`).ReplaceAllString(p.Path, "x"))
	}
	for range 3 { // use up the limit of the key
		s.do(t, http.MethodGet, "/api/v1/stats", "three").wantStatus(t, http.StatusOK)
	}
	s.client.CloseIdleConnections()
	testkit.WaitFor(t, testkit.Patience, "no connection is open", func() bool { return s.open(t) == 0 })
	before := runtime.NumGoroutine()

	type request struct {
		text  string
		stays bool // the client waits until the server closes the connection
	}
	var requests []request
	for name, r := range refusing(s) {
		for _, path := range paths {
			cut, _, _ := strings.Cut(path, "?")
			if r[1] == "" {
				cut = path
			}
			for kind, body := range bodies {
				if kind == "a length and 100-continue" && name == "expectation" {
					continue // two different expectations
				}
				requests = append(requests, request{
					fmt.Sprintf("%s %s%s HTTP/1.1\r\nHost: x\r\n%s%s", r[0], cut, r[1], r[2], body),
					len(requests)%7 == 0 && kind != "no body", // a request without a body does not end the connection
				})
			}
		}
	}
	work := make(chan request)
	var statuses sync.Map
	var wg sync.WaitGroup
	for range 60 {
		wg.Go(func() {
			for r := range work {
				status, err := s.refuse(r.text, r.stays)
				if err != nil {
					t.Errorf("%.300q: %v", r.text, err)
				}
				statuses.Store(status, true)
			}
		})
	}
	for _, r := range requests {
		work <- r
	}
	close(work)
	wg.Wait()
	for _, status := range []string{"200", "400", "401", "403", "404", "405", "406", "417", "429", "431"} {
		if _, ok := statuses.Load(status); !ok {
			t.Errorf("no request was answered with %s", status)
		}
	}
	testkit.WaitFor(t, testkit.Patience, "no connection is open after the refusals", func() bool { return s.open(t) == 0 })
	testkit.WaitFor(t, testkit.Patience, "the goroutines of the refused requests have ended", func() bool { return runtime.NumGoroutine() <= before })
	// With a single turn, an answer shows that no turn is held.
	s.get(t, "/api/v1/species?q=Panax").wantStatus(t, http.StatusOK)
	t.Logf("%d requests", len(requests))
}

// refuse sends a request and reads the status of the answer. It then leaves, or waits until the
// server closes the connection.
func (s *site) refuse(request string, stays bool) (status string, err error) {
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(c, request); err != nil {
		return "", err
	}
	var begin [len("HTTP/1.1 400")]byte
	if _, err := io.ReadFull(c, begin[:]); err != nil {
		return "", err
	}
	if stays {
		_, err = io.Copy(io.Discard, c)
	}
	return strings.TrimPrefix(string(begin[:]), "HTTP/1.1 "), err
}

var openMetric = regexp.MustCompile(`(?m)^bencao_http_(?:connections_open|requests_in_flight) (\d+)$`)

// open returns the number of open connections and of requests in progress, according to the metrics.
func (s *site) open(t *testing.T) (n int) {
	t.Helper()
	w := httptest.NewRecorder()
	s.server.Admin().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	found := openMetric.FindAllStringSubmatch(w.Body.String(), -1)
	if len(found) != 2 {
		t.Fatalf("the metrics lack connections and requests: %s", w.Body)
	}
	for _, m := range found {
		var one int
		if _, err := fmt.Sscan(m[1], &one); err != nil {
			t.Fatal(err)
		}
		n += one
	}
	return n
}
