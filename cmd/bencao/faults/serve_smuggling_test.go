//go:build linux

package faults_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// The smuggled request claims to come from the client address 127.0.0.3. Proxies overwrite that
// address. So the server sees it only if a proxy and the server disagree about where a request
// ends.
const (
	smuggler = `"client":"127.0.0.3"`
	cargo    = "GET /api/v1/papers HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 127.0.0.3\r\nX-Api-Key: KEY\r\n\r\n"
)

// disguises are headers that two servers may read differently. LEN is replaced by the length of the
// body, which is an empty chunk followed by the smuggled request.
var disguises = map[string]string{
	"both lengths":                       "Content-Length: LEN\r\nTransfer-Encoding: chunked\r\n",
	"both, chunked first":                "Transfer-Encoding: chunked\r\nContent-Length: LEN\r\n",
	"a length shorter than the chunks":   "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
	"an unknown encoding":                "Content-Length: LEN\r\nTransfer-Encoding: xchunked\r\n",
	"a space before the colon":           "Content-Length: LEN\r\nTransfer-Encoding : chunked\r\n",
	"a space before the name":            "Content-Length: LEN\r\n Transfer-Encoding: chunked\r\n",
	"a tab for the space":                "Content-Length: LEN\r\nTransfer-Encoding:\tchunked\r\n",
	"no space":                           "Content-Length: LEN\r\nTransfer-Encoding:chunked\r\n",
	"a vertical tab":                     "Content-Length: LEN\r\nTransfer-Encoding: \x0bchunked\r\n",
	"a null byte":                        "Content-Length: LEN\r\nTransfer-Encoding: chunked\x00\r\n",
	"two encodings, the first unknown":   "Content-Length: LEN\r\nTransfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n",
	"two encodings, the second unknown":  "Content-Length: LEN\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n",
	"twice chunked":                      "Content-Length: LEN\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
	"chunked and identity":               "Content-Length: LEN\r\nTransfer-Encoding: chunked, identity\r\n",
	"identity and chunked":               "Content-Length: LEN\r\nTransfer-Encoding: identity, chunked\r\n",
	"quoted":                             "Content-Length: LEN\r\nTransfer-Encoding: \"chunked\"\r\n",
	"capitals":                           "Content-Length: LEN\r\nTRANSFER-ENCODING: CHUNKED\r\n",
	"an underscore":                      "Content-Length: LEN\r\nTransfer_Encoding: chunked\r\n",
	"behind a bare line feed":            "Content-Length: LEN\r\nX: y\nTransfer-Encoding: chunked\r\n",
	"behind a bare carriage return":      "Content-Length: LEN\r\nX: y\rTransfer-Encoding: chunked\r\n",
	"on a folded line":                   "Content-Length: LEN\r\nTransfer-Encoding:\r\n chunked\r\n",
	"folded away":                        "Content-Length: LEN\r\nX: y\r\n Transfer-Encoding: chunked\r\n",
	"a length on a folded line":          "Content-Length:\r\n LEN\r\n",
	"a length folded away":               "X: y\r\n Content-Length: LEN\r\n",
	"a length behind a bare line feed":   "X: y\nContent-Length: LEN\r\n",
	"a length alone":                     "Content-Length: LEN\r\n",
	"two lengths":                        "Content-Length: 0\r\nContent-Length: LEN\r\n",
	"two lengths, the other way":         "Content-Length: LEN\r\nContent-Length: 0\r\n",
	"two lengths in a line":              "Content-Length: 0, LEN\r\n",
	"a length with a sign":               "Content-Length: +LEN\r\n",
	"a negative length":                  "Content-Length: -1\r\n",
	"a length in hexadecimal":            "Content-Length: 0x5\r\n",
	"a length with an underscore":        "Content-Length: 1_0\r\n",
	"a length with a space before colon": "Content-Length : LEN\r\n",
	"a length past 64 bits":              "Content-Length: 18446744073709551617\r\n",
	"a body that is expected":            "Expect: 100-continue\r\nContent-Length: LEN\r\n",
	"another protocol":                   "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: LEN\r\n",
	"a length that the proxy is to drop": "Connection: Content-Length\r\nContent-Length: LEN\r\n",
	"forwarded for, to be dropped":       "Connection: X-Forwarded-For\r\nContent-Length: LEN\r\n",
}

// statusLine matches the first line of a response.
var statusLine = regexp.MustCompile(`HTTP/1\.[01] (\d{3}) `)

// disguised returns a request whose body contains the smuggled request.
func disguised(method, disguise, key string) string {
	body := "0\r\n\r\n" + strings.ReplaceAll(cargo, "KEY", key)
	return method + " /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 127.0.0.2\r\nX-Api-Key: " + key + "\r\n" +
		strings.ReplaceAll(disguise, "LEN", fmt.Sprint(len(body))) + "\r\n" + body
}

