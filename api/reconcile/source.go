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

// BusyError is the error of a source that can be asked again later, which the
// client is told.
type BusyError struct {
	// Status is 429 or 503.
	Status int
	// After is how long the client must wait.
	After time.Duration
	Err   error
}

func (e *BusyError) Error() string { return e.Err.Error() }

// Unwrap returns what the source said.
func (e *BusyError) Unwrap() error { return e.Err }

// Source is what a service answers from: a snapshot, or a server. An error may
// be a [*BusyError].
type Source interface {
	// Match answers names, in their order.
	Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error)
	// Species is the species with a guid, if there is one.
	Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error)
	// Search lists the species that a text finds, the best first.
	Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error)
}

// Here answers from the contents of a snapshot. Their store, names and index of
// species must be open. Site is the address that pages of species are at.
func Here(files *contents.Contents, site string) Source {
	return &here{files, bulk.MatchEach(files.Names.Match), store.EscapeSite(site)}
}

type here struct {
	files *contents.Contents
	match bulk.Matcher
	site  string // as store.EscapeSite gives it
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
