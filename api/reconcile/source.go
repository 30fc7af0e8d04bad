package reconcile

import (
	"context"
	"net/url"
	"strconv"
	"sync"
	"time"

	"bencao/api/ask"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
)

// Source provides the data of a service. [Asking] returns one. The errors of its methods may be an
// [*ask.BusyError].
type Source interface {
	// Match matches names and returns the answers in the order of the queries.
	Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error)
	// Species returns the species with a guid and reports whether it exists.
	Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error)
	// Search returns at most size species that match a text, the best first. It skips the number
	// from of species, a multiple of size.
	Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error)
	// Public reports whether the snapshot is public. A public snapshot lacks formulas and uses of
	// species, so their numbers are 0 in it.
	Public(ctx context.Context) (bool, error)
}

const (
	// keptSpecies is the largest number of cached species. keptFor is the age at which the whole
	// cache is emptied.
	keptSpecies = 1000
	keptFor     = 10 * time.Minute
)

// Asking returns a source that asks the API. It caches the species that it has fetched. If the limit
// of the API key ends a request of OpenRefine halfway, OpenRefine can repeat the request, and only
// the missing species are fetched.
func Asking(c *ask.Client) Source { return &asking{client: c, species: map[string]keptAnswer{}} }

type asking struct {
	client *ask.Client

	mu      sync.Mutex // guards the fields below
	species map[string]keptAnswer
	public  *bool     // whether the snapshot is public; nil if the API has not been asked
	since   time.Time // the time at which the cache was last emptied
}

// keptAnswer is the cached response for a guid. found is false if there is no such species.
type keptAnswer struct {
	species store.SpeciesDetail
	found   bool
}

func (a *asking) Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	return a.client.Match(ctx, queries)
}

func (a *asking) Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error) {
	if k, known := a.kept(guid); known {
		return k.species, k.found, nil
	}
	err = a.client.Get(ctx, "/species/"+url.PathEscape(guid), nil, &s)
	if err != nil && !ask.Missing(err) {
		return s, false, err
	}
	a.keep(guid, keptAnswer{s, err == nil})
	return s, err == nil, nil
}

func (a *asking) kept(guid string) (k keptAnswer, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.since) > keptFor {
		return k, false
	}
	k, known = a.species[guid]
	return k, known
}

func (a *asking) keep(guid string, k keptAnswer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.species) >= keptSpecies || time.Since(a.since) > keptFor {
		clear(a.species)
		a.public, a.since = nil, time.Now()
	}
	a.species[guid] = k
}

// Public asks for the version of the data and caches the answer together with the species.
func (a *asking) Public(ctx context.Context) (bool, error) {
	a.mu.Lock()
	known := a.public
	a.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	var version struct{ Withheld []string }
	if err := a.client.Get(ctx, "/version", nil, &version); err != nil {
		return false, err
	}
	public := len(version.Withheld) > 0
	a.mu.Lock()
	defer a.mu.Unlock()
	a.public = &public
	return public, nil
}

// Search asks for the pages of species.search with the records from that number on.
func (a *asking) Search(ctx context.Context, text string, from, size int) (found []store.SpeciesSummary, err error) {
	for n := from / size; n*size < from+size; n++ {
		var page struct{ Items []store.SpeciesSummary }
		if err := a.client.Get(ctx, "/species", url.Values{
			"q": {text}, "page": {strconv.Itoa(n + 1)}, "pageSize": {strconv.Itoa(size)},
		}, &page); err != nil {
			return nil, err
		}
		found = append(found, page.Items...)
	}
	skip := min(from%size, len(found))
	return found[skip:min(skip+size, len(found))], nil
}
