// Package wire limits the open connections of an [http.Server], replaces the answers that net/http
// gives without calling a handler, and shuts the server down without breaking requests. It does not
// know what the server answers. Begin with [Listen] and [Listener.Serve].
package wire

import (
	"container/list"
	"net"
	"net/http"
	"sync"
	"time"
)

// Listener limits the number of open connections. At the limit, a new connection replaces the one
// that has been idle longest, so clients that hold idle connections cannot keep other clients out.
type Listener struct {
	net.Listener
	slots  chan struct{} // one token for each open connection
	closed chan struct{}
	once   sync.Once
	// rewrite returns the answer to send in place of an answer that net/http itself made. If
	// rewrite is nil, the answers of net/http are sent unchanged.
	rewrite func(remote net.Addr, status int) []byte

	mu     sync.Mutex // guards the fields below
	open   int        // number of open connections
	idle   *list.List // of *conn that have no request; the one that has been idle longest comes first
	wanted bool       // a connection waits for a slot, so the next connection that becomes idle must be closed
}

// Listen returns a listener that accepts connections from l and limits how many are open. When
// net/http itself makes the answer to a request, the listener calls rewrite with the address of the
// client and the status, and sends the result instead. rewrite must return a complete response. If
// rewrite is nil, the answers of net/http are sent unchanged.
func Listen(l net.Listener, connections int, rewrite func(remote net.Addr, status int) []byte) *Listener {
	return &Listener{
		Listener: l,
		slots:    make(chan struct{}, connections),
		closed:   make(chan struct{}),
		rewrite:  rewrite,
		idle:     list.New(),
	}
}

// Accept waits for a connection and then for a free slot for that connection.
func (l *Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	held := true
	select {
	case l.slots <- struct{}{}:
	default:
		held = l.await()
	}
	l.mu.Lock()
	l.open++
	l.mu.Unlock()
	return &conn{Conn: c, wire: l, held: held, peer: peerOf(c)}, nil
}

// await waits for a slot. If the listener is closed first, await returns false, and the connection
// is served without a slot.
func (l *Listener) await() bool {
	l.makeRoom()
	select {
	case l.slots <- struct{}{}:
		l.mu.Lock()
		l.wanted = false // the slot may come from a connection that ended by itself, so none need be closed
		l.mu.Unlock()
		return true
	case <-l.closed:
		return false
	}
}

// makeRoom closes the connection that has been idle longest. If none is idle, it sets wanted, so
// that the next connection that becomes idle is closed.
func (l *Listener) makeRoom() {
	l.mu.Lock()
	oldest := l.idle.Front()
	if l.wanted = oldest == nil; l.wanted {
		l.mu.Unlock()
		return
	}
	c := oldest.Value.(*conn)
	l.forget(c)
	l.mu.Unlock()
	// The closed connection has no request, so an error of Close loses nothing.
	_ = c.Close()
}

// State keeps track of the idle connections. A server that uses the listener must call it from
// [http.Server.ConnState].
func (l *Listener) State(of net.Conn, state http.ConnState) {
	c := of.(*conn)
	l.mu.Lock()
	l.forget(c)
	quiet := state == http.StateNew || state == http.StateIdle
	leave := quiet && l.wanted
	switch {
	case leave:
		l.wanted = false
	case quiet:
		c.silent, c.since = l.idle.PushBack(c), time.Now()
	}
	l.mu.Unlock()
	if leave {
		_ = c.Close() // as in makeRoom, an error of Close loses no request
	}
}

// forget removes a connection from the idle list. The caller holds mu.
func (l *Listener) forget(c *conn) {
	if c.silent != nil {
		l.idle.Remove(c.silent)
		c.silent = nil
	}
}

// closeIdle closes the connections that have been idle for at least the time since.
func (l *Listener) closeIdle(since time.Duration) {
	limit := time.Now().Add(-since)
	var old []*conn
	l.mu.Lock()
	for e := l.idle.Front(); e != nil && !e.Value.(*conn).since.After(limit); e = l.idle.Front() {
		c := e.Value.(*conn)
		l.forget(c)
		old = append(old, c)
	}
	l.mu.Unlock()
	for _, c := range old {
		_ = c.Close() // as in makeRoom, an error of Close loses no request
	}
}

// connections returns the number of open connections, idle or not.
func (l *Listener) connections() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// busy returns the number of connections that have a request.
func (l *Listener) busy() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open - l.idle.Len()
}

// left counts a connection as closed. held tells whether the connection had a slot; left then frees
// the slot.
func (l *Listener) left(held bool) {
	l.mu.Lock()
	l.open--
	l.mu.Unlock()
	if held {
		<-l.slots
	}
}

// Close stops accepting connections. It does not close the connections that are open.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
