// Package connections limits the open connections of an [http.Server], ends connections soon after a
// request with a body, replaces the answers that net/http gives without calling a handler, and shuts
// the server down without breaking requests. It does not know what the server answers. Begin with
// [Listen] and [Listener.Serve].
package connections

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// Options configures a [Listener].
type Options struct {
	// Connections limits the number of open connections.
	Connections int
	// Client returns the network that a connection from remote counts against. It returns false
	// for a proxy, whose connections carry requests of many clients. One network may have a
	// quarter of Connections. If Client is nil, one network may have all of them.
	Client func(remote net.Addr) (netip.Prefix, bool)
	// Refused, if not nil, is called when a connection is closed because all connections that its
	// network may have are open and have a request.
	Refused func(remote net.Addr)
	// Rewrite returns the answer to send in place of an answer that net/http itself made for
	// remote. It must return a complete response, and whether the response is sent late as by [Late].
	// If it is nil, the answers of net/http are sent unchanged.
	Rewrite func(remote net.Addr, status int) (answer []byte, over bool)
}

// Listener limits the number of open connections. At the limit, a new connection replaces the one
// that has been idle longest, so clients that hold idle connections cannot keep other clients out.
type Listener struct {
	net.Listener
	opt    Options
	slots  chan struct{} // one token for each open connection
	closed chan struct{}
	once   sync.Once
	pace   pace

	mu     sync.Mutex           // guards the fields below
	open   int                  // number of open connections
	counts map[netip.Prefix]int // number of open connections of each network
	idle   *list.List           // of *conn that have no request; the one that has been idle longest comes first
	wanted bool                 // a connection waits for a slot, so the next connection that becomes idle must be closed
}

// Listen returns a listener that accepts connections from l and limits how many are open.
func Listen(l net.Listener, opt Options) *Listener {
	return &Listener{
		Listener: l,
		opt:      opt,
		slots:    make(chan struct{}, opt.Connections),
		closed:   make(chan struct{}),
		counts:   map[netip.Prefix]int{},
		idle:     list.New(),
	}
}

// Accept waits for a connection and then for a free slot for that connection. It closes the
// connections of a network that has too many.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		l.pace.wait()
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: raw, listener: l, peer: peerOf(raw)}
		if l.opt.Client != nil {
			c.network, c.counted = l.opt.Client(c.peer)
		}
		if !l.count(c) {
			// The connection has no request, so an error of Close loses nothing.
			_ = raw.Close()
			if l.opt.Refused != nil {
				l.opt.Refused(c.peer)
			}
			continue
		}
		select {
		case l.slots <- struct{}{}:
			c.held = true
		default:
			c.held = l.await()
		}
		return c, nil
	}
}

// pace limits how many connections are accepted in a millisecond. A new connection takes processor
// time before the server knows its client, so a flood of them would delay the requests on all other
// connections. Those above the limit wait in the kernel's queue. Only Accept uses pace.
type pace struct {
	since time.Time // beginning of the millisecond
	n     int       // connections since then
}

// perMillisecond is how many connections are accepted in a millisecond for each processor.
const perMillisecond = 4

// wait waits until another connection may be accepted, and counts it.
func (p *pace) wait() {
	if p.n == perMillisecond*runtime.GOMAXPROCS(0) {
		time.Sleep(time.Until(p.since.Add(time.Millisecond)))
		p.n = 0
	}
	if p.n == 0 {
		p.since = time.Now()
	}
	p.n++
}

// count counts a new connection. If its network has all connections that it may have, count closes
// the one that has been idle longest. If none of them is idle, count returns false.
func (l *Listener) count(c *conn) bool {
	l.mu.Lock()
	var oldest *conn
	if c.counted && l.counts[c.network] >= max(1, l.opt.Connections/4) {
		if oldest = l.oldest(c.network); oldest == nil {
			l.mu.Unlock()
			return false
		}
		l.forget(oldest)
	}
	l.open++
	if c.counted {
		l.counts[c.network]++
	}
	l.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close() // as in makeRoom, an error of Close loses no request
	}
	return true
}

// oldest returns the connection of a network that has been idle longest, or nil if none is idle.
// The caller holds mu.
func (l *Listener) oldest(network netip.Prefix) *conn {
	for e := l.idle.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*conn); c.counted && c.network == network {
			return c
		}
	}
	return nil
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

// state keeps track of the idle connections.
func (l *Listener) state(c *conn, state http.ConnState) {
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

// left counts a connection as closed, and frees its slot.
func (l *Listener) left(c *conn) {
	l.mu.Lock()
	l.forget(c) // net/http reports the end later
	l.open--
	if c.counted {
		if l.counts[c.network]--; l.counts[c.network] == 0 {
			delete(l.counts, c.network)
		}
	}
	l.mu.Unlock()
	if c.held {
		<-l.slots
	}
}

// Close stops accepting connections. It does not close the connections that are open.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
