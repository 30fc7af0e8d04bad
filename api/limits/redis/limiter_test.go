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
	"bencao/internal/testkit"
)

const patience = 30 * time.Second

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
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"--bind", host, "--port", port, "--save", "", "--dir", t.TempDir()}, flags...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
func replica(t *testing.T, address, password string) (*redis.Limiter, *diary) {
	t.Helper()
	d := &diary{}
	r, err := redis.New(address, redis.Options{Password: password, Log: slog.New(slog.NewTextHandler(d, nil))})
	if err != nil {
		t.Fatal(err)
	}
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
	a, _ := replica(t, "redis://"+s.addr, "")
	b, _ := replica(t, "redis://"+s.addr, "")
	one := access.NewMemory(nil)
	random := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	for i := range 4000 {
		who, n, limit := subject(random.IntN(9)), 1+random.IntN(3)*random.IntN(4), 100+random.IntN(2)*100
		asked := a
		if random.IntN(2) == 0 {
			asked = b
		}
		got, want := asked.Take(who, n, limit), one.Take(who, n, limit)
		if time.Since(began) > access.Window/2 || a.Unshared()+b.Unshared() > 0 {
			t.Skip("SKIPPED: this machine is so slow that windows end, or that Redis does not answer in time")
		}
		if late := (got.Reset - want.Reset).Abs(); late > time.Second || got.Reset <= 0 || got.Reset > access.Window {
			t.Errorf("request %d: %s are left of the window, want about %s", i, got.Reset, want.Reset)
		}
		got.Reset = want.Reset
		if got != want {
			t.Fatalf("request %d, %d of %v: %+v, want %+v", i, n, who, got, want)
		}
	}
}

// TestExactlyNPass sends requests to two replicas from many goroutines, in three windows. Exactly
// as many requests as the limit must pass in each window.
func TestExactlyNPass(t *testing.T) {
	s := start(t, testkit.FreeAddress(t))
	a, _ := replica(t, "redis://"+s.addr, "")
	b, _ := replica(t, "redis://"+s.addr, "")
	const window, limit = 3 * time.Second, 300
	a.SetWindow(window)
	b.SetWindow(window)
	for round := range 3 {
		var passed atomic.Int64
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				for range 20 {
					if []*redis.Limiter{a, b}[i%2].Take(lab, 1, limit).OK {
						passed.Add(1)
					}
				}
			})
		}
		wg.Wait()
		if time.Since(began) > window*9/10 || a.Unshared()+b.Unshared() > 0 {
			t.Skip("SKIPPED: this machine is so slow that the window ended, or that Redis did not answer in time")
		}
		if passed.Load() != limit {
			t.Errorf("round %d: %d of %d passed, want %d", round, passed.Load(), 32*20, limit)
		}
		q := b.Take(lab, 1, limit)
		if q.OK || q.Remaining != 0 || q.Reset <= 0 || q.Reset > window {
			t.Errorf("round %d: after the last: %+v", round, q)
		}
		until(t, "the window ends", func() bool { return b.Take(lab, 0, limit).Remaining == limit })
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
		"another type": {
			func(t *testing.T, s *redisServer) {
				cli(t, s, "DEL", "bencao:limit:key:lab", "bencao:limit:probe")
				cli(t, s, "LPUSH", "bencao:limit:key:lab", "x")
				cli(t, s, "LPUSH", "bencao:limit:probe", "x")
				cli(t, s, "PEXPIRE", "bencao:limit:key:lab", "50000")
				cli(t, s, "PEXPIRE", "bencao:limit:probe", "50000")
			},
			func(t *testing.T, s *redisServer) { cli(t, s, "FLUSHALL") },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, testkit.FreeAddress(t))
			r, told := replica(t, "redis://"+s.addr, "")
			for range 3 {
				if q := r.Take(lab, 1, 5); !q.OK {
					t.Fatalf("while Redis is there: %+v", q)
				}
			}
			tt.away(t, s)
			// The requests that Redis counted before it went away must still count.
			longest := time.Duration(0)
			for i := range 10 {
				began := time.Now()
				q := r.Take(lab, 1, 5)
				longest = max(longest, time.Since(began))
				if want := i < 2; q.OK != want || q.Limit != 5 || q.Reset <= 0 {
					t.Errorf("request %d without Redis: %+v, want it let through: %v", i, q, want)
				}
			}
			if longest > 5*time.Second { // no request may wait much longer than patience, even on a slow machine
				t.Errorf("a request waited %s", longest)
			}
			t.Logf("the longest wait was %s", longest)
			until(t, "it is said that Redis is away", func() bool { return told.count("Redis is unreachable") > 0 })
			tt.back(t, s)
			until(t, "Redis is back", func() bool { return told.count("limits are shared again") == 1 })
			if n := told.count("Redis is unreachable"); n != 1 {
				t.Errorf("it is said %d times that Redis is away, want once:\n%s", n, told)
			}
			other, _ := replica(t, "redis://"+s.addr, "")
			for range 5 {
				r.Take(subject(0), 1, 5)
			}
			until(t, "both count together", func() bool { return !other.Take(subject(0), 1, 5).OK })
		})
	}
}

// cli runs a command of redis-cli.
func cli(t *testing.T, s *redisServer, command ...string) {
	t.Helper()
	_, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("redis-cli", append([]string{"-p", port}, command...)...).CombinedOutput(); err != nil || strings.HasPrefix(string(out), "ERR") {
		t.Fatalf("redis-cli %v: %v\n%s", command, err, out)
	}
}

// TestAbsent creates the limiter before Redis is started.
func TestAbsent(t *testing.T) {
	addr := testkit.FreeAddress(t)
	r, told := replica(t, "redis://"+addr, "")
	if q := r.Take(lab, 1, 1); !q.OK {
		t.Errorf("the first request: %+v", q)
	}
	if q := r.Take(lab, 1, 1); q.OK {
		t.Errorf("the second of 1: %+v", q)
	}
	start(t, addr)
	until(t, "Redis is there", func() bool { return told.count("limits are shared again") == 1 })
}

// TestPassword checks that the limiter logs in with the password and never writes it to the log.
func TestPassword(t *testing.T) {
	const secret = "correct-horse"
	s := start(t, testkit.FreeAddress(t), "--requirepass", secret)
	for given, away := range map[string]int{secret: 0, "wrong-" + secret: 1, "": 1} {
		r, told := replica(t, "redis://"+s.addr, given)
		for range 3 {
			r.Take(lab, 1, 100)
		}
		until(t, "what is said of Redis", func() bool { return told.count("Redis is unreachable") == away })
		if told.count(secret) > 0 {
			t.Errorf("the log holds the password:\n%s", told)
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
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.Take(lab, 1, 1<<30)
		}
	})
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}
