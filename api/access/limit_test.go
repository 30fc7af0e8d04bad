package access_test

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bencao/api/access"
)

var keyLab = access.Subject{Key: "lab"}

// from returns address number i of the network first.0.0.0/8 as a subject.
func from(first byte, i int) access.Subject {
	var a [4]byte
	binary.BigEndian.PutUint32(a[:], uint32(first)<<24|uint32(i))
	return access.AddressSubject(netip.AddrFrom4(a))
}

func TestWindow(t *testing.T) {
	c := newClock()
	m := access.NewMemory(c.Now)
	take := func(want access.Quota) {
		t.Helper()
		if got := m.Take(keyLab, 1, 3); got != want {
			t.Errorf("%v after noon: Take = %+v, want %+v", c.Now().Sub(noon), got, want)
		}
	}
	take(access.Quota{OK: true, Limit: 3, Remaining: 2, Reset: time.Minute})
	c.Go(10 * time.Second)
	take(access.Quota{OK: true, Limit: 3, Remaining: 1, Reset: 50 * time.Second})
	take(access.Quota{OK: true, Limit: 3, Remaining: 0, Reset: 50 * time.Second})
	take(access.Quota{OK: false, Limit: 3, Remaining: 0, Reset: 50 * time.Second})
	c.Go(50*time.Second - time.Nanosecond)
	take(access.Quota{OK: false, Limit: 3, Remaining: 0, Reset: time.Nanosecond})
	c.Go(time.Nanosecond)
	take(access.Quota{OK: true, Limit: 3, Remaining: 2, Reset: time.Minute})

	// If the limit changes within a window, the new limit applies at once. Refused requests do not
	// count.
	if got := m.Take(keyLab, 1, 1); got.OK || got.Remaining != 0 {
		t.Errorf("with the limit lowered to 1 after one request: %+v, want it refused", got)
	}
	if got := m.Take(keyLab, 1, 4); !got.OK || got.Remaining != 2 {
		t.Errorf("with the limit raised to 4 after one request: %+v, want 2 remaining", got)
	}
}

// TestRetryAfter checks that a client is admitted after exactly the time in Retry-After, and not a
// second earlier.
func TestRetryAfter(t *testing.T) {
	for _, late := range []time.Duration{0, time.Nanosecond, 500 * time.Millisecond, time.Second, 59*time.Second + 1, time.Minute - 1} {
		c := newClock()
		m := access.NewMemory(c.Now)
		m.Take(keyLab, 1, 1)
		c.Go(late)
		q := m.Take(keyLab, 1, 1)
		if q.OK {
			t.Fatalf("%v into the window the second of 1 is let through", late)
		}
		wait := time.Duration(q.RetryAfter()) * time.Second
		if wait < time.Second {
			t.Errorf("%v into the window Retry-After is %d, want at least 1", late, q.RetryAfter())
		}
		c.Go(wait - time.Second)
		if wait > time.Second && m.Take(keyLab, 1, 1).OK {
			t.Errorf("%v into the window Retry-After is %v, but less is enough", late, wait)
		}
		c.Go(time.Second)
		if !m.Take(keyLab, 1, 1).OK {
			t.Errorf("%v into the window Retry-After is %v, but that is not enough", late, wait)
		}
	}
}

// TestExactlyNPass sends requests from 64 goroutines. Exactly as many as the limit must pass, for a
// key and for an address, in each of three windows.
func TestExactlyNPass(t *testing.T) {
	c := newClock()
	m := access.NewMemory(c.Now)
	const limit = 1000
	for window := range 3 {
		for _, s := range []access.Subject{keyLab, from(192, 1)} {
			var passed, lowest atomic.Int64
			lowest.Store(limit)
			var wg sync.WaitGroup
			for range 64 {
				wg.Go(func() {
					for range 40 {
						q := m.Take(s, 1, limit)
						if q.OK {
							passed.Add(1)
						}
						for low := lowest.Load(); int64(q.Remaining) < low && !lowest.CompareAndSwap(low, int64(q.Remaining)); low = lowest.Load() {
						}
					}
				})
			}
			wg.Wait()
			if passed.Load() != limit || lowest.Load() != 0 {
				t.Errorf("window %d, %v: %d of %d passed and %d remained at last; want %d and 0", window, s, passed.Load(), 64*40, lowest.Load(), limit)
			}
		}
		c.Go(access.Window)
	}
}

func TestAddressSubject(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true},
		{"2001:db8::1", "2001:db8:0:1::1", false},
		{"fe80::1%eth0", "fe80::2%eth1", true},
		{"::1", "0.0.0.1", false},
	}
	for _, tt := range tests {
		a, b := access.AddressSubject(netip.MustParseAddr(tt.a)), access.AddressSubject(netip.MustParseAddr(tt.b))
		if (a == b) != tt.same || (a.String() == b.String()) != tt.same {
			t.Errorf("%s counts as %v and %s as %v; want the same: %v", tt.a, a, tt.b, b, tt.same)
		}
	}
}

