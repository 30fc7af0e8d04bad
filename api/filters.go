package api

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bencao/api/access"
	"bencao/api/params"
	"bencao/api/problem"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/store"
)

// SpeciesFilters restrict a search for species. The result has only records that pass all filters.
type SpeciesFilters struct {
	Values      speciesValues
	HasFormulas string `query:"hasFormulas" words:"true,false" doc:"true finds species that a formula uses, false the others."`
	EntryFilter
}

func (f *SpeciesFilters) filters(b *Backend) ([]search.Filter, error) {
	entry, err := f.entry(b.entries.species)
	return append(append(f.Values.filters(), filters(is("hasFormulas", f.HasFormulas))...), entry...), err
}

// FormulaFilters restrict a search for formulas.
type FormulaFilters struct {
	In       string `query:"in" words:"name,indications,composition" default:"name" doc:"The text that q is searched in: the name, or the words of the source's indications or composition."`
	Dynasty  string `query:"dynasty" runes:"200" doc:"Dynasty of the original source." example:"东汉"`
	Values   formulaValues
	FromYear *int32 `query:"fromYear" min:"-9999" max:"9999" doc:"Earliest year of the original source; negative before the common era."`
	ToYear   *int32 `query:"toYear" min:"-9999" max:"9999" doc:"Latest year of the original source; a year before fromYear is refused."`
	Herbs    string `query:"herbs" runes:"200" doc:"Herbs that must all be in the formula, 20 at most, such as 人参、甘草. A herb that is in no formula is refused. Needs the scope prescription_composition."`
	Without  string `query:"without" runes:"200" doc:"Herbs that must not be in the formula, 20 at most. A herb that is in no formula is refused. Needs the scope prescription_composition."`
	Forms    string `query:"forms" words:"together" doc:"together counts processed forms and parts as the drug that they are made from: herbs=甘草 finds 炙甘草 too."`
	Species  string `query:"species" runes:"200" doc:"A species that the formula uses: its guid, scientific name or Chinese name. Needs the scope species_prescriptions."`
	EntryFilter
	Scopes access.Scopes
}

// mostHerbs is the largest number of herbs that one query may name.
const mostHerbs = 20

// query returns the query for the index of formulas.
func (f *FormulaFilters) query(ctx context.Context, b *Backend, text string) (search.Query, error) {
	years, err := years(f.FromYear, f.ToYear)
	if err != nil {
		return search.Query{}, err
	}
	entry, err := f.entry(b.entries.formulas)
	if err != nil {
		return search.Query{}, err
	}
	q := search.Query{Text: text, In: f.In, Dynasty: f.Dynasty, NoHerbs: !f.Scopes.Has(access.PrescriptionComposition), Filters: append(append(f.Values.filters(), filters(years)...), entry...)}
	for _, list := range []struct {
		name, herbs string
		without     bool
	}{{"herbs", f.Herbs, false}, {"without", f.Without, true}} {
		if list.herbs == "" {
			continue
		}
		if err := b.needs(f.Scopes, list.name, access.PrescriptionComposition); err != nil {
			return search.Query{}, err
		}
		names := strings.FieldsFunc(list.herbs, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("、，,;；", r) })
		if len(names) == 0 || len(names) > mostHerbs {
			return search.Query{}, problem.New(problem.BadParameter, problem.HerbsCount.With(list.name, problem.Quote(list.herbs), mostHerbs))
		}
		for _, name := range names {
			herb, known, err := b.herbNamed(ctx, list.name, name)
			if err != nil {
				return search.Query{}, err
			}
			if !known {
				return search.Query{}, problem.New(problem.BadParameter, problem.HerbUnknown.With(list.name, problem.Quote(name), prefix))
			}
			accepted := []string{herb}
			if f.Forms != "" {
				accepted = append(accepted, b.patterns.Forms(herb)...)
			}
			q.Filters = append(q.Filters, search.Filter{Field: "herbs", Any: accepted, Not: list.without})
		}
	}
	if f.Species == "" {
		return q, nil
	}
	if err := b.needs(f.Scopes, "species", access.SpeciesPrescriptions); err != nil {
		return search.Query{}, err
	}
	formulas, err := formulasUsing(ctx, b, f.Species)
	q.Filters = append(q.Filters, search.Filter{Records: formulas})
	return q, err
}

