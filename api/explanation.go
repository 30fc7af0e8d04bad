package api

import (
	"cmp"
	"encoding/json"

	"bencao/mappings/search"
	"bencao/store"
)

// Asking has two parameters of searches: explain adds an explanation to the answer, and trace adds
// a trace to the explanation.
type Asking struct {
	Explain bool `query:"explain" default:"false" doc:"true adds explanation: how q was interpreted, which differences were tolerated, and the name that found each item."`
	Trace   bool `query:"trace" default:"false" doc:"true adds trace to the explanation that explain=true asks for: how q was read, and the tiers that were tried."`
}

// Explanation tells how a search was answered.
type Explanation struct {
	Read       string            `json:"read" doc:"q in the normalised form used for comparison; in searches for papers, q as it was typed."`
	Forgiven   store.Text        `json:"forgiven" doc:"The difference between q and the items that was tolerated, as in X-Search, such as sameSound. Null if the items contain q, or if there are none."`
	Part       store.Text        `json:"part" enum:"beginning,inside,end,words" doc:"If no name is equal to q: the place of q in the names of the best items. Null otherwise."`
	Group      store.Text        `json:"group" enum:"family,genus" doc:"The group that has the name q; null if q is not interpreted as a group."`
	Recognised []Recognition     `json:"recognised" doc:"In searches for formulas: the parts of q that are herbs, books, authors or dynasties. If there are any, the items are formulas of these books, authors and dynasties, with these herbs; the rest of q is the name."`
	Parts      []ReadPart        `json:"parts" doc:"The parts of q that are neither names nor in recognised: complaints, dose forms, years, families and genera. The items have them too."`
	Named      int32             `json:"named" doc:"In searches for formulas by herbs, a book or an author: the number of formulas that were found by their names alone, not by these."`
	ReadAs     store.Text        `json:"readAs" doc:"The text that was searched instead of q, if q is a question, a name with another one in brackets, a formula with an English word for its dose form, a book or an author in Latin letters, herbs written together or in Latin letters, the citation of a paper with words of its title, or a complaint, alone or beside a herb, a book, an author or a dynasty. Null otherwise."`
	In         string            `json:"in" enum:"name,indications,composition" doc:"The text of the records that was searched. For papers, name means the title and the identifiers."`
	Names      []string          `json:"names" doc:"If the indications were searched for a complaint: its names, modern and old. An item has one of them."`
	Herbs      int32             `json:"herbs" doc:"If q is the name of a herb: the number of formulas with this herb, which the filter herbs finds."`
	Elsewhere  []SearchPlace     `json:"elsewhere" doc:"In searches for formulas: the other texts of the records that contain q, with the number of formulas."`
	Unknown    []UnknownValue    `json:"unknown" doc:"The filters whose value no record has, if nothing was found."`
	Readings   []ReadValue       `json:"readings" doc:"The values of filters that were read as other ones, such as a name in pinyin."`
	Broader    []ReadValue       `json:"broader" doc:"The herbs in q and in filters whose name also covers other herbs in some books. The other herbs do not count here."`
	WithForms  *int32            `json:"withForms" doc:"The number of items with forms=together, if it is another one."`
	DidYouMean []string          `json:"didYouMean" doc:"If a difference was tolerated: the names that were found instead, at most three."`
	Items      []ItemExplanation `json:"items" doc:"How each item was found, in the order of the page."`
	Trace      *SearchTrace      `json:"trace,omitempty" doc:"How q was read and what was tried; only with trace=true."`
}

// ReadValue is a name in a parameter, and what it means.
type ReadValue struct {
	Parameter string   `json:"parameter" doc:"The parameter."`
	Value     string   `json:"value" doc:"The name in it."`
	Means     []string `json:"means" doc:"The values of records that it means."`
}

// SearchPlace is a text of the records that contains a query.
type SearchPlace struct {
	In    string `json:"in" enum:"name,indications,composition" doc:"The text; a search finds its formulas with the parameter in."`
	Text  string `json:"text" doc:"The words that it contains: q, or the Chinese name of the complaint that q names, which stands for all its names."`
	Total int32  `json:"total" doc:"The number of formulas."`
}

// SearchTrace tells how a query was read and what was tried.
type SearchTrace struct {
	Script    string        `json:"script" enum:"everything,nothing,characters,letters,mixed,digits" doc:"What q consists of; everything means that q is empty. nothing means that q has no letter or digit."`
	Syllables []string      `json:"syllables" doc:"The syllables of q in pinyin or characters, with their tones where known."`
	Words     []string      `json:"words" doc:"The words of q as a scientific name, in which an abbreviated genus ends with a full stop, or the words to find in titles."`
	DOI       store.Text    `json:"doi" doc:"q as a DOI, or null."`
	Number    store.Text    `json:"number" doc:"q as a PubMed id, or null."`
	Literal   bool          `json:"literal" doc:"q contains a wildcard of other search engines, which no name contains."`
	Dynasty   store.Text    `json:"dynasty" doc:"The filter dynasty in the form used for comparison, or null."`
	Tried     [][]SearchTry `json:"tried" doc:"What was tried, stage by stage. A stage runs only if those before it found nothing."`
	Tiers     []SearchTier  `json:"tiers" doc:"The tiers that found something, the best first. docs/search.md lists the tiers."`
}

// SearchTry is one kind of match that the search tried in one field.
type SearchTry struct {
	Tier  int32  `json:"tier" doc:"The rank of this match; the highest comes first."`
	Field string `json:"field" doc:"The field, such as pinyin."`
	Way   string `json:"way" doc:"The kind of match, such as prefix."`
}

