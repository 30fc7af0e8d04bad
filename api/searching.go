package api

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// table is a table of the store with its search index.
type table struct {
	name    store.Table
	index   *search.Searcher
	summary func(*store.Tx, store.Num) store.Template
}

// listed answers a search with one page of the records that match a query. An empty query selects
// the whole table. Unless the caller asks for an explanation, this needs no index.
func listed[T any](ctx context.Context, b *Backend, t table, q search.Query, at Paging, asking Asking) (Page[T], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return Page[T]{}, err
	}
	defer tx.Close()
	all := tx.Count(t.name)
	from, to := at.window(all)
	if q.Everything() && !asking.Explain {
		nums := make([]store.Num, 0, to-from)
		for n := from; n < to; n++ {
			nums = append(nums, store.Num(n))
		}
		p, err := page[T](b, tx, t.summary, nums, at, all)
		p.search = &verdict{Hits: search.Hits{Total: all}}
		return p, err
	}
	// A page past the end of the table is empty. For such a page, window has set from to the length
	// of the table, so the index does not search further.
	q.From, q.Size = from, int(at.PageSize)
	var ex search.Explanation
	err = recovered(ctx, func() (err error) {
		if asking.Explain {
			ex, err = t.index.Explain(ctx, q)
		} else {
			ex.Page, err = t.index.Search(ctx, q)
		}
		return err
	})
	if err != nil {
		return Page[T]{}, err
	}
	hits, unknown := ex.Page, []UnknownValue{}
	if hits.Total == 0 {
		if unknown, err = b.unknownValues(ctx, tx, t, q); err != nil {
			return Page[T]{}, err
		}
	}
	p, err := page[T](b, tx, t.summary, hits.Nums, at, hits.Total, hits.Namesakes...)
	p.search = &verdict{hits, unknown}
	if err != nil || !asking.Explain {
		return p, err
	}
	rows := make([][]byte, len(hits.Nums))
	for i, n := range hits.Nums {
		rows[i] = t.summary(tx, n).Append(nil, b.site, 0)
	}
	out := Explanation{Unknown: unknown, Readings: []ReadValue{}, Broader: []ReadValue{}}
	if err := b.explainFilters(ctx, t, q, ex.Recognised, hits.Total, &out); err != nil {
		return Page[T]{}, err
	}
	p.b, err = appendExplanation(p.b, q, ex, out, asking.Trace, rows)
	return p, err
}

// explainFilters adds to an explanation how the values of filters and the herbs in the text of a query
// were read. total is the number of hits.
func (b *Backend) explainFilters(ctx context.Context, t table, q search.Query, recognised []mappings.Recognised, total int, out *Explanation) error {
	if key := mappings.DynastyKey(q.Dynasty); q.Dynasty != "" && !strings.Contains(han.Fold(q.Dynasty), key) && len(out.Unknown) == 0 {
		out.Readings = append(out.Readings, ReadValue{mappings.DynastyField, q.Dynasty, []string{key}})
	}
	var herbs []ReadValue
	for _, r := range recognised {
		if r.Field == mappings.HerbsField {
			herbs = append(herbs, ReadValue{"q", r.Text, r.Values})
		}
	}
	forms := q
	forms.Filters = slices.Clone(q.Filters)
	for i, f := range q.Filters {
		known := f.Field == mappings.HerbsField || f.Field == f.Name && f.Name != "species" // Any of species has numbers of records
		if f.Name == "" || len(f.Any) == 0 || !known {
			continue
		}
		read := ReadValue{f.Name, f.Value, f.Any}
		if !strings.EqualFold(han.Fold(f.Any[0]), han.Fold(f.Value)) {
			out.Readings = append(out.Readings, read)
		}
		if f.Field == mappings.HerbsField {
			herbs = append(herbs, read)
			forms.Filters[i].Any = b.forms(f.Any[0], true)
		}
	}
	others := false // whether forms=together lets any of the herbs stand for other ones
	for _, h := range herbs {
		others = others || len(h.Means) != len(b.forms(h.Means[0], true))
		for _, s := range herb.StatementsOn(h.Means[0]) {
			if s.Relation == herb.Broader {
				out.Broader = append(out.Broader, ReadValue{h.Parameter, h.Value, s.Herbs})
			}
		}
	}
	if !others || total == 0 && len(herbs) > mostHerbs { // the search tried the other forms of a long list, and reading it again takes time
		return nil
	}
	forms.Size = 0
	forms.Herbs = func(part string) []string {
		names := q.Herbs(part)
		if len(names) > 0 {
			names = b.forms(names[0], true)
		}
		return names
	}
	return recovered(ctx, func() error {
		all, err := t.index.Search(ctx, forms)
		if n := int32(all.Total); all.Total != total && all.Near == 0 {
			out.WithForms = &n
		}
		return err
	})
}

