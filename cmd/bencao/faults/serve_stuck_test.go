//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stuck is the connection of a client that requests megabytes and does not read them. The server
// cannot finish writing the response.
type stuck struct {
	*net.TCPConn
	first []byte // the bytes that begun has read
}

// stick requests a long list on a new connection with a very small buffer.
func (s *server) stick(t testing.TB) *stuck {
	t.Helper()
	return s.stickTo(t, manyUses)
}

// stickTo is [server.stick] for the uses of a given species, with additional header lines.
func (s *server) stickTo(t testing.TB, species string, header ...string) *stuck {
	t.Helper()
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		var set error
		err := c.Control(func(fd uintptr) { set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
		if err != nil {
			return err
		}
		return set
	}}
	c, err := d.DialContext(context.Background(), "tcp", s.addr)
	must(t, err)
	t.Cleanup(func() { c.Close() }) // some tests close it earlier
	must(t, c.SetDeadline(time.Now().Add(patience)))
	lines := strings.Join(append(header, "X-Api-Key: "+s.all), "\r\n")
	_, err = fmt.Fprintf(c, "GET /api/v1/species/%s/uses HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n", species, lines)
	must(t, err)
	return &stuck{TCPConn: c.(*net.TCPConn)}
}

// begun reads the first bytes of the response, which is half written from then on.
func (c *stuck) begun(t testing.TB) {
	t.Helper()
	const status = "HTTP/1.1 200"
	c.first = make([]byte, len(status))
	_, err := io.ReadFull(c, c.first)
	must(t, err)
	if string(c.first) != status {
		t.Fatalf("the response begins with %q, want %q", c.first, status)
	}
}

// finish reads the rest of the response, which must be complete. It returns the id of the snapshot
// that the response comes from.
func (c *stuck) finish() (string, error) {
	if err := c.SetReadBuffer(1 << 20); err != nil {
		return "", err
	}
	resp, err := http.ReadResponse(bufio.NewReader(io.MultiReader(bytes.NewReader(c.first), c)), nil)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", fmt.Errorf("after %d bytes: %w", len(body), err)
	}
	rows, closed := bytes.Count(body, []byte(`"collection":`)), bytes.HasSuffix(body, []byte("}]"))
	if resp.StatusCode != http.StatusOK || rows < useRows || len(body) < useBytes || !closed {
		return "", fmt.Errorf("status %d, %d rows in %d bytes, ends as JSON: %v; want 200, %d rows, %d bytes or more, true", resp.StatusCode, rows, len(body), closed, useRows, useBytes)
	}
	return resp.Header.Get("X-Data-Version"), resp.Body.Close()
}

// inFlight waits until the server works on exactly n requests.
func (s *server) inFlight(t testing.TB, n int) {
	t.Helper()
	until(t, fmt.Sprintf("%d requests are in flight", n), func() bool { return s.metric(t, "bencao_http_requests_in_flight") == float64(n) })
}

// TestSwapWhileSlowClientReads swaps snapshots while a client has read only the start of a long
// response. The client must get the rest from the same snapshot as the start. The server must then
// close that snapshot.
func TestSwapWhileSlowClientReads(t *testing.T) {
	s := newSite(t)
	srv := s.serve(t, "--keep-open", "0")
	c := srv.stick(t)
	srv.inFlight(t, 1)
	s.rollback(t, s.older)
	srv.hangup(t)
	until(t, "the server answers others from the older snapshot", func() bool { return srv.plants(t) == plantsOlder })
	if !s.inUse(t, s.newer) {
		t.Error("the snapshot that a client still reads is not in use; bencao prune could remove it")
	}
	version, err := c.finish()
	if err != nil {
		t.Fatalf("the answer during a swap is broken: %v", err)
	}
	if version != s.newer {
		t.Errorf("the answer says it comes from %s, want %s", version, s.newer)
	}
	until(t, "the replaced snapshot is closed after its last reader", func() bool { return !s.inUse(t, s.newer) })
}

// TestShutdownFinishesAnswers sends SIGTERM while 100 responses are half written. The server must
// complete all of them, accept no new connection, and end with exit code 0.
func TestShutdownFinishesAnswers(t *testing.T) {
	const requests = 100
	s := newSite(t)
	srv := s.serve(t, "--shutdown-timeout", "1m")
	var clients []*stuck
	for range requests { // one after the other, since a busy server refuses those that wait for it
		c := srv.stick(t)
		c.begun(t)
		clients = append(clients, c)
	}
	srv.inFlight(t, requests)
	must(t, srv.process.Signal(syscall.SIGTERM))
	until(t, "no new connection is taken", func() bool {
		c, err := net.Dial("tcp", srv.addr)
		if err == nil {
			c.Close() // nothing was sent, so an error does not matter
		}
		return err != nil
	})
	select {
	case <-srv.ended:
		t.Fatalf("the server ended with %d answers half written: %v", requests, srv.err)
	default:
	}
	errs := make(chan error, requests)
	for _, c := range clients {
		go func() { _, err := c.finish(); errs <- err }()
	}
	whole := 0
	for range requests {
		if err := <-errs; err != nil {
			t.Errorf("a half-written answer at SIGTERM: %v", err)
		} else {
			whole++
		}
	}
	select {
	case <-srv.ended:
	case <-time.After(patience):
		t.Fatal("the server does not end after its last answer")
	}
	t.Logf("%d of %d half-written answers at SIGTERM arrived completely", whole, requests)
}