// herbNamed finds a herb by any of its names. It returns the name that formulas use for this herb.
// ok is false if no formula has the herb. See [search.Searcher.HerbNamed]. If several herbs have the
// name, the error lists them. parameter is the parameter of the request that contains the name.
func (b *Backend) herbNamed(ctx context.Context, parameter, name string) (herb string, ok bool, err error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return "", false, err
	}
	defer tx.Close()
	if herb, ok, err = b.files.Formulas.HerbNamed(name, tx.HerbName); ok || err != nil {
		return herb, ok, err
	}
	var meanings []string
	err = recovered(ctx, func() error {
		meanings, err = b.files.Herbs.HerbsCalled(ctx, tx, name)
		return err
	})
	if err == nil && len(meanings) > 0 {
		err = problem.New(problem.BadParameter, problem.HerbMeanings.With(parameter, problem.Quote(name), strings.Join(meanings, ", ")))
	}
	return "", false, err
}

// formulasUsing returns the formulas that use a species.
func formulasUsing(ctx context.Context, b *Backend, name string) (formulas []store.Num, err error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	species, err := speciesNamed(ctx, b, tx, name)
	for _, n := range species {
		formulas = append(formulas, tx.SpeciesFormulas(n)...)
	}
	return formulas, err
}

// needs returns an error if the key does not have the scope that a parameter needs. The error calls
// the parameter what.
func (b *Backend) needs(has access.Scopes, what string, scope access.Scopes) error {
	if has.Has(scope) {
		return nil
	}
	if b.meta.Public && scope&withheld != 0 {
		return problem.New(problem.ScopeMissing, problem.Withheld.With(strings.Join((scope&withheld).Names(), ", ")))
	}
	return problem.New(problem.ScopeMissing, problem.ParamLacks.With(what, strings.Join(scope.Names(), ", ")))
}

// PaperFilters restrict a search for papers.
type PaperFilters struct {
	Values   paperValues
	FromYear *int32 `query:"fromYear" min:"0" max:"9999" doc:"Earliest year."`
	ToYear   *int32 `query:"toYear" min:"0" max:"9999" doc:"Latest year; a year before fromYear is refused."`
	Species  string `query:"species" runes:"200" doc:"A species that the paper is about: its guid, scientific name or Chinese name."`
}

func (f *PaperFilters) filters(ctx context.Context, b *Backend) ([]search.Filter, error) {
	years, err := years(f.FromYear, f.ToYear)
	if err != nil {
		return nil, err
	}
	species, err := ofSpeciesNamed(ctx, b, f.Species)
	return append(f.Values.filters(), filters(years, species)...), err
}

// ofSpeciesNamed returns a filter for the records that belong to a species, given by its guid or
// name. An empty name restricts nothing.
func ofSpeciesNamed(ctx context.Context, b *Backend, name string) (search.Filter, error) {
	if name == "" {
		return search.Filter{}, nil
	}
	tx, err := b.files.Store.Begin()
	if err != nil {
		return search.Filter{}, err
	}
	defer tx.Close()
	nums, err := speciesNamed(ctx, b, tx, name)
	f := search.Filter{Field: "species"}
	for _, n := range nums {
		f.Any = append(f.Any, strconv.Itoa(int(n)))
	}
	return f, err
}

// speciesNamed returns the species whose guid or complete name is name.
func speciesNamed(ctx context.Context, b *Backend, tx *store.Tx, name string) (nums []store.Num, err error) {
	if n, ok := tx.SpeciesNum(name); ok {
		return []store.Num{n}, nil
	}
	err = recovered(ctx, func() error {
		nums, err = b.files.Species.Named(ctx, name)
		return err
	})
	return nums, err
}

// is returns a filter for the records that have a value in a field. An empty value restricts
// nothing.
func is(field, value string) search.Filter {
	if value == "" {
		return search.Filter{}
	}
	return search.Filter{Field: field, Any: []string{value}}
}

// The Values types map the name of a field to the value that a record must have there. They accept
// the fields for which package mappings has a filter. The Fields types are comma-separated lists of
// the fields by which facets can count.
type (
	speciesValues map[string]string
	formulaValues map[string]string
	paperValues   map[string]string
	herbValues    map[string]string

	speciesFields string
	formulaFields string
	paperFields   string
	herbFields    string
)

func (speciesValues) Describe() []params.Described { return described(mappings.Species) }
func (formulaValues) Describe() []params.Described { return described(mappings.Formulas) }
func (paperValues) Describe() []params.Described   { return described(mappings.Papers) }
func (herbValues) Describe() []params.Described    { return described(mappings.Herbs) }

func (v speciesValues) filters() []search.Filter { return valueFilters(v) }
func (v formulaValues) filters() []search.Filter { return valueFilters(v) }
func (v paperValues) filters() []search.Filter   { return valueFilters(v) }
func (v herbValues) filters() []search.Filter    { return valueFilters(v) }

