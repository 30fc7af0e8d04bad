package api

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"bencao/api/access"
	"bencao/mappings/search"
	"bencao/names/han"
	"bencao/store"
)

// Suggest is the input of suggest.
type Suggest struct {
	Q      string `query:"q" runes:"200" required:"true" doc:"The text typed so far, as in the searches." example:"guizhi"`
	Scopes access.Scopes
}

// Suggestions are the suggestions for the typed text.
type Suggestions struct {
	Items []Suggestion `json:"items" doc:"At most ten, the best first. Items that match equally well alternate between the kinds. For a single Chinese character, herbs, species and formulas take turns, and names that begin with it come first."`
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
	turn     int // the place of the kind among suggestions that match equally well
	line     func(tx *store.Tx, r search.Reason) (Suggestion, error)
}

func suggestibles(b *Backend) []suggestible {
	return []suggestible{
		{"species", access.Open, b.files.Species, false, 1, speciesLine},
		{"herb", access.Prescriptions, b.files.Herbs, false, 0, herbLine},
		{"formula", access.Prescriptions, b.files.Formulas, true, 2, formulaLine},
	}
}

// candidate is a search result that may be suggested.
type candidate struct {
	search.Reason
	of    *suggestible
	place int // position among the results of its table; 0 is the best
	// begins tells where a single character is in the name: 0 is the whole name, 1 the beginning, 2
	// anywhere else.
	begins int
}

func (b *Backend) suggest(ctx context.Context, in Suggest) (One[Suggestions], error) {
	found, err := candidates(ctx, b, in, true)
	if err == nil && len(found) == 0 {
		found, err = candidates(ctx, b, in, false)
	}
	if err != nil {
		return One[Suggestions]{}, err
	}
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[Suggestions]{}, err
	}
	defer tx.Close()
	if q := []rune(strings.TrimSpace(in.Q)); len(q) == 1 && han.Is(q[0]) {
		err = byBeginning(tx, found, string(q))
	} else {
		slices.SortStableFunc(found, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.Tier, a.Tier), cmp.Compare(a.place, b.place))
		})
	}
	if err != nil {
		return One[Suggestions]{}, err
	}
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

// byBeginning sorts the suggestions for a single character, for which tiers say little. Herbs, species
// and formulas take turns. Of each kind, the name that is the character comes first, then names that
// begin with it.
func byBeginning(tx *store.Tx, found []candidate, q string) error {
	begins := make(map[*suggestible][]candidate)
	for _, c := range found {
		line, err := c.of.line(tx, c.Reason)
		if err != nil {
			return err
		}
		switch text := han.Fold(line.Text); {
		case text == q:
			c.begins = 0
		case strings.HasPrefix(text, q):
			c.begins = 1
		default:
			c.begins = 2
		}
		begins[c.of] = append(begins[c.of], c)
	}
	found = found[:0]
	for _, list := range begins {
		slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.begins, b.begins) })
		for place, c := range list {
			c.place = place
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.of.turn, b.of.turn))
	})
	return nil
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
			found = append(found, candidate{Reason: hit, of: &table, place: i})
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
