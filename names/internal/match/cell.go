package match

import (
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names/internal/cell"
	"bencao/names/internal/parse"
	"bencao/names/internal/vocabulary"
)

// cell answers a text that is more than a name, or another spelling of one.
func (q question) cell(text string) (vocabulary.Response, []scored) {
	c := q.buf.cells.Read(text)
	switch len(c.Names) {
	case 0:
		if r, all, ok := q.pinyin(text); ok {
			return r, all
		}
		q.steps.note("this is not a name")
		r := nothing("")
		r.Unread = null.Text(strings.Clone(c.Unread))
		return r, nil
	case 1:
		n := q.part(&c, 0)
		r, all := q.latin(n)
		r.Unread = null.Text(strings.Clone(c.Unread))
		return r, all
	}
	return q.several(&c), nil
}

// part parses a name of a cell.
func (q question) part(c *cell.Cell, i int) *parse.Name {
	n := q.buf.parser.Parse(c.Names[i])
	n.Flags |= c.Flags
	n.OneOf, n.Unread = len(c.Names) > 1, c.Unread != ""
	if n.OneOf {
		n.Flags |= vocabulary.Ambiguous
	}
	for _, parent := range n.Parents {
		parent.OneOf, parent.Unread = n.OneOf, n.Unread
		parent.Flags |= c.Flags
	}
	if n.Family == "" {
		n.Family = c.Family
	}
	return n
}

// several answers each name of a cell with its best candidates, in the order
// of the cell. None of them is the answer more than another.
func (q question) several(c *cell.Cell) (r vocabulary.Response) {
	limit := q.query.Limit
	r = nothing("")
	r.Unread = null.Text(strings.Clone(c.Unread))
	q.query.Author, q.query.Limit = "", 1
	var canonical []string
	before := q.steps.count()
	for i := range c.Names {
		q.steps.back(before)
		q.steps.note("name ", c.Names[i])
		one, _ := q.latin(q.part(c, i))
		if one.CanonicalName != "" {
			canonical = append(canonical, string(one.CanonicalName))
		}
		if len(one.Results) == 0 {
			continue
		}
		if len(r.Results) == 0 {
			r.MatchedVia = one.MatchedVia
		}
		same := func(e vocabulary.Entry) bool {
			return e.MatchedName == one.Results[0].MatchedName && e.MatchedAuthor == one.Results[0].MatchedAuthor
		}
		if !slices.ContainsFunc(r.Results, same) {
			r.Results = append(r.Results, one.Results...)
		}
	}
	r.CanonicalName = null.Text(strings.Join(canonical, "; "))
	r.Results = r.Results[:min(len(r.Results), limit)]
	return r
}
