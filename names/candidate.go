package names

import (
	"bencao/names/internal/file"

	"bencao/names/internal/parse"
)

// likeness orders the match types, the strongest first.
type likeness uint8

const (
	likeExact likeness = iota
	likeVariant
	likeFuzzy
	likeHigher
)

var likenessNames = [...]string{MatchExact, MatchVariant, MatchFuzzy, MatchHigherRank}

// candidate is a name of the index that may be the one asked for.
type candidate struct {
	usage   uint32 // what the winning checklist says of the name
	concept uint32 // the usage of the accepted name that it leads to
	like    likeness
	author  fit
	flags   flagSet
	edits   int     // letters that differ
	cost    float64 // edits, the first letter and the genus weighing more
	score   float64
	up      int // for higherRank: 1 the species, 2 the genus
	homonym int // names that share the key
	doubt   doubt
	parts   []ScorePart
}

// placed says whether some checklist accepts the candidate's name or its
// accepted name.
func (m *matcher) placed(c *candidate) bool {
	return m.ix.Usages[c.concept].Bits&file.Placed != 0
}

// fromKey adds the names of a key, given by a usage, as candidates that differ
// by like and edits from the one asked for.
func (m *matcher) fromKey(usage uint32, p *parse.Name, like likeness, edits int, cost float64, flags flagSet) {
	from, to := m.ix.Namesakes(usage)
	first := len(m.cands)
	for g := 0; g < 256; g++ {
		found, more := m.fromGroup(from, to, uint8(g), p)
		for i := range found {
			c := &found[i]
			c.like, c.edits, c.cost = like, edits, cost
			c.flags |= flags | p.Flags
			m.cands = append(m.cands, *c)
		}
		if !more {
			break
		}
	}
	m.cands = append(m.cands[:first], preferRank(m.cands[first:])...)
	m.markHomonyms(m.cands[first:])
}

// preferRank drops names of another rank than the one asked for if one has
// it, unless only theirs is the author asked for.
func preferRank(cands []candidate) []candidate {
	same, agrees := false, false
	for i := range cands {
		if !cands[i].flags.Has(fRankDiffers | fRankMissing) {
			same = true
			agrees = agrees || cands[i].author.Agrees()
		}
	}
	if !same {
		return cands
	}
	kept := cands[:0]
	for _, c := range cands {
		if !c.flags.Has(fRankDiffers) || c.author.Agrees() && !agrees {
			kept = append(kept, c)
		}
	}
	return kept
}

// fromGroup returns the candidates of one name, group g of the usages from
// from to to: one, or one for each part of a name that is divided. It reports
// whether there may be a group with a higher number.
func (m *matcher) fromGroup(from, to uint32, g uint8, p *parse.Name) (found []candidate, more bool) {
	ix := m.ix
	best, author, differs := file.None, fitUnknown, false
	for i := from; i < to; i++ {
		u := &ix.Usages[i]
		if u.Group > g {
			more = true
		}
		if u.Group != g {
			continue
		}
		// The database's author counts for Reconcile too, so that it gives
		// the answer that Match gives.
		if a := m.compareAuthor(p, i); a == fitDiffers {
			differs = true
		} else {
			author = min(author, a)
		}
		if m.skipDatabase && int(u.Checklist) == ix.Database {
			continue
		}
		if best == file.None || better(u, &ix.Usages[best], p.Misapplied) || m.closer(i, best, p) {
			best = i
		}
	}
	if best == file.None {
		return nil, more
	}
	if differs && !author.Agrees() {
		author = fitDiffers
	}
	verdict := &ix.Usages[best]
	c := candidate{usage: best, concept: verdict.Concept, author: author}
	c.flags = m.nameFlags(p, best)
	m.found = append(m.found[:0], c)
	for i := from; i < to; i++ {
		u := &ix.Usages[i]
		if u.Group != g || i == best || u.Bits&file.Placed == 0 || u.Concept == c.concept || m.skipDatabase && int(u.Checklist) == ix.Database {
			continue
		}
		switch {
		case u.Checklist == verdict.Checklist && verdict.Bits&file.Own != 0:
			// The accepted name; parts of what was called so are elsewhere.
			m.found[0].flags |= fProParte
		case u.Checklist == verdict.Checklist && (u.Status.Word() != Misapplied || verdict.Status.Word() == Misapplied):
			d := c
			d.usage, d.concept = i, u.Concept
			m.found = append(m.found, d)
		case int(u.Checklist) != ix.Database && verdict.Bits&file.Placed != 0:
			m.found[0].flags |= fDisagree
		}
	}
	if len(m.found) > 1 {
		for i := range m.found {
			m.found[i].flags |= fProParte
		}
	} else if verdict.Bits&file.ProParte != 0 {
		m.found[0].flags |= fProParte
	}
	return m.found, more
}

// better says whether u speaks for a name rather than v, which comes before
// it: a usage that is placed rather than one that is not, and a misapplied
// one only when asked for.
func better(u, v *file.Usage, misapplied bool) bool {
	if mu, mv := u.Status.Word() == Misapplied, v.Status.Word() == Misapplied; mu != mv {
		return mu == misapplied
	}
	return v.Bits&file.Placed == 0 && u.Bits&file.Placed != 0
}

// closer says whether usage a, which the same checklist has beside b for the
// same taxon, is spelt more like the name asked for.
func (m *matcher) closer(a, b uint32, p *parse.Name) bool {
	ix := m.ix
	u, v := &ix.Usages[a], &ix.Usages[b]
	if u.Checklist != v.Checklist || u.Concept != v.Concept || (u.Bits^v.Bits)&file.Placed != 0 {
		return false
	}
	return ix.Name(a) == p.Canonical && ix.Name(b) != p.Canonical
}

func (m *matcher) compareAuthor(p *parse.Name, usage uint32) fit {
	if p.Author == "" {
		return fitNotGiven
	}
	known := m.ix.Text(usage, file.Author)
	if known == "" {
		return fitUnknown
	}
	if sameLetters(p.Author, known) {
		return fitSame
	}
	if !m.authorsParsed {
		m.given, m.authorsParsed = parseAuthors(p.Author), true
	}
	return m.given.Compare(parseAuthors(known))
}

// nameFlags compares what keys leave out: rank and hybrid sign.
func (m *matcher) nameFlags(p *parse.Name, usage uint32) flagSet {
	u := &m.ix.Usages[usage]
	var f flagSet
	rank := ""
	if u.Bits&file.Ranked != 0 {
		rank = rankOf(m.ix.Name(usage))
	}
	switch {
	case p.Rank == "" && rank != "":
		f |= fRankMissing
	case p.Rank != "" && rank != "" && plainRank(p.Rank) != plainRank(rank):
		f |= fRankDiffers
	}
	if p.Hybrid != (u.Bits&file.Hybrid != 0) {
		f |= fHybridSignIgnored
	}
	return f
}

// markHomonyms counts the different names among the candidates of one key.
func (m *matcher) markHomonyms(cands []candidate) {
	names := 0
	for i := range cands {
		if i == 0 || m.ix.Usages[cands[i].usage].Group != m.ix.Usages[cands[i-1].usage].Group {
			names++
		}
	}
	for i := range cands {
		cands[i].homonym = names
		if names > 1 {
			cands[i].flags |= fHomonym
		}
	}
}
