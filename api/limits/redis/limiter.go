// Package redis is a rate limiter whose counts several servers share through Redis. A key then has
// one limit, however many servers a load balancer spreads its requests over.
//
// The rules are those of [access.Memory]: a window begins with its first request and lasts
// [access.Window]. One Lua script (take.lua) checks the limit and counts the request in one step,
// so two servers cannot both admit the last request of a window. While Redis fails or is slow, each
// server counts alone, and no request is refused because of it.
//
// Begin with [New] and [Limiter.Take].
package redis

import (
	"context"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/prometheus/client_golang/prometheus"

	"bencao/api/access"
)

const (
	// maxFailures is how many requests in a row may fail before the limiter treats Redis as away.
	maxFailures = 3
	// probeEvery is the time between two attempts to reach a Redis that is away.
	probeEvery = time.Second
	// connections is the largest number of connections to Redis.
	connections = 32
	// prefix is the beginning of the Redis key of every window.
	prefix = "bencao:limit:"
)

//go:embed take.lua
var takeLua string

var take = redis.NewScript(1, takeLua)

// Options tunes [New]. The zero value is ready for use.
type Options struct {
	// Password is the password of Redis. Empty means none.
	Password string
	// Log gets a line when Redis goes away and when it is back. Nil means [slog.Default].
	Log *slog.Logger
	// Patience limits how long a request waits for Redis. Zero means 45 ms.
	Patience time.Duration
	// Window is the length of a window. Zero means [access.Window].
	Window time.Duration
}

// Limiter is an [access.Limiter] that shares its counts with all limiters that use the same Redis.
// It counts a request locally if Redis does not answer in time.
type Limiter struct {
	address string // host:port
	opt     Options
	dial    func(context.Context) (redis.Conn, error)
	pool    atomic.Pointer[redis.Pool]
	// local counts requests while Redis is away. While Redis answers, local also counts the
	// requests of this server that Redis allowed, so that no client gets a new full limit when
	// Redis goes away.
	local *access.Memory

	failures atomic.Int32 // number of consecutive failures
	away     atomic.Bool
	unshared atomic.Int64 // number of requests that were counted locally only
}

// CheckURL returns an error if address is not the address of a Redis.
func CheckURL(address string) error {
	_, _, err := parse(address)
	return err
}

// parse reads an address such as rediss://user@10.0.0.5:6379/1. It returns its host and port, and
// what else is needed to open a connection.
func parse(address string) (server string, options []redis.DialOption, err error) {
	const write = "write one such as redis://10.0.0.5:6379, or rediss:// for TLS"
	u, err := url.Parse(address)
	if err != nil {
		return "", nil, fmt.Errorf("not an address; %s", write) // err is left out, because its text has the whole address with the password
	}
	switch _, password := u.User.Password(); {
	case password:
		return "", nil, fmt.Errorf("%s has a password, which process lists show; put it into a file", u.Redacted())
	case u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "":
		return "", nil, fmt.Errorf("%q is not the address of a Redis; %s", address, write)
	case u.RawQuery != "" || u.Fragment != "":
		return "", nil, fmt.Errorf("%q has a query or a fragment; %s", address, write)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "6379")
	}
	dial := new(net.Dialer).DialContext
	if u.Scheme == "rediss" {
		dial = new(tls.Dialer).DialContext
	}
	options = append(options, redis.DialContextFunc(func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		return &bounded{Conn: c}, err
	}))
	if path := strings.Trim(u.Path, "/"); path != "" {
		database, err := strconv.ParseUint(path, 10, 16)
		if err != nil {
			return "", nil, fmt.Errorf("%q: invalid database number %q; %s", address, path, write)
		}
		options = append(options, redis.DialDatabase(int(database)))
	}
	return u.Host, append(options, redis.DialUsername(u.User.Username())), nil
}

