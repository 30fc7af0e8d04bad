package api

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
)

// wire is a listener that bounds the number of open connections, and through
// which the errors that net/http writes by itself, before there is a request,
// go out as problem+json like all others.
type wire struct {
	net.Listener
	slots  chan struct{} // one token for each open connection
	closed chan struct{}
	once   sync.Once
	// rewrite turns an answer's status into another answer.
	rewrite func(remote net.Addr, status int) []byte
}

func newWire(l net.Listener, connections int, rewrite func(net.Addr, int) []byte) *wire {
	return &wire{
		Listener: l,
		slots:    make(chan struct{}, connections),
		closed:   make(chan struct{}),
		rewrite:  rewrite,
	}
}

// Accept waits until fewer connections are open than may be, and for one.
func (w *wire) Accept() (net.Conn, error) {
	select {
	case w.slots <- struct{}{}:
	case <-w.closed:
		return nil, net.ErrClosed
	}
	c, err := w.Listener.Accept()
	if err != nil {
		<-w.slots
		return nil, err
	}
	return &wireConn{Conn: c, wire: w}, nil
}

// Close stops accepting.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return w.Listener.Close()
}

// wireConn is a connection of a wire.
type wireConn struct {
	net.Conn
	wire *wire
	once sync.Once
}

// Close makes room for another connection.
func (c *wireConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.wire.slots })
	return err
}

// CloseWrite says that no more is coming. Without it net/http would close a
// connection whose request it did not read to the end, and the reset that
// follows would overtake its error.
func (c *wireConn) CloseWrite() error {
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
func (c *wireConn) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, ownStatus) && len(b) >= len(ownStatus)+3 {
		line := bytes.IndexByte(b, '\r')
		if line > 0 && bytes.HasPrefix(b[line:], ownHeaders) {
			status, err := strconv.Atoi(string(b[len(ownStatus) : len(ownStatus)+3]))
			if err == nil {
				if _, err := c.Conn.Write(c.wire.rewrite(c.RemoteAddr(), status)); err != nil {
					return 0, err
				}
				return len(b), nil
			}
		}
	}
	return c.Conn.Write(b)
}

// ownFaults are the errors that net/http finds by itself.
var ownFaults = map[int]*fault{
	http.StatusRequestHeaderFieldsTooLarge: faultf(headerTooBig, "the request's header has more than %d bytes; shorten the address or send fewer fields", maxHeaderBytes),
	http.StatusNotImplemented:              faultf(notImplement, "the request has a transfer encoding; send no body"),
	http.StatusHTTPVersionNotSupported:     faultf(versionOfHTTP, "use HTTP/1.1"),
}

var unreadableFault = faultf(badRequest, "the request is not well-formed HTTP/1.1; check the percent-encoding of the address, the Host header and the line ends")

// raw writes a whole response.
func (f *fault) raw(h http.Header, requestID string) []byte {
	body := f.problem(requestID)
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", f.kind.status, http.StatusText(f.kind.status))
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Connection", "close")
	if err := h.Write(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}
