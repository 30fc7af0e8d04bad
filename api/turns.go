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
// each processor.
const (
	turnWait   = time.Second
	turnFactor = 4
)

// turns limits how many requests compute at the same time. One caller, such as a key or an address,
// cannot use all processors. Waiting requests get turns round-robin by caller. If one caller sends
// a thousand requests at once, another caller therefore waits for one of these requests, not for a
// thousand.
type turns struct {
	each int           // largest number of turns that one caller may hold
	wait time.Duration // how long a request waits for its first turn
	mu   sync.Mutex    // guards the fields below
	free int
	// held has the number of turns that each caller holds.
	held map[access.Subject]int
	// waiting has a channel for each waiting request, by caller; the request that waits longest
	// comes first. The channel is closed when the request gets its turn.
	waiting map[access.Subject][]chan struct{}
	// round lists the callers that have waiting requests, in the order in which they get turns.
	round []access.Subject
}

func newTurns(n int) *turns {
	return &turns{
		each: max(1, runtime.GOMAXPROCS(0)-1), wait: turnWait, free: n,
		held: map[access.Subject]int{}, waiting: map[access.Subject][]chan struct{}{},
	}
}

// take waits for a turn of the caller. Each turn must be returned by [turns.give]. If the caller
// gets no turn within patience, take returns a [problem.Busy] fault. A patience of 0 means no
// limit.
func (t *turns) take(ctx context.Context, who access.Subject, patience time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.free > 0 && t.held[who] < t.each {
		t.free--
		t.held[who]++
		t.mu.Unlock()
		return nil
	}
	granted := make(chan struct{})
	if len(t.waiting[who]) == 0 {
		t.round = append(t.round, who)
	}
	t.waiting[who] = append(t.waiting[who], granted)
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
	t.waiting[who] = slices.DeleteFunc(t.waiting[who], func(c chan struct{}) bool { return c == granted })
	if len(t.waiting[who]) == 0 {
		delete(t.waiting, who)
		t.round = slices.DeleteFunc(t.round, func(c access.Subject) bool { return c == who })
	}
	return err
}

// give returns a turn that a caller holds, so that a waiting request can get it.
func (t *turns) give(who access.Subject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if t.held[who]--; t.held[who] == 0 {
		delete(t.held, who)
	}
	t.grant()
}

// grant gives free turns to waiting requests.
func (t *turns) grant() {
	for i := 0; t.free > 0 && i < len(t.round); {
		who := t.round[i]
		if t.held[who] >= t.each {
			i++
			continue
		}
		queue := t.waiting[who]
		next := queue[0]
		t.round = slices.Delete(t.round, i, i+1)
		if queue = queue[1:]; len(queue) > 0 {
			t.waiting[who] = queue
			t.round = append(t.round, who)
		} else {
			delete(t.waiting, who)
		}
		t.free--
		t.held[who]++
		close(next)
	}
}

// turn is the turn of one request. A request holds its turn while it computes. It gives the turn
// back while it writes to the client, which may be slow.
type turn struct {
	of   *turns
	who  access.Subject
	held bool
}

// begin waits for a turn unless the request holds one. See [turns.take].
func (t *turn) begin(ctx context.Context, patience time.Duration) error {
	if t.held || t.of == nil {
		return nil
	}
	err := t.of.take(ctx, t.who, patience)
	t.held = err == nil
	return err
}

// pause gives the turn back if the request holds one.
func (t *turn) pause() {
	if t.held {
		t.held = false
		t.of.give(t.who)
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
