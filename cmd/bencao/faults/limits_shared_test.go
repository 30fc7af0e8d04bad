//go:build linux

package faults_test

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// redis starts a Redis that requires a password. It runs until the test ends or calls end.
func redis(t *testing.T, addr, password string) (process *os.Process, end func()) {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	must(t, err)
	cmd := exec.Command(tool(t, "redis-server"), "--bind", "127.0.0.1", "--port", port, "--requirepass", password, "--save", "", "--dir", t.TempDir())
	must(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // the error only says that Redis was killed
	}()
	end = func() {
		_ = cmd.Process.Kill() // the test may have killed Redis already
		<-ended
	}
	t.Cleanup(end)
	until(t, "Redis listens", func() bool {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return false
		}
		return c.Close() == nil
	})
	return cmd.Process, end
}

// TestReplicasShareLimits runs two servers behind nginx that count requests in one Redis. A key
// must get its limit once, not once for each server. Then the Redis is frozen, and later killed:
// both servers must answer, count on their own, and share limits again when the Redis is back.
func TestReplicasShareLimits(t *testing.T) {
	const each, all, secret = 10, 640, "correct-horse-battery"
	s := newSite(t)
	hundred := s.key(t, "hundred", "--network", "127.0.0.1", "--rate", "100")
	batch := s.key(t, "batch", "--network", "127.0.0.1", "--rate", "25")
	addr := testkit.FreeAddress(t)
	process, end := redis(t, addr, secret)
	t.Setenv("BENCAO_REDIS_PASSWORD", secret)
	a := s.serve(t, "--redis", "redis://"+addr)
	b := s.serve(t, "--redis", "redis://"+addr)
	front := "http://" + proxies[0].start(t, a.addr+"; server "+b.addr) + "/api/v1"
	both := func(what string, is func(*server) bool) {
		t.Helper()
		until(t, what, func() bool { return is(a) && is(b) })
	}
	shared := func(s *server) bool { return s.metric(t, "bencao_limits_shared ") == 1 }
	alone := func() float64 {
		return a.metric(t, "bencao_limits_local_total ") + b.metric(t, "bencao_limits_local_total ")
	}
	both("both share limits", shared)

	began := time.Now()
	passed := a.together(t, each, front+"/stats", hundred)
	many := url.Values{}
	for range 100 { // a batch of 100 names counts as ten requests
		many.Add("name", "Panax ginseng")
	}
	var batches [3]reply
	for i := range batches {
		var err error
		if batches[i], err = ask(a.client, front+"/names/matches?"+many.Encode(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if time.Since(began) > 55*time.Second || alone() > 0 {
		t.Log("SKIPPED: this machine is too slow to count the requests of one minute, or Redis did not answer in time")
	} else {
		if passed[200] != 100 || passed[429] != all-100 {
			t.Errorf("with a key of 100 a minute: %v, want 100 × 200 and 540 × 429", passed)
		}
		for i, want := range []struct {
			status    int
			remaining string
		}{{200, "15"}, {200, "5"}, {429, "4"}} { // a batch counts one request on arrival, and nine more when the server has read its names
			if got := batches[i]; got.status != want.status || got.header.Get("X-RateLimit-Remaining") != want.remaining {
				t.Errorf("batch %d of ten with 25 a minute: %d, %s remain; want %+v", i+1, got.status, got.header.Get("X-RateLimit-Remaining"), want)
			}
		}
	}

	answered := func() {
		t.Helper()
		r, err := ask(a.client, front+"/stats", s.all)
		must(t, err)
		r.want(t, http.StatusOK)
	}
	for _, way := range []struct {
		name       string
		away, back func()
	}{
		{"frozen", func() { must(t, process.Signal(syscall.SIGSTOP)) }, func() { must(t, process.Signal(syscall.SIGCONT)) }},
		{"killed", end, func() { redis(t, addr, secret) }},
	} {
		both(way.name+": both share limits before", shared)
		said := strings.Count(a.logSoFar(t).String(), "Redis is unreachable")
		way.away()
		until(t, way.name+": both count for themselves", func() bool { answered(); return !shared(a) && !shared(b) })
		until(t, way.name+": the log says so", func() bool { return strings.Count(a.diary.String(), "Redis is unreachable") > said })
		way.back()
		both(way.name+": both share limits again", shared)
		answered()
	}
	for _, srv := range []*server{a, b} {
		if strings.Contains(srv.logSoFar(t).String(), secret) {
			t.Errorf("the log holds the password:\n%s", srv.diary)
		}
	}
}
