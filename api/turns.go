package api

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
)

// turnWait is how long a request waits for its first turn. turnFactor is the default number of turns for
// each processor. keyedFor is how long after a request with a key a processor stays free of requests
// without one.
const (
	turnWait   = time.Second
	turnFactor = 4
	keyedFor   = time.Second
)

// turns limits how many requests compute at the same time. One caller, such as a key or an address,
// cannot use all processors. Waiting requests get turns round-robin by caller. If one caller sends
// a thousand requests at once, another caller therefore waits for one of these requests, not for a
// thousand. All callers together may hold as many turns for long work as one caller, so that one
// processor stays free for short work. While clients with a key ask, the same holds for all callers
// without a key together.
type turns struct {
	each int           // largest number of turns that one caller may hold, and of those for long work or without a key
	wait time.Duration // how long a request waits for its first turn
	mu   sync.Mutex    // guards the fields below
	free int
	long int // number of turns that are held for long work
	// strangers is the number of turns that callers without a key hold. keyed is when a caller with a
	// key last asked for a turn.
	strangers int
	keyed     time.Time
	// held has the number of turns that each caller holds.
	held map[access.Subject]int
	// waiting has the waiting requests of each caller; the one that waits longest comes first.
	waiting map[access.Subject][]waiter
	// round lists the callers that have waiting requests, in the order in which they get turns.
	round []access.Subject
}

func newTurns(n int) *turns {
	return &turns{
		each: max(1, runtime.GOMAXPROCS(0)-1), wait: turnWait, free: n,
		held: map[access.Subject]int{}, waiting: map[access.Subject][]waiter{},
	}
}

// waiter is a request that waits for a turn. granted is closed when it gets its turn.
type waiter struct {
	granted chan struct{}
	long    bool
}

// may reports whether a caller may get a turn now.
func (t *turns) may(who access.Subject, long bool) bool {
	return t.free > 0 && t.held[who] < t.each && (!long || t.long < t.each) &&
		(who.Key != "" || t.strangers < t.each || time.Since(t.keyed) > keyedFor)
}

// hold counts n more turns of a caller.
func (t *turns) hold(who access.Subject, long bool, n int) {
	t.free -= n
	if t.held[who] += n; t.held[who] == 0 {
		delete(t.held, who)
	}
	if long {
		t.long += n
	}
	if who.Key == "" {
		t.strangers += n
	}
}

// take waits for a turn of the caller, for long work or not. Each turn must be returned by
// [turns.give]. If the caller gets no turn within patience, take returns a [problem.Busy] fault. A
// patience of 0 means no limit.
func (t *turns) take(ctx context.Context, who access.Subject, long bool, patience time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if who.Key != "" {
		t.keyed = time.Now()
	}
	if t.may(who, long) {
		t.hold(who, long, 1)
		t.mu.Unlock()
		return nil
	}
	granted := make(chan struct{})
	if len(t.waiting[who]) == 0 {
		t.round = append(t.round, who)
	}
	t.waiting[who] = append(t.waiting[who], waiter{granted, long})
	t.mu.Unlock()

	var over <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		over = timer.C
	}
	var err error
	select {
	case <-granted:
		return nil
	case <-over:
		err = &problem.Fault{Kind: problem.Busy, Detail: problem.TurnsTaken.With(), Retry: 1}
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-granted: // the turn was granted just when the waiting ended
		return nil
	default:
	}
	t.waiting[who] = slices.DeleteFunc(t.waiting[who], func(w waiter) bool { return w.granted == granted })
	if len(t.waiting[who]) == 0 {
		delete(t.waiting, who)
		t.round = slices.DeleteFunc(t.round, func(c access.Subject) bool { return c == who })
	}
	return err
}

// give returns a turn that a caller holds, so that a waiting request can get it.
func (t *turns) give(who access.Subject, long bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hold(who, long, -1)
	t.grant()
}

// grant gives free turns to waiting requests.
func (t *turns) grant() {
	for i := 0; i < len(t.round); {
		who := t.round[i]
		queue := t.waiting[who]
		next := queue[0]
		if !t.may(who, next.long) {
			i++
			continue
		}
		t.round = slices.Delete(t.round, i, i+1)
		if queue = queue[1:]; len(queue) > 0 {
			t.waiting[who] = queue
			t.round = append(t.round, who)
		} else {
			delete(t.waiting, who)
		}
		t.hold(who, next.long, 1)
		close(next.granted)
	}
}

// turn is the turn of one request. A request holds its turn while it computes. It gives the turn
// back while it writes to the client, which may be slow.
type turn struct {
	of   *turns
	who  access.Subject
	long bool
	held bool
}

// begin waits for a turn unless the request holds one. See [turns.take].
func (t *turn) begin(ctx context.Context, patience time.Duration) error {
	if t.held || t.of == nil {
		return nil
	}
	err := t.of.take(ctx, t.who, t.long, patience)
	t.held = err == nil
	return err
}

// pause gives the turn back if the request holds one.
func (t *turn) pause() {
	if t.held {
		t.held = false
		t.of.give(t.who, t.long)
	}
}

// resuming is a writer that waits for a turn before each write.
type resuming struct {
	ctx  context.Context
	turn *turn
	to   io.Writer
}

func (w resuming) Write(b []byte) (int, error) {
	if err := w.turn.begin(w.ctx, 0); err != nil {
		return 0, err
	}
	return w.to.Write(b)
}

// recovered calls search and returns its error. If search panics, as an index does on damaged data,
// recovered returns the panic as an error.
func recovered(ctx context.Context, search func() error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("search panicked: %v\n%s", r, debug.Stack())
		}
	}()
	return search()
}
