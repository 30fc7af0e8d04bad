package api

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"bencao/api/problem"
)

// How long a search waits for its turn, and how many run for each processor.
const (
	searchWait   = time.Second
	searchFactor = 4
)

// turns let so many searches run at a time: it holds a token for each that does.
type turns chan struct{}

// run runs a search when it is its turn. A search that panics, as an
// index does on bytes that it does not expect, is an error of that request.
func (t turns) run(ctx context.Context, search func() error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case t <- struct{}{}:
	default:
		if err := t.await(ctx); err != nil {
			return err
		}
	}
	defer func() {
		<-t
		if r := recover(); r != nil {
			err = fmt.Errorf("search panicked: %v\n%s", r, debug.Stack())
		}
	}()
	return search()
}

// await waits for the turn of a search.
func (t turns) await(ctx context.Context) error {
	patience := time.NewTimer(searchWait)
	defer patience.Stop()
	select {
	case t <- struct{}{}:
		return nil
	case <-patience.C:
		return &problem.Fault{Kind: problem.Busy, Detail: problem.SearchesAtOnce.With(), Retry: 1}
	case <-ctx.Done():
		return ctx.Err()
	}
}