// fill sends requests from 65,536 addresses, which fills the table.
func fill(m *access.Memory, first byte) {
	for i := range 1 << 16 {
		m.Take(from(first, i), 1, 5)
	}
}

// TestManyAddresses checks that requests from very many addresses restart no window, neither the
// attacker's nor another client's, and that other networks are still served.
func TestManyAddresses(t *testing.T) {
	c := newClock()
	m := access.NewMemory(c.Now)
	victim, bystander := from(192, 1), from(203, 1)
	for range 5 {
		m.Take(victim, 1, 5)
	}
	m.Take(keyLab, 1, 5)
	fill(m, 10)
	fill(m, 11) // the table is already full, so these addresses share windows

	if q := m.Take(victim, 1, 5); q.OK {
		t.Errorf("a spent window was started anew by others: %+v", q)
	}
	for i := range 100 {
		if q := m.Take(from(10, i), 1, 5); q.Remaining != 3 {
			t.Fatalf("address %d of the attacker has %+v at its second request; its window was started anew", i, q)
		}
	}
	if q := m.Take(keyLab, 1, 5); q.Remaining != 3 {
		t.Errorf("a key's window was touched: %+v", q)
	}
	// While the table is full, new addresses of the same /16 network share a window.
	passed := 0
	for i := range 1 << 16 {
		if m.Take(from(12, i), 1, 5).OK {
			passed++
		}
	}
	if passed > 5 {
		t.Errorf("%d requests of one /16 passed while the table is full, want at most 5", passed)
	}
	// 11.0.0.0/16 and 12.0.0.0/16 have used up two of the 1,024 shared windows. A random seed
	// decides which windows these are. So most of ten other networks get a window without requests.
	free := 0
	for i := range 10 {
		if m.Take(from(203, i<<16), 1, 5).OK {
			free++
		}
	}
	if free < 5 {
		t.Errorf("only %d of 10 other networks can still ask while the table is full", free)
	}

	c.Go(access.Window)
	if q := m.Take(bystander, 1, 5); !q.OK || q.Remaining != 4 {
		t.Errorf("a minute later a new address has %+v, want a window of its own", q)
	}
	if q := m.Take(victim, 1, 5); !q.OK || q.Remaining != 4 {
		t.Errorf("a minute later the spent window is not over: %+v", q)
	}
	// The table is emptied and filled several times.
	for range 3 {
		fill(m, 10)
		if q := m.Take(from(10, 5), 1, 5); q.Remaining != 3 {
			t.Fatalf("after the table was emptied and filled: %+v, want a window that was begun before", q)
		}
		c.Go(access.Window)
	}
}

// TestAddressReturns checks that an address that returns after its window has ended gets one new
// window, and that the old one is removed from memory.
func TestAddressReturns(t *testing.T) {
	c := newClock()
	m := access.NewMemory(c.Now)
	for i := range 200_000 {
		if q := m.Take(from(10, i%3), 1, 1); q.OK != (i%6 < 3) {
			t.Fatalf("request %d: %+v", i, q)
		}
		if i%6 == 5 {
			c.Go(access.Window)
		}
	}
	fill(m, 11)
	for i := range 100 {
		if q := m.Take(from(11, i), 1, 5); q.Remaining != 3 {
			t.Fatalf("address %d has %+v at its second request; old windows take the room of new ones", i, q)
		}
	}
}

// TestAddressReturnsEarly checks that removing an old window does not remove the new window of the
// same address.
func TestAddressReturnsEarly(t *testing.T) {
	c := newClock()
	m := access.NewMemory(c.Now)
	for i := range 8 {
		m.Take(from(10, i), 1, 1)
	}
	c.Go(access.Window)
	last := from(10, 7) // its window comes after seven expired windows in the ring
	if q := m.Take(last, 1, 1); !q.OK {
		t.Fatalf("a minute later: %+v, want a new window", q)
	}
	for i := range 20 {
		m.Take(from(11, i), 1, 1) // each request removes up to two windows that have ended
		if q := m.Take(last, 1, 1); q.OK {
			t.Fatalf("after %d other addresses: %+v, want the window that has just begun", i+1, q)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	b.Run("key", func(b *testing.B) {
		m := access.NewMemory(nil)
		b.ReportAllocs()
		for b.Loop() {
			m.Take(keyLab, 1, 600)
		}
	})
	b.Run("address", func(b *testing.B) {
		m := access.NewMemory(nil)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.Take(from(10, i%1000), 1, 60)
		}
	})
	b.Run("full", func(b *testing.B) {
		m := access.NewMemory(nil)
		fill(m, 10)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.Take(from(11, i%(1<<24)), 1, 60)
		}
	})
	b.Run("churn", func(b *testing.B) { // each request comes from a new address, a thousand of them in a minute
		c := newClock()
		m := access.NewMemory(c.Now)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.Go(access.Window / 1000)
			m.Take(from(10, i%(1<<24)), 1, 60)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		m := access.NewMemory(nil)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				m.Take(keyLab, 1, 600)
			}
		})
	})
}
