//go:build unix

package redis_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/api/limits/redis"
	"bencao/internal/test/testkit"
)

const (
	patience = 30 * time.Second
	// long is so long that no window ends and no reply is late while a test runs.
	long = time.Hour
)

func until(t testing.TB, what string, fulfilled func() bool) {
	t.Helper()
	testkit.WaitFor(t, patience, what, fulfilled)
}

// redisServer is a running process of redis-server.
type redisServer struct {
	addr    string
	process *os.Process
	ended   chan struct{}
}

// start runs a redis-server until the test ends.
func start(t testing.TB, addr string, flags ...string) *redisServer {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("redis-server is needed for this test and must be there when CI is true")
		}
		t.Skip("SKIPPED: redis-server is needed for this test")
	}
	host, port, err := net.SplitHostPort(addr)
	must(t, err)
	cmd := exec.Command(path, append([]string{"--bind", host, "--port", port, "--save", "", "--dir", t.TempDir()}, flags...)...)
	must(t, cmd.Start())
	s := &redisServer{addr: addr, process: cmd.Process, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		_ = cmd.Wait() // returns an error, because a test has killed the server
	}()
	t.Cleanup(func() { s.kill(t) })
	until(t, "redis-server listens", func() bool {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return false
		}
		return c.Close() == nil
	})
	return s
}

func (s *redisServer) signal(t testing.TB, sig os.Signal) {
	t.Helper()
	if err := s.process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

func (s *redisServer) kill(t testing.TB) {
	t.Helper()
	s.signal(t, syscall.SIGKILL)
	<-s.ended
}

// diary keeps the lines of a log.
type diary struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lines.Write(b)
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lines.String()
}

func (d *diary) count(word string) int { return strings.Count(d.String(), word) }

// replica returns a running limiter with its log. Several replicas share one Redis as several
// servers do.
func replica(t *testing.T, address string, opt redis.Options) (*redis.Limiter, *diary) {
	t.Helper()
	d := &diary{}
	opt.Log = slog.New(slog.NewTextHandler(d, nil))
	r, err := redis.New(address, opt)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { r.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, d
}

var lab = access.Subject{Key: "lab"}

func subject(i int) access.Subject {
	switch i % 3 {
	case 0:
		return access.Subject{Key: fmt.Sprint("key", i)}
	case 1:
		return access.AddressSubject(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}))
	}
	s := access.AddressSubject(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}))
	s.Pages = true
	return s
}

// TestAsOne sends requests to two replicas in turn and compares the answers with those of one
// limiter in memory. The answers must be the same, whatever the number of requests, and also while
// the limit changes.
func TestAsOne(t *testing.T) {
	s := start(t, testkit.FreeAddress(t))
	a, _ := replica(t, "redis://"+s.addr, redis.Options{Patience: long, Window: long})
	b, _ := replica(t, "redis://"+s.addr, redis.Options{Patience: long, Window: long})
	began := time.Now()
	one := access.NewMemory(func() time.Time { return began })
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 4000 {
		who, n, limit := subject(random.IntN(9)), 1+random.IntN(3)*random.IntN(4), 100+random.IntN(2)*100
		asked := a
		if random.IntN(2) == 0 {
			asked = b
		}
		got, want := asked.Take(who, n, limit), one.Take(who, n, limit)
		if got.Reset <= 0 || got.Reset > long {
			t.Errorf("request %d: %s are left of the window, want at most %s", i, got.Reset, long)
		}
		got.Reset = want.Reset
		if got != want {
			t.Fatalf("request %d, %d of %v: %+v, want %+v", i, n, who, got, want)
		}
	}
}

// TestExactlyNPass sends requests to two replicas from many goroutines. Exactly as many requests as
// the limit must pass.
func TestExactlyNPass(t *testing.T) {
	s := start(t, testkit.FreeAddress(t))
	a, _ := replica(t, "redis://"+s.addr, redis.Options{Patience: long, Window: long})
	b, _ := replica(t, "redis://"+s.addr, redis.Options{Patience: long, Window: long})
	const limit = 300
	for round := range 3 {
		who := subject(round)
		var passed atomic.Int64
		var wg sync.WaitGroup
		for i := range 64 { // more than there are connections
			wg.Go(func() {
				for range 10 {
					if []*redis.Limiter{a, b}[i%2].Take(who, 1, limit).OK {
						passed.Add(1)
					}
				}
			})
		}
		wg.Wait()
		if passed.Load() != limit {
			t.Errorf("round %d: %d of %d passed, want %d", round, passed.Load(), 64*10, limit)
		}
		if q := b.Take(who, 1, limit); q.OK || q.Remaining != 0 || q.Reset <= 0 || q.Reset > long {
			t.Errorf("round %d: after the last: %+v", round, q)
		}
	}
}

// TestWindowEnds checks that a new window begins when one has ended.
func TestWindowEnds(t *testing.T) {
	s := start(t, testkit.FreeAddress(t))
	r, _ := replica(t, "redis://"+s.addr, redis.Options{Patience: long, Window: 50 * time.Millisecond})
	for range 3 {
		until(t, "a request passes", func() bool { return r.Take(lab, 1, 1).OK })
	}
}

