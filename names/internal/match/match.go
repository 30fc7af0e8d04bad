package match

import (
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// question is one query, with the names file and the buffers that the stages of matching use.
type question struct {
	view
	query answer.Query
	steps *steps // nil unless the query asks for an explanation
	buf   *buffers
}

// result is the result of matching a text or one of its names.
type result struct {
	// canonical is the name that was read from the text, or "" if the text is not a name.
	canonical null.Text
	via       string // the kind of lookup that found the best candidate
	unread    string // words of the text that are not part of a name
	herb      *namedHerb
	// candidates are in the order of the answer. They are valid until the next name is matched.
	candidates []scored
	// oneName is true if all candidates are for the same name. A Chinese name beside this name can
	// then decide between the candidates.
	oneName bool
	// annotated is true if words for parts of plants, such as "root", were removed.
	annotated bool
}

// nothing returns the result for a text without candidates.
func nothing(canonical string) result {
	return result{canonical: null.Text(canonical), via: answer.ViaNone}
}

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

// latinText matches a text without Chinese characters. The text may be a name in the form of the
// checklists, the pharmaceutical name of a herb, or a cell with any number of names. latinText
// removes English words for parts of plants from the end of the text.
func (q question) latinText(text string) result {
	if n, ok := q.buf.parser.Listed(text); ok {
		return q.scientific(n)
	}
	if q.checklistsOnly {
		return q.cell(text)
	}
	clean, _ := parse.Clean(text)
	if herb.MayBeLatin(clean) {
		if r, ok := q.latinHerb(clean); ok {
			return q.orMisspelt(q.orCorrected(r, clean), clean)
		}
	}
	rest, parts := herb.CutEnglish(clean)
	if len(parts) == 0 {
		r := q.cell(text)
		if q.namesSpecies(r) {
			return r
		}
		return q.orCorrected(q.orRewritten(r, clean), clean)
	}
	q.steps.note("set aside: ", strings.Join(parts, " "))
	r := q.latinText(rest)
	r.annotated, r.oneName = true, false
	return r
}

// scientific matches a scientific name, or the parents of a hybrid formula.
func (q question) scientific(n *parse.Name) result {
	if a := spelling.Tidy(q.query.Author); a != "" && !n.HasAuthorOfSpecies(a) {
		n.SetAuthor(a)
	}
	q.steps.read(n)
	if len(n.Parents) > 0 {
		return q.parents(n)
	}
	r := nothing(n.Canonical)
	if n.Canonical != "" && len(n.Keys) == 0 {
		return r
	}
	var s found
	c := &q.buf.cited
	if n.Canonical != "" {
		c.Set(n.Author)
		s = q.lookUp(n, c)
	}
	if len(s.candidates) == 0 || s.candidates[0].like >= fuzzy {
		genus, _, _ := strings.Cut(strings.ToLower(n.Canonical), " ")
		onlyGenus := len(s.candidates) == 0 || s.candidates[0].like > fuzzy
		if d := herb.OfSpecies(n.Canonical); d != nil && (onlyGenus && !d.IsPlant() || len(s.candidates) == 0 || !q.HasGenus([]byte(genus))) {
			q.steps.note("drug: ", d.Name, " (", string(d.Kind), ") comes from this species, which no checklist has")
			r.herb = q.fromTable([]herb.Match{{Herb: d, By: herb.StandardName}})
			return r
		}
		if p, ok := q.pinyin(q.query.Name); ok {
			return p
		}
	}
	switch {
	case n.Canonical == "":
		q.steps.note("this is not a name")
		return r
	case len(s.candidates) == 0:
		q.steps.note("no name fits")
		return r
	}
	q.hintFamily(s.candidates, q.query.Family, n.Family)
	r.oneName, r.candidates = true, q.possible(q.weigh(n, c, s))
	best := &r.candidates[0].candidate
	r.via = q.via(best)
	if best.like == exact && (n.Abbreviated || n.Cultivar != "" && !best.flags.Has(answer.CultivarIgnored)) {
		r.canonical = q.buf.texts.clone(q.Name(best.usage))
	}
	return r
}

// parents matches the parents of a hybrid formula. The result has the best candidate for each
// parent. parents does not look up the hybrid itself.
func (q question) parents(n *parse.Name) result {
	r := nothing(n.Canonical)
	before := q.steps.count()
	for _, parent := range n.Parents {
		if len(n.Parents) > 1 {
			parent.Flags |= answer.Ambiguous // the text also names the other parent
		}
		q.steps.truncate(before)
		q.steps.note("parent: ", parent.Canonical)
		if len(parent.Keys) == 0 {
			continue
		}
		c := &q.buf.cited
		c.Set(parent.Author)
		if s := q.lookUp(parent, c); len(s.candidates) > 0 {
			best := q.weigh(parent, c, s)[0]
			best.cap("a parent of the hybrid, not the hybrid itself", scoreReview)
			r.candidates = append(r.candidates, best)
			r.via = answer.ViaHybridFormula
		}
	}
	return r
}

// lookUp returns the candidates for a name. c is the author of the name.
func (q question) lookUp(n *parse.Name, c *author.Cited) found {
	f := finder{view: q.view, name: n, cited: c, steps: q.steps, buf: q.buf, noFuzzy: q.query.NoFuzzy}
	return f.lookUp()
}

// weigh scores the candidates for a name. It returns one candidate for each accepted name, in the
// order of the answer.
func (q question) weigh(n *parse.Name, c *author.Cited, s found) []scored {
	w := weigher{view: q.view, name: n, found: s, cited: c, explain: q.steps != nil,
		authorApart: q.query.Author != "", region: q.query.Region}
	q.buf.scored = w.weigh(q.buf.scored[:0])
	return q.order(q.buf.scored, !s.author)
}

// possible appends a taxon to which the best candidate may belong. The names file says so by a
// possible edge: the name of the candidate seems to have the same type as a name of the taxon, or
// the database gives a name of the taxon as its synonym.
func (q question) possible(all []scored) []scored {
	best := &all[0]
	e, ok := q.EdgeOf(best.usage)
	if !ok || !e.Reason.Possible() || best.like == higherRank {
		return all
	}
	s := *best
	s.concept = e.To
	s.flags = s.flags&^answer.Ambiguous | answer.Possible
	s.score = min(scoreUnlikely, best.score)
	if best.why != nil {
		s.why = &explanation{parts: []answer.ScorePart{{Reason: "possible only", Value: s.score}}, steps: best.why.steps}
	}
	return append(all, s)
}

// identifier finds the name that has the identifier id. It returns false if no name has this
// identifier.
func (q question) identifier(id string) (result, bool) {
	for n := range q.Values(file.ByIdentifier, []byte(id)) {
		if !q.hasIdentifier(n, id) {
			continue
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
	w := writer{view: q.view, texts: &q.buf.texts}
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
