package access

import (
	"hash/maphash"
	"net/netip"
	"sync"
	"time"
)

// Window is the period of a limit. A window begins with a subject's first request, not with a
// minute of the clock.
const Window = time.Minute

// Limiter counts requests. A [Memory] counts the requests that one process answers. A limiter with
// a shared store gives several servers one limit. Such a limiter must limit how long it waits for
// the store, and must decide by itself while it cannot reach the store.
type Limiter interface {
	// Take counts n requests of s. At most limit requests count in a [Window]. If fewer than n of
	// these remain, Take counts none. It may be called from many goroutines.
	Take(s Subject, n, limit int) Quota
}

// Subject identifies requests that are counted together: the requests with one key, or those from
// one network.
type Subject struct {
	// Key is the id of a key, empty for a network.
	Key string
	// Network is an IPv4 address or an IPv6 /64. A client with one address of a /64 usually has all
	// of them.
	Network netip.Prefix
	// Pages reports that the subject counts requests for web pages, which have their own limit.
	Pages bool
}

// AddressSubject returns the subject that requests from addr count against.
func AddressSubject(addr netip.Addr) Subject {
	addr = addr.Unmap().WithZone("")
	return Subject{Network: network(addr, 32, 64)}
}

// String returns "key:ID", "net:PREFIX" or "pages:PREFIX".
func (s Subject) String() string {
	if s.Key != "" {
		return "key:" + s.Key
	}
	if s.Pages {
		return "pages:" + s.Network.String()
	}
	return "net:" + s.Network.String()
}

func network(addr netip.Addr, bits4, bits6 int) netip.Prefix {
	if !addr.IsValid() {
		return netip.Prefix{}
	}
	bits := bits6
	if addr.Is4() {
		bits = bits4
	}
	return netip.PrefixFrom(addr, bits).Masked()
}

// Quota is the limit of a subject and the part of it that is left after a request.
type Quota struct {
	// OK reports whether the request is within the limit.
	OK bool
	// Limit is the number of requests in a window.
	Limit int
	// Remaining is the number of requests that are left in this window.
	Remaining int
	// Reset is the time until the window ends, above 0.
	Reset time.Duration
}

// RetryAfter returns the whole number of seconds to wait until the window ends. A request after
// that time is admitted.
func (q Quota) RetryAfter() int {
	return int((q.Reset + time.Second - 1) / time.Second)
}

// maxNetworks is the largest number of networks with a window of their own. It limits the memory
// for counting requests without a valid key to about 10 MiB.
const maxNetworks = 1 << 16

// shared is the number of windows that all other networks share while maxNetworks networks have a
// window of their own.
const shared = 1 << 10

// Memory is a [Limiter] that keeps its counts in the memory of one process.
//
// Every key has its own window. At most maxNetworks networks have a window of their own at the same
// time. No window is dropped before it ends, so a client that fills the table from many addresses
// cannot restart any window. While the table is full, every further network uses one of the shared
// windows. A hash with a secret seed selects the window by the surrounding network (IPv4 /16, IPv6
// /32). The owner of a large network therefore fills one shared window and not the others. Keys are
// never affected.
type Memory struct {
	now  func() time.Time
	seed maphash.Seed

	mu   sync.Mutex // guards the fields below
	keys map[string]*window
	// slots is a ring buffer of the windows of networks, in the order in which they began. They end
	// in the same order. The map at has the index of the slot of each network.
	slots  []slot
	head   int // index of the oldest slot
	used   int
	at     map[Subject]int
	shared [shared]window
}

type window struct {
	start time.Time // zero means that no window has begun
	count int
}

type slot struct {
	window
	subject Subject
}

// NewMemory returns a limiter that has counted no request yet. If now is nil, the limiter uses
// [time.Now]. Its monotonic reading makes the windows independent of corrections of the machine's
// clock.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{
		now:   now,
		seed:  maphash.MakeSeed(),
		keys:  make(map[string]*window),
		slots: make([]slot, maxNetworks),
		at:    make(map[Subject]int),
	}
}

// Take counts n requests of s, as [Limiter] describes.
func (m *Memory) Take(s Subject, n, limit int) Quota {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if s.Key == "" {
		return m.network(s, now).take(now, n, limit)
	}
	w := m.keys[s.Key]
	if w == nil {
		w = new(window)
		m.keys[s.Key] = w
	}
	return w.take(now, n, limit)
}

// network returns the window of a network. If the network has none, it begins a new window.
func (m *Memory) network(s Subject, now time.Time) *window {
	// Each new window frees up to two windows that have ended. The ring therefore empties over
	// time, and no single request has to free many windows.
	for range 2 {
		if m.used == 0 || !m.slots[m.head].over(now) {
			break
		}
		old := m.slots[m.head].subject
		if m.at[old] == m.head {
			delete(m.at, old)
		}
		m.head = (m.head + 1) % len(m.slots)
		m.used--
	}
	if i, ok := m.at[s]; ok && !m.slots[i].over(now) {
		return &m.slots[i].window
	}
	if m.used == len(m.slots) {
		around := network(s.Network.Addr(), 16, 32)
		return &m.shared[maphash.Comparable(m.seed, around)%shared]
	}
	i := (m.head + m.used) % len(m.slots)
	m.used++
	m.at[s] = i
	m.slots[i] = slot{subject: s, window: window{start: now}}
	return &m.slots[i].window
}

// over reports whether the window has ended at the time now. A window that begins after now counts
// as ended: the clock was set back, and the client should not have to wait until the clock has
// caught up.
func (w *window) over(now time.Time) bool {
	age := now.Sub(w.start)
	return w.start.IsZero() || age >= Window || age < 0
}

func (w *window) take(now time.Time, n, limit int) Quota {
	if w.over(now) {
		*w = window{start: now}
	}
	ok := w.count+n <= limit
	if ok {
		w.count += n
	}
	return Quota{
		OK:        ok,
		Limit:     limit,
		Remaining: max(0, limit-w.count),
		Reset:     Window - now.Sub(w.start),
	}
}
