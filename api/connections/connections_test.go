package connections_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"bencao/api/connections"
	"bencao/internal/test/testkit"
)

// serve runs a server until the test ends. It has no time limits for requests and connections.
func serve(t *testing.T, opt connections.Options, h http.HandlerFunc) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- connections.Listen(l, opt).Serve(ctx, &http.Server{Handler: h}, connections.Shutdown{Drain: 10 * time.Second})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// TestBodyEndsConnection sends requests with bodies that the handler does not read, and waits for
// the end of the connection without closing it. The answer must be complete, and the server must
// close the connection although the body never comes.
func TestBodyEndsConnection(t *testing.T) {
	const text = "refused"
	address := serve(t, connections.Options{Connections: 64}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			defer panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, text) // the client checks the answer
	})
	for name, tt := range map[string]struct{ request, status, body string }{
		"a length":            {"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "400", text},
		"a length, in a HEAD": {"HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "400", ""},
		"a large length":      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\nabc", "400", text},
		"a length, HTTP/1.0":  {"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n", "400", text},
		"chunks":              {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "400", text},
		"no chunk":            {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "400", text},
		"100-continue":        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n", "400", text},
		"a complete body":     {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", "400", text},
		"an expectation":      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: a-miracle\r\n\r\n", "417", ""},
		"an odd coding":       {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: odd\r\n\r\nabc", "501", "Unsupported transfer encoding"},
		"two lengths":         {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nabc", "400", "400 Bad Request"},
		"a panic after it":    {"POST /panic HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := testkit.Dial(t, address)
			if _, err := io.WriteString(c, tt.request); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(c)
			if err != nil {
				t.Fatalf("the connection ends with %v after %q", err, got)
			}
			version, rest, _ := strings.Cut(string(got), " ")
			if tt.status == "" {
				if len(got) > 0 {
					t.Errorf("the answer is %q, want none", got)
				}
				return
			}
			if !strings.HasPrefix(version, "HTTP/1.") || !strings.HasPrefix(rest, tt.status) || !strings.HasSuffix(rest, "\r\n\r\n"+tt.body) {
				t.Errorf("the answer is %q, want the status %s and the body %q", got, tt.status, tt.body)
			}
		})
	}
}

// TestRefusalIsRead sends a request whose body the server never reads. The client must nevertheless
// get the whole answer, and the end of the connection without a reset.
func TestRefusalIsRead(t *testing.T) {
	sent := make(chan struct{})
	address := serve(t, connections.Options{Connections: 4}, func(w http.ResponseWriter, _ *http.Request) {
		<-sent
		http.Error(w, strings.Repeat("x", 16<<10), http.StatusBadRequest)
	})
	c := testkit.Dial(t, address)
	if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"+strings.Repeat("a", 32<<10)); err != nil {
		t.Fatal(err)
	}
	close(sent)
	got, err := io.ReadAll(c)
	if err != nil || strings.Count(string(got), "x") < 16<<10 {
		t.Errorf("the client gets %d bytes, then %v", len(got), err)
	}
}

// TestConnectionsOfANetwork opens more connections than a network may have. The server must close
// those above the limit, unless it can close an idle one of the same network. It must accept those
// of other networks and of proxies.
func TestConnectionsOfANetwork(t *testing.T) {
	const proxy = "proxy"
	from := make(chan string, 1) // where the next connection comes from
	proceed := make(chan struct{})
	running := make(chan struct{})
	refused := make(chan struct{}, 1)
	address := serve(t, connections.Options{
		Connections: 8, // two for a network
		Client: func(net.Addr) (netip.Prefix, bool) {
			if text := <-from; text != proxy {
				return netip.MustParsePrefix(text), true
			}
			return netip.Prefix{}, false
		},
		Refused: func(net.Addr) { refused <- struct{}{} },
	}, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			running <- struct{}{}
			<-proceed
		}
	})
	ask := func(network, path string) *bufio.Reader {
		from <- network
		c := testkit.Dial(t, address)
		if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		return bufio.NewReader(c)
	}
	answered := func(in *bufio.Reader) error {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	const one, other = "192.0.2.1/32", "192.0.2.2/32"
	slow := []*bufio.Reader{ask(one, "/slow"), ask(one, "/slow")}
	<-running
	<-running
	if err := answered(ask(one, "/")); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("beside two requests of the network, a third gets %v, want that the connection is closed", err)
	}
	<-refused
	if err := answered(ask(other, "/")); err != nil {
		t.Errorf("another network gets %v", err)
	}
	for n := range 3 {
		if err := answered(ask(proxy, "/")); err != nil {
			t.Errorf("connection %d of a proxy gets %v", n, err)
		}
	}
	close(proceed)
	for _, c := range slow {
		if err := answered(c); err != nil {
			t.Errorf("a request under way gets %v", err)
		}
	}
	// The two connections become idle. Further connections replace them, the first one soon.
	closed := make(chan error, 1)
	go func() {
		_, err := slow[0].ReadByte()
		closed <- err
	}()
	for over := false; !over; {
		if err := answered(ask(one, "/")); err != nil {
			<-refused // a connection of the network is not idle yet
		}
		select {
		case err := <-closed:
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection that was idle longest is still open: %v", err)
			}
			over = true
		default:
		}
	}
}

