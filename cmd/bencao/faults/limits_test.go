//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// together sends requests from 64 clients at once, as many as each says from every client. It
// returns the number of responses with each status.
func (s *server) together(t *testing.T, each int, url, key string) map[int]int {
	t.Helper()
	const clients = 64
	var mu sync.Mutex
	count := map[int]int{}
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			c := newClient()
			defer c.CloseIdleConnections()
			<-begin
			for range each {
				r, err := ask(c, url, key)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				count[r.status]++
				mu.Unlock()
			}
		})
	}
	close(begin)
	wg.Wait()
	return count
}

// TestExactlyAsManyAsTheLimitPass sends more requests than a limit allows, from 64 clients at once.
// Exactly as many requests as the limit allows must pass.
func TestExactlyAsManyAsTheLimitPass(t *testing.T) {
	const each, all = 10, 640
	s := newSite(t)
	key := s.key(t, "hundred", "--network", "127.0.0.1", "--rate", "100")
	srv := s.serve(t, "--address-rate", "50")
	began := time.Now()
	byKey := srv.together(t, each, srv.url("/stats"), key)
	byAddress := srv.together(t, each, srv.url("/stats"), "")
	public := srv.together(t, each, "http://"+srv.addr+"/openapi/v1.json", "")
	if time.Since(began) > 55*time.Second {
		t.Skip("SKIPPED: this machine is too slow to send all requests within the minute of the limit")
	}
	if byKey[200] != 100 || byKey[429] != all-100 {
		t.Errorf("with a key of 100 a minute: %v, want 100 × 200 and 540 × 429", byKey)
	}
	if byAddress[401] != 50 || byAddress[429] != all-50 {
		t.Errorf("without a key, 50 a minute: %v, want 50 × 401 and 590 × 429", byAddress)
	}
	if public[429] != all {
		t.Errorf("requests for the public document, after the address has used up its limit: %v, want 640 × 429", public)
	}
	if got := srv.get(t, "/stats").status; got != http.StatusOK {
		t.Errorf("another key from the same address gets %d, want 200", got)
	}
}

// TestMillionAddresses sends a request without a key from each of a million client addresses, which
// a trusted proxy reports. The server's memory must stay bounded. An address that had used up its
// limit before must not get a new one. Requests with keys must still succeed.
func TestMillionAddresses(t *testing.T) {
	const addresses, connections, batch = 1_000_000, 8, 500
	s := newSite(t)
	srv := s.serve(t, "--trusted-proxy", "127.0.0.1", "--address-rate", "5")
	spent := "203.0.113.9"
	for range 6 {
		srv.with(t, "", "/stats", "X-Forwarded-For", spent)
	}
	srv.with(t, "", "/stats", "X-Forwarded-For", spent).want(t, http.StatusTooManyRequests)
	began, before := time.Now(), srv.memory(t)
	var next atomic.Int64
	var answers, refused atomic.Int64
	var wg sync.WaitGroup
	flood := func() error {
		c, err := net.Dial("tcp", srv.addr)
		if err != nil {
			return err
		}
		defer c.Close() // closed once the last response is read
		in := bufio.NewReaderSize(c, 64<<10)
		for {
			// With a large batch, the server is the bottleneck and not the test.
			first := next.Add(batch) - batch
			if first >= addresses {
				return nil
			}
			var out bytes.Buffer
			for n := first; n < first+batch; n++ {
				fmt.Fprintf(&out, "HEAD /api/v1/stats HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.%d.%d.%d\r\n\r\n", n>>16, n>>8&255, n&255)
			}
			if _, err := c.Write(out.Bytes()); err != nil {
				return err
			}
			for range batch {
				status, err := skipAnswer(in)
				if err != nil {
					return err
				}
				answers.Add(1)
				switch status {
				case http.StatusUnauthorized, http.StatusTooManyRequests:
					refused.Add(1)
				}
			}
		}
	}
	for range connections {
		wg.Go(func() {
			if err := flood(); err != nil {
				t.Error(err)
			}
		})
	}
	flooding := make(chan struct{})
	go func() { wg.Wait(); close(flooding) }()
	var keyed, peak int
	for over := false; !over; {
		select {
		case <-flooding:
			over = true
		default:
			srv.with(t, s.all, "/stats", "X-Forwarded-For", "127.0.0.2").want(t, http.StatusOK)
			keyed++
			peak = max(peak, srv.memory(t))
		}
	}
	took := time.Since(began)
	if answers.Load() != addresses || refused.Load() != addresses {
		t.Errorf("%d answers, %d of them 401 or 429; want %d of both", answers.Load(), refused.Load(), addresses)
	}
	if took < 50*time.Second {
		srv.with(t, "", "/stats", "X-Forwarded-For", spent).want(t, http.StatusTooManyRequests)
	} else {
		t.Logf("SKIPPED: it took %s, too long to check that the used-up limit is still used up; a test of api/access checks that", took)
	}
	if peak > before+128 {
		t.Errorf("resident memory rose from %d to %d MiB, want at most 128 MiB more", before, peak)
	}
	t.Logf("%d addresses in %s; memory %d MiB before, %d at most; %d requests with a key meanwhile", addresses, took.Round(time.Second/10), before, peak, keyed)
}

// skipAnswer reads a response without a body and returns its status.
func skipAnswer(in *bufio.Reader) (int, error) {
	status := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			return status, nil
		}
		if status == 0 {
			if status, err = strconv.Atoi(strings.Fields(string(line))[1]); err != nil {
				return 0, err
			}
		}
	}
}
