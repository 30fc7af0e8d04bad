package api

import (
	"context"

	"bencao/mappings/search"
	"bencao/store"
)

// PaperSearch is what papers.search takes.
type PaperSearch struct {
	Q string `query:"q" runes:"500" doc:"Words of the title, authors, DOI or PubMed id; absent or empty lists everything." example:"Panax ginseng"`
	PaperFilters
	Sort string `query:"sort" words:"relevance,name,year,prominence" default:"relevance" doc:"Order: how well q fits, by title, the newest first, or those about most species first."`
	Asking
	Paging
}

func (b *Backend) paperSearch(ctx context.Context, in PaperSearch) (Page[store.PaperSummary], error) {
	t := table{store.TablePapers, b.files.Papers, (*store.Tx).PaperSummary}
	filters, err := in.filters(ctx, b)
	if err != nil {
		return Page[store.PaperSummary]{}, err
	}
	return listed[store.PaperSummary](ctx, b, t, search.Query{Text: in.Q, Filters: filters, Sort: sorted(in.Sort)}, in.Paging, in.Asking)
}
