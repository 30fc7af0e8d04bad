package api

import (
	"context"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/internal/messages"
	"bencao/store"
)

// FormulaSearch is the input of formulas.search.
type FormulaSearch struct {
	Q       string `query:"q" runes:"200" doc:"Name in Chinese or pinyin, also with a book, an author or a dynasty, such as 伤寒论 桂枝汤; or herbs with spaces between them, such as 麻黄 桂枝 杏仁 甘草, which need the scope prescription_composition. Without it, all records are listed." example:"桂枝汤"`
	Choices formulaChoices
	Scopes  access.Scopes
	Asking
	Paging
}

func (b *Backend) formulaSearch(ctx context.Context, in FormulaSearch) (Page[store.FormulaSummary], error) {
	t := table{store.TableFormulas, b.files.Formulas, (*store.Tx).FormulaSummary}
	q, err := b.query(ctx, "formulas", in.Q, in.Choices, in.Scopes)
	if err != nil {
		return Page[store.FormulaSummary]{}, err
	}
	return listed[store.FormulaSummary](ctx, b, t, q, in.Paging, in.Asking)
}

// formulasOf returns a page of the formulas of a species or a herb.
func formulasOf(b *Backend, what messages.Format, guid string, num func(*store.Tx, string) (store.Num, bool), list func(*store.Tx, store.Num) []store.Num, at Paging) (Page[store.FormulaSummary], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return Page[store.FormulaSummary]{}, err
	}
	defer tx.Close()
	n, ok := num(tx, guid)
	if !ok {
		return Page[store.FormulaSummary]{}, problem.Unknown(what, guid)
	}
	all := list(tx, n)
	from, to := at.window(len(all))
	return page[store.FormulaSummary](b, tx, (*store.Tx).FormulaSummary, all[from:to], at, len(all))
}

// FormulaPath is the input of formulas.detail, with the parts that the key may see.
type FormulaPath struct {
	GUID string `path:"guid" doc:"The formula's guid, as a search gives it." example:"7c0dea0f-00af-56ad-9a48-171a85941d9e"`
	Show store.Parts
}

func (b *Backend) formulaDetail(_ context.Context, in FormulaPath) (One[store.FormulaDetail], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[store.FormulaDetail]{}, err
	}
	defer tx.Close()
	out := b.body()
	text, ok := tx.AppendFormula(out.b, in.GUID, b.site, in.Show)
	if text == nil {
		err = errNoAnswer
	} else if !ok {
		err = problem.Unknown(problem.NoFormula, in.GUID)
	}
	if err != nil {
		out.release()
		return One[store.FormulaDetail]{}, err
	}
	out.b = text
	return One[store.FormulaDetail]{out}, nil
}
