package names

import (
	"math/bits"
	"slices"

	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// Edits that a word may have differ with its length: short ones mean too many
// things.
const (
	maxEdits = 3   // in the whole name
	costly   = 3.0 // a first letter counts half an edit more, the genus 0.3
)

// allowedEdits returns the edits allowed in a word of n letters.
func allowedEdits(n int) int {
	switch {
	case n < 5:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

// allowedInPair returns the edits allowed between two words: those of the
// longer one, unless the shorter is too short to mean anything.
func allowedInPair(a, b int) int {
	if min(a, b) < 5 {
		return allowedEdits(min(a, b))
	}
	return allowedEdits(max(a, b))
}

// nearGenus is a genus of the index that may be meant.
type nearGenus struct {
	genus uint32
	edits int
	cost  float64
}

// hit is a key that may be meant.
type hit struct {
	key        uint32
	edits      int
	genusEdits int
	cost       float64
}

// fuzzy looks for names within a few edits: in the genus itself, in genera
// spelt nearly alike, and among equal epithets in genera that are farther
// off.
func (m *matcher) fuzzy(p *parse.Name) {
	k := m.collect(p)
	m.fromHits(p, k)
}

// collect lists the keys that are near and returns the key they are near to.
func (m *matcher) collect(p *parse.Name) parse.Key {
	ix := m.ix
	k := p.Keys[len(p.Keys)-1]
	if len(p.Cultivar) == 0 {
		k = p.Keys[0]
	}
	genus := k.Text[:k.Genus]
	rest := k.Text[min(k.Genus+1, len(k.Text)):]
	m.hits = m.hits[:0]
	if len(rest) == 0 {
		m.nearGenera(genus)
		for _, g := range m.near {
			if g.edits == 0 {
				continue
			}
			if n := ix.Genera[g.genus].Key; len(ix.Rest(n)) == 0 {
				m.hits = append(m.hits, hit{key: n, edits: g.edits, genusEdits: g.edits, cost: g.cost})
			}
		}
	} else {
		m.nearGenera(genus)
		for _, g := range m.near {
			m.scan(g, rest)
		}
		if len(m.hits) == 0 {
			m.sameEpithet(genus, rest)
		}
	}
	return k
}

// nearGenera lists the genera within the allowed edits of a genus, itself
// included.
func (m *matcher) nearGenera(genus []byte) {
	ix := m.ix
	m.near = m.near[:0]
	limit := allowedInPair(len(genus), len(genus)+1)
	if g, ok := ix.FindGenus(genus); ok {
		m.near = append(m.near, nearGenus{genus: g})
	}
	if limit == 0 {
		return
	}
	mask := letterMask(genus)
	deletions(genus, func(less []byte) {

		for n := range ix.Values(file.ByGenusLess, less) {
			if bits.OnesCount32(ix.Genera[n].Mask^mask) > 2*limit {
				continue
			}
			if slices.ContainsFunc(m.near, func(g nearGenus) bool { return g.genus == n }) {
				continue
			}
			other := ix.Genus(n)
			if d := distance(genus, other, limit); d > 0 && d <= limit {
				cost := float64(d) + 0.3
				if genus[0] != other[0] {
					cost += 0.5
				}
				m.near = append(m.near, nearGenus{n, d, cost})
			}
		}
	})
}

// scan compares rest with the names of a genus.
func (m *matcher) scan(g nearGenus, rest []byte) {
	ix := m.ix
	limit := min(maxEdits-g.edits, m.restLimit(rest))
	if g.edits > 0 {
		limit = min(limit, 2)
	}
	mask := letterMask(rest)
	for n := ix.Genera[g.genus].Key; n < ix.Genera[g.genus+1].Key; n++ {
		size := int(ix.Keys[n+1].Rest - ix.Keys[n].Rest)
		if d := size - len(rest); d > limit || -d > limit || size == 0 {
			continue
		}
		diff := ix.Keys[n].Mask ^ mask
		if diff != 0 && (bits.OnesCount32(diff&mask) > limit || bits.OnesCount32(diff&^mask) > limit) {
			continue
		}
		m.compareRest(n, g, rest, limit)
	}
}

// restLimit is how many edits all epithets together may have.
func (m *matcher) restLimit(rest []byte) int {
	limit := 0
	for start, i := 0, 0; i <= len(rest); i++ {
		if i == len(rest) || rest[i] == ' ' {
			limit += allowedInPair(i-start, i-start+1)
			start = i + 1
		}
	}
	return min(limit, maxEdits)
}

// compareRest adds key n as a hit if each of its epithets is near enough.
func (m *matcher) compareRest(n uint32, g nearGenus, rest []byte, limit int) {
	other := m.ix.Rest(n)
	if string(other) == string(rest) {
		m.hits = append(m.hits, hit{key: n, edits: g.edits, genusEdits: g.edits, cost: g.cost})
		return
	}
	total, cost := g.edits, g.cost
	a, b := rest, other
	for len(a) > 0 && len(b) > 0 {
		i, j := wordEnd(a), wordEnd(b)
		x, y := a[:i], b[:j]
		allowed := allowedInPair(len(x), len(y))
		d := distance(x, y, min(limit, allowed))
		if d > min(limit, allowed) {
			return
		}
		total += d
		cost += float64(d)
		if d > 0 && x[0] != y[0] {
			cost += 0.5
		}
		a, b = a[min(i+1, len(a)):], b[min(j+1, len(b)):]
	}
	if len(a) > 0 || len(b) > 0 || total-g.edits > limit || total > maxEdits {
		return
	}
	m.hits = append(m.hits, hit{key: n, edits: total, genusEdits: g.edits, cost: cost})
}

// sameEpithet looks for the epithets, alike in orthography, in genera that
// are spelt otherwise.
func (m *matcher) sameEpithet(genus, rest []byte) {
	ix := m.ix
	if len(genus) < 5 {
		return
	}
	m.buf = appendOrthoRest(m.buf[:0], rest)
	mask := letterMask(genus)
	for n := range ix.Values(file.ByRestOrtho, m.buf) {
		g := ix.Keys[n].Genus
		if d := bits.OnesCount32(ix.Genera[g].Mask ^ mask); d > 5 {
			continue
		}
		other := ix.Genus(g)
		limit := 3
		if len(genus) < 8 {
			limit = 2
		}
		d := distance(genus, other, limit)
		if d > limit || d == 0 {
			continue
		}
		e2 := distance(rest, ix.Rest(n), 3)
		if d+e2 > maxEdits {
			continue
		}
		cost := float64(d+e2) + 0.3
		if genus[0] != other[0] {
			cost += 0.5
		}
		m.hits = append(m.hits, hit{key: n, edits: d + e2, genusEdits: d, cost: cost})
	}
}

// fromHits keeps the nearest hits and makes candidates of them. A name two or
// more edits away is only taken if its author agrees, or if none is given and
// no other name is as near; authors that differ rule it out.
func (m *matcher) fromHits(p *parse.Name, k parse.Key) {
	if len(m.hits) == 0 {
		m.note("fuzzy: nothing is near")
		return
	}
	slices.SortFunc(m.hits, func(a, b hit) int {
		switch {
		case a.cost != b.cost:
			if a.cost < b.cost {
				return -1
			}
			return 1
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	first := len(m.cands)
	for i, h := range m.hits {
		if i > 0 && (h.key == m.hits[i-1].key || i >= 16) {
			continue
		}
		doubt, sure := m.doubts(k, h)
		if sure {
			continue
		}
		f := k.Flags
		if h.genusEdits > 0 {
			f |= fGenusCorrected
		}
		if h.edits > h.genusEdits {
			f |= fEpithetCorrected
		}
		if m.explain {
			m.note("fuzzy: %q is %d edits away", m.ix.AppendKey(nil, h.key), h.edits)
		}
		from := len(m.cands)
		m.fromKey(m.ix.Keys[h.key].Usage, p, likeFuzzy, h.edits, h.cost, f)
		for j := from; j < len(m.cands); j++ {
			m.cands[j].doubt = doubt
		}
	}
	m.judge(first)
}
