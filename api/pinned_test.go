package api_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/api"
)

const (
	nightOne = "20261120T021500Z-000001" // the first version that a test server serves
	nightTwo = "20261121T021500Z-000002"
	nightTri = "20261122T021500Z-000003"
)

// TestPinned keeps requesting the first version while newer snapshots arrive. It also checks the
// errors for versions that are not yet, or no longer, available.
func TestPinned(t *testing.T) {
	s := start(t, config{data: recordsNumbered(1)})
	s.live.Keep(1)
	const list = "/api/v1/species?pageSize=3"
	first := s.get(t, list)
	first.wantStatus(t, http.StatusOK)
	tag := first.Header.Get("ETag")

	wantKind(t, s.get(t, list, "X-Data-Version", nightTwo), http.StatusServiceUnavailable, "version-not-here")
	if got := s.get(t, list, "X-Data-Version", nightTwo).Header.Get("Retry-After"); got != "5" {
		t.Errorf("Retry-After is %q for a version that is not here yet, want 5", got)
	}
	s.live.Swap(backend(t, recordsNumbered(2), nightTwo, 0))
	for _, tt := range []struct {
		asked, from, names string
	}{
		{"", nightTwo, "第2夜"}, {nightOne, nightOne, "第1夜"}, {nightTwo, nightTwo, "第2夜"},
	} {
		var headers []string
		if tt.asked != "" {
			headers = []string{"X-Data-Version", tt.asked}
		}
		for path := "/api/v1/species?pageSize=3"; path != ""; {
			r := s.get(t, path, headers...)
			r.wantStatus(t, http.StatusOK)
			if got := r.Header.Get("X-Data-Version"); got != tt.from || strings.Count(string(r.body), "夜") != strings.Count(string(r.body), tt.names) {
				t.Errorf("asked for %q, answered from %s, want %s: %s", tt.asked, got, tt.from, r.body)
			}
			path = strings.TrimPrefix(links(r)["next"], siteURL)
		}
	}
	if r := s.get(t, list, "X-Data-Version", nightOne, "If-None-Match", tag); r.StatusCode != http.StatusNotModified {
		t.Errorf("the tag of the first version, asked for by name: %d, want 304", r.StatusCode)
	}
	if r := s.get(t, list, "If-None-Match", tag); r.StatusCode != http.StatusOK {
		t.Errorf("the tag of the first version, of the second: %d, want 200", r.StatusCode)
	}

	s.live.Swap(backend(t, recordsNumbered(3), nightTri, 0))
	gone := s.get(t, list, "X-Data-Version", nightOne)
	wantKind(t, gone, http.StatusGone, "version-gone")
	if got := gone.Header.Get("X-Data-Version"); got != nightTri || !strings.Contains(string(gone.body), nightTri) {
		t.Errorf("a 410 names %s as the current version, want %s: %s", got, nightTri, gone.body)
	}
	s.get(t, "/api/v1/stats", "X-Data-Version", nightTwo).wantStatus(t, http.StatusOK)
	ahead := time.Now().Add(time.Hour).UTC().Format("20060102T150405Z") + "-000009"
	wantKind(t, s.get(t, list, "X-Data-Version", ahead), http.StatusGone, "version-gone")
	for _, wrong := range []string{"latest", "", nightTri + ", " + nightTwo, strings.Repeat("9", 500)} {
		wantKind(t, s.get(t, list, "X-Data-Version", wrong), http.StatusBadRequest, "bad-parameter")
	}

	// A client that is not admitted must learn nothing about versions.
	wantKind(t, s.do(t, http.MethodGet, list, "", "X-Data-Version", nightOne), http.StatusUnauthorized, "no-valid-key")
	wantKind(t, s.do(t, http.MethodGet, list, "away", "X-Data-Version", nightOne), http.StatusForbidden, "address-not-allowed")
	wantKind(t, s.get(t, "/api/v1/species?page=0", "X-Data-Version", nightOne), http.StatusGone, "version-gone")
	s.get(t, "/openapi/v1.json", "X-Data-Version", nightOne).wantStatus(t, http.StatusOK)
}

