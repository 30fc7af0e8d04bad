package api

import (
	"bytes"
	"context"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/store"
)

// PaperSearch is the input of papers.search.
type PaperSearch struct {
	Q       string `query:"q" runes:"500" lines:"true" doc:"Words of the title, authors, DOI or PubMed id; without it, all records are listed." example:"Panax ginseng"`
	Choices paperChoices
	Asking
	Paging
}

func (b *Backend) paperSearch(ctx context.Context, in PaperSearch) (Page[store.PaperSummary], error) {
	t := table{store.TablePapers, b.files.Papers, (*store.Tx).PaperSummary}
	q, err := b.query(ctx, "papers", in.Q, in.Choices, access.Open)
	if err != nil {
		return Page[store.PaperSummary]{}, err
	}
	return listed[store.PaperSummary](ctx, b, t, q, in.Paging, in.Asking)
}

// PaperID is the input of papers.detail. An id may contain slashes, so it is not a part of the
// path.
type PaperID struct {
	ID string `query:"id" runes:"500" required:"true" doc:"The paper's id, as a search gives it." example:"doi:10.1038/nature.2013.1"`
}

func (b *Backend) paperDetail(_ context.Context, in PaperID) (One[store.PaperDetail], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[store.PaperDetail]{}, err
	}
	defer tx.Close()
	n, summary, ok := tx.FindPaper(in.ID)
	if !ok {
		return One[store.PaperDetail]{}, problem.Unknown(problem.NoPaper, in.ID)
	}
	out, err := b.answer(summary, 0)
	if err != nil {
		return One[store.PaperDetail]{}, err
	}
	out.b = append(bytes.TrimSuffix(out.b, []byte("}")), `,"species":`...)
	out.b = append(tx.PaperSpecies(n).Append(out.b, b.site, 0), '}')
	return One[store.PaperDetail]{out}, nil
}
