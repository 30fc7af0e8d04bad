package api_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bencao/store"
)

// recordsNumbered returns records whose Chinese names contain n.
func recordsNumbered(n int) *store.Data {
	d := records()
	for i := range d.Species {
		d.Species[i].ChineseName = store.Text(fmt.Sprintf("第%d夜", n))
	}
	return d
}

// TestSwapUnderLoad swaps snapshots while many clients send requests. No request may fail, and no
// answer may mix two snapshots.
func TestSwapUnderLoad(t *testing.T) {
	s := start(t, config{data: recordsNumbered(0)})
	var stop atomic.Bool
	var answers atomic.Int64
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			paths := []string{"/api/v1/species?pageSize=5", "/api/v1/species?q=Panax", "/api/v1/species/" + ginseng, "/api/v1/names/match?name=Panax+ginseng"}
			for n := i; !stop.Load(); n++ {
				r := s.get(t, paths[n%len(paths)])
				if r.StatusCode != http.StatusOK {
					t.Errorf("%s: status %d during a swap: %s", r.Request.URL, r.StatusCode, r.body)
					return
				}
				version := r.Header.Get("X-Data-Version")
				of := strings.TrimLeft(strings.TrimPrefix(version, "20261121T021500Z-"), "0")
				if of == "20261120T021500Z-000001" {
					of = "0"
				}
				if names := strings.Count(string(r.body), "夜"); names != strings.Count(string(r.body), "第"+of+"夜") {
					t.Errorf("an answer of %s holds another night's names: %s", version, r.body)
					return
				}
				answers.Add(1)
			}
		})
	}
	for n := 1; n <= 10; n++ {
		next := backend(t, recordsNumbered(n), fmt.Sprintf("20261121T021500Z-%06d", n), 0)
		for before := answers.Load(); answers.Load() < before+20 && !t.Failed(); {
			runtime.Gosched()
		}
		s.live.Swap(next)
	}
	stop.Store(true)
	wg.Wait()
	if got := s.get(t, "/api/v1/stats").Header.Get("X-Data-Version"); got != "20261121T021500Z-000010" {
		t.Errorf("the server answers from %s after the last swap, want 20261121T021500Z-000010", got)
	}
}
