package match

import (
	"bytes"
	"cmp"
	"slices"

	"bencao/names/internal/answer"
	"bencao/names/internal/file"
)

// leastScore is the lowest score of a candidate that is kept in an answer. The best candidate is
// kept even with a lower score.
const leastScore = 0.05

// asGood is the largest difference between the scores of the best candidate and of another
// candidate that counts as equally good.
const asGood = 0.1 + 1e-9

// decisive is the least difference between the scores of two homonyms at which the better one is
// not ambiguous.
const decisive = 0.5

// order sorts candidates into the order of the answer, keeps one for each accepted name, and marks
// those that are ambiguous. authorless is true if no candidate's author agrees with the query.
func (q question) order(all []scored, authorless bool) []scored {
	if len(all) > 1 {
		slices.SortFunc(all, func(a, b scored) int { return q.compare(&a, &b) })
	}
	kept := all[:0]
	for i := range all {
		c := all[i]
		if len(kept) == 0 || c.score >= leastScore && !q.hasTaxon(kept, &c.candidate) {
			kept = append(kept, c)
		}
	}
	for i := 1; i < len(kept); i++ {
		best, other := &kept[0], &kept[i]
		undecided := authorless && best.like == other.like && q.sameUse(best.usage, other.usage) && best.score-other.score < decisive
		if undecided || best.score-other.score <= asGood {
			best.flags |= answer.Ambiguous
			other.flags |= answer.Ambiguous
		}
	}
	if q.steps != nil {
		steps := q.steps.all()
		for i := range kept {
			kept[i].why.steps = steps
		}
	}
	return kept
}

// hasTaxon reports whether kept has a candidate with the accepted name of c.
func (v view) hasTaxon(kept []scored, c *candidate) bool {
	for i := range kept {
		if v.sameTaxon(&kept[i].candidate, c) {
			return true
		}
	}
	return false
}

// compare compares two candidates for the order of the answer. The order is total. Statuses are
// numbered so that a better status has a lower number.
func (v view) compare(a, b *scored) int {
	if a.score != b.score || a.like != b.like {
		return cmp.Or(-cmp.Compare(a.score, b.score), cmp.Compare(a.like, b.like))
	}
	order := cmp.Or(
		cmp.Compare(v.Usages[a.usage].Status, v.Usages[b.usage].Status),
		-compareBool(v.inDatabase(a.concept), v.inDatabase(b.concept)),
		compareBool(a.flags.Has(answer.RankDiffers), b.flags.Has(answer.RankDiffers)),
		compareBool(a.flags.Has(answer.HybridSignIgnored), b.flags.Has(answer.HybridSignIgnored)),
		cmp.Compare(v.Name(a.usage), v.Name(b.usage)),
		cmp.Compare(v.Text(a.usage, file.Author), v.Text(b.usage, file.Author)),
	)
	if order != 0 || a.usage == b.usage {
		return order
	}
	var x, y [64]byte
	return cmp.Or(bytes.Compare(v.AppendID(x[:0], a.usage, file.ID), v.AppendID(y[:0], b.usage, file.ID)), cmp.Compare(a.usage, b.usage))
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// via returns the kind of lookup that found a candidate.
func (v view) via(c *candidate) string {
	switch {
	case c.like == higherRank:
		return answer.ViaHigherRank
	case misapplied(&v.Usages[c.usage]):
		return answer.ViaMisappliedName
	case !v.placed(c):
		return answer.ViaUnplacedName
	case v.sameName(c.usage, c.concept):
		return answer.ViaAcceptedName
	}
	return answer.ViaSynonym
}
