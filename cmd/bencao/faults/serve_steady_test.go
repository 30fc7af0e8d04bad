//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// crew is a group of clients that send requests without a pause until they are stopped. They never
// repeat a failed request, unlike [http.Client], which may do so silently.
type crew struct {
	asked, failed atomic.Int64
	done          chan struct{}
	wg            sync.WaitGroup

	mu    sync.Mutex
	first error
}

// steady starts a client for each function in asks. The caller must call [crew.stop].
func steady(asks ...func() error) *crew {
	c := &crew{done: make(chan struct{})}
	for _, ask := range asks {
		c.wg.Go(func() {
			for {
				select {
				case <-c.done:
					return
				default:
				}
				if err := ask(); err != nil {
					c.fail(err)
				}
				c.asked.Add(1)
			}
		})
	}
	return c
}

func (c *crew) fail(err error) {
	c.failed.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first == nil {
		c.first = err
	}
}

// until waits until the clients have got the given number of further responses.
func (c *crew) until(t testing.TB, more int64) {
	t.Helper()
	want := c.asked.Load() + more
	testkit.WaitFor(t, patience, fmt.Sprintf("%d more requests are answered", more), func() bool { return c.asked.Load() >= want || c.failed.Load() > 0 })
}

// stop stops the clients. It checks that no request failed, and that they sent at least least
// requests.
func (c *crew) stop(t testing.TB, least int64) {
	t.Helper()
	close(c.done)
	c.wg.Wait()
	if c.failed.Load() > 0 || c.asked.Load() < least {
		t.Errorf("%d of %d requests failed, want 0 of at least %d; the first error: %v", c.failed.Load(), c.asked.Load(), least, c.first)
	}
}

// keeper returns a function that requests a path. It uses one connection until the server announces
// that it will close it.
func (s *server) keeper(path string) func() error {
	var c net.Conn
	var in *bufio.Reader
	return func() (err error) {
		if c == nil {
			if c, err = net.DialTimeout("tcp", s.addr, patience); err != nil {
				return err
			}
			in = bufio.NewReader(c)
		}
		stays := false
		defer func() {
			if !stays {
				err = errors.Join(err, c.Close())
				c = nil
			}
		}()
		if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c, "GET /api/v1%s HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\n\r\n", path, s.all); err != nil {
			return err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d", path, resp.StatusCode)
		}
		stays = !resp.Close
		return resp.Body.Close()
	}
}

// visitor returns a function that requests a path, each time on a new connection.
func (s *server) visitor(path string) func() error {
	return func() error {
		c := newClient()
		defer c.CloseIdleConnections()
		r, err := ask(c, s.url(path), s.all)
		if err == nil && r.status != http.StatusOK {
			err = fmt.Errorf("%s: status %d", path, r.status)
		}
		return err
	}
}

// dawdler returns a function that requests a list of several megabytes and reads it slowly, for
// seconds. The list must be complete.
func (s *server) dawdler() func() error {
	return func() (err error) {
		c, err := net.DialTimeout("tcp", s.addr, patience)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		if err := errors.Join(c.(*net.TCPConn).SetReadBuffer(64<<10), c.SetDeadline(time.Now().Add(patience))); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c, "GET /api/v1/species/%s/uses HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nConnection: close\r\n\r\n", manyUses, s.all); err != nil {
			return err
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err
		}
		var body bytes.Buffer
		pause := time.NewTicker(10 * time.Millisecond)
		defer pause.Stop()
		for {
			<-pause.C
			if _, err := io.CopyN(&body, resp.Body, 32<<10); err == io.EOF {
				break
			} else if err != nil {
				return fmt.Errorf("after %d bytes: %w", body.Len(), err)
			}
		}
		if resp.StatusCode != http.StatusOK || !bytes.HasSuffix(body.Bytes(), []byte("}]")) || body.Len() < useBytes {
			return fmt.Errorf("status %d, %d bytes that end with %q", resp.StatusCode, body.Len(), body.Bytes()[max(0, body.Len()-20):])
		}
		return resp.Body.Close()
	}
}
