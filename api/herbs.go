package api

import (
	"context"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/store"
)

// HerbSearch is the input of herbs.search.
type HerbSearch struct {
	Q       string `query:"q" runes:"500" lines:"true" doc:"Name in Chinese or pinyin, other name, processed form, pharmaceutical Latin, English, Japanese or Korean name, or the name of a source species; without it, all records are listed." example:"桂枝"`
	Choices herbChoices
	Asking
	Paging
}

func (b *Backend) herbSearch(ctx context.Context, in HerbSearch) (Page[store.HerbSummary], error) {
	t := table{store.TableHerbs, b.files.Herbs, herbSummaryFor(in.Q)}
	q, err := b.query(ctx, "herbs", in.Q, in.Choices, access.Open)
	if err != nil {
		return Page[store.HerbSummary]{}, err
	}
	return listed[store.HerbSummary](ctx, b, t, q, in.Paging, in.Asking)
}

// herbSummaryFor returns a function that reads the summary of a herb. If q is an alternative name
// of the herb, the summary includes that name.
func herbSummaryFor(q string) func(*store.Tx, store.Num) store.Template {
	return func(tx *store.Tx, n store.Num) store.Template { return tx.HerbSummaryFor(q, n) }
}

// HerbPath is the input of operations on one herb.
type HerbPath struct {
	ID string `path:"id" doc:"The herb's id, as a search gives it." example:"2ec8d702-d96b-5ed0-b26d-728450423535"`
}

// HerbDetail is the input of herbs.detail.
type HerbDetail struct {
	HerbPath
	Show store.Parts
}

func (b *Backend) herbDetail(_ context.Context, in HerbDetail) (One[store.HerbDetail], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[store.HerbDetail]{}, err
	}
	defer tx.Close()
	detail, ok := tx.FindHerb(in.ID)
	if !ok {
		return One[store.HerbDetail]{}, problem.Unknown(problem.NoHerb, in.ID)
	}
	body, err := b.answer(detail, in.Show)
	return One[store.HerbDetail]{body}, err
}

// HerbFormulas is the input of herbs.formulas.
type HerbFormulas struct {
	HerbPath
	Paging
}

func (b *Backend) herbFormulas(_ context.Context, in HerbFormulas) (Page[store.FormulaSummary], error) {
	return formulasOf(b, problem.NoHerb, in.ID, (*store.Tx).HerbNum, (*store.Tx).HerbFormulas, in.Paging)
}
