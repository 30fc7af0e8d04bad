package api

import (
	"context"

	"bencao/mappings/search"
	"bencao/store"
)

// PaperSearch is what papers.search takes.
type PaperSearch struct {
	Q string `query:"q" runes:"200" doc:"Words of the title, authors, DOI or PubMed id; absent or empty lists everything." example:"Panax ginseng"`
	Paging
}

func (b *Backend) paperSearch(ctx context.Context, in PaperSearch) (Page[store.PaperSummary], error) {
	t := table{store.TablePapers, b.files.Papers, (*store.Tx).PaperSummary}
	return listed[store.PaperSummary](ctx, b, t, search.Query{Text: in.Q}, in.Paging)
}
