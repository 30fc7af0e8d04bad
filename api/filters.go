package api

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/api/access"
	"bencao/api/params"
	"bencao/api/problem"
	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/han"
	"bencao/names/herb/written"
	"bencao/store"
)

// The Filters types map the parameters that restrict a search to their values. The Choices types have
// the orders too. Package mappings has the table of both.
type (
	speciesFilters map[string]string
	formulaFilters map[string]string
	herbFilters    map[string]string
	paperFilters   map[string]string

	speciesChoices map[string]string
	formulaChoices map[string]string
	herbChoices    map[string]string
	paperChoices   map[string]string
)

func (speciesFilters) Describe() []params.Param { return described("species", mappings.Filter.Narrows) }
func (formulaFilters) Describe() []params.Param {
	return described("formulas", mappings.Filter.Narrows)
}
func (herbFilters) Describe() []params.Param  { return described("herbs", mappings.Filter.Narrows) }
func (paperFilters) Describe() []params.Param { return described("papers", mappings.Filter.Narrows) }

func (speciesChoices) Describe() []params.Param { return described("species", all) }
func (formulaChoices) Describe() []params.Param { return described("formulas", all) }
func (herbChoices) Describe() []params.Param    { return described("herbs", all) }
func (paperChoices) Describe() []params.Param   { return described("papers", all) }

func all(mappings.Filter) bool { return true }

// filterRunes is the maximum length of the value of a filter in characters.
const filterRunes = 200

// described returns the parameters of those filters of a table that pass.
func described(table string, passes func(mappings.Filter) bool) (out []params.Param) {
	for _, f := range mappings.Filters[table] {
		if !passes(f) {
			continue
		}
		p := params.Param{Name: f.Name, Kind: reflect.String, Runes: filterRunes, Among: f.Words, Standard: f.Standard, Doc: f.Doc, Example: f.Example}
		if f.IsNumber() {
			p.Kind, p.Runes, p.Min, p.Max = reflect.Int32, 0, int64(f.Min), int64(f.Max)
		}
		out = append(out, p)
	}
	return out
}

// mostHerbs is the largest number of herbs that one query may name.
const mostHerbs = 20

// query returns the query for the index of a table. values maps the parameters of the request to
// their values.
func (b *Backend) query(ctx context.Context, table, text string, values map[string]string, scopes access.Scopes) (q search.Query, err error) {
	q = search.Query{Text: text}
	if table == "formulas" {
		q.NoHerbs = !scopes.Has(access.PrescriptionComposition)
		q.Herbs = func(part string) []string {
			herb, known, err := b.herbNamed(ctx, "q", part)
			if !known || err != nil { // the part means no herb, or several
				return nil
			}
			return b.forms(herb, values["forms"] == formsTogether)
		}
		q.Forms = b.patterns.Forms
	}
	for _, f := range mappings.Filters[table] {
		value := values[f.Name]
		if value == "" {
			continue
		}
		if err := b.permit(scopes, f); err != nil {
			return q, err
		}
		switch f.Kind {
		case mappings.HasValue:
			if f.Field == mappings.DynastyField {
				q.Dynasty = value
				continue
			}
			one := search.Filter{Field: f.Field, Name: f.Name, Value: value}
			one.Any, err = b.searcher(table).Meant(f.Field, value)
			q.Filters = append(q.Filters, one)
		case mappings.InRegion:
			err = b.addRegion(&q, f, value, values["establishment"])
		case mappings.Established:
			if values["region"] == "" {
				q.Filters = append(q.Filters, search.Filter{Field: f.Field, Name: f.Name, Value: value, Any: []string{value}})
			}
		case mappings.InPart:
			q.In = value
		case mappings.FromYear, mappings.ToYear:
			err = addYear(&q, f, value, values)
		case mappings.WithHerbs, mappings.WithoutHerbs:
			err = b.addHerbs(ctx, &q, f, value, values["forms"])
		case mappings.OfSpecies:
			err = b.addSpecies(ctx, &q, f, value)
		case mappings.CompleteName:
			err = b.addName(&q, f, value)
		case mappings.EntryNumber:
			err = b.addEntry(&q, table, value)
		case mappings.InOrder:
			if value != mappings.Relevance {
				q.Sort = value
			}
		case mappings.OncePerName:
			q.Distinct = true
		case mappings.NamesTogether:
			q.Grouped = !q.Distinct
		}
		if err != nil {
			return q, err
		}
	}
	return q, nil
}

// permit returns an error if the key lacks the scope that a filter needs.
func (b *Backend) permit(has access.Scopes, f mappings.Filter) error {
	if f.Scope == "" {
		return nil
	}
	scope, err := access.ParseScope(f.Scope)
	if err != nil {
		return err
	}
	return b.needs(has, f.Name, scope)
}

