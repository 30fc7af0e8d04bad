package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/internal/messages"
	"bencao/mappings/search"
	"bencao/store"
)

// FormulaSearch is the input of formulas.search.
type FormulaSearch struct {
	Q       string `query:"q" runes:"500" lines:"true" doc:"Name in Chinese or pinyin, also with a book, an author or a dynasty, such as 伤寒论 桂枝汤; or herbs with spaces between them, such as 麻黄 桂枝 杏仁 甘草, which need the scope prescription_composition. Without it, all records are listed." example:"桂枝汤"`
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

// FormulaIngredients is the input of formulas.ingredients.
type FormulaIngredients struct {
	Q       string `query:"q" runes:"500" lines:"true" doc:"The same as in formulas.search; without it, the ingredients of all formulas are listed." example:"桂枝汤"`
	Choices formulaChoices
	Scopes  access.Scopes
	LongPaging
}

// IngredientRow is an ingredient with its formula.
type IngredientRow struct {
	Formula store.FormulaSummary `json:"formula" doc:"The formula."`
	store.FormulaIngredient
}

func (b *Backend) formulaIngredients(ctx context.Context, in FormulaIngredients) (Page[IngredientRow], error) {
	var none Page[IngredientRow]
	q, err := b.query(ctx, "formulas", in.Q, in.Choices, in.Scopes)
	if err != nil {
		return none, err
	}
	tx, err := b.files.Store.Begin()
	if err != nil {
		return none, err
	}
	defer tx.Close()
	q.Size = tx.Count(store.TableFormulas)
	var hits search.Hits
	if err := recovered(ctx, func() (err error) {
		hits, err = b.files.Formulas.Search(ctx, q)
		return err
	}); err != nil {
		return none, err
	}
	counts := tx.IngredientCounts()
	total := 0
	for _, n := range hits.Nums {
		total += counts.Of(n)
	}
	at := Paging(in.LongPaging)
	from, to := at.window(total)
	p := Page[IngredientRow]{body: b.body(), at: at, total: total, search: &verdict{Hits: hits}}
	p.b = beginPage(p.b, at, total)
	start := 0 // position of the formula's first ingredient in the list
	for _, n := range hits.Nums {
		if start >= to {
			break
		}
		if end := start + counts.Of(n); end > from {
			rows, err := b.ingredientRows(tx, n, end-start)
			if err != nil {
				p.release()
				return none, err
			}
			for _, row := range rows[max(from-start, 0) : min(to, end)-start] {
				if p.b[len(p.b)-1] != '[' {
					p.b = append(p.b, ',')
				}
				p.b = append(p.b, row...)
			}
		}
		start += counts.Of(n)
	}
	p.b = endPage(p.b)
	return p, nil
}

// ingredientRows returns the [IngredientRow] of each of the ingredients of a formula, which are count.
func (b *Backend) ingredientRows(tx *store.Tx, n store.Num, count int) ([][]byte, error) {
	var detail struct{ Ingredients []json.RawMessage }
	if err := json.Unmarshal(tx.FormulaDetail(n, store.Composition).Append(nil, b.site, store.Composition), &detail); err != nil {
		return nil, fmt.Errorf("ingredients of formula %d: %w", n, err)
	}
	if len(detail.Ingredients) != count {
		return nil, fmt.Errorf("formula %d has %d ingredients, not %d: %w", n, len(detail.Ingredients), count, store.ErrDamaged)
	}
	formula := append([]byte(`{"formula":`), tx.FormulaSummary(n).Append(nil, b.site, 0)...)
	rows := make([][]byte, count)
	for i, one := range detail.Ingredients {
		rows[i] = append(append(slices.Clip(formula), ','), one[1:]...)
	}
	return rows, nil
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
