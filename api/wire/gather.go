package wire

import (
	"context"
	"errors"
	"net"
	"sync"
)

// A Conn is the connection that a request came by.
type Conn struct{ of *conn }

type connKey struct{}

// WithConn is for [http.Server.ConnContext] of a server that takes its connections from a
// [Listener].
func WithConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c.(*conn))
}

// ConnOf returns the connection of a request with that context. Without one, what it does is
// nothing.
func ConnOf(ctx context.Context) Conn {
	c, _ := ctx.Value(connKey{}).(*conn)
	return Conn{c}
}

// piece is as much as net/http sends at a time of what it has gathered itself: the header, and as
// much of the body as fits behind it.
const piece = 4 << 10

// rooms hold what is gathered.
var rooms = sync.Pool{New: func() any { b := make([]byte, 0, piece); return &b }}

// Gather has the first piece of what is sent wait for the next one, so that both go out by one
// call of the system. Whoever calls it calls Release when he has written, and must be the one
// goroutine that writes. net/http keeps what it has of the last 4 KiB to itself: whoever has written
// all of an answer flushes it before the release, or else that goes out by a call of its own.
// Between a panic and the end of the connection nothing is released; nobody waits for it.
func (c Conn) Gather() {
	if c.of != nil {
		c.of.gathered = rooms.Get().(*[]byte)
	}
}

// Release sends what still waits. If it can't, it closes the connection.
func (c Conn) Release() (err error) {
	if c.of == nil || c.of.gathered == nil {
		return nil
	}
	b := c.of.gathered
	c.of.gathered = nil
	if len(*b) > 0 {
		if _, err = c.of.Conn.Write(*b); err != nil {
			// net/http takes it for sent, and would go on with what comes behind it.
			err = errors.Join(err, c.of.Close())
		}
	}
	*b = (*b)[:0]
	rooms.Put(b)
	return err
}

// send writes b, behind what was gathered, or gathers it.
func (c *conn) send(b []byte) (int, error) {
	switch first := c.gathered; {
	case first == nil, len(*first) == 0 && len(b) > piece:
		return c.Conn.Write(b)
	case len(*first) == 0:
		*first = append(*first, b...)
		return len(b), nil
	default:
		both := net.Buffers{*first, b}
		sent, err := both.WriteTo(c.Conn)
		n := max(0, int(sent)-len(*first))
		*first = (*first)[:0]
		return n, err
	}
}