// addYear adds a limit of years. A query has one filter by years, with both limits.
func addYear(q *search.Query, f mappings.Filter, value string, values map[string]string) error {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		panic(err) // the parameters have been checked
	}
	year := int32(n)
	if f.Kind == mappings.FromYear {
		q.Filters = append(q.Filters, search.Filter{Field: f.Field, From: &year})
		return nil
	}
	for i := range q.Filters {
		if one := &q.Filters[i]; one.Field == f.Field && one.From != nil {
			if *one.From > year {
				return problem.New(problem.BadParameter, problem.YearsExchanged.With(*one.From, year))
			}
			one.To = &year
			return nil
		}
	}
	q.Filters = append(q.Filters, search.Filter{Field: f.Field, To: &year})
	return nil
}

// The values of the parameter forms.
const (
	formsTogether = "together"
	formsWritten  = "written"
)

// addHerbs adds a filter for each of the herbs in a list. If forms is formsTogether, a herb stands for
// its processed forms and parts too. If it is formsWritten, notes add no names.
func (b *Backend) addHerbs(ctx context.Context, q *search.Query, f mappings.Filter, list, forms string) error {
	inChinese := han.Has(list) // names in letters may have spaces
	names := strings.FieldsFunc(list, func(r rune) bool {
		return inChinese && unicode.IsSpace(r) || strings.ContainsRune("、，,;；", r)
	})
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	if len(names) == 0 || len(names) > mostHerbs {
		return problem.New(problem.BadParameter, problem.HerbsCount.With(f.Name, problem.Quote(list), mostHerbs))
	}
	names, err := b.apart(names)
	if err != nil {
		return err
	}
	for _, name := range names {
		herb, known, err := b.herbNamed(ctx, f.Name, name)
		if err != nil {
			return err
		}
		if !known {
			return b.unknownHerb(ctx, f.Name, name)
		}
		q.Filters = append(q.Filters, search.Filter{Field: f.Field, Any: b.forms(herb, forms == formsTogether), Written: forms == formsWritten, Not: f.Kind == mappings.WithoutHerbs, Name: f.Name, Value: name})
	}
	return nil
}

// apart replaces each name that joins several herbs in one word (赤白芍) by the names of the herbs, unless
// formulas have a herb of this name.
func (b *Backend) apart(names []string) (all []string, err error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	for _, name := range names {
		joined := written.Joined(name)
		if joined != nil {
			_, known, err := b.files.Formulas.HerbNamed(name, false, tx.HerbName)
			if err != nil {
				return nil, err
			}
			if known {
				joined = nil
			}
		}
		if joined == nil {
			joined = []string{name}
		}
		all = append(all, joined...)
	}
	return all, nil
}

// forms returns the name of a herb in formulas and, if together is set, the names of its processed
// forms and parts.
func (b *Backend) forms(herb string, together bool) []string {
	if !together {
		return []string{herb}
	}
	return append([]string{herb}, b.patterns.Forms(herb)...)
}

// longestClose is the largest length in characters of an unknown herb for which close names are
// sought. Longer texts are hardly names of herbs, and the search for close names is slow for them.
const longestClose = 40

// unknownHerb returns the error for a herb in a parameter that no formula has.
func (b *Backend) unknownHerb(ctx context.Context, parameter, name string) error {
	if utf8.RuneCountInString(name) > longestClose {
		detail := problem.HerbUnknown.With(parameter, problem.Quote(name), prefix)
		return &problem.Fault{Kind: problem.BadParameter, Detail: detail, Parameter: parameter, Value: name}
	}
	mentioned, err := b.files.Formulas.Search(ctx, search.Query{Text: name, In: "composition", Unforgiving: true})
	if err != nil {
		return err
	}
	if mentioned.Total > 0 {
		detail := problem.HerbMentioned.With(parameter, problem.Quote(name), mentioned.Total, prefix, name)
		return &problem.Fault{Kind: problem.BadParameter, Detail: detail, Parameter: parameter, Value: name}
	}
	tx, err := b.files.Store.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	near, err := b.files.Formulas.Like(mappings.HerbsField, name)
	if err != nil {
		return err
	}
	if len(near) == 0 {
		near, err = b.closeNames(ctx, tx, table{index: b.files.Herbs, summary: (*store.Tx).HerbSummary}, name, "name")
		if err != nil {
			return err
		}
	}
	like := near
	near = nil
	for _, herb := range like {
		_, known, err := b.files.Formulas.HerbNamed(herb, false, tx.HerbName)
		if err != nil {
			return err
		}
		if known {
			near = append(near, herb)
		}
	}
	detail := problem.HerbUnknown.With(parameter, problem.Quote(name), prefix)
	if len(near) > 0 {
		detail = problem.HerbLike.With(parameter, problem.Quote(name), strings.Join(near, ", "), prefix)
	}
	return &problem.Fault{Kind: problem.BadParameter, Detail: detail, Parameter: parameter, Value: name, Close: near}
}

// addSpecies adds the filter of, for the records that belong to a species, which is given by its guid
// or name. If the filter has no field, the store knows the formulas of a species.
func (b *Backend) addSpecies(ctx context.Context, q *search.Query, of mappings.Filter, name string) error {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	nums, err := speciesNamed(ctx, b, tx, name)
	if err != nil {
		return err
	}
	f := search.Filter{Field: of.Field, Name: of.Name, Value: name}
	for _, n := range nums {
		if of.Field == "" {
			f.Records = append(f.Records, tx.SpeciesFormulas(n)...)
		} else {
			f.Any = append(f.Any, strconv.Itoa(int(n)))
		}
	}
	q.Filters = append(q.Filters, f)
	return nil
}