// TestTaken makes Redis unavailable in several ways and then available again, while requests are
// counted.
func TestTaken(t *testing.T) {
	tests := map[string]struct {
		away func(*testing.T, *redisServer)
		back func(*testing.T, *redisServer)
	}{
		"killed": {
			func(t *testing.T, s *redisServer) { s.kill(t) },
			func(t *testing.T, s *redisServer) { start(t, s.addr) },
		},
		"frozen": {
			func(t *testing.T, s *redisServer) { s.signal(t, syscall.SIGSTOP) },
			func(t *testing.T, s *redisServer) { s.signal(t, syscall.SIGCONT) },
		},
		"read-only": {
			func(t *testing.T, s *redisServer) { cli(t, s, "REPLICAOF", "127.0.0.1", "1") },
			func(t *testing.T, s *redisServer) { cli(t, s, "REPLICAOF", "NO", "ONE") },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, testkit.FreeAddress(t))
			r, told := replica(t, "redis://"+s.addr, redis.Options{})
			for range 3 {
				if q := r.Take(lab, 1, 5); !q.OK {
					t.Fatalf("while Redis is there: %+v", q)
				}
			}
			tt.away(t, s)
			// The requests that Redis counted before it went away must still count.
			for i := range 10 {
				q := r.Take(lab, 1, 5)
				if want := i < 2; q.OK != want || q.Limit != 5 || q.Reset <= 0 {
					t.Errorf("request %d without Redis: %+v, want it let through: %v", i, q, want)
				}
			}
			until(t, "it is said that Redis is away", func() bool { return told.count("Redis is unreachable") > 0 })
			tt.back(t, s)
			until(t, "Redis is back", func() bool { return told.count("limits are shared again") > 0 })
			other, _ := replica(t, "redis://"+s.addr, redis.Options{Patience: long})
			tries := 0
			until(t, "both count together", func() bool {
				tries++
				who := access.Subject{Key: fmt.Sprint("try", tries)} // in a try, this machine may be too slow for r
				for range 5 {
					r.Take(who, 1, 5)
				}
				return !other.Take(who, 1, 5).OK
			})
		})
	}
}

// cli runs a command of redis-cli.
func cli(t *testing.T, s *redisServer, command ...string) {
	t.Helper()
	_, port, err := net.SplitHostPort(s.addr)
	must(t, err)
	if out, err := exec.Command("redis-cli", append([]string{"-p", port}, command...)...).CombinedOutput(); err != nil || strings.HasPrefix(string(out), "ERR") {
		t.Fatalf("redis-cli %v: %v\n%s", command, err, out)
	}
}

// TestAbsent creates the limiter before Redis is started.
func TestAbsent(t *testing.T) {
	addr := testkit.FreeAddress(t)
	r, told := replica(t, "redis://"+addr, redis.Options{})
	if q := r.Take(lab, 1, 1); !q.OK {
		t.Errorf("the first request: %+v", q)
	}
	if q := r.Take(lab, 1, 1); q.OK {
		t.Errorf("the second of 1: %+v", q)
	}
	start(t, addr)
	until(t, "Redis is there", func() bool { return told.count("limits are shared again") > 0 })
}

// TestPassword checks that the limiter logs in with the password and never writes it to the log,
// even if Redis repeats it in an error.
func TestPassword(t *testing.T) {
	const secret = "correct-horse"
	login := start(t, testkit.FreeAddress(t), "--requirepass", secret)
	noLogin := start(t, testkit.FreeAddress(t), "--rename-command", "AUTH", "")
	for _, tt := range []struct {
		s        *redisServer
		password string
		away     int
		says     string
	}{
		{login, secret, 0, ""},
		{login, "wrong-" + secret, 1, "WRONGPASS"},
		{login, "", 1, "NOAUTH"},
		{noLogin, secret, 1, "[password]"},
	} {
		_, told := replica(t, "redis://"+tt.s.addr, redis.Options{Password: tt.password, Patience: long})
		if told.count("Redis is unreachable") != tt.away || !strings.Contains(told.String(), tt.says) || told.count(secret) > 0 {
			t.Errorf("with the password %q the log says\n%s", tt.password, told)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for address, want := range map[string]string{
		"redis://10.0.0.5":                  "",
		"redis://10.0.0.5:6379/2":           "",
		"rediss://limits@redis.example/1":   "",
		"redis://[2001:db8::1]:6379":        "",
		"redis://:secret@10.0.0.5":          "has a password",
		"redis://limits:secret@10.0.0.5":    "has a password",
		"http://limits:secret@10.0.0.5":     "has a password",
		"redis://limits:secret@10.0.0.5:x/": "not an address",
		"10.0.0.5:6379":                     "not an address",
		"http://10.0.0.5":                   "not the address",
		"redis://10.0.0.5/secret":           "invalid database number",
		"redis://10.0.0.5?password=secret":  "a query or a fragment",
		"redis://":                          "not the address",
	} {
		err := redis.CheckURL(address)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", address, err, want)
		case err != nil && strings.Contains(err.Error(), ":secret"):
			t.Errorf("%s: the error tells the password: %v", address, err)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	r, err := redis.New("redis://"+start(b, testkit.FreeAddress(b)).addr, redis.Options{})
	must(b, err)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.Take(lab, 1, 1<<30)
		}
	})
	must(b, r.Close())
}