// New returns a limiter for the Redis at an address such as redis://user@10.0.0.5:6379/1. If Redis
// does not answer, the limiter counts locally at first. The caller must start [Limiter.Run], and
// must call [Limiter.Close] at the end.
func New(address string, opt Options) (*Limiter, error) {
	server, options, err := parse(address)
	if err != nil {
		return nil, err
	}
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Patience <= 0 {
		opt.Patience = 45 * time.Millisecond
	}
	if opt.Window <= 0 {
		opt.Window = access.Window
	}
	options = append(options, redis.DialPassword(opt.Password))
	l := &Limiter{address: server, opt: opt, local: access.NewMemory(nil)}
	l.dial = func(ctx context.Context) (redis.Conn, error) {
		c, err := redis.DialContext(ctx, "tcp", server, options...)
		if err != nil && opt.Password != "" { // Redis may repeat an unknown command with its arguments
			err = errors.New(strings.ReplaceAll(err.Error(), opt.Password, "[password]"))
		}
		return c, err
	}
	l.pool.Store(l.newPool())
	if err := l.probe(); err != nil {
		l.lose(err)
	}
	return l, nil
}

func (l *Limiter) newPool() *redis.Pool {
	return &redis.Pool{DialContext: l.dial, MaxActive: connections, MaxIdle: connections, IdleTimeout: 10 * time.Second, Wait: true}
}

// Close closes the connections to Redis.
func (l *Limiter) Close() error { return l.pool.Load().Close() }

// Take counts n requests of s, as [access.Limiter] describes.
func (l *Limiter) Take(s access.Subject, n, limit int) access.Quota {
	if !l.away.Load() {
		q, err := l.count(s.String(), n, limit)
		if err == nil {
			l.failures.Store(0)
			if q.OK {
				l.local.Take(s, n, limit)
			}
			return q
		}
		if l.failures.Add(1) >= maxFailures {
			l.lose(err)
		}
	}
	l.unshared.Add(1)
	return l.local.Take(s, n, limit)
}

// count has Redis count n requests in a window.
func (l *Limiter) count(window string, n, limit int) (access.Quota, error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.opt.Patience)
	defer cancel()
	c, err := l.pool.Load().GetContext(ctx)
	if err != nil {
		return access.Quota{}, err
	}
	defer c.Close() // the pool closes the connection if an error has occurred on it
	reply, err := redis.Int64s(take.DoContext(ctx, c, prefix+window, n, limit, l.opt.Window.Milliseconds()))
	if err != nil {
		return access.Quota{}, err
	}
	if len(reply) != 3 {
		return access.Quota{}, fmt.Errorf("the script returned %d numbers", len(reply))
	}
	ok, counted, left := reply[0] == 1, int(reply[1]), time.Duration(reply[2])*time.Millisecond
	return access.Quota{OK: ok, Limit: limit, Remaining: max(0, limit-counted), Reset: left}, nil
}

// probe has Redis count a request in a window of its own. Counting needs a write, so probe also
// detects a Redis that can only be read.
func (l *Limiter) probe() error {
	_, err := l.count("probe", 1, 1<<30)
	return err
}

// lose makes the limiter count locally until Redis answers again. err is the reason.
func (l *Limiter) lose(err error) {
	if l.away.CompareAndSwap(false, true) {
		l.opt.Log.Warn("Redis is unreachable, so this server counts requests alone", "redis", l.address, "error", err)
		_ = l.pool.Swap(l.newPool()).Close() // the old connections may be dead
	}
}

// Run probes Redis once a second while it is away, until ctx ends.
func (l *Limiter) Run(ctx context.Context) {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if l.away.Load() && l.probe() == nil {
			l.opt.Log.Info("Redis answers again, so limits are shared again", "redis", l.address)
			l.failures.Store(0)
			l.away.Store(false)
		}
	}
}

// Collectors returns the limiter's metrics.
func (l *Limiter) Collectors() []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "bencao_limits_shared", Help: "1 while Redis counts for all servers, 0 while it is unreachable and this server counts alone.",
		}, func() float64 {
			if l.away.Load() {
				return 0
			}
			return 1
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "bencao_limits_local_total", Help: "Requests that this server counted alone, because Redis was unreachable or replied with an error.",
		}, func() float64 { return float64(l.unshared.Load()) }),
	}
}
