package api

import (
	"context"
	"time"

	"bencao/api/access"
	"bencao/api/params"
)

// HoldTurns takes all turns, so that no request can compute until release is called.
func (b *Backend) HoldTurns() (release func()) {
	b.turns.mu.Lock()
	defer b.turns.mu.Unlock()
	n := b.turns.free
	b.turns.free = 0
	return func() {
		b.turns.mu.Lock()
		defer b.turns.mu.Unlock()
		b.turns.free += n
		b.turns.grant()
	}
}

// SetTurnWait sets how long requests wait for their first turn.
func (b *Backend) SetTurnWait(d time.Duration) { b.turns.wait = d }

// Waiting returns the number of requests that wait for a turn.
func (b *Backend) Waiting() (n int) {
	b.turns.mu.Lock()
	defer b.turns.mu.Unlock()
	for _, queue := range b.turns.waiting {
		n += len(queue)
	}
	return n
}

// Sabotage makes the operation at a path call a function before it answers. It must be called
// before the first request.
func (s *Server) Sabotage(path string, before func(ctx context.Context)) {
	r := s.byPath[path]
	handle := r.handle
	r.handle = func(ctx context.Context, b *Backend, vals params.Values, scopes access.Scopes) (answer, error) {
		before(ctx)
		return handle(ctx, b, vals, scopes)
	}
}

// DropPatterns makes every operation that counts patterns panic, unless its answer is cached.
func (b *Backend) DropPatterns() { b.patterns = nil }
