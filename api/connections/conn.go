package connections

import (
	"bytes"
	"container/list"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// LocalPeer is used as the peer's address for connections through a unix socket, because the peers
// of such connections have no address of their own.
const LocalPeer = "unix"

// local implements [net.Addr] for [LocalPeer].
type local struct{}

func (local) Network() string { return "unix" }
func (local) String() string  { return LocalPeer }

// peerOf returns the address of the peer of a connection, or [LocalPeer] for a unix socket.
func peerOf(c net.Conn) net.Addr {
	a := c.RemoteAddr()
	if a == nil || a.Network() == "unix" {
		return local{}
	}
	return a
}

// conn is a connection that a Listener has accepted.
type conn struct {
	net.Conn
	listener *Listener
	held     bool // the connection has a slot of the listener
	peer     net.Addr
	// network is the network that the connection counts against. counted is false if it counts
	// against none.
	network netip.Prefix
	counted bool
	// last reports that the connection's last request has come. Bytes that come afterwards, such as
	// the rest of a body, are not read.
	last atomic.Bool
	once sync.Once

	// The fields below are guarded by the listener's mu.
	silent *list.Element // element of the listener's idle list; nil while the connection has a request
	since  time.Time     // time from which the connection has been idle
}

// RemoteAddr returns the address of the peer, or [LocalPeer].
func (c *conn) RemoteAddr() net.Addr { return c.peer }

// Close closes the connection and frees its slot. If the connection's last request has come, Close
// first waits for the client.
func (c *conn) Close() error {
	if c.last.CompareAndSwap(true, false) {
		c.linger()
	}
	err := c.Conn.Close()
	c.once.Do(func() { c.listener.left(c) })
	return err
}

// end makes the present request the last one of the connection. net/http then does not wait for the
// rest of the request's body, and closes the connection after the answer.
func (c *conn) end() {
	c.last.Store(true)
	// An error means that the connection is closed already.
	_ = c.SetReadDeadline(time.Unix(1, 0))
}

// patience is how long a client has to close its connection after the answer to the last request.
const patience = 500 * time.Millisecond

// A client whose request was refused may go on sending as fast as it can. After mostAtOnce bytes,
// linger waits for slowdown between two reads, so that it takes no processor time from others.
const (
	mostAtOnce = 16 << 10
	slowdown   = 50 * time.Millisecond
)

// linger gives the client time to read the answer to its last request. It ends the sending side and
// discards what the client sends, until the client closes the connection or patience has passed. If
// the connection were closed while bytes arrive, the client would get a reset, perhaps before it
// has read the answer. While linger waits, the connection counts as idle, so another connection may
// replace it.
func (c *conn) linger() {
	c.listener.state(c, http.StateIdle)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
		return // the client has closed the connection
	}
	if c.SetReadDeadline(time.Now().Add(patience)) != nil {
		return
	}
	var err error
	piece := make([]byte, 512) // small, because many connections may be ending
	for n, all := 0, 0; err == nil; all += n {
		n, err = c.Conn.Read(piece) // at the latest, an error comes when patience has passed
		if all > mostAtOnce {
			time.Sleep(slowdown)
		}
	}
}

// late is the mean time that [Late] waits.
const late = 500 * time.Millisecond

// Late delays the answer to a client that has sent too many requests. A client that sends one request
// after the other then costs next to nothing. Meanwhile the connection counts as idle, so another one
// may replace it. Late returns at once when the client leaves, and if the connection counts against
// no network, as that of a proxy.
func Late(r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.late(r.Context().Done())
	}
}

func (c *conn) late(left <-chan struct{}) {
	if !c.counted {
		return
	}
	c.listener.state(c, http.StateIdle)
	// Clients that were refused at the same time get their answers at different times.
	over := time.NewTimer(late/2 + rand.N(late))
	defer over.Stop()
	select {
	case <-over.C:
	case <-left:
	}
	c.listener.state(c, http.StateActive)
}

type connKey struct{}

// lastWithBody wraps a handler. It makes a request with a body the last one of its connection,
// because a handler may answer without reading the body. Otherwise net/http would wait for the rest
// of the body, before or after the answer, until the time to read the request is over.
func lastWithBody(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 { // -1 means that the length is unknown
			w.Header().Set("Connection", "close")
			defer r.Context().Value(connKey{}).(*conn).end()
		}
		h.ServeHTTP(w, r)
	})
}

// CloseWrite closes the connection as [conn.Close] does. net/http calls it if it refuses a request
// without reading the body. It then sleeps for half a second, so that the client can read the
// answer, and calls Close. During this time the connection would take a place even if the client
// has left.
func (c *conn) CloseWrite() error { return c.Close() }

// net/http answers some requests itself, without calling a handler. Two signs distinguish its
// answers from those of a handler: an error has exactly ownHeaders after its status line, and the
// answer to an unknown Expect header has the status 417.
var (
	ownHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	ownExpect  = []byte("417 ")
)

// Write sends b. If b is an answer that net/http itself made, Write sends the result of Rewrite
// instead, and ends the connection.
//
// In theory Write could hold back the header of an answer, to send header and body in one system
// call. But then callers would have to release the header after each answer.
func (c *conn) Write(b []byte) (int, error) {
	status := ownAnswer(b)
	if status == 0 {
		return c.Conn.Write(b)
	}
	c.end()
	if c.listener.opt.Rewrite == nil {
		return c.Conn.Write(b)
	}
	answer, over := c.listener.opt.Rewrite(c.peer, status)
	if over {
		c.late(nil)
	}
	if _, err := c.Conn.Write(answer); err != nil {
		return 0, err
	}
	return len(b), nil
}

// ownAnswer returns the status of an answer that net/http itself made, or 0 if b is anything else.
func ownAnswer(b []byte) (status int) {
	const version = len("HTTP/1.1 ")
	if len(b) < version || !bytes.HasPrefix(b, []byte("HTTP/1.")) {
		return 0
	}
	line := b[:max(version, bytes.IndexByte(b, '\r'))]
	if !bytes.HasPrefix(b[version:], ownExpect) && !bytes.HasPrefix(b[len(line):], ownHeaders) {
		return 0
	}
	code, _, _ := bytes.Cut(line[version:], []byte(" "))
	status, err := strconv.Atoi(string(code))
	if err != nil {
		return 0
	}
	return status
}
