package names

import (
	"cmp"
	"strings"

	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// canonicalOf is the name of a candidate.
func (m *matcher) canonicalOf(c *candidate) string {
	return string(m.clone(m.ix.Name(c.usage)))
}

// formula answers a hybrid formula with both parents, each scored as if it had
// been asked for alone. The hybrid itself is not looked for.
func (m *matcher) formula(p *parse.Name, q Query) Response {
	r := Response{CanonicalName: Text(p.Canonical), MatchedVia: ViaNone, Results: []Entry{}}
	steps := m.steps
	for _, parent := range p.Parents {
		m.reset()
		m.steps = append(m.steps, steps...)
		m.note("parent: %s", parent.Canonical)
		if len(parent.Keys) == 0 {
			continue
		}
		m.tiers(parent, q)
		if len(m.cands) == 0 {
			continue
		}
		found := m.answer(parent, 1)
		r.Results = append(r.Results, found...)
		r.MatchedVia = ViaHybridFormula
	}
	if len(r.Results) > q.Limit {
		r.Results = r.Results[:q.Limit]
	}
	return r
}

// family compares the families of the candidates with the hint.
func (m *matcher) family(p *parse.Name, q Query) {
	given := cmp.Or(q.Family, p.Family)
	if given == "" {
		return
	}
	hint := foldFamily(given)
	for i := range m.cands {
		c := &m.cands[i]
		c.flags |= fFamilyHint
		own := m.familyOf(c)
		if own != "" && wideFamily(own) != wideFamily(hint) {
			c.flags |= fFamilyDiffers
		}
	}
}

func (m *matcher) familyOf(c *candidate) string {
	ix := m.ix
	for _, n := range []uint32{c.concept, c.usage} {
		if f := ix.SharedText(ix.Usages[n].Family); f != "" {
			return foldFamily(f)
		}
	}
	return ""
}

// expand finds the genera that an abbreviated one may stand for. The species
// of the database are looked at first: a name of the checklists alone counts
// if none of them fits.
func (m *matcher) expand(p *parse.Name) {
	ix := m.ix
	k := p.Keys[0]
	rest := k.Text[min(k.Genus+1, len(k.Text)):]
	short := strings.TrimSuffix(string(k.Text[:k.Genus]), ".")
	if len(rest) == 0 {
		return
	}

	for n := range ix.Values(file.ByRest, rest) {
		if string(ix.Rest(n)) != string(rest) || !strings.HasPrefix(string(ix.Genus(ix.Keys[n].Genus)), short) {
			continue
		}
		if m.explain {
			m.note("genus expanded: %q", ix.AppendKey(nil, n))
		}
		m.fromKey(ix.Keys[n].Usage, p, likeExact, 0, 0, fGenusExpanded)
	}
	m.settleAuthors()
	var own []candidate
	for _, c := range m.cands {
		if m.inDatabase(&c) {
			own = append(own, c)
		}
	}
	if len(own) > 0 {
		m.cands = append(m.cands[:0], own...)
	}
	if len(m.cands) > MaxLimit*4 {
		m.cands = m.cands[:MaxLimit*4]
	}
}

// explainParse notes how the name was read.
func (m *matcher) explainParse(p *parse.Name) {
	m.note("cleaned: %s", p.Cleaned)
	if p.ByGnparser {
		m.note("read by gnparser")
	}
	if p.Canonical != "" {
		m.note("canonical name: %s", p.Canonical)
	}
	if p.Author != "" {
		m.note("author: %s", p.Author)
	}
	if p.Family != "" {
		m.note("family as a hint: %s", p.Family)
	}
	if p.Cultivar != "" {
		m.note("cultivar set aside: %s", p.Cultivar)
	}
	for _, k := range p.Keys {
		m.note("key: %s", k.Text)
	}
}
