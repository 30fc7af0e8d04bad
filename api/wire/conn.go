package wire

import (
	"bytes"
	"container/list"
	"net"
	"strconv"
	"sync"
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
	wire *Listener
	held bool // the connection has a slot of the listener
	peer net.Addr
	once sync.Once

	// The fields below are guarded by the listener's mu.
	silent *list.Element // element of the listener's idle list; nil while the connection has a request
	since  time.Time     // time from which the connection has been idle
}

// RemoteAddr returns the address of the peer, or [LocalPeer].
func (c *conn) RemoteAddr() net.Addr { return c.peer }

// Close closes the connection and frees its slot.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { c.wire.left(c.held) })
	return err
}

// CloseWrite closes the writing side. net/http calls CloseWrite if it refuses a request without
// reading the body. If it closed the whole connection at once, the client would get a reset before
// it gets the error.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// net/http answers some requests itself, without calling a handler. Two signs distinguish its
// answers from those of a handler: an error has exactly ownHeaders after its status line, and the
// answer to an unknown Expect header has the status 417.
var (
	ownHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	ownExpect  = []byte("417 ")
)

// Write sends b. If b is an answer that net/http itself made, Write sends the result of rewrite
// instead.
//
// In theory Write could hold back the header of an answer, to send header and body in one system
// call. But then callers would have to release the header after each answer.
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
