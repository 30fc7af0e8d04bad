package match

import (
	"strings"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// question is one query on its way: what its stages go by.
type question struct {
	view
	query vocabulary.Query
	steps *steps // nil unless they are asked for
	buf   *buffers
}

// ask answers a question by what its text is: an identifier, Chinese, or a
// scientific name.
func ask(q question) vocabulary.Response {
	if n, ok := q.buf.parser.Plain(q.query.Name); ok {
		r, _ := q.latin(n)
		return r
	}
	if id, ok := parse.Identifier(q.query.Name); ok {
		if r, ok := q.identifier(id); ok {
			return r
		}
	}
	if han.Has(q.query.Name) {
		return q.chineseCell()
	}
	r, _ := q.text(q.query.Name)
	return r
}

// text answers a text that is a scientific name, or has some in it.
func (q question) text(s string) (vocabulary.Response, []scored) {
	if n, ok := q.buf.parser.Listed(s); ok {
		return q.latin(n)
	}
	if r, ok := q.latinDrug(s); ok {
		return r, nil
	}
	return q.cell(s)
}

// nothing is the response to a text that nothing fits.
func nothing(canonical string) vocabulary.Response {
	return vocabulary.Response{CanonicalName: null.Text(canonical), MatchedVia: vocabulary.ViaNone, Results: []vocabulary.Entry{}}
}

// entries writes the answer's entries, at most limit.
func (q question) entries(all []scored, limit int) []vocabulary.Entry {
	w := writer{view: q.view, texts: &q.buf.texts, steps: q.steps}
	return w.entries(all, limit)
}

// latin answers a scientific name. With the response comes what it was made
// of, in its order; of a hybrid formula that of the last parent.
func (q question) latin(n *parse.Name) (vocabulary.Response, []scored) {
	if q.query.Author != "" {
		n.SetAuthor(spelling.Tidy(q.query.Author))
	}
	q.steps.read(n)
	switch {
	case len(n.Parents) > 0:
		return q.formula(n)
	case n.Canonical == "":
		if r, all, ok := q.pinyin(q.query.Name); ok {
			return r, all
		}
		q.steps.note("this is not a name")
		return nothing(""), nil
	case len(n.Keys) == 0:
		return nothing(n.Canonical), nil
	}
	c := &q.buf.cited
	c.Set(n.Author)
	s := q.lookUp(n, c)
	if len(s.candidates) == 0 || s.candidates[0].like >= fuzzy {
		if r, all, ok := q.pinyin(q.query.Name); ok {
			return r, all
		}
	}
	if len(s.candidates) == 0 {
		q.steps.note("no name fits")
		return nothing(n.Canonical), nil
	}
	q.hintFamily(s.candidates, q.query.Family, n.Family)
	all := q.weigh(n, c, s)
	all = q.possible(all)
	best := &all[0].candidate
	r := vocabulary.Response{CanonicalName: null.Text(n.Canonical), MatchedVia: q.via(best), Results: q.entries(all, q.query.Limit)}
	if best.like == exact && (n.Abbreviated || n.Cultivar != "" && !best.flags.Has(vocabulary.CultivarIgnored)) {
		r.CanonicalName = q.buf.texts.clone(q.Name(best.usage))
	}
	return r, all
}

// lookUp is the second stage: the candidates for a name.
func (q question) lookUp(n *parse.Name, c *author.Cited) found {
	f := finder{view: q.view, name: n, cited: c, steps: q.steps, buf: q.buf, noFuzzy: q.query.NoFuzzy}
	return f.lookUp()
}

// weigh is the third stage: the candidates scored, one for each accepted name,
// in the order of the answer. They are good until the next are weighed.
func (q question) weigh(n *parse.Name, c *author.Cited, s found) []scored {
	w := weigher{view: q.view, name: n, found: s, cited: c, explain: q.steps != nil,
		apart: q.query.Author != "", region: q.query.Region}
	q.buf.scored = w.weigh(q.buf.scored[:0])
	return q.order(q.buf.scored, !s.author)
}

// formula answers a hybrid formula with its parents, each scored as if it had
// been asked for alone. The hybrid itself is not looked for.
func (q question) formula(n *parse.Name) (r vocabulary.Response, last []scored) {
	r = nothing(n.Canonical)
	before := q.steps.count()
	for _, parent := range n.Parents {
		if len(n.Parents) > 1 {
			parent.Flags |= vocabulary.Ambiguous // the text has the other one too
		}
		q.steps.back(before)
		q.steps.note("parent: ", parent.Canonical)
		last = nil
		if len(parent.Keys) == 0 {
			continue
		}
		c := &q.buf.cited
		c.Set(parent.Author)
		s := q.lookUp(parent, c)
		if len(s.candidates) == 0 {
			continue
		}
		last = q.weigh(parent, c, s)
		r.Results = append(r.Results, q.entries(last, 1)...)
		r.MatchedVia = vocabulary.ViaHybridFormula
	}
	r.Results = r.Results[:min(len(r.Results), q.query.Limit)]
	return r, last
}

// identifier answers with the name that has an identifier.
func (q question) identifier(id string) (vocabulary.Response, bool) {
	for n := range q.Values(file.ByIdentifier, []byte(id)) {
		if !q.hasIdentifier(n, id) {
			continue
		}
		q.steps.note("identifier: ", id)
		s := scored{candidate: candidate{usage: n, concept: q.Usages[n].Concept, author: author.NotGiven, homonym: 1}, score: 1}
		if q.steps != nil {
			s.parts = []vocabulary.ScorePart{{Reason: "identifier", Value: 1}}
		}
		return vocabulary.Response{
			CanonicalName: q.buf.texts.clone(q.Name(n)), MatchedVia: vocabulary.ViaIdentifier,
			Results: q.entries([]scored{s}, 1),
		}, true
	}
	return vocabulary.Response{}, false
}

// hasIdentifier says whether a usage has an identifier, written source:local.
func (v view) hasIdentifier(usage uint32, id string) bool {
	_, local, _ := strings.Cut(id, ":")
	var buf [64]byte
	for _, which := range []file.IDName{file.ID, file.IPNI, file.WFO} {
		if string(v.AppendID(buf[:0], usage, which)) == local {
			return true
		}
	}
	return false
}

// possible adds, behind what was found, the taxon that may be the best one's
// under a name of another genus or rank, or a part of it. It is never the best itself.
func (q question) possible(all []scored) []scored {
	best := &all[0]
	e, ok := q.EdgeOf(best.usage)
	if !ok || !e.Reason.Possible() || best.like == higherRank {
		return all
	}
	s := *best
	s.concept = e.To
	s.flags = s.flags&^vocabulary.Ambiguous | vocabulary.Possible
	s.score = min(scorePossible, best.score)
	if q.steps != nil {
		s.parts = []vocabulary.ScorePart{{Reason: "possible only", Value: s.score}}
	}
	return append(all, s)
}
