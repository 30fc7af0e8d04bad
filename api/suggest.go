package api

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bencao/api/access"
	"bencao/mappings/search"
	"bencao/store"
)

// Suggest is the input of suggest.
type Suggest struct {
	Q      string `query:"q" runes:"200" required:"true" doc:"The text typed so far, as in the searches." example:"guizhi"`
	Scopes access.Scopes
}

// Suggestions are the suggestions for the typed text.
type Suggestions struct {
	Items []Suggestion `json:"items" doc:"At most ten, the best first. Items that match equally well alternate between the kinds."`
}

// Suggestion is one suggestion.
type Suggestion struct {
	Text  string `json:"text" doc:"The record's name; the scientific name if that was found."`
	Kind  string `json:"kind" enum:"species,herb,formula" doc:"The kind of the record."`
	GUID  string `json:"guid" doc:"The record's guid; for herbs, the id; for formulas, the guid of the oldest formula with the name."`
	Field string `json:"field" doc:"The field that matched, such as pinyin."`
	How   string `json:"how" doc:"The kind of match, such as prefix."`
}

// mostSuggested is the largest number of suggestions in an answer.
const mostSuggested = 10

// suggestible is a table whose records can be suggested.
type suggestible struct {
	kind     string
	scope    access.Scopes
	index    *search.Searcher
	distinct bool
	line     func(tx *store.Tx, r search.Reason) (Suggestion, error)
}

func suggestibles(b *Backend) []suggestible {
	return []suggestible{
		{"species", access.Open, b.files.Species, false, speciesLine},
		{"herb", access.Prescriptions, b.files.Herbs, false, herbLine},
		{"formula", access.Prescriptions, b.files.Formulas, true, formulaLine},
	}
}

// candidate is a search result that may be suggested.
type candidate struct {
	search.Reason
	of    *suggestible
	place int // position among the results of its table; 0 is the best
}

func (b *Backend) suggest(ctx context.Context, in Suggest) (One[Suggestions], error) {
	found, err := candidates(ctx, b, in, true)
	if err == nil && len(found) == 0 {
		found, err = candidates(ctx, b, in, false)
	}
	if err != nil {
		return One[Suggestions]{}, err
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.Tier, a.Tier), cmp.Compare(a.place, b.place))
	})
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[Suggestions]{}, err
	}
	defer tx.Close()
	out := Suggestions{Items: []Suggestion{}}
	for _, c := range found[:min(mostSuggested, len(found))] {
		line, err := c.of.line(tx, c.Reason)
		if err != nil {
			return One[Suggestions]{}, err
		}
		line.Kind, line.Field, line.How = c.of.kind, c.Field, c.Way
		out.Items = append(out.Items, line)
	}
	return encode(&b.buffers, out)
}

// candidates returns the possible suggestions from all tables. If unforgiving is set, the searches
// do not go on to looser matches (see [search.Query]).
func candidates(ctx context.Context, b *Backend, in Suggest, unforgiving bool) (found []candidate, err error) {
	for _, table := range suggestibles(b) {
		if !in.Scopes.Has(table.scope) {
			continue
		}
		var ex search.Explanation
		err := recovered(ctx, func() (err error) {
			ex, err = table.index.Reasons(ctx, search.Query{Text: in.Q, NoHerbs: true, Distinct: table.distinct, Size: mostSuggested, Unforgiving: unforgiving})
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, hit := range ex.Hits {
			found = append(found, candidate{hit, &table, i})
		}
	}
	return found, nil
}

func speciesLine(tx *store.Tx, r search.Reason) (Suggestion, error) {
	row := tx.SpeciesSummary(r.Num)
	text, err := row.Text("chineseName")
	if err == nil && (r.Field == "scientificName" || text == "") {
		text, err = row.Text("scientificName")
	}
	guid, missing := row.Text("guid")
	return Suggestion{Text: text, GUID: guid}, errors.Join(err, missing)
}

func herbLine(tx *store.Tx, r search.Reason) (Suggestion, error) {
	row := tx.HerbSummary(r.Num)
	text, err := row.Text("name")
	guid, missing := row.Text("id")
	return Suggestion{Text: text, GUID: guid}, errors.Join(err, missing)
}

func formulaLine(tx *store.Tx, r search.Reason) (Suggestion, error) {
	row := tx.FormulaSummary(r.Num)
	text, err := row.Text("name")
	guid, missing := row.Text("guid")
	return Suggestion{Text: text, GUID: guid}, errors.Join(err, missing)
}
