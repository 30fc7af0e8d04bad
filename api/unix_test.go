package api_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"path/filepath"
	"testing"
)

// TestUnixSocket sends requests through a unix socket. Every client that may connect counts as a
// trusted proxy. The address in X-Forwarded-For is the client's address, and a request without
// X-Forwarded-For is refused.
func TestUnixSocket(t *testing.T) {
	s := start(t, config{})
	t.Chdir(t.TempDir())
	l, err := net.Listen("unix", "api.sock")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.server.Serve(ctx, l) }()
	ask := func(own, forwarded string) int {
		t.Helper()
		d := net.Dialer{}
		if own != "" {
			d.LocalAddr = &net.UnixAddr{Name: own, Net: "unix"}
		}
		c, err := d.Dial("unix", filepath.Join(".", "api.sock"))
		must(t, err)
		defer c.Close() // an error does not matter, because the answer was read
		req, err := http.NewRequest(http.MethodGet, "http://x/api/v1/stats", nil)
		must(t, err)
		req.Header.Set("X-Api-Key", s.keys["all"])
		if forwarded != "" {
			req.Header.Set("X-Forwarded-For", forwarded)
		}
		must(t, req.Write(c))
		resp, err := http.ReadResponse(bufio.NewReader(c), req)
		must(t, err)
		return resp.StatusCode
	}
	for _, tt := range []struct {
		own, forwarded string
		want           int
	}{
		{"", "", http.StatusForbidden},
		{"127.0.0.1:80", "", http.StatusForbidden},
		{"", "127.0.0.1", http.StatusOK},
		{"", "127.0.0.1, 203.0.113.9", http.StatusForbidden},
		{"", "noise", http.StatusForbidden},
	} {
		if got := ask(tt.own, tt.forwarded); got != tt.want {
			t.Errorf("a peer %q that forwards for %q gets %d, want %d", tt.own, tt.forwarded, got, tt.want)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
