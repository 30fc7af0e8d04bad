package match

import (
	"slices"
	"strings"

	"bencao/names/herb"
	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

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
	var s found
	c := &q.buf.cited
	c.Set(n.Author)
	plant, otherLife := q.life(n.Family)
	if !otherLife && n.Canonical != "" {
		s = q.lookUp(n, c)
	}
	q.hintFamily(s.candidates, q.query.Family, n.Family)
	if len(s.candidates) == 0 || s.candidates[0].like >= fuzzy {
		genus, _, _ := strings.Cut(strings.ToLower(n.Canonical), " ")
		onlyGenus := len(s.candidates) == 0 || s.candidates[0].like > fuzzy
		if d := herb.OfSpecies(n.Canonical); d != nil && (onlyGenus && !d.IsPlant() || len(s.candidates) == 0 || !q.HasGenus([]byte(genus))) {
			r.herb = q.fromTable([]herb.Match{{Herb: d, By: herb.StandardName}})
			return r
		}
		if p, ok := q.pinyin(q.query.Name); ok {
			return p
		}
	}
	unlike := len(s.candidates) == 0 || s.candidates[0].like >= fuzzy
	if (unlike && isAnimal(n.Canonical) || c.Year() != 0 && ofAnimals(n.Canonical)) && !plant && !slices.ContainsFunc(s.candidates, isPlant) {
		return r // this is the name of an animal
	}
	if len(s.candidates) == 0 {
		return r
	}
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
		c := &q.buf.cited
		c.Set(parent.Author)
		if s := q.lookUp(parent, c); len(s.candidates) > 0 {
			best := q.weigh(parent, c, s)[0]
			best.cap(parentOnly)
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
	plant, _ := q.life(n.Family)
	q.buf.weigher = weigher{view: q.view, name: n, found: s, cited: c, explain: q.steps != nil, plant: plant,
		authorApart: q.query.Author != "", region: q.query.Region, grows: q.query.Grows}
	q.buf.scored = q.buf.weigher.weigh(q.buf.scored[:0])
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
