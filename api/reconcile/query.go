package reconcile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bencao/names"
	"bencao/names/bulk"
)

const (
	// maxQueries is the largest number of queries in a batch. It is also the largest number of ids
	// in an extension query.
	maxQueries = 1000
	// maxQuery is the largest size of a query in JSON, in bytes. It is larger than the longest name
	// that can be matched. A query with a longer name has no candidates.
	maxQuery = 64 << 10
)

// query is one query of a batch.
type query struct {
	Query      string          `json:"query"`
	Type       oneOrMore       `json:"type"`
	Limit      float64         `json:"limit"`
	Properties []propertyValue `json:"properties"`
}

// propertyValue is a property of the wanted entity. A query may give such properties in addition to
// the name.
type propertyValue struct {
	PID string          `json:"pid"`
	V   json.RawMessage `json:"v"`
}

// oneOrMore is a text or a list of texts.
type oneOrMore []string

// UnmarshalJSON accepts a JSON string or an array of strings.
func (l *oneOrMore) UnmarshalJSON(b []byte) error {
	var one string
	if err := json.Unmarshal(b, &one); err == nil {
		*l = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(l))
}

// wrongType describes a value of the wrong type in the terms of the client. It returns other errors
// unchanged.
func wrongType(err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("%s must not be of the type %s", cmp.Or(wrong.Field, "it"), wrong.Value)
	}
	return err
}

// readBatch parses a batch of queries. It parses one query at a time, so that it can refuse a batch
// with too many queries, or with a query that is too long, before it takes much memory.
func readBatch(text string) (map[string]query, error) {
	const what = "queries is not a batch of queries in JSON: %v"
	in := json.NewDecoder(strings.NewReader(text))
	switch open, err := in.Token(); {
	case err != nil:
		return nil, badf(what, err)
	case open != json.Delim('{'):
		return nil, badf(what, "it must be an object with a query for each key")
	}
	batch := map[string]query{}
	for n := 0; in.More(); n++ {
		key, err := in.Token()
		if err != nil {
			return nil, badf(what, err)
		}
		if n == maxQueries {
			return nil, badf("queries has more than %d queries; send up to %d at once", maxQueries, maxQueries)
		}
		var one json.RawMessage
		if err := in.Decode(&one); err != nil {
			return nil, badf(what, err)
		}
		if len(one) > maxQuery {
			return nil, badf("query %.80q has %d bytes; send up to %d", key, len(one), maxQuery)
		}
		var q query
		if err := json.Unmarshal(one, &q); err != nil {
			return nil, badf("query %.80q: %v", key, wrongType(err))
		}
		batch[key.(string)] = q // cannot panic: the keys of a JSON object are strings
	}
	if _, err := in.Token(); err != nil {
		return nil, badf(what, err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, badf(what, "something follows it")
	}
	return batch, nil
}

// text returns the first value of the property as text. The value may be a text, a number, or an
// entity. For an entity, text returns its id. For any other value it returns an error.
func (v propertyValue) text() (string, error) {
	if len(v.V) == 0 {
		return "", nil
	}
	var value any
	in := json.NewDecoder(bytes.NewReader(v.V))
	in.UseNumber() // otherwise an identifier of nine digits would become 1.23e+08
	if err := in.Decode(&value); err != nil {
		return "", badf("property %.80q has a value that cannot be read: %v", v.PID, err)
	}
	if list, ok := value.([]any); ok {
		if len(list) == 0 {
			return "", nil
		}
		value = list[0]
	}
	switch value := value.(type) {
	case string:
		return strings.TrimSpace(value), nil
	case json.Number:
		return value.String(), nil
	case map[string]any:
		id, _ := value["id"].(string)
		return id, nil
	case nil, bool:
		return "", nil
	}
	return "", badf("property %.80q has a list in a list as its value; give a text, a number or an object with an id", v.PID)
}

// asked lists the properties that names.match can match in place of a missing name, the most
// reliable first. prefix is the text that names.match expects in front of the value.
var asked = []struct{ pid, prefix string }{
	{"wcvpId", "wcvp:"}, {"ipniId", "ipni:"}, {"wfoId", ""}, {"scientificName", ""}, {"chineseName", ""},
}

// name turns the query into a query for names.match.
func (q *query) name() (names.Query, error) {
	said := map[string]string{}
	for _, p := range q.Properties {
		text, err := p.text()
		if err != nil {
			return names.Query{}, err
		}
		said[p.PID] = text
	}
	out := names.Query{Name: strings.TrimSpace(q.Query), Author: said["author"], Family: cmp.Or(said["family"], said["familyChinese"]), Kingdom: said["kingdom"], Limit: names.DefaultLimit}
	if strings.EqualFold(said["region"], names.RegionChina) {
		out.Region = names.RegionChina
	}
	if q.Limit >= 1 {
		out.Limit = int(min(q.Limit, names.MaxLimit))
	}
	if out.Name != "" && said["genus"] != "" {
		out.Name = bulk.WithGenus(said["genus"], out.Name)
	}
	for _, p := range asked {
		if v := said[p.pid]; out.Name == "" && v != "" {
			out.Name = p.prefix + v
		}
	}
	if v := said["chineseName"]; v != out.Name {
		out.ChineseName = v
	}
	return out, nil
}

// candidate is an entity that may be the one that a name in the user's list means.
type candidate struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Type        []kind    `json:"type"`
	Score       float64   `json:"score"` // 0 to 100
	Match       bool      `json:"match"`
	Features    []feature `json:"features"`
}

