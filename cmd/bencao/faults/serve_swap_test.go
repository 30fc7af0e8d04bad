//go:build linux

package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bencao/store/snapshot"
)

// TestSwaps swaps two snapshots many times while 32 clients send requests. No request may fail, and
// no response may mix the two snapshots. The numbers of descriptors and mappings must not grow.
func TestSwaps(t *testing.T) {
	const clients = 32
	swaps := several(200, 100)
	s := newSite(t)
	srv := s.serve(t, "--keep-open", "0")
	paths := []string{
		"/stats", "/species?q=%E4%BA%BA%E5%8F%82", "/species?pageSize=50&page=2", "/formulas?q=guizhitang", "/papers?q=ginseng",
		"/names/match?name=Panax+ginsen", "/species/" + manyUses, "/species/" + manyUses + "/flora",
	}
	counts := map[string]string{
		s.older: fmt.Sprintf(`"plantTaxa":%d,`, plantsOlder), s.newer: fmt.Sprintf(`"plantTaxa":%d,`, plantsNewer),
	}
	var done atomic.Bool
	var answers atomic.Int64
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			c := newClient()
			defer c.CloseIdleConnections()
			for n := i; !done.Load(); n++ {
				path := paths[n%len(paths)]
				r, err := ask(c, srv.url(path), s.all)
				switch {
				case err != nil:
					t.Errorf("%s: %v", path, err)
					return
				case r.status != http.StatusOK:
					t.Errorf("%s: status %d during a swap: %.300s", path, r.status, r.body)
					return
				case path == "/stats" && !strings.Contains(string(r.body), counts[r.version()]):
					t.Errorf("an answer of snapshot %s lacks %s: %s", r.version(), counts[r.version()], r.body)
				}
				answers.Add(1)
			}
		})
	}
	swap := func(n int) {
		id := s.older
		if n%2 == 1 {
			id = s.newer
		}
		w, err := snapshot.At(s.data).Lock(snapshot.WriterOptions{})
		must(t, err)
		_, err = w.Rollback(context.Background(), id)
		must(t, err)
		must(t, w.Close())
		srv.hangup(t)
		before := answers.Load()
		until(t, "the next snapshot answers, and clients are served meanwhile", func() bool {
			return srv.ready(t).Snapshot == id && answers.Load() > before || t.Failed()
		})
	}
	// The first rounds open all files and connections that two snapshots and the clients need at
	// the same time.
	for n := range 10 {
		swap(n)
	}
	idle := func() bool { return !s.inUse(t, s.older) || !s.inUse(t, s.newer) }
	until(t, "the replaced snapshot is closed", idle)
	descriptors := srv.descriptors(t)
	files, others := srv.maps(t)
	for n := 10; n < swaps && !t.Failed(); n++ {
		swap(n)
	}
	until(t, "the replaced snapshot is closed", idle)
	var lastDescriptors, lastFiles int
	until(t, fmt.Sprintf("%d descriptors and %d mapped files, as at first, give or take a connection", descriptors, files), func() bool {
		lastDescriptors = srv.descriptors(t)
		lastFiles, _ = srv.maps(t)
		return lastDescriptors <= descriptors+2 && lastFiles <= files
	})
	done.Store(true)
	wg.Wait()
	if _, last := srv.maps(t); last > others+swaps/2 { // heap and stacks add a mapping now and then; a leak would add one for each swap
		t.Errorf("%d mappings besides the snapshots' files, %d at first", last, others)
	}
	if got := srv.metric(t, "bencao_snapshot_swaps_total"); got != float64(swaps) {
		t.Errorf("the metrics count %v swaps, want %d", got, swaps)
	}
	t.Logf("%d swaps under %d clients: %d answers, none failed; %d descriptors (%d at first), %d mapped files (%d)",
		swaps, clients, answers.Load(), lastDescriptors, descriptors, lastFiles, files)
}
