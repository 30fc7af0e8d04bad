package api

import (
	"context"
	"slices"

	"bencao/api/access"
	"bencao/api/params"
	"bencao/mappings"
	"bencao/mappings/search"
)

// The Fields types are comma-separated lists of the fields by which facets can count.
type (
	speciesFields string
	formulaFields string
	paperFields   string
	herbFields    string
)

func (speciesFields) Fields() []string { return mappings.Facets(mappings.Species) }

func (formulaFields) Fields() []string { return mappings.Facets(mappings.Formulas) }

func (paperFields) Fields() []string { return mappings.Facets(mappings.Papers) }

func (herbFields) Fields() []string { return mappings.Facets(mappings.Herbs) }

// SpeciesFacets is the input of species.facets.
type SpeciesFacets struct {
	By      speciesFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"family,genus"`
	Q       string        `query:"q" runes:"500" lines:"true" doc:"The same as in species.search; without it, all records are counted." example:"人参"`
	Limit   int32         `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	Filters speciesFilters
}

func (b *Backend) speciesFacets(ctx context.Context, in SpeciesFacets) (Counted, error) {
	return b.facets(ctx, "species", in.Q, in.Filters, access.Open, string(in.By), in.Limit)
}

// FormulaFacets is the input of formulas.facets.
type FormulaFacets struct {
	By      formulaFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"dynasty,source"`
	Q       string        `query:"q" runes:"500" lines:"true" doc:"The same as in formulas.search; without it, all records are counted." example:"桂枝汤"`
	Limit   int32         `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	Filters formulaFilters
	Scopes  access.Scopes
}

func (b *Backend) formulaFacets(ctx context.Context, in FormulaFacets) (Counted, error) {
	if slices.Contains(params.SplitFields(string(in.By)), "herbs") {
		if err := b.needs(in.Scopes, "by=herbs", access.PrescriptionComposition); err != nil {
			return Counted{}, err
		}
	}
	return b.facets(ctx, "formulas", in.Q, in.Filters, in.Scopes, string(in.By), in.Limit)
}

// HerbFacets is the input of herbs.facets.
type HerbFacets struct {
	By      herbFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"kind,part"`
	Q       string     `query:"q" runes:"500" lines:"true" doc:"The same as in herbs.search; without it, all records are counted." example:"桂枝"`
	Limit   int32      `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	Filters herbFilters
}

func (b *Backend) herbFacets(ctx context.Context, in HerbFacets) (Counted, error) {
	return b.facets(ctx, "herbs", in.Q, in.Filters, access.Open, string(in.By), in.Limit)
}

// PaperFacets is the input of papers.facets.
type PaperFacets struct {
	By      paperFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"year,source"`
	Q       string      `query:"q" runes:"500" lines:"true" doc:"The same as in papers.search; without it, all records are counted." example:"Panax ginseng"`
	Limit   int32       `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	Filters paperFilters
}

func (b *Backend) paperFacets(ctx context.Context, in PaperFacets) (Counted, error) {
	return b.facets(ctx, "papers", in.Q, in.Filters, access.Open, string(in.By), in.Limit)
}

// Counted is an answer with the facets of a search.
type Counted struct {
	One[Facets]
	search *verdict
}

func (c Counted) verdict() *verdict { return c.search }

// Facets are counts of the results of a search.
type Facets struct {
	Total  int32   `json:"total" doc:"Records that q and the filters find."`
	Facets []Facet `json:"facets" doc:"One for each field in by, in the same order."`
}

// Facet counts records by the values of one field.
type Facet struct {
	By      string       `json:"by" doc:"The field."`
	Values  int32        `json:"values" doc:"Number of values, including those beyond limit."`
	Without int32        `json:"without" doc:"Records that have no value."`
	Counts  []ValueCount `json:"counts" doc:"The most frequent values first; equally frequent ones by the code points of their characters."`
}

// ValueCount is the number of records with a value.
type ValueCount struct {
	Value   string  `json:"value" doc:"The value. A filter with this value finds these records, and those with another form of it, such as initials of an author."`
	Chinese *string `json:"chinese" doc:"The value's name in Chinese, for families, genera, ranks and kinds."`
	Count   int32   `json:"count" doc:"Number of records with the value. A record with several values counts for each of them."`
}

// facets counts the records of a table that text and the filters find by the values of some fields. by
// has the names of these fields, separated by commas. most limits the number of values returned for
// each field.
func (b *Backend) facets(ctx context.Context, table, text string, filters map[string]string, scopes access.Scopes, by string, most int32) (Counted, error) {
	q, err := b.query(ctx, table, text, filters, scopes)
	if err != nil {
		return Counted{}, err
	}
	fields := params.SplitFields(by)
	var counted []search.Facet
	told := &verdict{}
	err = recovered(ctx, func() (err error) {
		counted, told.Hits, err = b.searcher(table).Facets(ctx, q, fields, int(most))
		return err
	})
	if err != nil {
		return Counted{}, err
	}
	out := Facets{Total: int32(told.Total), Facets: []Facet{}}
	for _, f := range counted {
		facet := Facet{By: f.Field, Values: int32(f.Values), Without: int32(f.Without), Counts: []ValueCount{}}
		for _, c := range f.Counts {
			v := ValueCount{Value: c.Value, Count: int32(c.Count)}
			if c.Chinese != "" && f.Field != mappings.HerbsField { // the names of herbs are in Chinese
				v.Chinese = &c.Chinese
			}
			facet.Counts = append(facet.Counts, v)
		}
		out.Facets = append(out.Facets, facet)
	}
	if told.Total == 0 {
		if told.unknown, err = unknownFilters(b.searcher(table), q); err != nil {
			return Counted{}, err
		}
	}
	one, err := encode(&b.buffers, out)
	return Counted{one, told}, err
}
