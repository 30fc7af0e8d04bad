package limits

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"bencao/api/access"
)

const (
	// patience is how long a request waits for Redis.
	patience = 45 * time.Millisecond
	// tolerated is how many requests in a row may find that Redis fails before
	// none asks it any more.
	tolerated = 3
	// hello is how long a server that starts waits for it.
	hello = time.Second
	// soonest and latest bound the time before Redis is asked again. Between
	// them it doubles with each time that it goes away within a steady time.
	soonest = time.Second
	latest  = 32 * time.Second
	steady  = time.Minute
	// connections is how many requests ask at a time. They are open before
	// anybody asks, since to open one may take longer than a request waits.
	connections = 32
	// prefix begins the name of every window.
	prefix = "bencao:limit:"
	// probe is the window that is counted in to find out whether Redis answers.
	probe = "probe"
	// complaints is the time between two lines of the log about windows that
	// Redis refuses to count in.
	complaints = time.Minute
)

// Options tunes [New]. The zero value is ready for use.
type Options struct {
	// Password is that of Redis. Empty is none.
	Password string
	// Log is told when Redis goes away and when it is back. Nil is
	// [slog.Default].
	Log *slog.Logger
}

// Redis is an [access.Limiter] that shares its counts with others over the same
// Redis. While that does not answer within 45 ms, it counts for itself. A window
// for which Redis replies an error it counts in for itself too.
type Redis struct {
	client *client
	window time.Duration
	log    *slog.Logger
	// local counts while Redis is away. It has also counted what this server let
	// through before that, so that nobody's limit begins anew.
	local *access.Memory

	failures atomic.Int32 // in a row
	away     atomic.Bool
	lost     chan error   // why Redis went away
	alone    atomic.Int64 // requests counted here alone
	// complained is when the log was last told of a window that Redis refuses,
	// in ns since 1970.
	complained atomic.Int64
}

// CheckURL tells what is wrong with the address of a Redis.
func CheckURL(address string) error {
	_, err := parse(address)
	return err
}

// New returns a limiter over the Redis at an address such as
// redis://user@10.0.0.5:6379/1. Whether that answers makes no difference but
// for the log. Keep [Redis.Run] running, and call Close in the end.
func New(address string, o Options) (*Redis, error) {
	to, err := parse(address)
	if err != nil {
		return nil, err
	}
	to.password = o.Password
	if o.Log == nil {
		o.Log = slog.Default()
	}
	r := &Redis{
		client: newClient(to), window: access.Window, log: o.Log,
		local: access.NewMemory(nil),
		lost:  make(chan error, 1),
	}
	ctx, cancel := context.WithTimeout(context.Background(), hello)
	defer cancel()
	if err := r.probe(ctx); err != nil {
		r.lose(err)
	} else {
		r.client.open()
	}
	return r, nil
}

// Close ends the connections.
func (r *Redis) Close() error { return r.client.close() }

// Take counts n requests of s.
func (r *Redis) Take(s access.Subject, n, limit int) access.Quota {
	if !r.away.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		q, err := r.ask(ctx, s.String(), n, limit)
		if err == nil {
			if r.failures.Load() != 0 {
				r.failures.Store(0)
			}
			if q.OK {
				r.local.Take(s, n, limit)
			}
			return q
		}
		r.fail(ctx, s.String(), err)
	}
	r.alone.Add(1)
	return r.local.Take(s, n, limit)
}

// fail decides after a request that Redis did not count whether it is away. An
// error that it replied may be of this one window, such as one that somebody
// has overwritten: then it still counts in the others.
func (r *Redis) fail(ctx context.Context, window string, err error) {
	var refused refusal
	if errors.As(err, &refused) {
		now := time.Now().UnixNano()
		if last := r.complained.Load(); now-last >= int64(complaints) && r.complained.CompareAndSwap(last, now) {
			r.log.Warn("Redis does not count in a window, this server counts in it for itself",
				"redis", r.client.server.address, "key", prefix+window, "error", err)
		}
	}
	if r.failures.Add(1) < tolerated {
		return
	}
	if refused != "" && r.probe(ctx) == nil {
		r.failures.Store(0)
		return
	}
	r.lose(err)
}

// ask has Redis count.
func (r *Redis) ask(ctx context.Context, window string, n, limit int) (access.Quota, error) {
	got, err := r.client.count(ctx, prefix+window, n, limit, r.window)
	if err != nil {
		return access.Quota{}, err
	}
	ok, counted, left := got[0], got[1], time.Duration(got[2])*time.Millisecond
	if ok < 0 || ok > 1 || counted < 0 || got[2] < 1 || got[2] > r.window.Milliseconds() {
		return access.Quota{}, refusal(fmt.Sprintf("%d, %d counted and %d ms left, which no window of ours has", got[0], got[1], got[2]))
	}
	return access.Quota{OK: ok == 1, Limit: limit, Remaining: int(max(0, int64(limit)-counted)), Reset: left}, nil
}

// probe asks for something that must be written down.
func (r *Redis) probe(ctx context.Context) error {
	q, err := r.ask(ctx, probe, 1, 1<<30)
	if err == nil && !q.OK {
		err = errors.New("Redis doesn't count")
	}
	return err
}

// lose has every request counted here until Redis answers again.
func (r *Redis) lose(err error) {
	if r.away.CompareAndSwap(false, true) {
		r.lost <- err // has room: Run took the last before it set away to false
	}
}

// Run waits for Redis each time that it is away, until ctx ends.
func (r *Redis) Run(ctx context.Context) {
	wait := soonest
	var back time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case err := <-r.lost:
			r.log.Warn("Redis is away, this server counts limits for itself", "redis", r.client.server.address, "error", err)
		}
		if time.Since(back) < steady {
			wait = min(2*wait, latest)
		} else {
			wait = soonest
		}
		began := time.Now()
		if !r.await(ctx, wait) {
			return
		}
		back = time.Now()
		r.log.Info("Redis is back, limits are shared again", "redis", r.client.server.address, "after", back.Sub(began).Round(time.Millisecond))
		r.failures.Store(0)
		r.away.Store(false)
	}
}

// await returns when Redis answers as fast as requests need it to. It returns
// false if ctx ends before that.
func (r *Redis) await(ctx context.Context, wait time.Duration) bool {
	tick := time.NewTicker(wait)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		limited, cancel := context.WithTimeout(ctx, patience)
		err := r.probe(limited)
		cancel()
		if err == nil {
			r.client.open()
			return true
		}
	}
}