// pipes is a listener of connections that a test makes.
type pipes struct {
	accept chan net.Conn
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	c, ok := <-p.accept
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.accept) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// serveFromPipes runs a server until the test ends. The returned function opens a connection and
// sends a request with the given lines of header. It returns when everything that can happen has
// happened.
func serveFromPipes(t *testing.T, opt connections.Options, h http.HandlerFunc) (ask func(header string)) {
	return serveFrom(t, opt, h, func(c net.Conn) net.Conn { return c })
}

// serveFrom is like serveFromPipes. wrap returns the server's end of a connection.
func serveFrom(t *testing.T, opt connections.Options, h http.HandlerFunc, wrap func(net.Conn) net.Conn) (ask func(header string)) {
	l := &pipes{accept: make(chan net.Conn)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- connections.Listen(l, opt).Serve(ctx, &http.Server{Handler: h}, connections.Shutdown{Drain: time.Minute})
	}()
	var clients []net.Conn
	t.Cleanup(func() {
		for _, c := range clients {
			c.Close() // the server may have closed the other end already
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return func(header string) {
		client, server := net.Pipe()
		clients = append(clients, client)
		l.accept <- wrap(server)
		go func() { _, _ = io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n"+header+"\r\n") }() // fails if the connection is refused
		go func() { _, _ = io.Copy(io.Discard, client) }()
		synctest.Wait()
	}
}

// TestConnectionWaits opens one connection more than the server may have, while all others have
// requests. Its request must wait until another one has been answered.
func TestConnectionWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, answered atomic.Int32
		proceed := make(chan struct{})
		ask := serveFromPipes(t, connections.Options{Connections: 2}, func(http.ResponseWriter, *http.Request) {
			running.Add(1)
			<-proceed
			running.Add(-1)
			answered.Add(1)
		})
		for range 3 {
			ask("")
		}
		if n := running.Load(); n != 2 {
			t.Errorf("%d of three requests are served at a time, want 2", n)
		}
		close(proceed)
		synctest.Wait()
		if n := answered.Load(); n != 3 {
			t.Errorf("%d of three requests were answered", n)
		}
	})
}

// endless is a listener to which clients connect without a pause.
type endless struct{ net.Listener }

func (endless) Accept() (net.Conn, error) {
	c, _ := net.Pipe()
	return c, nil
}

// TestPace accepts connections of a flood for a second. Their number must not depend on how fast the
// processor is.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := connections.Listen(endless{}, connections.Options{Connections: 1 << 20})
		began, n := time.Now(), 0
		for time.Since(began) < time.Second {
			if _, err := l.Accept(); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if most := 4000 * runtime.GOMAXPROCS(0); n < most || n > most+1 {
			t.Errorf("%d connections were accepted in a second, want %d", n, most)
		}
	})
}

// TestClosedConnectionIsNotReplaced refuses a request with a large body. net/http reports the end
// of its connection only half a second after it has closed it. Meanwhile the closed connection must
// not count as one that a further connection can replace.
func TestClosedConnectionIsNotReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := 0
		proceed := make(chan struct{})
		ask := serveFromPipes(t, connections.Options{
			Connections: 4, // one for a network
			Client:      func(net.Addr) (netip.Prefix, bool) { return netip.MustParsePrefix("192.0.2.1/32"), true },
			Refused:     func(net.Addr) { refused++ },
		}, func(_ http.ResponseWriter, r *http.Request) {
			if r.ContentLength == 0 {
				<-proceed
			}
		})
		ask("Content-Length: 999999\r\n")
		ask("") // takes the place of the connection that has ended
		ask("")
		if refused != 1 {
			t.Errorf("%d connections were refused, want 1 of two that have a request", refused)
		}
		close(proceed)
	})
}

// counted is a connection that counts how often it is read.
type counted struct {
	net.Conn
	reads *atomic.Int32
}

func (c counted) Read(p []byte) (int, error) {
	c.reads.Add(1)
	return c.Conn.Read(p)
}

func (counted) CloseWrite() error { return nil }

// TestFloodIsReadSeldom refuses a request whose client goes on sending. Until the connection is
// closed, the server must read it seldom, because each read takes time from other requests.
func TestFloodIsReadSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int32
		ask := serveFrom(t, connections.Options{Connections: 4}, func(http.ResponseWriter, *http.Request) {}, func(c net.Conn) net.Conn { return counted{c, &reads} })
		ask("Content-Length: 99999999\r\n\r\n" + strings.Repeat("x", 1<<20))
		time.Sleep(time.Second)
		if n := reads.Load(); n < 10 || n > 60 {
			t.Errorf("the connection was read %d times, want 10 to 60", n)
		}
	})
}