// TestSmugglingDirectly sends every disguise straight to a server that trusts the test as a proxy.
// The server must read at most one request and then close the connection.
func TestSmugglingDirectly(t *testing.T) {
	s := newSite(t)
	srv := s.serve(t, "--trusted-proxy", "127.0.0.1")
	for name, d := range disguises {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			_, all := srv.raw(t, disguised(method, d, s.all))
			var got []string
			for _, line := range statusLine.FindAllStringSubmatch(all, -1) {
				got = append(got, line[1])
			}
			// This disguise hides the body entirely. The server reads a request without a body.
			// Then it refuses the following bytes once, because they are not HTTP.
			hidden := name == "a length folded away"
			switch {
			case hidden && len(got) == 2 && (got[0] == "200" || got[0] == "405") && got[1] == "400":
			case len(got) != 1 || got[0][0] != '4' && got[0] != "501":
				t.Errorf("%s with %s: answers %v, want one of 4xx or 501: %.600s", method, name, got, all)
			}
		}
	}
	srv.noSmuggler(t)
}

// noSmuggler checks that the server has not seen the smuggled request. First it sends such a
// request openly: the log must show that request and no other.
func (s *server) noSmuggler(t *testing.T) {
	t.Helper()
	s.logged(t, s.with(t, s.all, "/papers", "X-Forwarded-For", "127.0.0.3").want(t, http.StatusOK))
	if n := strings.Count(s.diary.String(), smuggler); n != 1 {
		t.Errorf("the log shows the smuggler's address %d times, want once, for the test's own request:\n%s", n, s.diary)
	}
}

// TestSmugglingBehindProxies sends every disguise through proxies that keep their connections to
// the server open. Meanwhile other clients send requests through the same proxies. Each must get
// the response to its own request.
func TestSmugglingBehindProxies(t *testing.T) {
	for _, p := range proxies {
		t.Run(p.name, func(t *testing.T) {
			s := newSite(t)
			srv := s.serve(t, "--trusted-proxy", "127.0.0.1")
			front := p.start(t, srv.addr)
			var attacks, victims sync.WaitGroup
			over := make(chan struct{})
			for v := range 4 {
				victims.Go(func() {
					c := clientFrom("127.0.0.4")
					defer c.CloseIdleConnections()
					for n := 1; ; n++ {
						page := n%40*4 + v + 1
						r, err := ask(c, fmt.Sprintf("http://%s/api/v1/species?pageSize=1&page=%d", front, page), s.all)
						if err != nil || r.status != http.StatusOK || !strings.HasPrefix(string(r.body), fmt.Sprintf(`{"page":%d,`, page)) {
							t.Errorf("a request for page %d during an attack gets status %d: %.200s (%v)", page, r.status, r.body, err)
							return
						}
						select {
						case <-over:
							return
						default:
						}
					}
				})
			}
			for _, d := range disguises {
				for _, method := range []string{"GET", "POST"} {
					attacks.Go(func() {
						if err := attack(front, disguised(method, d, s.all)); err != nil {
							t.Error(err)
						}
					})
				}
			}
			attacks.Wait()
			close(over)
			victims.Wait()
			srv.noSmuggler(t)
		})
	}
}

// attack sends a request through the proxy at front and reads until the connection ends, for at
// most three seconds.
func attack(front, request string) error {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	c, err := d.DialContext(context.Background(), "tcp", front)
	if err != nil {
		return err
	}
	defer c.Close() // no more responses are expected
	if err := c.SetDeadline(time.Now().Add(3 * time.Second)); err != nil {
		return err
	}
	if _, err := io.WriteString(c, request); err != nil {
		return nil // the proxy closed the connection before it read the request
	}
	// The responses do not matter: the log shows whether the server saw the smuggled request.
	_, _ = io.Copy(io.Discard, c)
	return nil
}

// clientFrom returns a client that connects from the given address.
func clientFrom(address string) *http.Client {
	c := newClient()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c.Transport.(*http.Transport).DialContext = d.DialContext
	return c
}

// TestForwardedForBehindProxies sends forged X-Forwarded-For through proxies that are configured as
// the documentation shows. The server must see the address of the client.
func TestForwardedForBehindProxies(t *testing.T) {
	for _, p := range proxies {
		t.Run(p.name, func(t *testing.T) {
			s := newSite(t)
			inside := s.key(t, "inside", "--network", "198.51.100.0/24", "--rate", "1000000")
			own := s.key(t, "own", "--network", "127.0.0.2", "--rate", "1000000")
			srv := s.serve(t, "--trusted-proxy", "127.0.0.1")
			front := p.start(t, srv.addr)
			c := clientFrom("127.0.0.2")
			defer c.CloseIdleConnections()
			for _, forged := range [][]string{nil, {"198.51.100.7"}, {"198.51.100.7", "198.51.100.8"}, {"garbage"}, {""}, {"198.51.100.7, 127.0.0.1"}, {"127.0.0.1"}} {
				var headers []string
				for _, f := range forged {
					headers = append(headers, "X-Forwarded-For", f)
				}
				for key, want := range map[string]int{inside: http.StatusForbidden, own: http.StatusOK} {
					r, err := ask(c, "http://"+front+"/api/v1/stats", key, headers...)
					must(t, err)
					if r.status != want {
						t.Errorf("X-Forwarded-For %q: status %d, want %d: %s", forged, r.status, want, r.body)
					}
				}
			}
		})
	}
}
