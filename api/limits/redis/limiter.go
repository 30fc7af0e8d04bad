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
	// maxFailures is how many requests in a row may fail before Redis counts as away.
	maxFailures = 3
	// connectTimeout limits how long a starting server waits for Redis.
	connectTimeout = time.Second
	// minBackoff and maxBackoff bound the time between two probes while Redis is away. It doubles
	// if Redis fails again within steadyTime after it came back.
	minBackoff = time.Second
	maxBackoff = 32 * time.Second
	steadyTime = time.Minute
	// connections is the number of connections, and so the largest number of concurrent requests.
	// They are opened in advance because opening one may take longer than patience.
	connections = 32
	// prefix begins the name of every window.
	prefix = "bencao:limit:"
	// probe is the key of the window in which probes count.
	probe = "probe"
	// warnEvery is the time between two log lines about windows that Redis refuses to count in.
	warnEvery = time.Minute
)

// Options tunes [New]. The zero value is ready for use.
type Options struct {
	// Password is the password of Redis. Empty means none.
	Password string
	// Log gets a line when Redis goes away and when it is back. Nil means [slog.Default].
	Log *slog.Logger
}

// Limiter is an [access.Limiter] that shares its counts with all limiters on the same Redis. While
// Redis does not answer within 45 ms, the limiter counts locally. If Redis replies with an error for
// one window, the limiter counts that window locally.
type Limiter struct {
	client *client
	window time.Duration
	log    *slog.Logger
	// local counts while Redis is away. It also counts the requests that Redis allowed this server,
	// so that no client gets a full new limit when Redis goes away.
	local *access.Memory

	failures atomic.Int32 // number of consecutive failures
	away     atomic.Bool
	lost     chan error   // why Redis went away
	unshared atomic.Int64 // requests counted locally only
	// lastWarning is the time of the last log line about a window that Redis refuses, in ns since
	// 1970.
	lastWarning atomic.Int64
}

// CheckURL returns an error if address is not the address of a Redis.
func CheckURL(address string) error {
	_, err := parse(address)
	return err
}

// New returns a limiter for the Redis at an address such as redis://user@10.0.0.5:6379/1. If Redis
// does not answer, the limiter begins with local counts. The caller must run [Limiter.Run] and
// finally call Close.
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

// Close closes the connections.
func (r *Limiter) Close() error { return r.client.close() }

// Take counts n requests of s. See [access.Limiter].
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

// fail handles a request that Redis did not count, and decides whether Redis is away. An error reply
// may concern this window only, for example if its value was overwritten. Redis then still counts
// the other windows.
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

// ask counts n requests in a window of Redis.
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

// probe returns an error unless Redis counts a request, which needs a write.
func (r *Limiter) probe(ctx context.Context) error {
	q, err := r.ask(ctx, probe, 1, 1<<30)
	if err == nil && !q.OK {
		err = errors.New("requests are not counted")
	}
	return err
}

// lose makes the limiter count locally until Redis answers again.
func (r *Limiter) lose(err error) {
	if r.away.CompareAndSwap(false, true) {
		r.lost <- err // never blocks: Run receives the last error before it sets away to false
	}
}

// Run probes Redis whenever it is away, until ctx ends.
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

// await returns true when Redis answers within patience again, or false if ctx ends first.
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
