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
	head head // of the request that is being read

	// gathered is what waits for more to go with it, in a room of rooms; nil if nothing has to.
	gathered *[]byte

	// Guarded by the listener's mu:
	silent *list.Element // in its list of those without a request; nil if there is one
	since  time.Time     // when it fell silent
}

// RemoteAddr is the peer, as [LocalPeer] if it has no address.
func (c *conn) RemoteAddr() net.Addr { return c.peer }

// Read reads requests, with Expect under another name: see [Expect].
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.head.hide(b[:n])
	return n, err
}

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

// Every error of net/http's own has these headers and no others, right behind
// the status line. No answer of ours does: each has at least a request id.
var (
	ownStatus  = []byte("HTTP/1.1 ")
	ownHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

// Write sends b, or, if it is an error of net/http's own, ours in its place.
func (c *conn) Write(b []byte) (int, error) {
	if c.wire.rewrite != nil && bytes.HasPrefix(b, ownStatus) && len(b) >= len(ownStatus)+3 {
		line := bytes.IndexByte(b, '\r')
		if line > 0 && bytes.HasPrefix(b[line:], ownHeaders) {
			status, err := strconv.Atoi(string(b[len(ownStatus) : len(ownStatus)+3]))
			if err == nil {
				if _, err := c.Conn.Write(c.wire.rewrite(c.peer, status)); err != nil {
					return 0, err
				}
				return len(b), nil
			}
		}
	}
	return c.send(b)
}
