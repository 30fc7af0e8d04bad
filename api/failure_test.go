package api_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/api"
	"bencao/api/explorer"
	"bencao/api/problem"
	"bencao/internal/test/testkit"
	"bencao/store"
)

// TestFaults checks that an internal error ends only its request, that it is logged with details,
// and that the client sees none.
func TestFaults(t *testing.T) {
	s := start(t, config{})
	s.server.Sabotage("/api/v1/stats", func(context.Context) { panic("the secret inside") })
	r := s.get(t, "/api/v1/stats").wantStatus(t, http.StatusInternalServerError)
	if p := decode[problem.Problem](t, r); p.Type != "/problems/internal" || strings.Contains(string(r.body), "secret") {
		t.Errorf("the problem is %+v, want /problems/internal that says nothing of the inside", p)
	}
	if log := s.log.String(); !strings.Contains(log, "the secret inside") || !strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, r.Header.Get("X-Request-Id")) {
		t.Errorf("the log does not hold the panic with the request's id as an error: %s", log)
	}
	s.get(t, "/api/v1/species").wantStatus(t, http.StatusOK)
}

// TestTooSlow checks that a request that takes longer than the timeout is abandoned and refused.
func TestTooSlow(t *testing.T) {
	s := start(t, config{opt: api.Options{Timeout: time.Millisecond}})
	s.server.Sabotage("/api/v1/species", func(ctx context.Context) { <-ctx.Done() })
	r := s.get(t, "/api/v1/species?q=%E5%8F%82").wantStatus(t, http.StatusServiceUnavailable)
	if p := decode[problem.Problem](t, r); p.Type != "/problems/too-slow" || r.Header.Get("Retry-After") != "1" {
		t.Errorf("problem %s, Retry-After %q; want /problems/too-slow and 1", p.Type, r.Header.Get("Retry-After"))
	}
}

// TestBusy checks that a request that gets no turn to compute is refused after a while, and that
// requests that need no turn are answered meanwhile.
func TestBusy(t *testing.T) {
	s := start(t, config{searches: 1, opt: api.Options{Pages: explorer.New(explorer.Options{}), PagesKey: "all"}})
	const html, json = "text/html; charset=utf-8", "application/problem+json"
	page := func(path string, want int, kind string) {
		t.Helper()
		q, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
		must(t, err)
		q.Header.Set("Accept", "text/html")
		r, err := s.client.Do(q)
		must(t, err)
		defer r.Body.Close() // an error of Close loses nothing
		if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != want || r.Header.Get("Content-Type") != kind {
			t.Errorf("%s: status %d, %s, %v; want %d, %s", path, r.StatusCode, r.Header.Get("Content-Type"), err, want, kind)
		}
	}
	page("/about?lang=en", http.StatusOK, html)
	b, done := s.live.Acquire()
	defer done()
	b.SetTurnWait(time.Millisecond)
	release := b.HoldTurns()
	r := s.get(t, "/api/v1/species?q=%E5%8F%82").wantStatus(t, http.StatusServiceUnavailable)
	if p := decode[problem.Problem](t, r); p.Type != "/problems/busy" || r.Header.Get("Retry-After") != "1" {
		t.Errorf("problem %s, Retry-After %q; want /problems/busy and 1", p.Type, r.Header.Get("Retry-After"))
	}
	s.get(t, "/api/v1/species/"+ginseng).wantStatus(t, http.StatusServiceUnavailable)
	s.get(t, "/api/v1/stats").wantStatus(t, http.StatusOK)
	page("/about?lang=en", http.StatusOK, html) // from the cache
	page("/about?lang=zh", http.StatusServiceUnavailable, html)
	page("/nothing", http.StatusNotFound, json) // there is no turn to render a page
	release()
	b.SetTurnWait(testkit.Patience)
	s.get(t, "/api/v1/species?q=%E5%8F%82").wantStatus(t, http.StatusOK)
	page("/about?lang=zh", http.StatusOK, html)
	page("/nothing", http.StatusNotFound, html)
}

