package api

import (
	"context"
	"slices"
	"strings"

	"bencao/api/access"
	"bencao/mappings/search"
)

// SpeciesFacets is what species.facets takes.
type SpeciesFacets struct {
	By    string `query:"by" runes:"200" required:"true" doc:"Fields to count by, with commas between them: family, genus, rank, hasFormulas." example:"family,genus"`
	Q     string `query:"q" runes:"200" doc:"As species.search takes it; absent or empty counts everything." example:"人参"`
	Limit int32  `query:"limit" min:"1" max:"10000" default:"100" doc:"Values of each field at most, the commonest first."`
	SpeciesFilters
}

func (b *Backend) speciesFacets(ctx context.Context, in SpeciesFacets) (One[Facets], error) {
	q := search.Query{Text: in.Q, Filters: in.filters()}
	return b.facets(ctx, b.files.Species, q, in.By, []string{"family", "genus", "rank", "hasFormulas"}, in.Limit)
}

// FormulaFacets is what formulas.facets takes.
type FormulaFacets struct {
	By    string `query:"by" runes:"200" required:"true" doc:"Fields to count by, with commas between them: dynasty, source, author, year, herbs." example:"dynasty,source"`
	Q     string `query:"q" runes:"200" doc:"As formulas.search takes it; absent or empty counts everything." example:"桂枝汤"`
	Limit int32  `query:"limit" min:"1" max:"10000" default:"100" doc:"Values of each field at most, the commonest first."`
	FormulaFilters
}

func (b *Backend) formulaFacets(ctx context.Context, in FormulaFacets) (One[Facets], error) {
	if slices.Contains(fieldsOf(in.By), "herbs") {
		if err := needs(in.Scopes, "by=herbs", access.PrescriptionComposition); err != nil {
			return One[Facets]{}, err
		}
	}
	q, err := in.query(b, in.Q)
	if err != nil {
		return One[Facets]{}, err
	}
	return b.facets(ctx, b.files.Formulas, q, in.By, []string{"dynasty", "source", "author", "year", "herbs"}, in.Limit)
}

// PaperFacets is what papers.facets takes.
type PaperFacets struct {
	By    string `query:"by" runes:"200" required:"true" doc:"Fields to count by, with commas between them: author, year, source." example:"year,source"`
	Q     string `query:"q" runes:"200" doc:"As papers.search takes it; absent or empty counts everything." example:"Panax ginseng"`
	Limit int32  `query:"limit" min:"1" max:"10000" default:"100" doc:"Values of each field at most, the commonest first."`
	PaperFilters
}

func (b *Backend) paperFacets(ctx context.Context, in PaperFacets) (One[Facets], error) {
	filters, err := in.filters(ctx, b)
	if err != nil {
		return One[Facets]{}, err
	}
	return b.facets(ctx, b.files.Papers, search.Query{Text: in.Q, Filters: filters}, in.By, []string{"author", "year", "source"}, in.Limit)
}

// Facets are counts of what a search finds.
type Facets struct {
	Total  int32   `json:"total" doc:"Records that q and the filters find."`
	Facets []Facet `json:"facets" doc:"One for each field of by, in its order."`
}

// Facet counts records by the values of a field.
type Facet struct {
	By      string       `json:"by" doc:"The field."`
	Values  int32        `json:"values" doc:"How many values there are, those beyond limit included."`
	Without int32        `json:"without" doc:"Records that have no value."`
	Counts  []ValueCount `json:"counts" doc:"The commonest values first, then in the order of their characters."`
}

// ValueCount is how many records have a value.
type ValueCount struct {
	Value   string  `json:"value" doc:"The value; as a filter it finds these records."`
	Chinese *string `json:"chinese" doc:"Its name in Chinese, of families, genera and ranks."`
	Count   int32   `json:"count" doc:"Records that have it. A record with several values counts for each."`
}

// fieldsOf cuts a list of fields.
func fieldsOf(by string) []string {
	fields := strings.Split(by, ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return fields
}

// facets counts what a query finds by some of the fields that there are.
func (b *Backend) facets(ctx context.Context, index *search.Searcher, q search.Query, by string, known []string, most int32) (One[Facets], error) {
	fields := fieldsOf(by)
	for i, f := range fields {
		switch {
		case !slices.Contains(known, f):
			return One[Facets]{}, faultf(badParameter, "by names %s, which is no facet here; use %s", show(f), strings.Join(known, ", "))
		case slices.Contains(fields[:i], f):
			return One[Facets]{}, faultf(badParameter, "by names %s twice; name it once", show(f))
		}
	}
	var counted []search.Facet
	var total int
	err := b.searching(ctx, func() (err error) {
		counted, total, err = index.Facets(ctx, q, fields, int(most))
		return err
	})
	if err != nil {
		return One[Facets]{}, err
	}
	out := Facets{Total: int32(total), Facets: []Facet{}}
	for _, f := range counted {
		facet := Facet{By: f.Field, Values: int32(f.Values), Without: int32(f.Without), Counts: []ValueCount{}}
		for _, c := range f.Counts {
			v := ValueCount{Value: c.Value, Count: int32(c.Count)}
			if c.Chinese != "" {
				v.Chinese = &c.Chinese
			}
			facet.Counts = append(facet.Counts, v)
		}
		out.Facets = append(out.Facets, facet)
	}
	return encode(&b.buffers, out)
}
