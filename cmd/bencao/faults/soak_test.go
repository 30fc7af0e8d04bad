//go:build linux

package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// TestSoak sends a server the requests of typical users for minutes. Meanwhile the snapshot changes
// three times and the access file once. The test writes a report. BENCAO_SOAK_TIME,
// BENCAO_SOAK_CLIENTS and BENCAO_SOAK_DATA change its duration, its clients and its data folder.
func TestSoak(t *testing.T) {
	if os.Getenv("BENCAO_SOAK") != "1" {
		t.Skip("SKIPPED: BENCAO_SOAK=1, or \"make soak\", runs it")
	}
	duration := time.Minute
	if text := os.Getenv("BENCAO_SOAK_TIME"); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		must(t, err)
	}
	clients := 16
	if text := os.Getenv("BENCAO_SOAK_CLIENTS"); text != "" {
		var err error
		clients, err = strconv.Atoi(text)
		must(t, err)
	}
	if duration > time.Hour || clients < 1 || clients > 1000 {
		t.Fatalf("%s with %d clients; use an hour and 1000 clients at most", duration, clients)
	}
	s, what := soakSite(t)
	guest := s.key(t, "guest", "--network", "127.0.0.1", "--rate", "1000000")
	var keys []string // with several keys, because a fast machine would reach the limit of one key
	for i := range 1 + clients/4 {
		keys = append(keys, s.openAll(t, fmt.Sprintf("client-%d", i)))
	}
	s.openAll(t, "explorer")
	srv := s.serve(t, "--explorer")
	deck := srv.newDeck(t)
	log := newSoakLog(srv, what, clients, duration)

	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() { srv.soak(ctx, deck, keys[i%len(keys)], rand.New(rand.NewPCG(1, uint64(i))), log) })
	}
	wg.Go(func() { log.watch(ctx, t) })
	for i, to := range []string{s.older, s.newer, s.older} {
		log.after(ctx, duration*time.Duration(i+1)/5)
		began := time.Now()
		log.swap(true)
		s.publish(t, to)
		current := time.Now()
		until(t, to+" answers", func() bool { return srv.ready(t).Snapshot == to })
		log.swap(false)
		log.event("snapshot changed to %s: %s to verify and publish it, %s until the server answers from it", to, round(current.Sub(began)), round(time.Since(current)))
	}
	log.after(ctx, duration*4/5)
	began := time.Now()
	s.keys(t, "disable", "guest")
	until(t, "the guest's key is refused", func() bool { return !srv.keyWorks(t, guest) })
	log.event("a key was disabled: %s until it was refused", round(time.Since(began)))
	wg.Wait()

	t.Log(log.report())
	if log.errors.Load() > 0 {
		t.Errorf("%d requests failed, want none; the first: %s", log.errors.Load(), log.first)
	}
	if swaps := srv.metric(t, "bencao_snapshot_swaps_total"); swaps != 3 {
		t.Errorf("the server counts %v swaps, want 3", swaps)
	}
	if early, late := log.heap(); late > early*3/2+64 {
		t.Errorf("the server's own memory rose from %d MiB in the first third to %d MiB in the last", early, late)
	}
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }

// soakSite returns a site with two snapshots of equal content, so that the test can swap them. The
// content comes from the data folder BENCAO_SOAK_DATA, or from the sample. soakSite also returns a
// text that describes the content.
func soakSite(t *testing.T) (*site, string) {
	t.Helper()
	from := os.Getenv("BENCAO_SOAK_DATA")
	what := "the current snapshot of " + filepath.Base(from)
	if from == "" {
		from, what = sampleData(), "the sample; set BENCAO_SOAK_DATA to a data folder for real figures"
	}
	p, err := snapshot.At(from).Current()
	must(t, err)
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	s := &site{data: filepath.Join(dir, "data"), access: filepath.Join(dir, "access.toml")}
	var ids []string
	for range 2 {
		m := copySnapshot(t, snapshot.At(from), p.ID, snapshot.At(s.data))
		ids = append(ids, m.ID)
		what = fmt.Sprintf("%s (%d species, %d formulas, %d papers)", strings.SplitN(what, " (", 2)[0], m.Tables["species"], m.Tables["formulas"], m.Tables["papers"])
	}
	s.older, s.newer = ids[0], ids[1]
	s.all = s.openAll(t, "all")
	return s, what
}