// TestPageNeedsTurns requests a page twice while no turn is free. Both requests must wait for a turn of
// their own, so that a caller whose turns are all taken keeps no other caller waiting.
func TestPageNeedsTurns(t *testing.T) {
	s := start(t, config{searches: 1, opt: api.Options{Pages: explorer.New(explorer.Options{}), PagesKey: "all", Timeout: testkit.Patience}})
	b, done := s.live.Acquire()
	defer done()
	b.SetTurnWait(testkit.Patience)
	release := b.HoldTurns()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			r, err := s.client.Get(s.URL + "/about")
			if err != nil {
				t.Error(err)
				return
			}
			r.Body.Close() // the body does not matter
			if r.StatusCode != http.StatusOK {
				t.Errorf("status %d", r.StatusCode)
			}
		})
	}
	testkit.WaitFor(t, testkit.Patience, "both requests wait for a turn", func() bool { return b.Waiting() == 2 })
	release()
	both.Wait()
}

// TestIndexAndStoreDisagree serves an index with more species than the store, which no verified
// snapshot has. The answer must be 500 and no broken JSON.
func TestIndexAndStoreDisagree(t *testing.T) {
	d := records()
	dir := buildSnapshot(t, d)
	small := &store.Data{Species: d.Species[6:], Stats: d.Stats}
	small.Species[0].Num = 0
	replaceStore(t, dir, small)
	b, err := api.OpenBackend(dir, api.Meta{ID: "20261120T021500Z-000bad", SiteURL: siteURL})
	must(t, err)
	s := start(t, config{})
	s.live.Swap(b)
	s.get(t, "/api/v1/species?q=%E7%94%98%E8%8D%89").wantStatus(t, http.StatusInternalServerError)
}

// spoilt opens a snapshot of d in whose store some texts were replaced. texts maps each old text to
// a new one of the same length.
func spoilt(tb testing.TB, d *store.Data, texts map[string]string) *api.Backend {
	tb.Helper()
	dir := buildSnapshot(tb, d)
	path := filepath.Join(dir, store.FileName)
	file, err := os.ReadFile(path)
	must(tb, err)
	for from, to := range texts {
		if !bytes.Contains(file, []byte(from)) || len(from) != len(to) {
			tb.Fatalf("%q can't become %q in the store", from, to)
		}
		file = bytes.ReplaceAll(file, []byte(from), []byte(to))
	}
	must(tb, os.Chmod(path, 0o600))
	must(tb, os.WriteFile(path, file, 0o600))
	b, err := api.OpenBackend(dir, api.Meta{ID: "20261120T021500Z-000bad", SiteURL: siteURL})
	must(tb, err)
	return b
}

// TestStoreLacksAnswers serves a store without two of its buckets. The answer must be 500 rather
// than 200 with an empty body.
func TestStoreLacksAnswers(t *testing.T) {
	b := spoilt(t, records(), map[string]string{"species.detail": "species.detaik", "papers.summary": "papers.summarz"})
	s := start(t, config{})
	s.live.Swap(b)
	d := records()
	s.get(t, "/api/v1/species/"+d.Species[0].GUID).wantStatus(t, http.StatusInternalServerError)
	s.get(t, "/api/v1/papers").wantStatus(t, http.StatusInternalServerError)
}

// TestOpenBackend checks that errors name the missing file, and that no file remains open.
func TestOpenBackend(t *testing.T) {
	held := &closing{}
	_, err := api.OpenBackend(t.TempDir(), api.Meta{Held: held})
	if err == nil || !strings.Contains(err.Error(), "store.bolt") {
		t.Errorf("opening an empty directory: %v, want an error that names store.bolt", err)
	}
	if held.closed {
		t.Error("a backend that did not open closed what holds its directory; that is the caller's")
	}
	b, err := api.OpenBackend(usual.Dir(t), api.Meta{ID: "x", Held: held})
	must(t, err)
	if err := b.Close(); err != nil || !held.closed {
		t.Errorf("Close: %v, what holds the directory closed: %v; want no error and true", err, held.closed)
	}
}

type closing struct{ closed bool }

func (c *closing) Close() error { c.closed = true; return nil }
