package limits

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync/atomic"
	"time"

	"bencao/api/access"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
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
)

//go:embed take.lua
var takeLua string

var takeScript = redis.NewScript(takeLua)

// Options tunes [New]. The zero value is ready for use.
type Options struct {
	// Password is that of Redis. Empty is none.
	Password string
	// Log is told when Redis goes away and when it is back. Nil is
	// [slog.Default].
	Log *slog.Logger
}

// Redis is an [access.Limiter] that shares its counts with others over the same
// Redis. While that does not answer within 45 ms, it counts for itself.
type Redis struct {
	client *redis.Client
	server string // for the log
	window time.Duration
	log    *slog.Logger
	// local counts while Redis is away. It has also counted what this server let
	// through before that, so that nobody's limit begins anew.
	local *access.Memory

	failures atomic.Int32 // in a row
	away     atomic.Bool
	lost     chan error   // why Redis went away
	alone    atomic.Int64 // requests counted here alone
}

// CheckURL tells what is wrong with the address of a Redis.
func CheckURL(address string) error {
	_, err := parse(address)
	return err
}

func parse(address string) (*redis.Options, error) {
	const write = "write one such as redis://10.0.0.5:6379, or rediss:// for TLS"
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("it is no address; %s", write) // the error holds all of it, with a password
	}
	switch _, password := u.User.Password(); {
	case password:
		return nil, fmt.Errorf("%s has a password, which every process list shows; put it into a file", u.Redacted())
	case u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "":
		return nil, fmt.Errorf("%q is no address of a Redis; %s", address, write)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q has more than a server, a user and a database; %s", address, write)
	}
	opt, err := redis.ParseURL(address)
	if err != nil {
		return nil, fmt.Errorf("%q: %w; %s", address, err, write)
	}
	return opt, nil
}

// New returns a limiter over the Redis at an address such as
// redis://user@10.0.0.5:6379/1. Whether that answers makes no difference but
// for the log. Keep [Redis.Run] running, and call Close in the end.
func New(address string, o Options) (*Redis, error) {
	opt, err := parse(address)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	logging.Disable() // it writes to stderr by itself
	opt.Password = o.Password
	opt.Protocol = 2
	opt.DisableIdentity = true
	opt.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	opt.ContextTimeoutEnabled = true
	opt.MaxRetries = -1
	opt.DialerRetries = 1
	opt.DialTimeout = hello
	opt.PoolSize, opt.MinIdleConns = connections, connections
	opt.ReadBufferSize, opt.WriteBufferSize = 4<<10, 4<<10
	r := &Redis{
		client: redis.NewClient(opt), server: opt.Addr, window: access.Window, log: o.Log,
		local: access.NewMemory(nil),
		lost:  make(chan error, 1),
	}
	ctx, cancel := context.WithTimeout(context.Background(), hello)
	defer cancel()
	if err := r.probe(ctx); err != nil {
		r.lose(err)
	}
	return r, nil
}

// Close ends the connections.
func (r *Redis) Close() error { return r.client.Close() }

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
		if r.failures.Add(1) >= tolerated {
			r.lose(err)
		}
	}
	r.alone.Add(1)
	return r.local.Take(s, n, limit)
}

// ask has Redis count.
func (r *Redis) ask(ctx context.Context, window string, n, limit int) (access.Quota, error) {
	got, err := takeScript.Run(ctx, r.client, []string{prefix + window}, n, limit, r.window.Milliseconds()).Int64Slice()
	if err != nil {
		return access.Quota{}, err
	}
	if len(got) != 3 {
		return access.Quota{}, fmt.Errorf("Redis answers %d numbers in place of 3", len(got))
	}
	return access.Quota{
		OK:        got[0] == 1,
		Limit:     limit,
		Remaining: max(0, limit-int(got[1])),
		Reset:     time.Duration(got[2]) * time.Millisecond,
	}, nil
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
			r.log.Warn("Redis is away, this server counts limits for itself", "redis", r.server, "error", err)
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
		r.log.Info("Redis is back, limits are shared again", "redis", r.server, "after", back.Sub(began).Round(time.Millisecond))
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
			return true
		}
	}
}
