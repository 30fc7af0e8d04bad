package names

import (
	"fmt"
	"slices"
	"strings"

	"bencao/names/han"

	"bencao/names/internal/file"
)

// matcher matches one name at a time; it keeps its buffers.
type matcher struct {
	ix     *Index
	parser *parser

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
	return &matcher{ix: ix, parser: newParser(ix)}
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
	if id, ok := parseIdentifier(q.Name); ok {
		if r, ok := m.byIdentifier(id, q); ok {
			return r, nil
		}
	}
	if han.Has(q.Name) {
		return m.chinese(q), nil
	}
	p := m.parser.parse(q.Name)
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
func (m *matcher) latin(p *parsedName, q Query) Response {
	if q.Author != "" {
		p.setAuthor(tidy(q.Author))
	}
	if m.explain {
		m.explainParse(p)
	}
	if len(p.parents) > 0 {
		return m.formula(p, q)
	}
	r := Response{CanonicalName: Text(p.canonical), MatchedVia: ViaNone, Results: []Entry{}}
	if p.canonical == "" {
		if labels := m.pinyin(p.cleaned, q); labels != nil {
			return *labels
		}
		m.note("this is not a name")
		return r
	}
	if len(p.keys) == 0 {
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
	if (p.expanded || p.cultivar != "" && !m.cands[0].flags.Has(fCultivarIgnored)) && m.cands[0].like == likeExact {
		r.CanonicalName = Text(m.canonicalOf(&m.cands[0]))
	}
	return r
}

// tiers looks the name up: exact, variant, fuzzy, higher rank; the first tier
// that has a result ends it.
func (m *matcher) tiers(p *parsedName, q Query) {
	if p.expanded {
		m.expand(p)
		return
	}
	if p.openGenus {
		m.open(p)
		return
	}
	if m.exact(p); len(m.cands) > 0 {
		m.settleAuthors()
		if m.authorFound || p.author == "" || m.cands[0].author != fitDiffers {
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
func (m *matcher) exact(p *parsedName) {
	for _, k := range p.keys {
		n, ok := k.usage, k.known
		if !ok {
			n, ok = m.ix.FindKey(k.key)
		}
		if ok {
			if m.explain {
				m.note("exact: %q is in the index", k.key)
			}
			if k.flags.Has(fOrthography) {
				m.fromKey(n, p, likeVariant, 1, 1, k.flags) // but for a hyphen
			} else {
				m.fromKey(n, p, likeExact, 0, 0, k.flags)
			}
			if k.cultivar {
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
func (m *matcher) autonym(p *parsedName) {
	n := len(p.epithets)
	if n < 2 || p.epithets[n-1].word != p.epithets[0].word {
		return
	}
	k := p.keys[0]
	end := k.genus + 1 + wordEnd(k.key[k.genus+1:])
	if key, ok := m.ix.FindKey(k.key[:end]); ok {
		m.note("autonym: the species is in the index")
		species := *p
		species.rank = ""
		m.fromKey(key, &species, likeExact, 0, 0, k.flags|fAutonymOfSpecies)
	}
}

// open answers a name that stops at the genus: by its section, if the
// checklists have it, else by the genus.
func (m *matcher) open(p *parsedName) {
	if p.infragenus != "" {
		if n, ok := m.ix.FindKey(p.keys[0].key); ok {
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
func (m *matcher) variants(p *parsedName) {
	ix := m.ix
	before := len(m.cands)
	for _, k := range p.keys {
		m.buf = appendOrtho(m.buf[:0], k.key)

		for n := range ix.Values(file.ByOrtho, m.buf) {
			other := ix.AppendKey(m.key[:0], n)
			m.key = other
			if string(appendOrtho(nil, other)) != string(m.buf) || string(other) == string(k.key) {
				continue
			}
			d := distance(k.key, other, farVariant)
			if d > farVariant {
				continue // a heap of repeated letters
			}
			m.note("variant: %q differs in orthography", other)
			m.fromKey(ix.Keys[n].Usage, p, likeVariant, d, float64(d), k.flags|orthoFlags(k.key, other))
		}
		if len(m.cands) > before {
			break
		}
	}
	// A genus that is known as it stands is another one, unless the author
	// says so.
	if g := p.keys[0]; len(m.cands) > before && p.author != "" && m.parser.dict.hasGenus(g.key[:g.genus]) {
		kept := slices.DeleteFunc(m.cands[before:], func(c candidate) bool { return c.flags.Has(fGenusCorrected) && c.author == fitDiffers })
		m.cands = m.cands[:before+len(kept)]
	}
}

// higher falls back on the species of an infraspecific name, then the genus.
func (m *matcher) higher(p *parsedName) {
	ix := m.ix
	k := p.keys[0]
	rest := k.key[min(k.genus+1, len(k.key)):]
	for i := len(rest) - 1; i > 0; i-- {
		if rest[i] != ' ' {
			continue
		}
		key := k.key[:k.genus+1+i]
		if n, ok := ix.FindKey(key); ok {
			m.note("higherRank: %q is in the index", key)
			m.fromHigher(n, p, 1)
			return
		}
	}
	if n, ok := ix.FindKey(k.key[:k.genus]); ok {
		m.note("higherRank: genus %q is in the index", k.key[:k.genus])
		m.fromHigher(n, p, 2)
	}
}

// fromHigher adds the names of a key above the one asked for: authors and
// ranks do not count.
func (m *matcher) fromHigher(key uint32, p *parsedName, up int) {
	above := *p
	above.author, above.rank, above.hybrid = "", "", false
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
