package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"bencao/api/reconcile"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
)

const (
	// keptSpecies is how many species of a server are kept, and keptFor how long.
	keptSpecies = 1000
	keptFor     = 10 * time.Minute
)

// reconcileRemote is a server as a source of reconciliation. It keeps the
// species that it was asked for last: an extension that meets the limit of the
// key is asked again by the client, and goes on where it stopped.
type reconcileRemote struct {
	*remote

	mu      sync.Mutex // guards what follows
	species map[string]keptAnswer
	since   time.Time // when species was empty
}

// keptAnswer is what a server said of a guid.
type keptAnswer struct {
	species store.SpeciesDetail
	found   bool
}

func newReconcileRemote(r *remote) *reconcileRemote {
	return &reconcileRemote{remote: r, species: map[string]keptAnswer{}}
}

// Match asks for names, a hundred at a time.
func (r *reconcileRemote) Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	all := make([]bulk.Answer, 0, len(queries))
	for len(queries) > 0 {
		n := min(bulk.MaxNames, len(queries))
		some, err := r.match(ctx, queries[:n])
		if err != nil {
			return nil, passedOn(err)
		}
		all, queries = append(all, some...), queries[n:]
	}
	return all, nil
}

// Species reads species.detail.
func (r *reconcileRemote) Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error) {
	if a, known := r.kept(guid); known {
		return a.species, a.found, nil
	}
	err = r.get(ctx, "/api/v1/species/"+url.PathEscape(guid), nil, &s)
	missing := (*missingError)(nil)
	if err != nil && !errors.As(err, &missing) {
		return s, false, passedOn(err)
	}
	r.keep(guid, keptAnswer{s, err == nil})
	return s, err == nil, nil
}

func (r *reconcileRemote) kept(guid string) (a keptAnswer, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.since) > keptFor {
		return a, false
	}
	a, known = r.species[guid]
	return a, known
}

func (r *reconcileRemote) keep(guid string, a keptAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.species) >= keptSpecies || time.Since(r.since) > keptFor {
		clear(r.species)
		r.since = time.Now()
	}
	r.species[guid] = a
}

// Search reads a page of species.search; it begins with a line that size
// divides.
func (r *reconcileRemote) Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error) {
	var page struct{ Items []store.SpeciesSummary }
	err := r.get(ctx, "/api/v1/species", url.Values{
		"q": {text}, "page": {strconv.Itoa(from/size + 1)}, "pageSize": {strconv.Itoa(size)},
	}, &page)
	return page.Items, passedOn(err)
}

// passedOn has the client wait for a server that wants us to wait for longer
// than our patience.
func passedOn(err error) error {
	var busy *busyError
	if !errors.As(err, &busy) || busy.wait == 0 {
		return err
	}
	status := http.StatusServiceUnavailable
	if busy.limit {
		status = http.StatusTooManyRequests
	}
	return &reconcile.BusyError{Status: status, After: busy.wait, Err: err}
}