// addRegion adds a filter for the species that grow in a region or in one of its parts, if establishment
// is not "" as natives or as introduced ones. A region that the geography does not know has no species.
func (b *Backend) addRegion(q *search.Query, f mappings.Filter, name, establishment string) error {
	one := search.Filter{Field: f.Field, Name: f.Name, Value: name}
	if establishment != "" {
		one.Field = mappings.RangeField
	}
	regions, err := b.files.Store.Regions()
	if err != nil {
		return err
	}
	add := func(code string) {
		if establishment != "" {
			code = mappings.RangeValue(establishment, code)
		}
		one.Any = append(one.Any, code)
	}
	if region, ok := regions.Find(name); ok {
		add(region.Code)
		for _, r := range regions.Within(region.Code) {
			add(r.Code)
		}
	}
	q.Filters = append(q.Filters, one)
	return nil
}

// addName adds a filter for the formulas with exactly this name.
func (b *Backend) addName(q *search.Query, f mappings.Filter, name string) error {
	named, err := b.files.Formulas.Namesakes(name)
	q.Filters = append(q.Filters, search.Filter{Records: named, Name: f.Name, Value: name})
	return err
}

// searcher returns the index of a table.
func (b *Backend) searcher(table string) *search.Searcher {
	return map[string]*search.Searcher{"species": b.files.Species, "formulas": b.files.Formulas, "herbs": b.files.Herbs, "papers": b.files.Papers}[table]
}

// herbNamed finds a herb by any of its names. It returns the name that formulas use for this herb. ok
// is false if no formula has the herb. See [search.Searcher.HerbNamed]. If several herbs have the
// name, the error lists them. parameter is the parameter of the request that contains the name.
func (b *Backend) herbNamed(ctx context.Context, parameter, name string) (found string, ok bool, err error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return "", false, err
	}
	defer tx.Close()
	if found, ok, err = b.files.Formulas.HerbNamed(name, false, tx.HerbName); ok || err != nil {
		return found, ok, err
	}
	var meanings []string
	err = recovered(ctx, func() error {
		meanings, err = b.files.Herbs.HerbsCalled(ctx, tx, name)
		return err
	})
	if err == nil && len(meanings) == 0 {
		if found, ok, err = b.files.Formulas.HerbNamed(name, true, tx.HerbName); ok || err != nil {
			return found, ok, err
		}
		meanings, err = b.herbsCalled(ctx, tx, name)
	}
	if err == nil && len(meanings) == 1 {
		return b.files.Formulas.HerbNamed(meanings[0], false, tx.HerbName)
	}
	if err == nil && len(meanings) > 0 {
		err = &problem.Fault{
			Kind: problem.BadParameter, Detail: problem.HerbMeanings.With(parameter, problem.Quote(name), strings.Join(meanings, ", ")),
			Parameter: parameter, Value: name, Close: meanings,
		}
	}
	return "", false, err
}

// herbsCalled returns the names that formulas use for the herbs whose whole name, in Chinese, pinyin
// or another language, is name.
func (b *Backend) herbsCalled(ctx context.Context, tx *store.Tx, name string) (herbs []string, err error) {
	var nums []store.Num
	err = recovered(ctx, func() error {
		nums, err = b.files.Herbs.Named(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, n := range nums {
		text, err := tx.HerbSummary(n).Text("name")
		if err != nil {
			return nil, err
		}
		herb, ok, err := b.files.Formulas.HerbNamed(text, false, tx.HerbName)
		if err != nil {
			return nil, err
		}
		if ok && !slices.Contains(herbs, herb) {
			herbs = append(herbs, herb)
		}
	}
	return herbs, nil
}

// needs returns an error if the key does not have the scope that a parameter needs.
func (b *Backend) needs(has access.Scopes, parameter string, scope access.Scopes) error {
	if has.Has(scope) {
		return nil
	}
	if b.meta.Public && scope&withheld != 0 {
		return problem.New(problem.ScopeMissing, problem.Withheld.With(strings.Join((scope&withheld).Names(), ", ")))
	}
	return problem.New(problem.ScopeMissing, problem.ParamLacks.With(parameter, strings.Join(scope.Names(), ", ")))
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

// addEntry adds a filter for the record of a table with the entry id in value.
func (b *Backend) addEntry(q *search.Query, table, value string) error {
	id, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		panic(err) // the parameters have been checked
	}
	known := b.entries.species
	if table == "formulas" {
		known = b.entries.formulas
	}
	numbers, err := known()
	if err != nil {
		return err
	}
	one := search.Filter{Records: []store.Num{}}
	if n, ok := numbers[int32(id)]; ok {
		one.Records = append(one.Records, n)
	}
	q.Filters = append(q.Filters, one)
	return nil
}