// TestShutdownCutsSlowReaders sends SIGTERM while 100 responses are half written to clients that
// have stopped reading. After its default shutdown timeout, the server must end with exit code 0
// and log how many responses it cut.
func TestShutdownCutsSlowReaders(t *testing.T) {
	t.Parallel()
	const requests = 100
	s := newSite(t)
	srv := s.serve(t)
	var clients []*stuck
	for range requests {
		c := srv.stick(t)
		c.begun(t)
		clients = append(clients, c)
	}
	srv.inFlight(t, requests)
	began := time.Now()
	srv.stop(t)
	if want := fmt.Sprintf(`"connections":%d,"after":"5s"`, requests); !strings.Contains(srv.diary.String(), want) {
		t.Errorf("the log lacks %s:\n%s", want, srv.diary)
	}
	for _, c := range clients {
		if _, err := c.finish(); err == nil {
			t.Error("an answer that was not read arrived completely")
		}
	}
	t.Logf("the server ended %s after SIGTERM", time.Since(began).Round(time.Millisecond))
}

// TestSlowReaders checks that the server closes the connections of clients that never read, and
// serves other clients meanwhile.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	const readers = 50
	s := newSite(t)
	srv := s.serve(t)
	for range readers {
		srv.stick(t).begun(t)
	}
	srv.inFlight(t, readers)
	for range 20 {
		srv.get(t, "/species?q=%E4%BA%BA%E5%8F%82").want(t, http.StatusOK)
	}
	until(t, "the server closes the connections of clients that do not read", func() bool {
		return srv.metric(t, "bencao_http_requests_in_flight") == 0
	})
	srv.get(t, "/stats").want(t, http.StatusOK)
}

// mostUses is the guid of the second species of the sample.
const mostUses = "a3a8aeed-7da6-56ff-b0d9-9246a1bf3e43" // 乌头

// TestSlowReadersOfLongLists checks that the server needs little memory for 60 clients that request
// a list of 16 MB and do not read it. It tries every format of the list.
func TestSlowReadersOfLongLists(t *testing.T) {
	const readers, rows, least, most = 60, 50_000, 16 << 20, 300
	s := newSite(t)
	pkg := filepath.Join(t.TempDir(), "package")
	must(t, os.CopyFS(pkg, os.DirFS(filepath.Join(place, "package"))))
	must(t, addUses(pkg, "2", 100_000, rows))
	bencao(t, "index", "--data", s.data, "--source", pkg, "--allow", "growth=uses", "--checklist", "wcvp="+filepath.Join(place, "wcvp"))
	srv := s.serve(t)
	for _, tt := range []struct {
		form   string
		header []string
	}{
		{"JSON", nil},
		{"CSV", []string{"Accept: text/csv"}},
		{"JSON as gzip", []string{"Accept-Encoding: gzip"}},
		{"JSON as zstd", []string{"Accept-Encoding: zstd"}},
	} {
		var all []*stuck
		for range readers {
			all = append(all, srv.stickTo(t, mostUses, tt.header...))
		}
		srv.inFlight(t, readers)
		own, before, quiet := 0, "", 0
		until(t, "all buffers are full, so that the server has nothing to do", func() bool {
			own = max(own, srv.resident(t, "RssAnon:"))
			spent := strings.Join(strings.Fields(srv.proc(t, "stat"))[13:15], " ") // processor time in ticks
			if quiet++; spent != before {
				before, quiet = spent, 0
			}
			return quiet > 40
		})
		if own > most {
			t.Errorf("%d clients that do not read %s cost %d MiB, want %d at most", readers, tt.form, own, most)
		}
		t.Logf("%d clients that do not read %s: at most %d MiB of memory of its own, %d MiB of mapped files", readers, tt.form, own, srv.resident(t, "RssFile:"))
		if tt.header == nil {
			must(t, all[0].SetReadBuffer(1<<20))
			resp, err := http.ReadResponse(bufio.NewReader(all[0]), nil)
			must(t, err)
			n, err := io.Copy(io.Discard, resp.Body)
			if err != nil || n != resp.ContentLength || n < least {
				t.Errorf("a client that reads at last gets %d bytes of %d, %v; want all, and at least %d", n, resp.ContentLength, err, least)
			}
		}
		for _, c := range all {
			must(t, c.Close())
		}
		srv.inFlight(t, 0)
	}
}
