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
	Items []Suggestion `json:"items" doc:"At most ten, the best first. Items that match equally well alternate between the kinds. For a single Chinese character and the beginning of a genus, herbs, species and formulas take turns."`
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

// leastOfKind is the number of places in a full answer that a kind has if so many of its records match,
// however well the other kinds match.
const leastOfKind = 2

// suggestible is a table whose records can be suggested.
type suggestible struct {
	kind     string
	scope    access.Scopes
	index    *search.Searcher
	distinct bool
	turn     int  // the place of the kind among suggestions that match equally well
	latin    bool // the text is read as the beginning of a scientific name, not as pinyin
	line     func(tx *store.Tx, r search.Reason) (Suggestion, error)
}

// mostResults is the number of results of a table that may be suggested. Of a genus only one is.
func (s *suggestible) mostResults() int {
	if s.latin {
		return 10 * mostSuggested
	}
	return mostSuggested
}

func suggestibles(b *Backend) []suggestible {
	return []suggestible{
		{"species", access.Open, b.files.Species, false, 0, true, speciesLine},
		{"herb", access.Prescriptions, b.files.Herbs, false, 1, false, herbLine},
		{"species", access.Open, b.files.Species, false, 2, false, speciesLine},
		{"formula", access.Prescriptions, b.files.Formulas, true, 3, false, formulaLine},
	}
}

// candidate is a search result that may be suggested.
type candidate struct {
	search.Reason
	of    *suggestible
	place int // position among the results of its table; 0 is the best
	line  Suggestion
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
	for i := range found {
		c := &found[i]
		if c.line, err = c.of.line(tx, c.Reason); err != nil {
			return One[Suggestions]{}, err
		}
		c.line.Kind, c.line.Field, c.line.How = c.of.kind, c.Field, c.Way
	}
	found = oneOfGenus(found, in.Q)
	switch q := []rune(strings.TrimSpace(in.Q)); {
	case len(q) == 1 && han.Is(q[0]):
		byBeginning(found, string(q))
		byTurns(found)
	case beginsGenus(in.Q):
		numberPlaces(found)
		byTurns(found)
	default:
		slices.SortStableFunc(found, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.Tier, a.Tier), cmp.Compare(a.place, b.place))
		})
	}
	return encode(&b.buffers, Suggestions{Items: firstOf(found)})
}

// beginsGenus reports whether a text can be the beginning of a genus, such as Pan: a capital and small
// letters.
func beginsGenus(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] < 'A' || text[0] > 'Z' {
		return false
	}
	return !strings.ContainsFunc(text[1:], func(r rune) bool { return r < 'a' || r > 'z' })
}

// oneOfGenus removes the species of scientific names whose genus does not begin with the text, and all
// but the first species of each genus.
func oneOfGenus(found []candidate, text string) []candidate {
	known := map[string]bool{}
	return slices.DeleteFunc(found, func(c candidate) bool {
		if !c.of.latin {
			return false
		}
		genus, _, _ := strings.Cut(c.line.Text, " ")
		if known[genus] || !strings.HasPrefix(genus, strings.TrimSpace(text)) {
			return true
		}
		known[genus] = true
		return false
	})
}

// firstOf returns the first suggestions, each record once. It leaves out the last ones of the others
// if a kind would have fewer places than leastOfKind.
func firstOf(found []candidate) []Suggestion {
	waiting := map[string]int{} // the places that are kept for a kind
	var all []Suggestion
	for _, c := range found {
		if !slices.ContainsFunc(all, func(s Suggestion) bool { return s.Kind == c.line.Kind && s.GUID == c.line.GUID }) {
			all = append(all, c.line)
			waiting[c.line.Kind] = min(leastOfKind, waiting[c.line.Kind]+1)
		}
	}
	kept := 0
	for _, n := range waiting {
		kept += n
	}
	out := []Suggestion{}
	for _, s := range all {
		if waiting[s.Kind] > 0 {
			waiting[s.Kind]--
			kept--
		} else if len(out)+kept >= mostSuggested {
			continue
		}
		if out = append(out, s); len(out) == mostSuggested {
			break
		}
	}
	return out
}

// byTurns sorts the suggestions so that the kinds take turns.
func byTurns(found []candidate) {
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.of.turn, b.of.turn))
	})
}

// byBeginning gives the suggestions for a single character, for which tiers say little, their places
// in each kind. The name that is the character comes first, then names that begin with it. A name
// of it and a dose form (黄汤) comes last: mostly, the source lacks a character of it.
func byBeginning(found []candidate, q string) {
	order := func(c candidate) int {
		switch text := han.Fold(c.line.Text); {
		case text == q:
			return 0
		case c.of.kind == "formula" && len([]rune(text)) == 2:
			return 3
		case strings.HasPrefix(text, q):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(order(a), order(b)) })
	numberPlaces(found)
}

// numberPlaces numbers the suggestions of each table.
func numberPlaces(found []candidate) {
	places := map[*suggestible]int{}
	for i := range found {
		found[i].place = places[found[i].of]
		places[found[i].of]++
	}
}

// candidates returns the possible suggestions from all tables. If unforgiving is set, the searches
// do not go on to looser matches (see [search.Query]).
func candidates(ctx context.Context, b *Backend, in Suggest, unforgiving bool) (found []candidate, err error) {
	for _, table := range suggestibles(b) {
		if !in.Scopes.Has(table.scope) || table.latin && !beginsGenus(in.Q) {
			continue
		}
		var ex search.Explanation
		err := recovered(ctx, func() (err error) {
			ex, err = table.index.Reasons(ctx, search.Query{Text: in.Q, NoHerbs: true, NamesAlone: true, Latin: table.latin, Distinct: table.distinct, Size: table.mostResults(), Unforgiving: unforgiving})
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
