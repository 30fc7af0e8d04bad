package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"bencao/internal/messages"
	"bencao/names"
	"bencao/names/bulk"
)

// maxQuery is the largest length of a query string, in bytes. With a longer one, the header of the
// request would exceed the server's limit.
const maxQuery = 12 << 10

// refusedThere is the error for a name that the server refuses.
var refusedThere = messages.Define("refused-there", "name is refused by the server; %s")

// Match matches names. Each request has as many names as fit into a query string. A name that the
// client finds invalid itself is not sent.
func (c *Client) Match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	answers := make([]bulk.Answer, len(queries))
	var at []int // indexes of the queries in the next request
	length := 0
	ask := func() error {
		err := c.some(ctx, queries, at, answers)
		at, length = at[:0], 0
		return err
	}
	for i, q := range queries {
		if q, answers[i].Err = q.Check(); answers[i].Err != nil {
			continue
		}
		n := len(url.Values{"name": {q.Name}, "author": {q.Author}, "family": {q.Family}, "kingdom": {q.Kingdom}, "chineseName": {q.ChineseName}}.Encode()) + 1
		if len(at) > 0 && (len(at) == bulk.MaxNames || length+n > maxQuery || q.Region != queries[at[0]].Region) {
			if err := ask(); err != nil {
				return nil, err
			}
		}
		at, length = append(at, i), length+n
	}
	if len(at) > 0 {
		if err := ask(); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// some matches the queries at the indexes at, in one request. If the server refuses the request,
// some sends each half of the names separately, until it has found the refused name.
func (c *Client) some(ctx context.Context, queries []names.Query, at []int, answers []bulk.Answer) error {
	in := url.Values{
		"limit": {strconv.Itoa(cmp.Or(queries[0].Limit, names.DefaultLimit))},
		"fuzzy": {strconv.FormatBool(!queries[0].NoFuzzy)},
	}
	if queries[0].Distribution {
		in.Set("distribution", "true")
	}
	if queries[0].Explain {
		in.Set("explain", "true")
	}
	if region := queries[at[0]].Region; region != "" {
		in.Set("region", region)
	}
	for _, i := range at {
		q := queries[i]
		for field, value := range map[string]string{"name": q.Name, "author": q.Author, "family": q.Family, "kingdom": q.Kingdom, "chineseName": q.ChineseName} {
			in[field] = append(in[field], value)
		}
	}
	for field, values := range in { // leave out empty values
		if !slices.ContainsFunc(values, func(v string) bool { return v != "" }) {
			delete(in, field)
		}
	}
	var found []names.Response
	err := c.Get(ctx, "/names/matches", in, &found)
	switch {
	case Refused(err) && len(at) > 1:
		half := len(at) / 2
		if err := c.some(ctx, queries, at[:half], answers); err != nil {
			return err
		}
		return c.some(ctx, queries, at[half:], answers)
	case Refused(err):
		var refused *StatusError
		errors.As(err, &refused)
		answers[at[0]].Err = &names.InputError{Message: refusedThere.With(refused.Detail)}
		return nil
	case err == nil && len(found) != len(at):
		err = fmt.Errorf("%s gives %d answers for %d names", c.name, len(found), len(at))
	}
	if err != nil {
		return err
	}
	for k, i := range at {
		answers[i].Response = found[k]
	}
	return nil
}
