package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api/ask"
	"bencao/mappings"
	"bencao/names"
)

// tool is a tool that an assistant may call.
type tool struct {
	name, title, doc string
	params           []param
	// request returns the path and the query of the API request for the arguments of a call.
	request func(arguments) (path string, query url.Values, err error)
	// doubts returns sentences that warn the assistant of possible errors in the answer. If doubts
	// is nil, there are no warnings.
	doubts func(in arguments, answer json.RawMessage) []string
}

// param is a parameter of a tool.
type param struct {
	name, kind, doc string // kind is string, integer, boolean or strings
	required        bool
	among           []string // permitted values; nil means any value
}

// arguments has the arguments of a call by name. Each value is a list, as in a query string.
type arguments map[string][]string

func (a arguments) one(name string) string {
	if len(a[name]) == 0 {
		return ""
	}
	return a[name][0]
}

// query returns the arguments of a search as parameters of the API. The argument kind is the table.
func (a arguments) query() url.Values {
	q := url.Values{}
	for name, values := range a {
		if name == "kind" {
			continue
		}
		for _, f := range mappings.Filters[a.one("kind")] {
			if f.BesideKind() == name {
				name = f.Name
			}
		}
		q[name] = values
	}
	return q
}

// filters are the parameters that restrict a search, and orders those that sort its results. They
// are made from the tables of package mappings.
var filters, orders = filterParams(mappings.Tables, mappings.Filter.Narrows), filterParams(mappings.Tables, func(f mappings.Filter) bool { return !f.Narrows() })

// selections are the parameters that select the formulas whose patterns are counted.
var selections = filterParams([]string{"formulas"}, func(f mappings.Filter) bool { return f.Population || f.Kind == mappings.InPart })

// filterParams returns the parameters of the filters of tables that pass.
func filterParams(tables []string, passes func(mappings.Filter) bool) (all []param) {
	for _, c := range mappings.Choices(tables, mappings.Filter.BesideKind, passes) {
		p := param{name: c.Name, kind: "string", doc: c.Describe(true), among: c.Words}
		switch {
		case c.IsNumber():
			p.kind = "integer"
		case c.IsBool():
			p.kind, p.among = "boolean", nil
		}
		all = append(all, p)
	}
	return all
}

var pages = []param{
	{name: "page", kind: "integer", doc: "page, from 1"},
	{name: "pageSize", kind: "integer", doc: "records per page, at most 100; 20 if not given"},
}

