package api

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"bencao/api/access"
)

// TestTurns checks that callers get turns round-robin, and that no caller can hold all turns.
func TestTurns(t *testing.T) {
	many, few, third := access.Subject{Key: "many"}, access.Subject{Key: "few"}, access.Subject{Key: "third"}
	turns := newTurns(2)
	turns.each = 1
	take := func(who access.Subject) {
		if err := turns.take(t.Context(), who, false, 0); err != nil {
			t.Error(err)
		}
	}
	waits := func(who access.Subject, ctx context.Context) chan access.Subject {
		turns.mu.Lock()
		before := len(turns.waiting[who])
		turns.mu.Unlock()
		granted := make(chan access.Subject, 1)
		go func() {
			if turns.take(ctx, who, false, 0) == nil {
				granted <- who
			}
			close(granted)
		}()
		for {
			turns.mu.Lock()
			now := len(turns.waiting[who])
			turns.mu.Unlock()
			if now > before {
				return granted
			}
		}
	}
	take(many)
	first, second := waits(many, t.Context()), waits(many, t.Context())
	take(few) // the caller many still waits, because it already holds as many turns as one caller may hold
	gone, leave := context.WithCancel(t.Context())
	left := waits(third, gone)
	leave()
	if _, ok := <-left; ok {
		t.Error("a request that left got a turn")
	}
	last := waits(third, t.Context())
	turns.give(few, false)
	if who, ok := <-last; !ok || who != third {
		t.Error("the third caller did not get the turn that it waited for")
	}
	turns.give(many, false)
	<-first
	select {
	case <-second:
		t.Error("one caller has two turns, want one")
	default:
	}
	turns.give(third, false)
	turns.give(many, false)
	<-second
	turns.give(many, false)
	if turns.free != 2 || len(turns.held)+len(turns.waiting)+len(turns.round) != 0 {
		t.Errorf("after all have given back: %d free, %v held, %v wait; want 2 and none", turns.free, turns.held, turns.round)
	}
}

// TestStrangersTurns checks that callers without a key leave a processor free while clients with a key
// ask, and only then.
func TestStrangersTurns(t *testing.T) {
	turns := newTurns(8)
	turns.each = 1
	take := func(who access.Subject) bool { return turns.take(t.Context(), who, false, time.Nanosecond) == nil }
	stranger := func(n byte) access.Subject {
		return access.AddressSubject(netip.AddrFrom4([4]byte{192, 0, 2, n}))
	}
	if !take(stranger(1)) || !take(stranger(2)) {
		t.Error("two callers without a key get no turns though nobody with a key asks")
	}
	if !take(access.Subject{Key: "lab"}) {
		t.Error("a caller with a key gets no turn beside those without one")
	}
	turns.give(stranger(1), false)
	if take(stranger(3)) {
		t.Error("callers without a key hold two turns while a client with a key asks")
	}
	turns.give(stranger(2), false)
	if !take(stranger(3)) {
		t.Error("a caller without a key gets no turn though no other holds one")
	}
	turns.keyed = turns.keyed.Add(-2 * keyedFor)
	if !take(stranger(4)) {
		t.Error("two callers without a key get no turns though nobody with a key asks any more")
	}
}

// TestListTurn checks that the lists of all clients together get the turns of one caller.
func TestListTurn(t *testing.T) {
	b := &Backend{turns: newTurns(8)}
	b.turns.each = 1
	lists := func(client string) *Visit {
		return &Visit{call: &call{backend: b, admission: access.Admission{Counted: access.Subject{Key: client}}}}
	}
	done, err := lists("one").ListTurn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan func(), 1)
	go func() {
		done, err := lists("two").ListTurn(t.Context())
		if err != nil {
			t.Error(err)
		}
		second <- done
	}()
	for waiting := false; !waiting; {
		select {
		case <-second:
			t.Fatal("the list of another client got a turn at the same time")
		default:
		}
		b.turns.mu.Lock()
		waiting = len(b.turns.round) == 1
		b.turns.mu.Unlock()
	}
	other := (&call{backend: b, admission: access.Admission{Counted: access.Subject{Key: "one"}}}).newTurn(false)
	if err := other.begin(t.Context(), 0); err != nil {
		t.Error(err)
	}
	other.pause()
	done()
	(<-second)()
	if b.turns.free != 8 {
		t.Errorf("%d turns are free, want 8", b.turns.free)
	}
}

// TestLongWork checks that all callers together can hold only so many turns for long work, and that
// short work gets a turn meanwhile.
func TestLongWork(t *testing.T) {
	one, two := access.Subject{Key: "one"}, access.Subject{Key: "two"}
	turns := newTurns(8)
	turns.each = 1
	if err := turns.take(t.Context(), one, true, 0); err != nil {
		t.Fatal(err)
	}
	if err := turns.take(t.Context(), two, true, time.Millisecond); err == nil {
		t.Error("a second caller got a turn for long work")
	}
	if err := turns.take(t.Context(), two, false, 0); err != nil {
		t.Error(err)
	}
	turns.give(two, false)
	turns.give(one, true)
	if err := turns.take(t.Context(), two, true, 0); err != nil {
		t.Error(err)
	}
	turns.give(two, true)
	if turns.free != 8 || turns.long != 0 || len(turns.held) != 0 {
		t.Errorf("%d turns are free, %d held for long work, %v held; want 8 and none", turns.free, turns.long, turns.held)
	}
}
