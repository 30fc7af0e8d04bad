package api

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
)

// wire is a listener that bounds the number of open connections, and through
// which the errors that net/http writes by itself, before there is a request,
// go out as problem+json like all others.
//
// When all that may be are open, a new one takes the place of the one that
// has been idle longest. So whoever opens connections and is silent keeps
// nobody out.
type wire struct {
	net.Listener
	slots  chan struct{} // one token for each open connection
	closed chan struct{}
	once   sync.Once
	// rewrite turns an answer's status into another answer.
	rewrite func(remote net.Addr, status int) []byte

	mu     sync.Mutex // guards what follows
	idle   *list.List // of net.Conn: those without a request, oldest first
	at     map[net.Conn]*list.Element
	wanted bool // somebody waits for a place: the next that falls idle must go
}

func newWire(l net.Listener, connections int, rewrite func(net.Addr, int) []byte) *wire {
	return &wire{
		Listener: l,
		slots:    make(chan struct{}, connections),
		closed:   make(chan struct{}),
		rewrite:  rewrite,
		idle:     list.New(),
		at:       make(map[net.Conn]*list.Element),
	}
}

// Accept waits for a connection, and until it has a place.
func (w *wire) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	if err != nil {
		return nil, err
	}
	select {
	case w.slots <- struct{}{}:
		return &wireConn{Conn: c, wire: w}, nil
	default:
	}
	w.makeRoom()
	select {
	case w.slots <- struct{}{}:
		w.mu.Lock()
		w.wanted = false // it may have been another that left
		w.mu.Unlock()
		return &wireConn{Conn: c, wire: w}, nil
	case <-w.closed:
		return nil, errors.Join(net.ErrClosed, c.Close())
	}
}

// makeRoom closes the connection that has been idle longest, or the first one
// to fall idle.
func (w *wire) makeRoom() {
	w.mu.Lock()
	oldest := w.idle.Front()
	if w.wanted = oldest == nil; w.wanted {
		w.mu.Unlock()
		return
	}
	c := oldest.Value.(net.Conn)
	w.forget(c)
	w.mu.Unlock()
	// It carries no request, so there is nothing to lose by an error.
	_ = c.Close()
}

// state follows which connections have a request. It is called by net/http.
func (w *wire) state(c net.Conn, state http.ConnState) {
	w.mu.Lock()
	w.forget(c)
	silent := state == http.StateNew || state == http.StateIdle
	leave := silent && w.wanted
	switch {
	case leave:
		w.wanted = false
	case silent:
		w.at[c] = w.idle.PushBack(c)
	}
	w.mu.Unlock()
	if leave {
		_ = c.Close() // as in makeRoom
	}
}

// forget takes a connection from those that are idle. The caller holds mu.
func (w *wire) forget(c net.Conn) {
	if e, ok := w.at[c]; ok {
		w.idle.Remove(e)
		delete(w.at, c)
	}
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