var tools = []tool{
	{
		name: "match_names", title: "Match scientific, Chinese and drug names",
		doc: "Finds the accepted names of plants for up to 100 names as people write them: Latin (with authors, misspelt, abbreviated), Chinese, pinyin, pharmaceutical Latin. " +
			"Each answer has candidates with a score from 0 to 1. Only 0.9 and more is safe to use without asking; a name without candidates is not in the checklists or is no plant.",
		params: []param{
			{name: "names", kind: "strings", doc: "the names, at most 100", required: true},
			{name: "authors", kind: "strings", doc: "their authors, in the order of names, with \"\" where there is none"},
			{name: "kingdoms", kind: "strings", doc: "the kingdoms that their source gives, in the order of names: an animal or a fungus is no plant"},
			{name: "region", kind: "string", doc: "where the plants grow, to choose among equal names: " + names.RegionChina + ", or a code of level 3 of WGSRPD such as CHC"},
			{name: "limit", kind: "integer", doc: "candidates per name, 1 to 20"},
		},
		request: func(in arguments) (string, url.Values, error) {
			q := copied(in, "region", "limit")
			q["name"] = in["names"]
			for argument, param := range map[string]string{"authors": "author", "kingdoms": "kingdom"} {
				if given := in[argument]; given != nil {
					q[param] = given
				}
			}
			return "/names/matches", q, nil
		},
		doubts: matchDoubts,
	},
	{
		name: "search", title: "Search species, formulas, drugs or papers",
		doc:    "Searches by Chinese characters, pinyin, initials, scientific names (also misspelt) or words of titles, best match first. An empty q lists all that the filters find.",
		params: slices.Concat([]param{{name: "kind", kind: "string", doc: "the table", required: true, among: mappings.Tables}, {name: "q", kind: "string", doc: "the query"}}, filters, orders, pages),
		request: func(in arguments) (string, url.Values, error) {
			q := in.query()
			q.Set("explain", "true")
			return "/" + in.one("kind"), q, nil
		},
		doubts: searchDoubts,
	},
	{
		name: "record", title: "One record, whole",
		doc: "Returns a record with everything the data say of it. id is guid for species and formulas, the id of search results for herbs and papers.",
		params: []param{
			{name: "kind", kind: "string", doc: "the table", required: true, among: mappings.Tables},
			{name: "id", kind: "string", doc: "guid or id, from a search or a match", required: true},
		},
		request: func(in arguments) (string, url.Values, error) {
			if in.one("kind") == "papers" {
				return "/papers/detail", url.Values{"id": in["id"]}, nil
			}
			return "/" + in.one("kind") + "/" + url.PathEscape(in.one("id")), nil, nil
		},
	},
	{
		name: "linked", title: "Records linked to a record",
		doc: "Lists the records linked to a species or herb: species have formulas, papers, uses and flora; herbs have formulas.",
		params: slices.Concat([]param{
			{name: "kind", kind: "string", doc: "the table of the record", required: true, among: []string{"species", "herbs"}},
			{name: "id", kind: "string", doc: "guid or id of the record", required: true},
			{name: "to", kind: "string", doc: "the linked records", required: true, among: []string{"formulas", "papers", "uses", "flora"}},
		}, pages),
		request: func(in arguments) (string, url.Values, error) {
			kind, to := in.one("kind"), in.one("to")
			if kind == "herbs" && to != "formulas" {
				return "", nil, fmt.Errorf("herbs are linked to formulas alone; ask for %s of the species that the herb comes from", to)
			}
			q := copied(in, "page", "pageSize")
			if to != "formulas" && len(q) > 0 {
				return "", nil, fmt.Errorf("%s come in one answer, without pages; leave out page and pageSize", to)
			}
			return "/" + kind + "/" + url.PathEscape(in.one("id")) + "/" + to, q, nil
		},
	},
	{
		name: "counts", title: "Count records",
		doc: "Counts what a search would find by the values of fields, such as formulas by dynasty or species by family. Without kind it counts the records of each table.",
		params: slices.Concat([]param{
			{name: "kind", kind: "string", doc: "the table", among: mappings.Tables},
			{name: "by", kind: "string", doc: "fields, separated by commas: family, genus (species); dynasty, herbs (formulas); kind, part (herbs); year (papers). An unknown field is answered with the list"},
			{name: "q", kind: "string", doc: "the query"},
			{name: "limit", kind: "integer", doc: "values per field"},
		}, filters),
		request: func(in arguments) (string, url.Values, error) {
			kind := in.one("kind")
			if kind == "" {
				if len(in) > 0 {
					return "", nil, errors.New("kind is missing; without kind, leave out all other arguments")
				}
				return "/stats", nil, nil
			}
			return "/" + kind + "/facets", in.query(), nil
		},
	},
	{
		name: "patterns", title: "Herbs that formulas have in common",
		doc: "Counts the herbs, pairs or sets of herbs of the formulas that q and the filters select, with tests against chance: which herbs go together, or are special for a book, an author or a complaint. " +
			"q with in=indications selects formulas against a complaint.",
		params: slices.Concat([]param{
			{name: "of", kind: "string", doc: "what is counted", required: true, among: []string{"herbs", "pairs", "sets"}},
			{name: "q", kind: "string", doc: "the query of the formulas; without it and filters, all formulas"},
			{name: "herb", kind: "string", doc: "only pairs or sets with this herb"},
			{name: "with", kind: "string", doc: "only the pair of herb and this herb"},
			{name: "minFormulas", kind: "integer", doc: "only what is in so many formulas"},
		}, selections, pages),
		request: func(in arguments) (string, url.Values, error) {
			q := in.query()
			q.Del("of")
			return "/patterns/" + in.one("of"), q, nil
		},
	},
	{
		name: "about", title: "The data, their version and terms",
		doc:     "Returns the version of the data, when it was built, its sources, the terms of use and how to cite it.",
		request: func(arguments) (string, url.Values, error) { return "/version", nil, nil },
	},
}

// copied returns a query with those of the named arguments that the call has.
func copied(in arguments, names ...string) url.Values {
	q := url.Values{}
	for _, name := range names {
		if values, given := in[name]; given {
			q[name] = values
		}
	}
	return q
}

