//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// dial opens a connection, which is closed when the test ends.
func (s *server) dial(t testing.TB) net.Conn {
	t.Helper()
	return s.dialFrom(t, net.IPv4(127, 0, 0, 1))
}

// dialFrom is like dial, with an address of this machine as the client's address.
func (s *server) dialFrom(t testing.TB, client net.IP) net.Conn {
	t.Helper()
	d := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: client}}
	c, err := d.DialContext(t.Context(), "tcp", s.addr)
	must(t, err)
	t.Cleanup(func() { c.Close() }) // some tests close it earlier
	must(t, c.SetDeadline(time.Now().Add(patience)))
	return c
}

// crowd opens size connections, five hundred from each client, and sends the text send on each. It
// sends nothing more.
func (s *server) crowd(t *testing.T, size int, send string) []net.Conn {
	t.Helper()
	all := make([]net.Conn, 0, size)
	for i := range size {
		c := s.dialFrom(t, net.IPv4(127, 0, 1, byte(1+i/500)))
		// A write fails if the server has closed the connection already.
		if _, err := io.WriteString(c, send); err != nil && !closedByServer(err) {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// TestSlowloris opens 500 connections that send their requests a byte at a time. The server must
// close all of them and serve other clients meanwhile.
func TestSlowloris(t *testing.T) {
	t.Parallel()
	const clients = 500
	s := newSite(t)
	srv := s.serve(t)
	all := srv.crowd(t, clients, "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	began := time.Now()
	var wg sync.WaitGroup
	out := make(chan struct{})
	for _, c := range all {
		wg.Go(func() {
			drip := time.NewTicker(500 * time.Millisecond)
			defer drip.Stop()
			for range drip.C {
				if _, err := io.WriteString(c, "a"); err != nil {
					return // the server has closed the connection
				}
				if time.Since(began) > patience {
					t.Error("a client that sends a byte every half second is still connected")
					return
				}
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	served := 0
	for over := false; !over; {
		select {
		case <-out:
			over = true
		default:
			srv.get(t, "/species?q=%E4%BA%BA%E5%8F%82").want(t, http.StatusOK)
			served++
		}
	}
	if served == 0 {
		t.Error("the server answered no request of others meanwhile")
	}
	t.Logf("the server closed %d slow connections within %s and answered %d requests of others meanwhile", clients, time.Since(began).Round(time.Second/10), served)
}

// TestIdleConnections keeps 10,000 connections open, more than the server accepts at a time. A
// client that sends a request must get its response. The server's memory must stay below 400 MiB, and
// the server must notice when the connections close.
func TestIdleConnections(t *testing.T) {
	const most, least = 10_000, 5_000 // the server accepts 4096 at a time
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	crowd := min(most, int(limit.Cur)-1000)
	if crowd < least {
		lacking(t, fmt.Sprintf("a limit of %d open files (here %d, by ulimit -Hn)", least+1000, limit.Cur))
	}
	for what, send := range map[string]string{
		"that send nothing":             "",
		"that have sent a request":      "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n\r\n",
		"that have sent half a request": "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n",
		"that are refused once":         "POST /api/v1/stats HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(what, func(t *testing.T) {
			s := newSite(t)
			srv := s.serve(t)
			all := srv.crowd(t, crowd, send)
			c := newClient()
			defer c.CloseIdleConnections()
			r, err := ask(c, srv.url("/stats"), s.all)
			must(t, err)
			r.want(t, http.StatusOK)
			memory := srv.memory(t)
			if memory > 400 {
				t.Errorf("the server has %d MiB of memory, want 400 at most", memory)
			}
			for _, c := range all {
				c.Close() // the server has closed many of them
			}
			until(t, "the connections are closed", func() bool { return srv.metric(t, "bencao_http_connections_open") < 10 })
			t.Logf("%d connections %s: %d MiB", crowd, what, memory)
		})
	}
}

// TestDescriptorsRunOut lets the server open few files and uses them all up by connections. After
// the connections close, the server must work as before and also open a new snapshot.
func TestDescriptorsRunOut(t *testing.T) {
	const files, crowd = 128, 500
	s := newSite(t)
	srv := s.serveUnder(t, []string{tool(t, "prlimit"), fmt.Sprintf("--nofile=%d:%d", files, files)})
	all := srv.crowd(t, crowd, "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\n")
	until(t, "the server is out of descriptors", func() bool { return strings.Contains(srv.diary.String(), "accept4: too many open files") })
	s.rollback(t, s.older)
	srv.hangup(t)
	until(t, "the server refuses the snapshot that it can't open", func() bool {
		return strings.Contains(srv.diary.String(), `"msg":"current snapshot refused, the server keeps answering from another one"`)
	})
	for _, c := range all {
		c.Close() // the server has closed some of them
	}
	until(t, "the server serves others again", func() bool {
		c := newClient()
		defer c.CloseIdleConnections()
		r, err := ask(c, srv.url("/species?q=%E4%BA%BA%E5%8F%82"), s.all)
		return err == nil && r.status == http.StatusOK
	})
	srv.hangup(t)
	until(t, "the server opens the snapshot at last", func() bool { return srv.plants(t) == plantsOlder })
	// /readyz needs free descriptors too, because the server reads files to answer it.
	until(t, "/readyz says that nothing is stale", func() bool {
		is := srv.ready(t)
		return is.Snapshot == s.older && !is.Stale && !is.AccessStale
	})
}

// closedByServer reports whether err means that the server has closed the connection.
func closedByServer(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
