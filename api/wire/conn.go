package wire

import (
	"bytes"
	"container/list"
	"net"
	"strconv"
	"sync"
	"time"
)

// LocalPeer is what the peer of a unix socket is called: whatever it calls
// itself, it has no address.
const LocalPeer = "unix"

// local is the address of such a peer.
type local struct{}

func (local) Network() string { return "unix" }
func (local) String() string  { return LocalPeer }

// peerOf is the address of the other side.
func peerOf(c net.Conn) net.Addr {
	a := c.RemoteAddr()
	if a == nil || a.Network() == "unix" {
		return local{}
	}
	return a
}

// conn is a connection of a Listener.
type conn struct {
	net.Conn
	wire *Listener
	held bool // has a place
	peer net.Addr
	once sync.Once

	// Guarded by the listener's mu:
	silent *list.Element // in its list of those without a request; nil if there is one
	since  time.Time     // when it fell silent
}

// RemoteAddr is the peer, as [LocalPeer] if it has no address.
func (c *conn) RemoteAddr() net.Addr { return c.peer }

// Close makes room for another connection.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { c.wire.left(c.held) })
	return err
}

// CloseWrite says that no more is coming. Without it net/http would close a
// connection whose request it did not read to the end, and the reset that
// follows would overtake its error.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// net/http answers some requests itself, without calling a handler. These answers, and no others of
// this server, begin in one of two ways: an error has exactly ownHeaders after its status line, and
// an unknown expectation has the status 417, which no handler uses.
var (
	ownHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	ownExpect  = []byte("417 ")
)

// Write sends b. If b is an answer of net/http's own, Write sends the result of rewrite instead.
func (c *conn) Write(b []byte) (int, error) {
	status := ownAnswer(b)
	if c.wire.rewrite == nil || status == 0 {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(c.wire.rewrite(c.peer, status)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// ownAnswer returns the status of an answer of net/http's own, or 0 for other bytes.
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
