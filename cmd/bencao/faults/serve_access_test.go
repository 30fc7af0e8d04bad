//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// keyWorks reports whether the server accepts a key at this moment.
func (s *server) keyWorks(t *testing.T, key string) bool {
	t.Helper()
	switch r := s.with(t, key, "/stats"); r.status {
	case http.StatusOK:
		return true
	case http.StatusUnauthorized:
		return false
	default:
		t.Fatalf("status %d, want 200 or 401: %s", r.status, r.body)
		return false
	}
}

// TestAccessFileChanges changes the access file of a running server in the ways that people and
// programs do. A valid file must take effect within seconds, without a signal. After an invalid
// file the previous rights must remain in effect, and /readyz must report the access file as stale.
func TestAccessFileChanges(t *testing.T) {
	s := newSite(t)
	lab := s.key(t, "lab", "--network", "127.0.0.1", "--rate", "1000000")
	with, err := os.ReadFile(s.access)
	must(t, err)
	short := with[:bytes.LastIndex(with, []byte("[[key]]"))] // as if its writer had died at this byte
	without := append(bytes.Clone(short), "# end of access file\n"...)
	srv := s.serve(t)
	comes := func(what string, works, stale bool) {
		t.Helper()
		until(t, what, func() bool {
			return srv.keyWorks(t, lab) == works && srv.ready(t).AccessStale == stale
		})
	}
	replace := func(content []byte) {
		t.Helper()
		next := s.access + ".next"
		must(t, os.WriteFile(next, content, 0o600))
		must(t, os.Rename(next, s.access))
	}
	comes("the key works", true, false)

	replace(without)
	comes("the key is gone after the file was replaced", false, false)
	must(t, os.WriteFile(s.access, with, 0o600))
	comes("the key is back after the file was edited in place", true, false)

	must(t, os.Remove(s.access))
	comes("a deleted file leaves the key working and says stale", true, true)
	if why := srv.ready(t).AccessReason; why == nil || !strings.Contains(*why, filepath.Base(s.access)) {
		t.Errorf("the reason for a stale access file is %v, want one that names the file", why)
	}
	replace(with)
	comes("the file is back", true, false)

	replace(short)
	comes("a file that is cut off between two keys leaves the key working and says stale", true, true)
	replace(with)
	comes("the file is whole again", true, false)
	must(t, os.WriteFile(s.access, with[:bytes.LastIndex(with, []byte("hash = "))+20], 0o600))
	comes("a half-written file leaves the key working and says stale", true, true)
	must(t, os.WriteFile(s.access, with, 0o600))
	comes("the file is written to its end", true, false)

	for name, broken := range map[string][]byte{
		"an unknown setting": append([]byte("rat = 5\n"), with...),
		"an unknown scope":   bytes.Replace(with, []byte("scopes = ["), []byte("scopes = ['everything', "), 1),
		"noise":              {0, 1, 2, 0xff},
		"HTML":               []byte("<html>"),
		"nothing":            nil, // an empty file: some editors truncate a file before they write it
	} {
		failures := srv.metric(t, "bencao_access_reload_failures_total")
		replace(broken)
		until(t, "the server has seen "+name, func() bool { return srv.metric(t, "bencao_access_reload_failures_total") > failures })
		comes(name+" leaves the key working and says stale", true, true)
	}
	replace([]byte("# nobody\n# end of access file\n"))
	comes("a file that says that nobody may ask locks everybody out", false, false)
	replace(with)
	comes("the key works again", true, false)
	if strings.Contains(srv.logSoFar(t).String(), lab) {
		t.Error("the log holds a key")
	}
}

// TestKeyEndsOnOpenConnection lets one key expire and disables another, while clients send requests
// with them on an open connection. The server must refuse both keys on that connection.
func TestKeyEndsOnOpenConnection(t *testing.T) {
	s := newSite(t)
	lab := s.key(t, "lab", "--network", "127.0.0.1", "--rate", "1000000")
	end := time.Now().Add(3 * time.Second)
	guest := s.key(t, "guest", "--network", "127.0.0.1", "--rate", "1000000", "--expires", end.Format(time.RFC3339Nano))
	srv := s.serve(t)
	// All requests must use one connection. The hook counts the connections.
	var connections atomic.Int32
	trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{ConnectStart: func(string, string) { connections.Add(1) }})
	srv.client.Transport = &http.Transport{MaxConnsPerHost: 1}
	status := func(key string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(trace, http.MethodGet, srv.url("/stats"), nil)
		must(t, err)
		req.Header.Set("X-Api-Key", key)
		resp, err := srv.client.Do(req)
		must(t, err)
		_, err = io.Copy(io.Discard, resp.Body) // a connection can be used again only after the response is read
		must(t, errors.Join(err, resp.Body.Close()))
		return resp.StatusCode
	}
	until(t, "the guest's key has ended", func() bool {
		sent := time.Now()
		got := status(guest)
		answered := time.Now()
		switch {
		case got == http.StatusUnauthorized && answered.Before(end):
			t.Fatalf("the server answered 401 %v before the key expired", end.Sub(answered))
		case got == http.StatusOK && sent.After(end):
			t.Fatalf("the server answered 200 %v after the key expired", sent.Sub(end))
		}
		return got == http.StatusUnauthorized
	})
	if got := status(lab); got != http.StatusOK {
		t.Fatalf("status %d for the key that is still valid, want 200", got)
	}
	s.keys(t, "disable", "lab")
	until(t, "a key that was revoked is refused", func() bool { return status(lab) == http.StatusUnauthorized })
	s.keys(t, "enable", "lab")
	until(t, "the key works again", func() bool { return status(lab) == http.StatusOK })
	s.keys(t, "remove", "lab")
	until(t, "a key that was removed is refused", func() bool { return status(lab) == http.StatusUnauthorized })
	if n := connections.Load(); n != 1 {
		t.Errorf("the client made %d connections, want 1; the test covers too little", n)
	}
}
