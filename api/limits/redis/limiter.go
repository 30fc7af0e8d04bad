package redis

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
	// patience limits how long a request waits for Redis.
	patience = 45 * time.Millisecond
	// maxFailures is how many requests in a row may fail before the limiter treats Redis as away.
	maxFailures = 3
	// connectTimeout limits how long a starting server waits for Redis.
	connectTimeout = time.Second
	// While Redis is away, the time between two probes is between minBackoff and maxBackoff. If
	// Redis goes away again within steadyTime after it came back, the time between probes is twice
	// as long as before.
	minBackoff = time.Second
	maxBackoff = 32 * time.Second
	steadyTime = time.Minute
	// connections is the number of connections to Redis, and so the largest number of requests that
	// use Redis at the same time. The connections are opened in advance, because opening one may
	// take longer than patience.
	connections = 32
	// prefix is the beginning of the Redis key of every window.
	prefix = "bencao:limit:"
	// probe is the name of the window in which probes are counted.
	probe = "probe"
	// warnEvery is the least time between two log lines about windows in which Redis refuses to
	// count.
	warnEvery = time.Minute
)

// Options tunes [New]. The zero value is ready for use.
type Options struct {
	// Password is the password of Redis. Empty means none.
	Password string
	// Log gets a line when Redis goes away and when it is back. Nil means [slog.Default].
	Log *slog.Logger
}

// Limiter is an [access.Limiter] that shares its counts with all limiters that use the same Redis.
// While Redis does not answer within 45 ms, the limiter counts locally. If Redis replies with an
// error for one window, the limiter counts that window locally.
type Limiter struct {
	client *client
	window time.Duration
	log    *slog.Logger
	// local counts requests while Redis is away. While Redis answers, local also counts the
	// requests of this server that Redis allowed, so that no client gets a new full limit when
	// Redis goes away.
	local *access.Memory

	failures atomic.Int32 // number of consecutive failures
	away     atomic.Bool
	lost     chan error   // receives the reason each time Redis goes away
	unshared atomic.Int64 // number of requests that were counted locally only
	// lastWarning is the time of the last log line about a window in which Redis refuses to count,
	// in ns since 1970.
	lastWarning atomic.Int64
}

// CheckURL returns an error if address is not the address of a Redis.
func CheckURL(address string) error {
	_, err := parse(address)
	return err
}

// New returns a limiter for the Redis at an address such as redis://user@10.0.0.5:6379/1. If Redis
// does not answer, the limiter counts locally at first. The caller must start [Limiter.Run], and
// must call [Limiter.Close] at the end.
func New(address string, o Options) (*Limiter, error) {
	to, err := parse(address)
	if err != nil {
		return nil, err
	}
	to.password = o.Password
	if o.Log == nil {
		o.Log = slog.Default()
	}
	r := &Limiter{
		client: newClient(to), window: access.Window, log: o.Log,
		local: access.NewMemory(nil),
		lost:  make(chan error, 1),
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	if err := r.probe(ctx); err != nil {
		r.lose(err)
	} else {
		r.client.open()
	}
	return r, nil
}

// Close waits for the requests in progress and closes the connections to Redis.
func (r *Limiter) Close() error { return r.client.close() }

// Take counts n requests of s, as [access.Limiter] describes.
func (r *Limiter) Take(s access.Subject, n, limit int) access.Quota {
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
	r.unshared.Add(1)
	return r.local.Take(s, n, limit)
}

// fail handles a request that Redis did not count, and decides whether the limiter treats Redis as
// away. An error reply may concern this window only, for example because another program has
// overwritten the Redis key. In this case fail tries to count in the window probe. If that works,
// Redis is not away.
func (r *Limiter) fail(ctx context.Context, window string, err error) {
	var refused refusal
	if errors.As(err, &refused) {
		now := time.Now().UnixNano()
		if last := r.lastWarning.Load(); now-last >= int64(warnEvery) && r.lastWarning.CompareAndSwap(last, now) {
			r.log.Warn("Redis refuses to count in a window, so this server counts in it alone",
				"redis", r.client.server.address, "key", prefix+window, "error", err)
		}
	}
	if r.failures.Add(1) < maxFailures {
		return
	}
	if refused != "" && r.probe(ctx) == nil {
		r.failures.Store(0)
		return
	}
	r.lose(err)
}

// ask has Redis count n requests in a window. It returns an error if Redis does not count them.
func (r *Limiter) ask(ctx context.Context, window string, n, limit int) (access.Quota, error) {
	got, err := r.client.count(ctx, prefix+window, n, limit, r.window)
	if err != nil {
		return access.Quota{}, err
	}
	ok, counted, left := got[0], got[1], time.Duration(got[2])*time.Millisecond
	if ok < 0 || ok > 1 || counted < 0 || got[2] < 1 || got[2] > r.window.Milliseconds() {
		return access.Quota{}, refusal(fmt.Sprintf("%d, %d counted and %d ms left, which no window of this program has", got[0], got[1], got[2]))
	}
	return access.Quota{OK: ok == 1, Limit: limit, Remaining: int(max(0, int64(limit)-counted)), Reset: left}, nil
}

// probe has Redis count one request in the window for probes, and returns an error if that fails.
// Counting needs a write, so probe also detects a Redis that can only be read.
func (r *Limiter) probe(ctx context.Context) error {
	q, err := r.ask(ctx, probe, 1, 1<<30)
	if err == nil && !q.OK {
		err = errors.New("requests are not counted")
	}
	return err
}

// lose makes the limiter count locally until Redis answers again. err is the reason.
func (r *Limiter) lose(err error) {
	if r.away.CompareAndSwap(false, true) {
		r.lost <- err // never blocks: Run has received the previous error before it set away to false
	}
}

// Run waits until Redis is away, then probes it until it answers, and repeats this until ctx ends.
func (r *Limiter) Run(ctx context.Context) {
	wait := minBackoff
	var back time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case err := <-r.lost:
			r.log.Warn("Redis is unreachable, so this server counts requests alone", "redis", r.client.server.address, "error", err)
		}
		if time.Since(back) < steadyTime {
			wait = min(2*wait, maxBackoff)
		} else {
			wait = minBackoff
		}
		began := time.Now()
		if !r.await(ctx, wait) {
			return
		}
		back = time.Now()
		r.log.Info("Redis answers again, so limits are shared again", "redis", r.client.server.address, "after", back.Sub(began).Round(time.Millisecond))
		r.failures.Store(0)
		r.away.Store(false)
	}
}

// await probes Redis each time that wait has passed. It returns true when Redis answers within
// patience, or false if ctx ends first.
func (r *Limiter) await(ctx context.Context, wait time.Duration) bool {
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
