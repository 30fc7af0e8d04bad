package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"bencao/api/wire"
)

// counted counts what is written to its connections, of which as many fail as it is told.
type counted struct {
	net.Listener
	writes atomic.Int64
	fails  atomic.Int64 // how many writes fail from now on
}

type countedConn struct {
	net.Conn
	of *counted
}

var errGone = errors.New("the client has gone")

func (l *counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countedConn{c, l}, err
}

func (c countedConn) Write(b []byte) (int, error) {
	c.of.writes.Add(1)
	if c.of.fails.Add(-1) >= 0 {
		return 0, errGone
	}
	return c.Conn.Write(b)
}

// serve has a handler answer until the test ends, and returns where.
func serve(t *testing.T, l net.Listener, h http.HandlerFunc) string {
	t.Helper()
	w := wire.Listen(l, 10, nil)
	srv := &http.Server{Handler: h, ConnState: w.State, ConnContext: wire.WithConn}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Serve(ctx, srv, wire.End{Drain: time.Minute}) }()
	t.Cleanup(func() {
		cancel()
		http.DefaultClient.CloseIdleConnections()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestGather wants the same bytes whether they are gathered or not, of all lengths, in one piece
// or several, with a length that is known or not.
func TestGather(t *testing.T) {
	text := make([]byte, 20_000)
	for i := range text {
		text[i] = byte('a' + i%23)
	}
	answer := func(w http.ResponseWriter, r *http.Request) {
		size, err := strconv.Atoi(r.FormValue("size"))
		if err != nil {
			t.Error(err)
		}
		if r.FormValue("length") != "" {
			w.Header().Set("Content-Length", strconv.Itoa(size))
		}
		for _, part := range [][]byte{text[:size/3], text[size/3 : size/2], nil, text[size/2 : size]} {
			c := wire.ConnOf(r.Context())
			c.Gather()
			if n, err := w.Write(part); n != len(part) || err != nil {
				t.Errorf("%d of %d bytes were written: %v", n, len(part), err)
			}
			if err := c.Release(); err != nil {
				t.Error(err)
			}
		}
	}
	socket := filepath.Join(t.TempDir(), "socket")
	serve(t, listen(t, "unix", socket), answer)
	unix := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	for client, url := range map[*http.Client]string{http.DefaultClient: serve(t, listen(t, "tcp", "127.0.0.1:0"), answer), unix: "http://unix"} {
		for _, size := range []int{0, 1, 2047, 2048, 2049, 3500, 4000, 4096, 4097, 6000, 8192, 12_000, 12_288, 20_000} {
			for _, length := range []string{"", "yes"} {
				resp, err := client.Get(fmt.Sprintf("%s/?size=%d&length=%s", url, size, length))
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				if err := errors.Join(err, resp.Body.Close()); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(body, text[:size]) {
					t.Errorf("%s: %d bytes, length known: %q: %d others came", url, size, length, len(body))
				}
			}
		}
	}
}

// TestGatherWaits wants the first piece to wait for the next, at most until it is released.
func TestGatherWaits(t *testing.T) {
	l := &counted{Listener: listen(t, "tcp", "127.0.0.1:0")}
	url := serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		c := wire.ConnOf(r.Context())
		before := l.writes.Load()
		c.Gather()
		w.Header().Set("Content-Length", "3000")
		_, err := w.Write(make([]byte, 3000))
		flush := http.NewResponseController(w).Flush()
		if n := l.writes.Load() - before; n != 0 || err != nil || flush != nil {
			t.Errorf("%d were sent before the release: %v, %v", n, err, flush)
		}
		err = c.Release()
		if n := l.writes.Load() - before; n != 1 || err != nil {
			t.Errorf("%d were sent by the release, want one: %v", n, err)
		}
		if err := c.Release(); err != nil || l.writes.Load()-before != 1 {
			t.Errorf("a second release sends: %v", err)
		}
	})
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, resp.Body); n != 3000 || err != nil {
		t.Errorf("%d bytes came: %v", n, err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGatherFails wants to be told when what was gathered could not be sent.
func TestGatherFails(t *testing.T) {
	l := &counted{Listener: listen(t, "tcp", "127.0.0.1:0")}
	type outcome struct{ write, release error }
	told := make(chan outcome, 1)
	url := serve(t, l, func(w http.ResponseWriter, r *http.Request) {
		c := wire.ConnOf(r.Context())
		l.fails.Store(1) // nothing is sent any more, though the next would pass
		size := len(r.URL.Path) * 1000
		w.Header().Set("Content-Length", strconv.Itoa(size))
		c.Gather()
		_, err := w.Write(make([]byte, size))
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		told <- outcome{err, c.Release()}
	})
	for path, want := range map[string]outcome{"/ab": {nil, errGone}, "/abcdefghi": {errGone, nil}} {
		if resp, err := http.Get(url + path); err == nil {
			t.Errorf("%s: an answer came: %d", path, resp.StatusCode)
			resp.Body.Close()
		}
		if got := <-told; !errors.Is(got.write, want.write) || !errors.Is(got.release, want.release) {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
}

// TestNoConn wants nothing of a request that came another way.
func TestNoConn(t *testing.T) {
	c := wire.ConnOf(context.Background())
	c.Gather()
	if err := c.Release(); err != nil {
		t.Error(err)
	}
}
