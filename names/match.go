package names

import (
	"fmt"
	"slices"
	"strings"

	"bencao/names/han"

	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// matcher matches one name at a time; it keeps its buffers.
type matcher struct {
	ix     *Index
	parser *parse.Parser

	explain      bool
	skipDatabase bool

	cands         []candidate
	found         []candidate
	steps         []string
	key, buf      []byte
	given         authors
	authorsParsed bool
	authorFound   bool // some candidate has the author asked for
	authorSame    bool // and has it whole
	near          []nearGenus
	chunk         []byte // texts of answers
	hits          []hit
	// labelScore scores candidates that Chinese names or pinyin led to.
	labelScore func(c *candidate) (string, float64)
	// unconfirmed says that a Latin name beside the Chinese one was not found.
	unconfirmed bool
}

func newMatcher(ix *Index) *matcher {
	return &matcher{ix: ix, parser: parse.New(ix)}
}

// Match answers q: what name it is, and which accepted names fit it, the best
// first. A name that nothing fits is no error. The error is an [*InputError].
func (ix *Index) Match(q Query) (Response, error) {
	m := ix.matchers.Get().(*matcher)
	defer ix.matchers.Put(m)
	m.skipDatabase = false
	return m.match(q)
}

func (m *matcher) match(q Query) (Response, error) {
	q, err := q.Check()
	if err != nil {
		return Response{}, err
	}
	m.explain = q.Explain
	m.reset()
	if id, ok := parse.Identifier(q.Name); ok {
		if r, ok := m.byIdentifier(id, q); ok {
			return r, nil
		}
	}
	if han.Has(q.Name) {
		return m.chinese(q), nil
	}
	p := m.parser.Parse(q.Name)
	return m.latin(p, q), nil
}

func (m *matcher) reset() {
	m.cands, m.steps = m.cands[:0], m.steps[:0]
	m.authorsParsed, m.authorFound, m.authorSame = false, false, false
}

// note records a step for explain.
func (m *matcher) note(format string, args ...any) {
	if m.explain {
		m.steps = append(m.steps, fmt.Sprintf(format, args...))
	}
}

// latin matches a parsed scientific name.
func (m *matcher) latin(p *parse.Name, q Query) Response {
	if q.Author != "" {
		p.SetAuthor(tidy(q.Author))
	}
	if m.explain {
		m.explainParse(p)
	}
	if len(p.Parents) > 0 {
		return m.formula(p, q)
	}
	r := Response{CanonicalName: Text(p.Canonical), MatchedVia: ViaNone, Results: []Entry{}}
	if p.Canonical == "" {
		if labels := m.pinyin(p.Cleaned, q); labels != nil {
			return *labels
		}
		m.note("this is not a name")
		return r
	}
	if len(p.Keys) == 0 {
		return r
	}
	m.tiers(p, q)
	if len(m.cands) == 0 || m.cands[0].like >= likeFuzzy {
		if labels := m.pinyin(q.Name, q); labels != nil {
			return *labels
		}
	}
	if len(m.cands) == 0 {
		m.note("no name fits")
		return r
	}
	m.family(p, q)
	r.Results = m.answer(p, q.Limit)
	if len(r.Results) > 0 {
		r.MatchedVia = m.via(&m.cands[0])
	}
	if (p.Abbreviated || p.Cultivar != "" && !m.cands[0].flags.Has(fCultivarIgnored)) && m.cands[0].like == likeExact {
		r.CanonicalName = Text(m.canonicalOf(&m.cands[0]))
	}
	return r
}

// tiers looks the name up: exact, variant, fuzzy, higher rank; the first tier
// that has a result ends it.
func (m *matcher) tiers(p *parse.Name, q Query) {
	if p.Abbreviated {
		m.expand(p)
		return
	}
	if p.OpenGenus {
		m.open(p)
		return
	}
	if m.exact(p); len(m.cands) > 0 {
		m.settleAuthors()
		if m.authorFound || p.Author == "" || m.cands[0].author != fitDiffers {
			return
		}
		// The author speaks against the exact name; does another spelling
		// have this author?
		n := len(m.cands)
		m.variants(p)
		m.keepAgreeing(n)
		return
	}
	if m.autonym(p); len(m.cands) > 0 {
		m.settleAuthors()
		return
	}
	if m.variants(p); len(m.cands) > 0 {
		m.settleAuthors()
		return
	}
	if !q.NoFuzzy {
		if m.fuzzy(p); len(m.cands) > 0 {
			return
		}
	}
	m.higher(p)
}

// exact looks up the keys of the name, the first one that is known.
func (m *matcher) exact(p *parse.Name) {
	for _, k := range p.Keys {
		n, ok := k.Usage, k.Known
		if !ok {
			n, ok = m.ix.FindKey(k.Text)
		}
		if ok {
			if m.explain {
				m.note("exact: %q is in the index", k.Text)
			}
			if k.Flags.Has(fOrthography) {
				m.fromKey(n, p, likeVariant, 1, 1, k.Flags) // but for a hyphen
			} else {
				m.fromKey(n, p, likeExact, 0, 0, k.Flags)
			}
			if k.Cultivar {
				m.keepCultivars()
			}
			if len(m.cands) > 0 {
				return
			}
		}
	}
	m.note("exact: not in the index")
}

// keepCultivars drops the candidates that are no cultivars: 'Alba' is no
// f. alba, although their keys are one.
func (m *matcher) keepCultivars() {
	m.cands = slices.DeleteFunc(m.cands, func(c candidate) bool {
		return !strings.Contains(m.ix.Name(c.usage), "'")
	})
}

// autonym answers an autonym that no checklist has, such as Rosa canina var.
// canina, with its species: that is what includes the type.
func (m *matcher) autonym(p *parse.Name) {
	n := len(p.Epithets)
	if n < 2 || p.Epithets[n-1].Word != p.Epithets[0].Word {
		return
	}
	k := p.Keys[0]
	end := k.Genus + 1 + wordEnd(k.Text[k.Genus+1:])
	if key, ok := m.ix.FindKey(k.Text[:end]); ok {
		m.note("autonym: the species is in the index")
		species := *p
		species.Rank = ""
		m.fromKey(key, &species, likeExact, 0, 0, k.Flags|fAutonymOfSpecies)
	}
}

// open answers a name that stops at the genus: by its section, if the
// checklists have it, else by the genus.
func (m *matcher) open(p *parse.Name) {
	if p.Infragenus != "" {
		if n, ok := m.ix.FindKey(p.Keys[0].Text); ok {
			m.fromKey(n, p, likeExact, 0, 0, 0)
			return
		}
	}
	m.higher(p)
}

// settleAuthors notes whether some candidate has the author asked for; then
// homonyms that others only mention are dropped.
func (m *matcher) settleAuthors() {
	for i := range m.cands {
		m.authorFound = m.authorFound || m.cands[i].author.Agrees()
		m.authorSame = m.authorSame || m.cands[i].author == fitSame
	}
	if !m.authorFound {
		return
	}
	kept := m.cands[:0]
	for _, c := range m.cands {
		right := c.author == fitSame || c.author.Agrees() && !m.authorSame
		if right || accepted(&m.ix.Usages[c.usage]) && c.author != fitUnknown {
			kept = append(kept, c)
		}
	}
	m.cands = kept
}

// keepAgreeing drops the candidates from n on whose authors do not agree.
func (m *matcher) keepAgreeing(n int) {
	kept := m.cands[:n]
	for _, c := range m.cands[n:] {
		if c.author.Agrees() {
			kept = append(kept, c)
		}
	}
	m.cands = kept
}

// farVariant is the most letters in which names of one orthographic key may
// differ: the key drops repeated letters, however many there are.
const farVariant = 9

// variants looks up the orthographic key.
func (m *matcher) variants(p *parse.Name) {
	ix := m.ix
	before := len(m.cands)
	for _, k := range p.Keys {
		m.buf = appendOrtho(m.buf[:0], k.Text)

		for n := range ix.Values(file.ByOrtho, m.buf) {
			other := ix.AppendKey(m.key[:0], n)
			m.key = other
			if string(appendOrtho(nil, other)) != string(m.buf) || string(other) == string(k.Text) {
				continue
			}
			d := distance(k.Text, other, farVariant)
			if d > farVariant {
				continue // a heap of repeated letters
			}
			m.note("variant: %q differs in orthography", other)
			m.fromKey(ix.Keys[n].Usage, p, likeVariant, d, float64(d), k.Flags|orthoFlags(k.Text, other))
		}
		if len(m.cands) > before {
			break
		}
	}
	// A genus that is known as it stands is another one, unless the author
	// says so.
	if g := p.Keys[0]; len(m.cands) > before && p.Author != "" && m.ix.HasGenus(g.Text[:g.Genus]) {
		kept := slices.DeleteFunc(m.cands[before:], func(c candidate) bool { return c.flags.Has(fGenusCorrected) && c.author == fitDiffers })
		m.cands = m.cands[:before+len(kept)]
	}
}

// higher falls back on the species of an infraspecific name, then the genus.
func (m *matcher) higher(p *parse.Name) {
	ix := m.ix
	k := p.Keys[0]
	rest := k.Text[min(k.Genus+1, len(k.Text)):]
	for i := len(rest) - 1; i > 0; i-- {
		if rest[i] != ' ' {
			continue
		}
		key := k.Text[:k.Genus+1+i]
		if n, ok := ix.FindKey(key); ok {
			m.note("higherRank: %q is in the index", key)
			m.fromHigher(n, p, 1)
			return
		}
	}
	if n, ok := ix.FindKey(k.Text[:k.Genus]); ok {
		m.note("higherRank: genus %q is in the index", k.Text[:k.Genus])
		m.fromHigher(n, p, 2)
	}
}

// fromHigher adds the names of a key above the one asked for: authors and
// ranks do not count.
func (m *matcher) fromHigher(key uint32, p *parse.Name, up int) {
	above := *p
	above.Author, above.Rank, above.Hybrid = "", "", false
	n := len(m.cands)
	m.fromKey(key, &above, likeHigher, 0, 0, 0)
	// One of homonyms will do: nobody asked for it.
	best := -1
	for i := n; i < len(m.cands); i++ {
		m.cands[i].up = up
		m.cands[i].flags &^= fHybridSignIgnored | fRankMissing
		if best < 0 || m.ix.Usages[m.cands[i].usage].Status < m.ix.Usages[m.cands[best].usage].Status {
			best = i
		}
	}
	if best >= 0 {
		m.cands = append(m.cands[:n], m.cands[best])
	}
}
