package mirror

import (
	"context"
	"time"
)

// resetProgress is the number of further bytes after which the count of failures starts again at 0.
const resetProgress = 64 << 10

// attempts counts the failed attempts to fetch a file.
type attempts struct {
	remote   *remote
	most     int   // maximum number of failures in a row
	failures int   // failures since the count last started at 0
	best     int64 // length of the local part when the count last started at 0
}

func (r *remote) attempts(most int) attempts { return attempts{remote: r, most: most} }

// again waits before the next attempt. reached is the length of the local part of the file, and why
// is the error of the last attempt. If no further attempt is allowed, again returns why.
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