// unknownFilters returns the filters of a query whose value no record has.
func unknownFilters(index *search.Searcher, q search.Query) ([]UnknownValue, error) {
	unknown := []UnknownValue{}
	if q.Dynasty != "" {
		known, err := index.Has(mappings.DynastyField, q.Dynasty)
		if err != nil {
			return nil, err
		}
		if !known {
			unknown = append(unknown, UnknownValue{Filter: mappings.DynastyField, Value: q.Dynasty})
		}
	}
	for _, f := range q.Filters {
		if f.Name != "" && len(f.Any) == 0 && len(f.Records) == 0 {
			unknown = append(unknown, UnknownValue{Filter: f.Name, Value: f.Value})
		}
	}
	return unknown, nil
}

// unknownValues returns the filters of a query whose value no record has, with close values.
func (b *Backend) unknownValues(ctx context.Context, tx *store.Tx, t table, q search.Query) (unknown []UnknownValue, err error) {
	if unknown, err = unknownFilters(t.index, q); err != nil {
		return nil, err
	}
	for i := range unknown {
		u := &unknown[i]
		switch u.Filter {
		case "species":
			u.Close, err = b.closeNames(ctx, tx, table{index: b.files.Species, summary: (*store.Tx).SpeciesSummary}, u.Value, "chineseName", "scientificName")
		case "name":
			u.Close, err = b.closeNames(ctx, tx, t, u.Value, "name")
		default:
			u.Close, err = t.index.Like(u.Filter, u.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	return unknown, nil
}

// mostClose is the largest number of names that closeNames returns.
const mostClose = 3

// closeNames returns the names of the records that a search for name finds. Of each record it takes
// the first of the fields that has a text.
func (b *Backend) closeNames(ctx context.Context, tx *store.Tx, t table, name string, fields ...string) (names []string, err error) {
	names = []string{}
	var hits search.Hits
	err = recovered(ctx, func() error {
		hits, err = t.index.Search(ctx, search.Query{Text: name, NoHerbs: true, Distinct: t.name == store.TableFormulas, Size: mostClose})
		return err
	})
	for _, n := range hits.Nums {
		for _, field := range fields {
			text, err := t.summary(tx, n).Text(field)
			if err != nil {
				return nil, err
			}
			if text != "" {
				names = append(names, text)
				break
			}
		}
	}
	return names, err
}

// page renders a page of summaries. namesakes is empty or has, for each record, the number of other
// records with the same name.
func page[T any](b *Backend, tx *store.Tx, summary func(*store.Tx, store.Num) store.Template, nums []store.Num, at Paging, total int, namesakes ...int) (Page[T], error) {
	p := Page[T]{body: b.body(), at: at, total: total}
	p.b = beginPage(p.b, at, total)
	for i, n := range nums {
		if i > 0 {
			p.b = append(p.b, ',')
		}
		row := summary(tx, n)
		if row == nil {
			return Page[T]{}, fmt.Errorf("the index has a record number %d that the store lacks", n)
		}
		p.b = row.Append(p.b, b.site, 0)
		if namesakes != nil {
			p.b = append(bytes.TrimSuffix(p.b, []byte("}")), `,"namesakes":`...)
			p.b = append(strconv.AppendInt(p.b, int64(namesakes[i]), 10), '}')
		}
	}
	p.b = endPage(p.b)
	return p, nil
}
