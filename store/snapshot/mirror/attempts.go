package mirror

import (
	"context"
	"time"
)

// resetProgress is the progress in bytes that resets the count of failures.
const resetProgress = 64 << 10

// attempts counts the failed attempts to fetch a file.
type attempts struct {
	remote   *remote
	most     int   // allowed failures in a row
	failures int   // since the last progress of resetProgress bytes
	best     int64 // length of the file at the last such progress
}

func (r *remote) attempts(most int) attempts { return attempts{remote: r, most: most} }

// again waits before the next attempt. reached is the length of the local part of the file. If no
// further attempt is allowed, again returns the error why.
func (a *attempts) again(ctx context.Context, reached int64, why error) error {
	if !retryable(ctx, why) {
		return why
	}
	if reached >= a.best+resetProgress {
		a.failures, a.best = 0, reached
		return nil
	}
	if a.failures++; a.failures > a.most {
		return why
	}
	wait := min(a.remote.opt.Pause<<min(a.failures-1, 6), time.Minute)
	a.remote.opt.Log.Warn("trying again", "after", wait, "error", why)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}
