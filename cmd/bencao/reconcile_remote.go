package main

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
)

// reconcileRemote is a server as a source of reconciliation.
type reconcileRemote struct{ *remote }

// Match asks for names, a hundred at a time.
func (r *reconcileRemote) Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	all := make([]bulk.Answer, 0, len(queries))
	for len(queries) > 0 {
		n := min(bulk.MaxNames, len(queries))
		some, err := r.match(ctx, queries[:n])
		if err != nil {
			return nil, err
		}
		all, queries = append(all, some...), queries[n:]
	}
	return all, nil
}

// Species reads species.detail.
func (r *reconcileRemote) Species(ctx context.Context, guid string) (s store.SpeciesDetail, found bool, err error) {
	err = r.get(ctx, "/api/v1/species/"+url.PathEscape(guid), nil, &s)
	if missing := (*missingError)(nil); errors.As(err, &missing) {
		return s, false, nil
	}
	return s, err == nil, err
}

// Search reads a page of species.search; it begins with a line that size
// divides.
func (r *reconcileRemote) Search(ctx context.Context, text string, from, size int) ([]store.SpeciesSummary, error) {
	var page struct{ Items []store.SpeciesSummary }
	err := r.get(ctx, "/api/v1/species", url.Values{
		"q": {text}, "page": {strconv.Itoa(from/size + 1)}, "pageSize": {strconv.Itoa(size)},
	}, &page)
	return page.Items, err
}
