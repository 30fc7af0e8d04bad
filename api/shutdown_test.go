package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"bencao/api"
)

// TestShutdown shuts the server down during a request. The request must still be answered.
func TestShutdown(t *testing.T) {
	s := start(t, config{})
	started, proceed := make(chan struct{}), make(chan struct{})
	s.server.Sabotage("/api/v1/stats", func(context.Context) { close(started); <-proceed })
	status := make(chan int, 1)
	go func() {
		defer close(status) // runs also if get fails and ends this goroutine
		status <- s.get(t, "/api/v1/stats").StatusCode
	}()
	<-started
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	for refused := false; !refused; {
		c, err := net.Dial("tcp", s.addr)
		if refused = err != nil; !refused {
			c.Close() // no request used the connection, so an error does not matter
		}
	}
	close(proceed)
	if got := <-status; got != http.StatusOK {
		t.Errorf("the request under way got status %d, want 200", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestEndIsGentle shuts the server down while clients send requests on open connections. No request
// may fail.
func TestEndIsGentle(t *testing.T) {
	const clients = 16
	s := start(t, config{opt: api.Options{Delay: 50 * time.Millisecond}})
	left := make(chan error, clients)
	asked := make(chan struct{}, clients)
	for range clients {
		go func() {
			left <- func() error {
				c, err := net.Dial("tcp", s.addr)
				if err != nil {
					return err
				}
				defer c.Close() // the server closes the connection as well
				in := bufio.NewReader(c)
				for n := 0; ; n++ {
					if n == 2 {
						asked <- struct{}{}
					}
					if _, err := io.WriteString(c, "GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Api-Key: "+s.keys["all"]+"\r\n\r\n"); err != nil {
						return fmt.Errorf("request %d: %w", n, err)
					}
					resp, err := http.ReadResponse(in, nil)
					if err != nil {
						return fmt.Errorf("request %d: %w", n, err)
					}
					if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
						return fmt.Errorf("request %d: status %d, %w", n, resp.StatusCode, err)
					}
					if resp.Close {
						return nil
					}
				}
			}()
		}()
	}
	for range clients {
		<-asked
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	for range clients {
		if err := <-left; err != nil {
			t.Error(err)
		}
	}
}

// TestNotReadyWhileDelaying checks that requests are still answered while /readyz already reports
// that the server shuts down. The server must not stop listening before the delay has passed, and
// here it does so only when the test has its answer.
func TestNotReadyWhileDelaying(t *testing.T) {
	const delay = 50 * time.Millisecond
	answered, closing := make(chan struct{}), make(chan time.Time, 1)
	s := start(t, config{
		opt:      api.Options{Delay: delay},
		listener: func(l net.Listener) net.Listener { return closesAfter{l, answered, closing} },
	})
	admin := httptest.NewServer(s.server.Admin())
	defer admin.Close()
	stopped := make(chan error, 1)
	began := time.Now()
	go func() { stopped <- s.stop() }()
	for ready := true; ready; {
		resp, err := admin.Client().Get(admin.URL + "/readyz")
		must(t, err)
		must(t, resp.Body.Close())
		ready = resp.StatusCode == http.StatusOK
	}
	r := s.get(t, "/api/v1/stats").wantStatus(t, http.StatusOK)
	if !r.Close {
		t.Error("the answer of a server that will end lacks Connection: close")
	}
	close(answered)
	if after := (<-closing).Sub(began); after < delay {
		t.Errorf("the server stops listening after %v, want %v or more", after, delay)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// closesAfter is a listener whose Close sends the time to called, and then waits until wait is
// closed.
type closesAfter struct {
	net.Listener
	wait   <-chan struct{}
	called chan<- time.Time
}

func (l closesAfter) Close() error {
	l.called <- time.Now()
	<-l.wait
	return l.Listener.Close()
}