// publish makes the snapshot id current. It runs with a lower priority than the server, like the
// units in deploy/systemd.
func (s *site) publish(t *testing.T, id string) {
	t.Helper()
	if out, err := exec.Command("nice", "-n", "10", program(), "rollback", "--data", s.data, id).CombinedOutput(); err != nil {
		t.Fatalf("rollback to %s: %v\n%s", id, err, out)
	}
}

// copySnapshot copies a snapshot to another data folder and makes the copy current there.
func copySnapshot(t *testing.T, from snapshot.Dir, id string, to snapshot.Dir) snapshot.Manifest {
	t.Helper()
	old, err := from.Verify(t.Context(), id, snapshot.Quick)
	must(t, err)
	w, err := to.Lock(snapshot.WriterOptions{Purpose: "soak"})
	must(t, err)
	draft, err := w.Draft()
	must(t, err)
	must(t, os.CopyFS(draft.Path(), os.DirFS(filepath.Join(from.Path(), "snapshots", id))))
	must(t, os.Remove(filepath.Join(draft.Path(), "manifest.json")))
	m, err := draft.Publish(t.Context(), old.Content, func(string) error { return nil })
	must(t, err)
	must(t, w.Close())
	return m
}

// soak sends one question after another until ctx ends, and records the results in log.
func (s *server) soak(ctx context.Context, d *deck, key string, r *rand.Rand, log *soakLog) {
	c := newClient()
	defer c.CloseIdleConnections()
	tags := map[string]string{}
	for ctx.Err() == nil {
		q := d.draw(r)
		headers := []string{"Accept-Encoding", "zstd"}
		if q.again && tags[q.path] != "" {
			headers = append(headers, "If-None-Match", tags[q.path])
		}
		began := time.Now()
		address := s.url(q.path)
		if q.page {
			address = "http://" + s.addr + q.path
		}
		a, err := ask(c, address, key, headers...)
		took := time.Since(began)
		switch {
		case err != nil:
			log.fail("%s: %v", q.path, err)
		case a.status == http.StatusNotModified && q.again:
		case a.status != q.want:
			log.fail("%s: status %d, want %d: %.200s", q.path, a.status, q.want, a.body)
		}
		if q.again && len(tags) < 1000 {
			tags[q.path] = a.header.Get("ETag")
		}
		log.add(q.kind, took)
	}
}

// soakLog collects the results of a soak test.
type soakLog struct {
	srv      *server
	what     string
	clients  int
	duration time.Duration
	began    time.Time
	errors   atomic.Int64

	mu     sync.Mutex // guards the fields below
	first  string     // description of the first failed request
	times  map[string][]time.Duration
	span   []time.Duration    // durations of requests since the last tick
	swaps  [2][]time.Duration // durations of requests, first those outside of a swap, then those during a swap
	inSwap int                // 1 during a swap, otherwise 0
	ticks  []tick
	events []string
}

// tick is the state of the server at a moment. requests and p99 count from the previous tick.
type tick struct {
	at          time.Duration
	requests    int
	p99         time.Duration
	heap, files int // resident memory in MiB: the process's own, and of mapped files
	descriptors int
}

func newSoakLog(s *server, what string, clients int, duration time.Duration) *soakLog {
	return &soakLog{srv: s, what: what, clients: clients, duration: duration, began: time.Now(), times: map[string][]time.Duration{}}
}

