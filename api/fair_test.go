package api_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"

	"bencao/internal/test/testkit"
)

// TestFair sends many requests at once with one key, and then a few with another key. The order in
// which they get turns must be fair: until the second key has its last answer, each of its answers
// comes after at most one answer of the first key.
func TestFair(t *testing.T) {
	const crowd, few = 100, 10
	uses, detail := "/api/v1/species/"+ginseng+"/uses", "/api/v1/species/"+ginseng
	search, match := "/api/v1/formulas?q=guizhi", "/api/v1/names/matches?name=Panax+ginsenk"
	for _, tt := range []struct{ many, other string }{{uses, detail}, {detail, uses}, {search, match}, {match, search}} {
		s := start(t, config{searches: 1})
		var mu sync.Mutex
		var order []string
		for operation, path := range map[string]string{
			"/api/v1/species/:guid/uses": uses, "/api/v1/species/:guid": detail, "/api/v1/formulas": search, "/api/v1/names/matches": match,
		} {
			s.server.Sabotage(operation, func(context.Context) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, path)
			})
		}
		b, done := s.live.Acquire()
		release := b.HoldTurns()
		done()
		var all sync.WaitGroup
		for _, c := range []struct {
			key, path string
			requests  int
		}{{"all", tt.many, crowd}, {"eleven", tt.other, few}} {
			waiting := b.Waiting()
			for range c.requests {
				all.Go(func() {
					if got := s.do(t, http.MethodGet, c.path, c.key).StatusCode; got != http.StatusOK {
						t.Errorf("%s: status %d", c.path, got)
					}
				})
			}
			testkit.WaitFor(t, testkit.Patience, "all requests wait", func() bool { return b.Waiting() == waiting+c.requests })
		}
		release()
		all.Wait()
		if len(order) != crowd+few {
			t.Fatalf("%d requests got a turn, want %d", len(order), crowd+few)
		}
		for n := 1; n <= few; n++ {
			at := slices.Index(order, tt.other)
			if at > 1 {
				t.Errorf("%d answers of %s come before answer %d of %s, want at most one", at, tt.many, n, tt.other)
			}
			order = order[at+1:]
		}
	}
}
