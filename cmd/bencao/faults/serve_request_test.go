//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// raw sends request as it is on a new connection and reads until the server closes the connection.
// It returns the statuses of the responses, and all bytes that came.
func (s *server) raw(t testing.TB, request string) ([]int, string) {
	t.Helper()
	c := s.dial(t)
	defer c.Close() // an error does not matter, because the server has closed the connection
	// The server may refuse the request before it has read everything.
	if _, err := io.WriteString(c, request); err != nil && !closedByServer(err) {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	if err != nil && !closedByServer(err) {
		t.Fatalf("the server neither answers nor closes the connection: %v; so far %.300q", err, all)
	}
	return statuses(all), string(all)
}

// statuses returns the statuses of the responses in all.
func statuses(all []byte) []int {
	var list []int
	in := bufio.NewReader(bytes.NewReader(all))
	for {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return list
		}
		list = append(list, resp.StatusCode)
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return list
		}
	}
}

// TestHugeRequests sends requests whose headers, addresses or methods are too large. The server
// must refuse each with a 4xx or by closing the connection, and must use little memory.
func TestHugeRequests(t *testing.T) {
	s := newSite(t)
	srv := s.serve(t)
	key := "X-Api-Key: " + s.all + "\r\n"
	before := srv.memory(t)
	for name, request := range map[string]string{
		"an address of 64 KiB":     "GET /api/v1/species?q=" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\nHost: x\r\n" + key + "\r\n",
		"an address of 16 MiB":     "GET /" + strings.Repeat("a", 16<<20) + " HTTP/1.1\r\nHost: x\r\n" + key + "\r\n",
		"a method of 1 MiB":        strings.Repeat("G", 1<<20) + " / HTTP/1.1\r\nHost: x\r\n\r\n",
		"a header of 64 KiB":       "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + key + "X: " + strings.Repeat("a", 64<<10) + "\r\n\r\n",
		"a header of 16 MiB":       "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + key + "X: " + strings.Repeat("a", 16<<20) + "\r\n\r\n",
		"a header's name of 1 MiB": "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("a", 1<<20) + ": x\r\n\r\n",
		"100,000 headers":          "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("A: b\r\n", 100_000) + "\r\n",
		"100,000 X-Forwarded-For":  "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Forwarded-For: 1.2.3.4\r\n", 100_000) + "\r\n",
	} {
		got, all := srv.raw(t, request)
		if len(got) > 1 || len(got) == 1 && (got[0] < 400 || got[0] > 499) {
			t.Errorf("%s: answers %v, want one of 4xx: %.300s", name, got, all)
		}
		if len(got) == 0 && all != "" {
			t.Errorf("%s: half an answer: %.300q", name, all)
		}
	}
	// These requests are small enough for a header but exceed the limit of a parameter.
	for _, path := range []string{
		"/species?q=" + strings.Repeat("a", 10<<10),
		"/species?" + strings.Repeat("page=1&", 1000),
		"/names/match?name=" + strings.Repeat("%E4%BA%BA", 300),
		"/species?page=" + strings.Repeat("9", 5000),
	} {
		srv.get(t, path).want(t, http.StatusBadRequest)
	}
	srv.get(t, "/species/"+strings.Repeat("a", 10<<10)).want(t, http.StatusNotFound)
	srv.get(t, "/stats").want(t, http.StatusOK)
	if after := srv.memory(t); after > before+64 {
		t.Errorf("memory rose from %d to %d MiB by requests that were refused", before, after)
	}
}