func (l *soakLog) add(kind string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times[kind] = append(l.times[kind], took)
	l.span = append(l.span, took)
	l.swaps[l.inSwap] = append(l.swaps[l.inSwap], took)
}

// swap records that a swap begins or ends. It begins before the other snapshot is published, and
// ends when the server answers from that snapshot.
func (l *soakLog) swap(begins bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inSwap = 0
	if begins {
		l.inSwap = 1
	}
}

func (l *soakLog) fail(format string, args ...any) {
	l.errors.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == "" {
		l.first = fmt.Sprintf(format, args...)
	}
}

func (l *soakLog) event(format string, args ...any) {
	at := time.Since(l.began).Round(time.Second / 10)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, fmt.Sprintf("%6s  ", at)+fmt.Sprintf(format, args...))
}

// after waits until at has passed since the start of the soak test, or until ctx ends.
func (l *soakLog) after(ctx context.Context, at time.Duration) {
	wait := time.NewTimer(time.Until(l.began.Add(at)))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}

// watch records the state of the server 15 times during the soak test.
func (l *soakLog) watch(ctx context.Context, t *testing.T) {
	every := time.NewTicker(l.duration/15 - time.Millisecond)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		now := tick{at: time.Since(l.began), heap: l.srv.resident(t, "RssAnon:"), files: l.srv.resident(t, "RssFile:"), descriptors: l.srv.descriptors(t)}
		l.mu.Lock()
		now.requests, now.p99 = len(l.span), percentile(l.span, 0.99)
		l.span = l.span[:0]
		l.ticks = append(l.ticks, now)
		l.mu.Unlock()
	}
}

// heap returns the largest own memory of the process, in MiB, in the first and in the last third of
// the test.
func (l *soakLog) heap() (early, late int) {
	third := len(l.ticks) / 3
	for i, k := range l.ticks {
		if i < third {
			early = max(early, k.heap)
		}
		if i >= len(l.ticks)-third {
			late = max(late, k.heap)
		}
	}
	return early, late
}

// report returns the results as text.
func (l *soakLog) report() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	var all []time.Duration
	for _, times := range l.times {
		all = append(all, times...)
	}
	line := func(name string, times []time.Duration) {
		fmt.Fprintf(&b, "  %-22s %9d %8.0f/s", name, len(times), float64(len(times))/l.duration.Seconds())
		for _, share := range []float64{0.5, 0.99, 0.999, 1} {
			fmt.Fprintf(&b, " %9.2f", float64(percentile(times, share).Microseconds())/1000)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%s\n%d clients for %s on %d processors, which they share with the server; %d errors\n\n", l.what, l.clients, l.duration, runtime.NumCPU(), l.errors.Load())
	fmt.Fprintf(&b, "  %-22s %9s %10s %9s %9s %9s %9s\n", "milliseconds", "requests", "", "p50", "p99", "p99.9", "longest")
	line("all", all)
	for _, kind := range sortedKeys(l.times) {
		line(kind, l.times[kind])
	}
	through, apart := percentile(l.swaps[1], 0.99), percentile(l.swaps[0], 0.99)
	fmt.Fprintf(&b, "\n  p99 of the %d requests through a swap %s, of all others %s: %.2f times\n", len(l.swaps[1]), through, apart, float64(through)/float64(apart))
	fmt.Fprintf(&b, "\n  %8s %10s %8s %10s %10s %12s\n", "second", "requests/s", "p99 ms", "heap MiB", "files MiB", "descriptors")
	var before time.Duration
	for _, k := range l.ticks {
		fmt.Fprintf(&b, "  %8.1f %10.0f %8.2f %10d %10d %12d\n", k.at.Seconds(), float64(k.requests)/(k.at-before).Seconds(),
			float64(k.p99.Microseconds())/1000, k.heap, k.files, k.descriptors)
		before = k.at
	}
	b.WriteString("\n")
	for _, e := range l.events {
		b.WriteString("  " + e + "\n")
	}
	return b.String()
}