// feature is a part of the explanation of a candidate's score.
type feature struct {
	ID    string `json:"id"`
	Value any    `json:"value"` // a number or a boolean
}

// result lists the candidates of one query, the best first.
type result struct {
	Result []candidate `json:"result"`
}

// reconcile answers a batch of queries. The results have the same keys as the queries.
func (s *Service) reconcile(ctx context.Context, batch map[string]query) (map[string]result, error) {
	results := make(map[string]result, len(batch))
	var keys []string // keys[i] is the key of queries[i] in the batch
	var queries []names.Query
	for key, q := range batch {
		results[key] = result{[]candidate{}}
		name, err := q.name()
		if err != nil {
			return nil, err
		}
		if guid.MatchString(strings.ToLower(name.Name)) {
			t, found, err := s.taxon(ctx, name.Name)
			if err != nil {
				return nil, err
			}
			if found && q.wants(string(t.Rank)) {
				results[key] = result{[]candidate{t.itself()}}
			}
		} else if name.Name != "" {
			keys, queries = append(keys, key), append(queries, name)
		}
	}
	// All names are matched with the same limit: the largest number of candidates that any query
	// asks for.
	most := 0
	for _, q := range queries {
		most = max(most, q.Limit)
	}
	limits := make([]int, len(queries))
	for i := range queries {
		limits[i], queries[i].Limit = queries[i].Limit, most
	}
	answers, err := s.source.Match(ctx, queries)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		if answers[i].Err == nil { // if the text is not a name, the query has no candidates
			q := batch[key]
			found, err := candidates(&q, &answers[i].Response)
			if err != nil {
				return nil, err
			}
			results[key] = result{found[:min(limits[i], len(found))]}
		}
	}
	return results, nil
}

// wants reports whether the types in the query permit an entity of this rank.
func (q *query) wants(rank string) bool {
	return len(q.Type) == 0 || slices.Contains(q.Type, anyTaxon.ID) || slices.Contains(q.Type, rank)
}

// itself returns the entity as the candidate of a query that gives the entity's id.
func (t *taxon) itself() candidate {
	return candidate{ID: t.id, Name: t.name(), Description: t.about(), Type: kindsOf(string(t.Rank)), Score: 100, Match: true, Features: []feature{}}
}

// candidates returns the candidates of a name from the response of names.match. The first candidate
// is marked as a match if its score is high enough and the name cannot mean another accepted name.
func candidates(q *query, r *names.Response) ([]candidate, error) {
	list := []candidate{}
	for i := range r.Results {
		e := &r.Results[i]
		if !(e.Score >= 0 && e.Score <= 1) { // checked because the answer may come from another server
			return nil, fmt.Errorf("the score of %.80q is %v, which is not between 0 and 1", e.MatchedName, e.Score)
		}
		rank := string(e.Rank)
		if e.AcceptedRank != "" {
			rank = string(e.AcceptedRank)
		}
		id := identifier(e)
		if id == "" || !q.wants(rank) {
			continue
		}
		t := taxon{SpeciesDetail: listed(e), id: id}
		about := t.about()
		if e.AcceptedName != e.MatchedName && e.AcceptedName != "" {
			about = line(about, string(e.TaxonStatus+" "+e.MatchedName))
		}
		if r.Unread != "" {
			about = line(about, "not read: "+string(r.Unread))
		}
		ambiguous := slices.Contains(e.Flags, "ambiguous")
		list = append(list, candidate{
			ID: id, Name: t.name(), Description: about, Type: kindsOf(rank),
			Score: math.Round(e.Score*1e4) / 100,
			Match: i == 0 && e.Score >= names.ScoreTake && !ambiguous,
			Features: []feature{
				{"editDistance", e.EditDistance}, {"sameAuthor", e.AuthorMatch == "same"},
				{"acceptedName", e.TaxonStatus == "accepted"}, {"ambiguous", ambiguous},
			},
		})
	}
	return list, nil
}
