package match

import (
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/internal/answer"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// resolve reads the text of the question and matches its names.
func (q question) resolve() result {
	text := q.query.Name
	if beside := q.query.ChineseName; han.Has(beside) && !han.Has(text) {
		if r, ok := q.besideChinese(beside); ok {
			return r
		}
	}
	if n, ok := q.buf.parser.Plain(text); ok {
		return q.scientific(n)
	}
	if id, ok := parse.Identifier(text); ok {
		if r, ok := q.identifier(id); ok {
			return r
		}
	}
	if han.Has(text) {
		return q.chineseText(text)
	}
	if r, ok := q.vernacular(text); ok {
		return r
	}
	return q.latinText(text)
}

// identifier finds the name that has the identifier id. It returns false if no name has this
// identifier.
func (q question) identifier(id string) (result, bool) {
	for n := range q.Values(file.ByIdentifier, []byte(id)) {
		if !q.hasIdentifier(n, id) {
			continue // another identifier with the same hash
		}
		q.steps.note("identifier: ", id)
		s := q.scored(q.candidateOf(n))
		s.add("identifier", 1)
		return result{
			canonical: q.buf.texts.clone(q.Name(n)), via: answer.ViaIdentifier,
			candidates: q.order([]scored{s}, false),
		}, true
	}
	return result{}, false
}

// hasIdentifier reports whether a usage has the identifier id, written as source:local.
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

// answer converts a result into the response. The response has at most as many entries as the query
// allows.
func (q question) answer(r result) answer.Response {
	w := writer{view: q.view, texts: &q.buf.texts, taxa: q.query.Distribution}
	resp := answer.Response{
		CanonicalName: r.canonical, MatchedVia: r.via, Unread: null.Text(strings.Clone(r.unread)),
		Results: w.entries(r.candidates, q.query.Limit),
	}
	if d := r.herb; d != nil {
		resp.HerbName, resp.HerbLatin, resp.HerbKind = null.Text(d.name), null.Text(d.latin), null.Text(d.kind)
	}
	for i := range resp.Results {
		if e := &resp.Results[i]; r.annotated && !e.Flags.Has(answer.AnnotationIgnored) {
			e.Flags = append(slices.Clone(e.Flags), answer.AnnotationIgnored.Words()...)
		}
	}
	return resp
}
