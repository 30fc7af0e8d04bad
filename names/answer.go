package names

import (
	"slices"

	"bencao/names/internal/parse"
)

// answer turns the candidates into results: scored, one for each accepted
// name, in order, ambiguity marked.
func (m *matcher) answer(p *parse.Name, limit int) []Entry {
	cands := m.cands
	for i := range cands {
		m.score(p, &cands[i])
	}
	if len(cands) > 1 {
		slices.SortFunc(cands, func(a, b candidate) int { return m.compare(&a, &b) })
	}
	kept := cands[:0]
	for i := range cands {
		if c := cands[i]; !m.among(kept, &c) && (len(kept) == 0 || c.score >= 0.05) {
			kept = append(kept, c)
		}
	}
	for i := 1; i < len(kept); i++ {
		if kept[0].score-kept[i].score <= 0.1+1e-9 || m.undecided(&kept[0], &kept[i]) {
			kept[0].flags |= fAmbiguous
			kept[i].flags |= fAmbiguous
		}
	}
	m.cands = kept
	if len(kept) > limit {
		kept = kept[:limit]
	}
	out := make([]Entry, len(kept))
	for i := range kept {
		m.entry(&out[i], &kept[i])
	}
	return out
}

// undecided says whether a and b are homonyms between which no author
// decides.
func (m *matcher) undecided(a, b *candidate) bool {
	return !m.authorFound && m.labelScore == nil && a.like == b.like && m.ix.Usages[a.usage].Key == m.ix.Usages[b.usage].Key
}

// among says whether one of kept leads to the accepted name that c leads to.
func (m *matcher) among(kept []candidate, c *candidate) bool {
	for i := range kept {
		if m.sameTaxon(&kept[i], c) {
			return true
		}
	}
	return false
}

// sameTaxon says whether two candidates lead to the same accepted name.
func (m *matcher) sameTaxon(a, b *candidate) bool {
	return a.concept == b.concept && (m.placed(a) || a.usage == b.usage || m.ix.Usages[a.usage].Key == m.ix.Usages[b.usage].Key)
}

// via says which kind of name a candidate is.
func (m *matcher) via(c *candidate) string {
	u := &m.ix.Usages[c.usage]
	switch {
	case c.like == likeHigher:
		return ViaHigherRank
	case u.Status.Word() == Misapplied:
		return ViaMisappliedName
	case !m.placed(c):
		return ViaUnplacedName
	case m.sameName(c.usage, c.concept):
		return ViaAcceptedName
	}
	return ViaSynonym
}

// sameName says whether two usages are the same name in different lists.
func (m *matcher) sameName(a, b uint32) bool {
	u, v := &m.ix.Usages[a], &m.ix.Usages[b]
	return u.Key == v.Key && u.Group == v.Group
}
