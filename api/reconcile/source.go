package reconcile

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"bencao/internal/contents"
	"bencao/mappings/search"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
)

// BusyError is the error of a source that cannot answer now but may answer later. The client gets
// the error's status and waiting time.
type BusyError struct {
	// Status is the HTTP status for the client: 429 or 503.
	Status int
	// After is the time that the client must wait before it asks again.
	After time.Duration
	Err   error
}

func (e *BusyError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the source.
func (e *BusyError) Unwrap() error { return e.Err }

// Source provides the data of a service: a snapshot or a server. The errors of its methods may be a
// [*BusyError].
type Source interface {
	// Match matches names and returns the answers in the order of the queries.
	Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error)
	// Species returns the species with a guid and reports whether it exists.
	Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error)
	// Search returns species that match a text, the best first. It skips the first ones, as many as
	// from says, and returns at most size of the others.
	Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error)
	// Public reports whether the snapshot is public. A public snapshot lacks formulas and uses of
	// species, so their numbers are 0 in it.
	Public(ctx context.Context) (bool, error)
}

// Here returns a source that reads the contents of a snapshot. The store, the names and the index
// of species must be open. site is the address of the pages of species.
func Here(files *contents.Contents, site string) Source {
	return &here{files, bulk.MatchEach(files.Names.Match), store.EscapeSite(site)}
}

type here struct {
	files *contents.Contents
	match bulk.Matcher
	site  string // escaped by store.EscapeSite
}

func (h *here) Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	all := make([]bulk.Answer, 0, len(queries))
	for some := range slices.Chunk(queries, bulk.MaxNames) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answers, err := h.match(ctx, some)
		if err != nil {
			return nil, err
		}
		all = append(all, answers...)
	}
	return all, nil
}

func (h *here) Species(_ context.Context, guid string) (s store.SpeciesDetail, found bool, err error) {
	tx, err := h.files.Store.Begin()
	if err != nil {
		return s, false, err
	}
	defer tx.Close()
	n, found := tx.SpeciesNum(guid)
	if !found {
		return s, false, nil
	}
	err = json.Unmarshal(tx.SpeciesDetail(n).Append(nil, h.site, 0), &s)
	return s, true, err
}

func (h *here) Public(context.Context) (bool, error) { return h.files.Public, nil }

func (h *here) Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error) {
	hits, err := h.files.Species.Search(ctx, search.Query{Text: text, From: from, Size: size})
	if err != nil {
		return nil, err
	}
	tx, err := h.files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	list := make([]store.SpeciesSummary, len(hits.Nums))
	for i, n := range hits.Nums {
		if err := json.Unmarshal(tx.SpeciesSummary(n).Append(nil, h.site, 0), &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