func (speciesFields) Fields() []string { return mappings.Facets(mappings.Species) }
func (formulaFields) Fields() []string { return mappings.Facets(mappings.Formulas) }
func (paperFields) Fields() []string   { return mappings.Facets(mappings.Papers) }
func (herbFields) Fields() []string    { return mappings.Facets(mappings.Herbs) }

// described returns one parameter for each of the fields that has a filter.
func described[R any](fields []mappings.Field[R]) (out []params.Described) {
	for _, f := range fields {
		if f.Filter.Doc != "" {
			out = append(out, params.Described{Name: f.Name, Doc: f.Filter.Doc})
		}
	}
	return out
}

// valueFilters returns one filter for each field in values: the record must have the given value
// there.
func valueFilters(values map[string]string) (out []search.Filter) {
	for field, value := range values {
		out = append(out, is(field, value))
	}
	return out
}

// years returns a filter for a range of years.
func years(from, to *int32) (search.Filter, error) {
	if from == nil && to == nil {
		return search.Filter{}, nil
	}
	if from != nil && to != nil && *from > *to {
		return search.Filter{}, problem.New(problem.BadParameter, problem.YearsExchanged.With(*from, *to))
	}
	return search.Filter{Field: "year", From: from, To: to}, nil
}

// filters returns the given filters without those that restrict nothing.
func filters(all ...search.Filter) []search.Filter {
	return slices.DeleteFunc(all, func(f search.Filter) bool { return f.Field == "" })
}

// sorted returns the name that the index uses for an order. For the order by relevance it returns
// "".
func sorted(sort string) string {
	if sort == "relevance" {
		return ""
	}
	return sort
}

// SpeciesFacets is the input of species.facets.
type SpeciesFacets struct {
	By    speciesFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"family,genus"`
	Q     string        `query:"q" runes:"200" doc:"The same as in species.search; without it, all records are counted." example:"人参"`
	Limit int32         `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	SpeciesFilters
}

func (b *Backend) speciesFacets(ctx context.Context, in SpeciesFacets) (One[Facets], error) {
	filters, err := in.filters(b)
	if err != nil {
		return One[Facets]{}, err
	}
	q := search.Query{Text: in.Q, Filters: filters}
	return b.facets(ctx, b.files.Species, q, string(in.By), in.Limit)
}

// FormulaFacets is the input of formulas.facets.
type FormulaFacets struct {
	By    formulaFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"dynasty,source"`
	Q     string        `query:"q" runes:"200" doc:"The same as in formulas.search; without it, all records are counted." example:"桂枝汤"`
	Limit int32         `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	FormulaFilters
}

func (b *Backend) formulaFacets(ctx context.Context, in FormulaFacets) (One[Facets], error) {
	if slices.Contains(params.SplitFields(string(in.By)), "herbs") {
		if err := b.needs(in.Scopes, "by=herbs", access.PrescriptionComposition); err != nil {
			return One[Facets]{}, err
		}
	}
	q, err := in.query(ctx, b, in.Q)
	if err != nil {
		return One[Facets]{}, err
	}
	return b.facets(ctx, b.files.Formulas, q, string(in.By), in.Limit)
}

// PaperFacets is the input of papers.facets.
type PaperFacets struct {
	By    paperFields `query:"by" runes:"200" required:"true" doc:"Fields to count by, separated by commas, without repetition" example:"year,source"`
	Q     string      `query:"q" runes:"500" doc:"The same as in papers.search; without it, all records are counted." example:"Panax ginseng"`
	Limit int32       `query:"limit" min:"1" max:"10000" default:"100" doc:"The most values to list for each field. The most frequent come first."`
	PaperFilters
}

func (b *Backend) paperFacets(ctx context.Context, in PaperFacets) (One[Facets], error) {
	filters, err := in.filters(ctx, b)
	if err != nil {
		return One[Facets]{}, err
	}
	return b.facets(ctx, b.files.Papers, search.Query{Text: in.Q, Filters: filters}, string(in.By), in.Limit)
}

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
	Value   string  `json:"value" doc:"The value. A filter with this value finds these records."`
	Chinese *string `json:"chinese" doc:"The value's name in Chinese, for families, genera and ranks."`
	Count   int32   `json:"count" doc:"Number of records with the value. A record with several values counts for each of them."`
}

// facets counts the results of a query by the values of some fields. The parameter by has the names
// of these fields, separated by commas. most limits the number of values returned for each field.
func (b *Backend) facets(ctx context.Context, index *search.Searcher, q search.Query, by string, most int32) (One[Facets], error) {
	fields := params.SplitFields(by)
	var counted []search.Facet
	var total int
	err := recovered(ctx, func() (err error) {
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