// schema returns the JSON Schema of the tool's parameters.
func (t tool) schema() object {
	properties, required := object{}, []string{}
	for _, p := range t.params {
		s := object{"type": p.kind, "description": p.doc}
		if p.kind == "strings" {
			s["type"], s["items"], s["minItems"], s["maxItems"] = "array", object{"type": "string"}, 1, 100
		}
		if p.among != nil {
			s["enum"] = p.among
		}
		properties[p.name] = s
		if p.required {
			required = append(required, p.name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// arguments parses and checks the arguments of a call. Its errors tell how to correct the call.
func (t tool) arguments(data json.RawMessage) (arguments, error) {
	given := map[string]any{}
	if len(data) > 0 {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		if err := dec.Decode(&given); err != nil {
			return nil, errors.New("arguments are no JSON object")
		}
	}
	in := arguments{}
	for _, p := range t.params {
		value, ok := given[p.name]
		delete(given, p.name)
		if !ok || value == nil {
			if p.required {
				return nil, fmt.Errorf("%s is missing; it is %s", p.name, p.doc)
			}
			continue
		}
		values, ok := p.values(value)
		if !ok {
			return nil, fmt.Errorf("%s is not of type %s", p.name, p.kind)
		}
		if p.among != nil && !slices.Contains(p.among, values[0]) {
			return nil, fmt.Errorf("%s is %q; use one of %s", p.name, values[0], strings.Join(p.among, ", "))
		}
		in[p.name] = values
	}
	for name := range given {
		var names []string
		for _, p := range t.params {
			names = append(names, p.name)
		}
		return nil, fmt.Errorf("%s has no argument %q; it has %s", t.name, name, strings.Join(names, ", "))
	}
	return in, nil
}

// values converts a JSON value to values of a query string. ok is false if the type of the value is
// wrong.
func (p param) values(value any) (values []string, ok bool) {
	switch v := value.(type) {
	case string:
		return []string{v}, p.kind == "string"
	case json.Number:
		_, err := strconv.ParseInt(v.String(), 10, 32)
		return []string{v.String()}, p.kind == "integer" && err == nil
	case bool:
		return []string{strconv.FormatBool(v)}, p.kind == "boolean"
	case []any:
		for _, item := range v {
			text, isText := item.(string)
			if !isText {
				return nil, false
			}
			values = append(values, text)
		}
		return values, p.kind == "strings" && len(values) > 0
	}
	return nil, false
}

// call runs a tool and returns the result. If the API refuses the request, the result contains the
// reason, so that the assistant can correct the call.
func (s *server) call(ctx context.Context, t tool, data json.RawMessage) object {
	result, err := s.try(ctx, t, data)
	if err != nil {
		reason := err.Error()
		if refused := (*ask.StatusError)(nil); errors.As(err, &refused) {
			reason = refused.Detail
		}
		return object{"content": []object{{"type": "text", "text": reason}}, "isError": true}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		panic(err) // cannot happen: every value in the result can be encoded
	}
	return object{"content": []object{{"type": "text", "text": text.String()}}, "structuredContent": result}
}

// answered is the form of the result of every tool.
type answered struct {
	URL         string          `json:"url"`
	DataVersion string          `json:"dataVersion"`
	Citation    string          `json:"citation"`
	License     string          `json:"license"`
	Uncertain   []string        `json:"uncertain"`
	Answer      json.RawMessage `json:"answer"`
}

func (s *server) try(ctx context.Context, t tool, data json.RawMessage) (*answered, error) {
	in, err := t.arguments(data)
	if err != nil {
		return nil, err
	}
	path, query, err := t.request(in)
	if err != nil {
		return nil, err
	}
	answer, err := s.ask(ctx, path, query)
	if err != nil {
		return nil, err
	}
	if path == "/version" {
		s.about = answer
	} else if s.about.Body == nil || dataVersion(s.about) != dataVersion(answer) {
		if s.about, err = s.ask(ctx, "/version", nil); err != nil {
			return nil, err
		}
	}
	result := &answered{URL: s.opt.Site + "/api/v1" + path, Uncertain: []string{}, Answer: answer.Body}
	if len(query) > 0 {
		result.URL += "?" + query.Encode()
	}
	var snapshot struct{ Withheld []string }
	if err := errors.Join(json.Unmarshal(s.about.Body, result), json.Unmarshal(s.about.Body, &snapshot)); err != nil {
		return nil, fmt.Errorf("the version of the data cannot be read: %w", err)
	}
	if len(snapshot.Withheld) > 0 && t.name != "match_names" {
		result.Uncertain = append(result.Uncertain, "these public data lack what needs the scopes "+strings.Join(snapshot.Withheld, ", ")+"; a count of 0 then means not known, not none")
	}
	if t.doubts != nil {
		result.Uncertain = append(result.Uncertain, t.doubts(in, result.Answer)...)
	} else if how := answer.Header.Get("X-Search"); strings.HasPrefix(how, "forgiven") || strings.HasPrefix(how, "none") {
		result.Uncertain = append(result.Uncertain, "the query is the name of none of the records that are counted ("+how+")")
	}
	// The detail of a record has the address of its web page, which replaces the API's address.
	var record struct{ URL *string }
	if t.name == "record" && json.Unmarshal(result.Answer, &record) == nil && record.URL != nil {
		result.URL = *record.URL
	}
	return result, nil
}

func dataVersion(a ask.Answer) string { return a.Header.Get("X-Data-Version") }

// safeScore is the score from which a match needs no check: 99.9 % of the matches with at least
// this score are right.
const safeScore = 0.9

// matchDoubts returns a sentence for each name that is not matched, or whose match needs a check.
func matchDoubts(in arguments, answer json.RawMessage) (doubts []string) {
	var found []struct {
		MatchedVia string
		Unread     *string
		HerbName   *string `json:"drugName"`
		Results    []struct {
			AcceptedName *string
			Score        float64
			Flags        []string
		}
	}
	if json.Unmarshal(answer, &found) != nil {
		return []string{"the answer could not be read, so nothing is known of its certainty"}
	}
	for i, f := range found {
		if i >= len(in["names"]) {
			break
		}
		name := in["names"][i]
		doubt := func(format string, args ...any) {
			doubts = append(doubts, strconv.Quote(name)+": "+fmt.Sprintf(format, args...))
		}
		if f.Unread != nil && *f.Unread != "" {
			doubt("%q was not read", *f.Unread)
		}
		drug := f.HerbName != nil && *f.HerbName != ""
		if len(f.Results) == 0 {
			if drug {
				doubt("no match; it is a drug, %s, which comes from no plant in the checklists", *f.HerbName)
			} else {
				doubt("no match; it is not in the checklists, or is not a plant")
			}
			continue
		}
		if drug {
			doubt("is a drug, %s; the candidates are plants that it comes from", *f.HerbName)
		}
		best := f.Results[0]
		if best.AcceptedName == nil || *best.AcceptedName == "" {
			doubt("matched, but no accepted name is known")
		}
		if best.Score < safeScore {
			doubt("not sure; the best score is %.2f%s", best.Score, listed(best.Flags))
		} else if len(best.Flags) > 0 {
			doubt("matched with %s", strings.Join(best.Flags, ", "))
		}
		if len(f.Results) > 1 && f.Results[1].Score >= best.Score-0.05 && !equal(f.Results[1].AcceptedName, best.AcceptedName) {
			doubt("several candidates have about the same score; choose by author, family or region, or ask")
		}
	}
	return doubts
}

func listed(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	return " (" + strings.Join(flags, ", ") + ")"
}

func equal(a, b *string) bool { return a != nil && b != nil && *a == *b }

// searchDoubts returns sentences that tell how the results differ from the query, for example in
// spelling.
func searchDoubts(_ arguments, answer json.RawMessage) (doubts []string) {
	var found struct {
		Total       int
		Explanation *struct {
			Forgiven, Part, Group, ReadAs *string
			DidYouMean                    []string
			Unknown                       []struct {
				Filter, Value string
				Close         []string
			}
			Readings []struct {
				Parameter, Value string
				Means            []string
			}
		}
	}
	if json.Unmarshal(answer, &found) != nil {
		return []string{"the answer could not be read, so nothing is known of its certainty"}
	}
	if found.Total == 0 {
		doubts = append(doubts, "nothing was found")
	}
	ex := found.Explanation
	if ex == nil {
		return doubts
	}
	if ex.Forgiven != nil && *ex.Forgiven != "" {
		doubts = append(doubts, "nothing has exactly the name of the query; these records come near (forgiven: "+*ex.Forgiven+")")
		if *ex.Forgiven == "herbsLeftOut" {
			doubts = append(doubts, "no formula has all the herbs of the query; lacks and more in the explanation of each formula tell the difference")
		}
	}
	if ex.Part != nil && *ex.Part != "" {
		doubts = append(doubts, "no name equals the query; these names contain it ("+*ex.Part+")")
	}
	if ex.Group != nil && *ex.Group != "" {
		doubts = append(doubts, "the query is the name of a "+*ex.Group+"; these are its species")
	}
	if ex.ReadAs != nil && *ex.ReadAs != "" {
		doubts = append(doubts, "the query was read as "+*ex.ReadAs)
	}
	for _, r := range ex.Readings {
		doubts = append(doubts, fmt.Sprintf("%s %q was read as %s", r.Parameter, r.Value, strings.Join(r.Means, ", ")))
	}
	for _, u := range ex.Unknown {
		doubts = append(doubts, fmt.Sprintf("no record has the %s %q%s", u.Filter, u.Value, listed(u.Close)))
	}
	if len(ex.DidYouMean) > 0 {
		doubts = append(doubts, "perhaps meant: "+strings.Join(ex.DidYouMean, ", "))
	}
	return doubts
}