// SearchTier is the number of records that matched in a tier.
type SearchTier struct {
	Tier  int32 `json:"tier" doc:"The tier."`
	Count int32 `json:"count" doc:"The number of records; those of better tiers do not count."`
}

// Recognition is a part of q that was recognised as a value other than the name of a formula.
type Recognition struct {
	Text   string   `json:"text" doc:"The part of q."`
	As     string   `json:"as" enum:"herb,without,source,author,dynasty" doc:"What it is. without is a herb that the items do not have."`
	Values []string `json:"values" doc:"The herbs, books, authors or dynasty that it means, as records have them. Several herbs are names of one drug."`
}

// ReadPart is a part of q of a kind that Recognition does not have.
type ReadPart struct {
	Text   string   `json:"text" doc:"The part of q."`
	As     string   `json:"as" doc:"What it is: complaint, form, year, family or genus. Later versions may have further kinds."`
	Values []string `json:"values" doc:"What it means, in Chinese; a year is a number, negative before the common era."`
}

// ItemExplanation tells why an item was found.
type ItemExplanation struct {
	Field  string      `json:"field" doc:"The field that matched, such as pinyin; empty if all records are listed."`
	Way    string      `json:"way" doc:"The kind of match, such as prefix."`
	Text   store.Text  `json:"text" doc:"The name, title or identifier that matched. Names have the normalised form used for comparison; a name found by its pinyin is in characters."`
	Ranges []TextRange `json:"ranges" doc:"The parts of text that match q, for highlighting."`
	Tier   int32       `json:"tier" doc:"The rank of this match; items of a higher tier come first."`
	Lacks  []string    `json:"lacks" doc:"If the item has most of the herbs of q, but not all: those that it lacks, as q has them."`
	More   []string    `json:"more" doc:"If the item has most of the herbs of q, but not all: its herbs that q lacks."`
}

// TextRange is a range of a text. Its positions count Unicode characters from 0.
type TextRange struct {
	Start int32 `json:"start" doc:"The first character."`
	End   int32 `json:"end" doc:"The character after the last one."`
}

// appendExplanation appends the explanation of a page's items. out has what is said about filters.
// rows are the items' JSON.
func appendExplanation(dst []byte, q search.Query, ex search.Explanation, out Explanation, trace bool, rows [][]byte) ([]byte, error) {
	out.Read, out.Forgiven, out.Part, out.Group = cmp.Or(ex.Read, q.Text), store.Text(ex.Forgiven), store.Text(ex.Part), store.Text(ex.Group)
	out.Named, out.ReadAs, out.In = int32(ex.Named), store.Text(ex.ReadAs), cmp.Or(ex.In, q.In, "name")
	out.Names, out.Herbs = append([]string{}, ex.Names...), int32(ex.WithHerb)
	out.Elsewhere, out.Recognised, out.Parts, out.Items = []SearchPlace{}, []Recognition{}, []ReadPart{}, []ItemExplanation{}
	out.DidYouMean = append([]string{}, ex.DidYouMean...)
	if trace {
		out.Trace = traceOf(ex)
	}
	for _, p := range ex.Elsewhere {
		out.Elsewhere = append(out.Elsewhere, SearchPlace{p.In, p.Text, int32(p.Total)})
	}
	for _, r := range ex.Recognised {
		out.Recognised = append(out.Recognised, Recognition{r.Text, recognisedAs(r.Field), r.Values})
	}
	for _, p := range ex.Parts {
		out.Parts = append(out.Parts, ReadPart{p.Text, p.Field, p.Values})
	}
	for i, hit := range ex.Hits {
		item := ItemExplanation{Field: hit.Field, Way: hit.Way, Text: store.Text(hit.Text), Ranges: []TextRange{}, Tier: int32(hit.Tier), Lacks: append([]string{}, hit.Lacks...), More: append([]string{}, hit.More...)}
		ranges := hit.Ranges
		if hit.Text == "" { // the match is in a title or an identifier, whose text only the store has
			var err error
			if item.Text, err = fieldOf(rows[i], hit.Field); err != nil {
				return nil, err
			}
			if hit.Field == "title" {
				ranges = search.InTitle(q.Text, string(item.Text))
			}
		}
		for _, r := range ranges {
			item.Ranges = append(item.Ranges, TextRange{int32(r[0]), int32(r[1])})
		}
		out.Items = append(out.Items, item)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	dst = append(dst[:len(dst)-1], `,"explanation":`...)
	return append(append(dst, text...), '}'), nil
}

// traceOf returns the trace of a search.
func traceOf(ex search.Explanation) *SearchTrace {
	out := &SearchTrace{
		Script: string(ex.Script), Syllables: append([]string{}, ex.Syllables...), Words: append([]string{}, ex.Words...),
		DOI: store.Text(ex.DOI), Number: store.Text(ex.Number), Literal: ex.Literal, Dynasty: store.Text(ex.Dynasty),
		Tried: [][]SearchTry{}, Tiers: []SearchTier{},
	}
	for _, stage := range ex.Tried {
		tries := []SearchTry{}
		for _, a := range stage {
			tries = append(tries, SearchTry{int32(a.Tier), a.Field, a.Way})
		}
		out.Tried = append(out.Tried, tries)
	}
	for _, t := range ex.Tiers {
		out.Tiers = append(out.Tiers, SearchTier{int32(t.Tier), int32(t.Count)})
	}
	return out
}

// fieldOf returns the text of a field of a summary, or "" if the summary lacks the field.
func fieldOf(row []byte, field string) (store.Text, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(row, &fields); err != nil {
		return "", err
	}
	var text string
	if json.Unmarshal(fields[field], &text) != nil {
		return "", nil
	}
	return store.Text(text), nil
}
