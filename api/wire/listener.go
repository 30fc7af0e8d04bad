// Package wire stands between the network and net/http: it bounds the open
// connections, lets none of what net/http answers by itself go out as it is,
// and ends a server so that nobody who was let in is sent away.
package wire

import (
	"container/list"
	"net"
	"net/http"
	"sync"
	"time"
)

// Listener bounds the number of open connections. When all that may be are
// open, a new one takes the place of the one that has been idle longest. So
// whoever opens connections and is silent keeps nobody out.
type Listener struct {
	net.Listener
	slots  chan struct{} // one token for each open connection
	closed chan struct{}
	once   sync.Once
	// rewrite turns the status of an answer of net/http's own into another
	// answer; nil leaves all as they are.
	rewrite func(remote net.Addr, status int) []byte

	mu     sync.Mutex // guards what follows
	open   int        // connections
	idle   *list.List // of *conn: those without a request, oldest first
	wanted bool       // somebody waits for a place: the next that falls idle must go
}

// Listen returns a listener on l for so many connections. What net/http
// answers before there is a request goes through rewrite, which gets the
// peer and the status and returns a whole response; nil leaves it as it is.
func Listen(l net.Listener, connections int, rewrite func(remote net.Addr, status int) []byte) *Listener {
	return &Listener{
		Listener: l,
		slots:    make(chan struct{}, connections),
		closed:   make(chan struct{}),
		rewrite:  rewrite,
		idle:     list.New(),
	}
}

// Accept waits for a connection, and until it has a place.
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

// await waits for a place. It reports false if there is none when the
// listener is closed: who was let in by then is served all the same.
func (l *Listener) await() bool {
	l.makeRoom()
	select {
	case l.slots <- struct{}{}:
		l.mu.Lock()
		l.wanted = false // it may have been another that left
		l.mu.Unlock()
		return true
	case <-l.closed:
		return false
	}
}

// makeRoom closes the connection that has been idle longest, or the first one
// to fall idle.
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
	// It carries no request, so there is nothing to lose by an error.
	_ = c.Close()
}

// State follows which connections have a request: it is for
// [http.Server.ConnState] of a server that takes its connections from here.
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
		_ = c.Close() // as in makeRoom
	}
}

// forget takes a connection from those that are idle. The caller holds mu.
func (l *Listener) forget(c *conn) {
	if c.silent != nil {
		l.idle.Remove(c.silent)
		c.silent = nil
	}
}

// closeIdle closes the connections that have been idle for as long as that.
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
		_ = c.Close() // as in makeRoom
	}
}

// connections is how many are open.
func (l *Listener) connections() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// busy is how many connections have a request.
func (l *Listener) busy() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open - l.idle.Len()
}

// left makes room for another connection.
func (l *Listener) left(held bool) {
	l.mu.Lock()
	l.open--
	l.mu.Unlock()
	if held {
		<-l.slots
	}
}

// Close stops accepting.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