// TestTraversal sends file paths in place of guids, in many encodings. The server must answer 404
// or 400 and show nothing of a file.
func TestTraversal(t *testing.T) {
	s := newSite(t)
	srv := s.serve(t)
	for _, path := range []string{
		"../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/%2e%2e/etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
		"..%252f..%252fetc%252fpasswd", "....//....//etc/passwd", "..%5c..%5cwindows%5cwin.ini", `..\..\etc\passwd`,
		"%c0%ae%c0%ae%c0%afetc%c0%afpasswd", "..%00/etc/passwd", "%00", "%2fetc%2fpasswd", "/etc/passwd", "//etc/passwd", "file:%2f%2f%2fetc%2fpasswd",
		"..;/..;/etc/passwd", "%u002e%u002e%u2215etc", "~root", ".", "..", "%2e", "%2e%2e", "manifest.json", "..%2fmanifest.json", "..%2fstore.bolt",
		manyUses + "%2f..%2f..%2fstats", manyUses + "%00", manyUses + "%20", manyUses + "/../" + manyUses, strings.ToUpper(manyUses) + "'--",
		"*", "?", "%3f", "$%7bjndi:ldap:%2f%2fx%7d", "%0d%0aSet-Cookie:%20a=b", "%f0%9f%8c%bf", "%ff%fe",
	} {
		for _, below := range []string{"species/", "formulas/"} {
			request := fmt.Sprintf("GET /api/v1/%s%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: %s\r\n\r\n", below, path, s.all)
			got, all := srv.raw(t, request)
			if len(got) != 1 || got[0] != http.StatusNotFound && got[0] != http.StatusBadRequest {
				t.Errorf("%s%s: answers %v, want one of 404 or 400: %.300s", below, path, got, all)
			}
			for _, leak := range []string{"root:", "[fonts]", "Set-Cookie: a=b\r\n", s.data, `"files":`} {
				if strings.Contains(all, leak) {
					t.Errorf("%s%s: the answer holds %q: %.500s", below, path, leak, all)
				}
			}
		}
	}
}

// TestForwardedFor sends requests whose X-Forwarded-For a client may have forged, to a server that
// trusts no proxy and to a server that trusts the test as a proxy. A key works only from its
// network, so the status shows which client address the server believed. TestClient in api/access has
// more forms of the header.
func TestForwardedFor(t *testing.T) {
	s := newSite(t)
	inside := s.key(t, "inside", "--network", "198.51.100.0/24", "--rate", "1000000")
	local := s.key(t, "local", "--network", "127.0.0.1", "--rate", "1000000")
	direct, behind := s.serve(t), s.serve(t, "--trusted-proxy", "127.0.0.1/32", "--trusted-proxy", "192.0.2.0/24")
	tests := []struct {
		name   string
		lines  []string // values of X-Forwarded-For, one header for each
		direct int      // expected status with the key for 198.51.100.0/24, if the server trusts no proxy
		inside int      // expected status with the key for 198.51.100.0/24, if the server trusts the proxy
		local  int      // expected status with the key for the proxy's own address, if the server trusts the proxy
	}{
		{"none", nil, 403, 403, 403},
		{"the proxy's word", []string{"198.51.100.7"}, 403, 200, 403},
		{"forged by the client, on the left", []string{"198.51.100.7, 203.0.113.1"}, 403, 403, 403},
		{"forged in a line of its own", []string{"198.51.100.7", "203.0.113.1"}, 403, 403, 403},
		{"a chain of trusted proxies", []string{"198.51.100.7, 192.0.2.1, 192.0.2.2"}, 403, 200, 403},
		{"the proxy's own address", []string{"127.0.0.1"}, 403, 403, 200}, // the request comes from the proxy itself
		{"garbage", []string{"garbage"}, 403, 403, 403},
		{"many", []string{strings.Repeat("198.51.100.7,", 500) + "203.0.113.1"}, 403, 403, 403},
	}
	for _, tt := range tests {
		var headers []string
		for _, l := range tt.lines {
			headers = append(headers, "X-Forwarded-For", l)
		}
		// The server must ignore headers in which other servers look for the client address.
		headers = append(headers, "X-Real-IP", "198.51.100.7", "Forwarded", "for=198.51.100.7", "True-Client-IP", "198.51.100.7", "CF-Connecting-IP", "198.51.100.7")
		for _, c := range []struct {
			what string
			srv  *server
			key  string
			want int
		}{{"direct", direct, inside, tt.direct}, {"behind", behind, inside, tt.inside}, {"behind, with the proxy's key", behind, local, tt.local}} {
			if got := c.srv.with(t, c.key, "/stats", headers...).status; got != c.want {
				t.Errorf("%s, %s: status %d, want %d", tt.name, c.what, got, c.want)
			}
		}
	}
}