// wantKind fails the test unless the answer is a problem of a kind.
func wantKind(t *testing.T, r reply, status int, slug string) {
	t.Helper()
	if r.StatusCode != status || !strings.Contains(string(r.body), `"/problems/`+slug+`"`) {
		t.Errorf("%s: %d, want %d and %s: %s", r.Request.URL, r.StatusCode, status, slug, r.body)
	}
}

// pinnedDays are pinned snapshots, by id. They count how often each is opened.
type pinnedDays struct {
	tb   testing.TB
	dirs map[string]string

	mu     sync.Mutex
	opened []string
	broken bool // snapshots cannot be opened
}

func (p *pinnedDays) IDs() []string {
	ids := slices.Sorted(maps.Keys(p.dirs))
	slices.Reverse(ids)
	return ids
}

func (p *pinnedDays) Open(_ context.Context, id string) (*api.Backend, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = append(p.opened, id)
	if p.broken {
		return nil, errors.New("names.idx is altered")
	}
	return backendAt(p.tb, p.dirs[id], siteURL, id, 0), nil
}

// pinDays makes snapshots of the days 1 to n, and a server of the day after them.
func pinDays(t *testing.T, n int, c config) (*site, *pinnedDays) {
	t.Helper()
	days := &pinnedDays{tb: t, dirs: map[string]string{}}
	for day := 1; day <= n; day++ {
		days.dirs[fmt.Sprintf("202610%02dT021500Z-000001", day)] = buildSnapshot(t, recordsNumbered(day))
	}
	c.opt.Earlier = days
	c.data = recordsNumbered(n + 1)
	return start(t, c), days
}

func dayID(day int) string { return fmt.Sprintf("202610%02dT021500Z-000001", day) }

// deck are requests for each kind of answer that depends only on the data.
var deck = []string{
	"/api/v1/stats", "/api/v1/species?pageSize=3", "/api/v1/species?q=Panax", "/api/v1/species?q=ren+shen&explain=true", "/api/v1/species/facets?by=family",
	"/api/v1/species/" + ginseng, "/api/v1/species/" + ginseng + "/flora", "/api/v1/species/" + ginseng + "/papers", "/api/v1/species/" + ginseng + "/formulas", "/api/v1/species/" + ginseng + "/uses",
	"/api/v1/formulas", "/api/v1/formulas?q=桂枝汤", "/api/v1/formulas?herbs=桂枝", "/api/v1/formulas/" + guizhiTang, "/api/v1/formulas/ingredients",
	"/api/v1/herbs", "/api/v1/herbs/" + cassiaTwig, "/api/v1/papers?q=ginseng", "/api/v1/papers/detail?id=p2", "/api/v1/suggest?q=ren",
	"/api/v1/names/match?name=Panax+ginsen", "/api/v1/names/matches?name=Panax+ginseng&name=Panax", "/api/v1/patterns/herbs?q=桂枝", "/api/v1/patterns/pairs", "/api/v1/species?format=csv",
}

// TestPinnedIsOpened asks for pinned versions. Each is opened once for all that ask for it together,
// and answers as it did when it was current.
func TestPinnedIsOpened(t *testing.T) {
	s, days := pinDays(t, 3, config{now: new(clock).now})
	const list = "/api/v1/species?pageSize=3"
	wantKind(t, s.get(t, list, "X-Data-Version", dayID(1)), http.StatusGone, "version-gone") // nothing is kept open
	s.live.Keep(1)

	then := start(t, config{dir: days.dirs[dayID(2)], site: siteURL})
	var now reply
	for _, path := range deck {
		before := then.get(t, path)
		now = s.get(t, path, "X-Data-Version", dayID(2))
		now.wantStatus(t, http.StatusOK)
		if string(now.body) != string(before.body) || now.Header.Get("X-Data-Version") != dayID(2) || len(now.Header.Values("X-Data-Version")) != 1 {
			t.Errorf("%s: version %q answers %s, and when it was current %s", path, now.Header.Values("X-Data-Version"), now.body, before.body)
		}
	}
	if cite := now.Header.Get("Link"); !strings.Contains(cite, "/about?version="+dayID(2)+`>; rel="cite-as"`) {
		t.Errorf("Link is %q, want cite-as with the version", cite)
	}
	if r := s.get(t, list, "If-None-Match", now.Header.Get("ETag")); r.StatusCode != http.StatusOK {
		t.Errorf("the tag of an earlier version matches the current one: %d", r.StatusCode)
	}
	version := decode[api.Version](t, s.get(t, "/api/v1/version"))
	if want := []string{nightOne, dayID(3), dayID(2), dayID(1)}; !slices.Equal(version.Versions, want) {
		t.Errorf("versions %q, want %q", version.Versions, want)
	}

	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { s.get(t, list, "X-Data-Version", dayID(3)).wantStatus(t, http.StatusOK) })
	}
	wg.Wait()
	if want := []string{dayID(2), dayID(3)}; !slices.Equal(days.opened, want) {
		t.Errorf("opened %q, want each once: %q", days.opened, want)
	}

	// Clients without rights learn nothing, and open nothing.
	wantKind(t, s.do(t, http.MethodGet, list, "", "X-Data-Version", dayID(1)), http.StatusUnauthorized, "no-valid-key")
	wantKind(t, s.do(t, http.MethodGet, list, "away", "X-Data-Version", dayID(1)), http.StatusForbidden, "address-not-allowed")
	wantKind(t, s.do(t, http.MethodGet, "/api/v1/formulas", "open", "X-Data-Version", dayID(1)), http.StatusForbidden, "scope-missing")
	if len(days.opened) != 2 {
		t.Errorf("opened %q", days.opened)
	}
}

// TestOpeningCosts checks that an opening counts as twenty requests, and a request for an open
// version as one. A key above its limit must not make the requests of others fail.
func TestOpeningCosts(t *testing.T) {
	s, days := pinDays(t, 3, config{now: new(clock).now})
	s.live.Keep(2)
	ask := func(key string, day, want int) reply {
		t.Helper()
		return s.do(t, http.MethodGet, "/api/v1/stats", key, "X-Data-Version", dayID(day)).wantStatus(t, want)
	}
	for i, want := range []string{"40", "39"} {
		if left := ask("sixty", 1, http.StatusOK).Header.Get("X-RateLimit-Remaining"); left != want {
			t.Errorf("request %d for day 1: %s requests left, want %s", i+1, left, want)
		}
	}
	ask("sixty", 2, http.StatusOK)
	ask("sixty", 3, http.StatusTooManyRequests)
	ask("eleven", 3, http.StatusTooManyRequests) // its limit is below the cost
	ask("eleven", 2, http.StatusOK)
	ask("all", 3, http.StatusOK)
	if want := []string{dayID(1), dayID(2), dayID(3)}; !slices.Equal(days.opened, want) {
		t.Errorf("opened %q, want %q", days.opened, want)
	}
}

// TestPinnedUnreadable checks that a pinned version that cannot be opened hurts only the requests for
// it.
func TestPinnedUnreadable(t *testing.T) {
	s, days := pinDays(t, 2, config{})
	s.live.Keep(1)
	days.broken = true
	wantKind(t, s.get(t, "/api/v1/stats", "X-Data-Version", dayID(1)), http.StatusGone, "version-gone")
	if log := s.log.String(); !strings.Contains(log, "names.idx is altered") {
		t.Errorf("the log has no reason: %s", log)
	}
	s.get(t, "/api/v1/stats").wantStatus(t, http.StatusOK)
	days.broken = false
	s.get(t, "/api/v1/stats", "X-Data-Version", dayID(1)).wantStatus(t, http.StatusOK)
}

// TestManyVersions asks for twelve versions in runs of fifty requests, from several clients at once.
// Three may be open: each version is opened once for its run.
func TestManyVersions(t *testing.T) {
	s, days := pinDays(t, 12, config{})
	s.live.Keep(3)
	for day := 1; day <= 12; day++ {
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				for range 10 {
					r := s.get(t, "/api/v1/species/"+ginseng, "X-Data-Version", dayID(day)).wantStatus(t, http.StatusOK)
					if want := fmt.Sprintf("第%d夜", day); !strings.Contains(string(r.body), want) {
						t.Errorf("day %d answers %s, want %s", day, r.body, want)
					}
				}
			})
		}
		wg.Wait()
	}
	if len(days.opened) != 12 {
		t.Errorf("opened %q, want each of 12 versions once", days.opened)
	}
}
