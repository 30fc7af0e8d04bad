package match

import (
	"slices"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// lookUp returns the candidates of the first tier that has some. The candidates are valid until the
// next lookup with the same buffers.
func (f *finder) lookUp() found {
	var s found
	for hits := range f.tiers {
		if s = f.choose(f.expand(f.buf.candidates[:0], hits)); len(s.candidates) > 0 {
			break
		}
	}
	wrong := f.wronglyUsed(s)
	if f.otherAuthor(s) || wrong {
		// The exact name has another author than the query, or was only misapplied. Perhaps a name in
		// another spelling has the query's author, or is the right one.
		n := len(s.candidates)
		f.variants(func(hits []hit) bool {
			all := f.expand(s.candidates, hits)
			s.candidates = append(all[:n], slices.DeleteFunc(all[n:], func(c candidate) bool { return !c.author.Agrees() && !(wrong && c.author == author.NotGiven) })...)
			return len(all) == n
		})
	}
	f.buf.candidates = s.candidates[:0]
	return s
}

// choose drops those candidates of a tier that do not count. It may drop all of them.
func (f *finder) choose(cands []candidate) found {
	if len(cands) == 0 {
		return found{}
	}
	switch c := &cands[0]; {
	case c.like == higherRank:
		c.flags &^= answer.HybridSignIgnored | answer.RankMissing
		return found{candidates: cands[:1]}
	case c.like == fuzzy:
		return f.nearest(cands)
	case c.flags.Has(answer.GenusExpanded):
		return f.preferDatabase(f.preferAuthor(cands))
	}
	return f.preferAuthor(cands)
}

// otherAuthor reports whether the name itself was found, but only with another author.
func (f *finder) otherAuthor(s found) bool {
	return len(s.candidates) > 0 && s.candidates[0].like == exact && s.candidates[0].author == author.Differs && !s.author &&
		!f.name.Abbreviated && !f.name.OpenGenus
}

// wronglyUsed reports whether the name itself was found, but only misapplied.
func (f *finder) wronglyUsed(s found) bool {
	return len(s.candidates) > 0 && s.candidates[0].like == exact && !f.name.Misapplied &&
		!slices.ContainsFunc(s.candidates, func(c candidate) bool { return !misapplied(&f.Usages[c.usage]) })
}

// preferAuthor finds out whether some candidate's author agrees with the query. If none agrees, it
// keeps all candidates. If some author is the same, it keeps the candidates with the same author;
// otherwise it keeps those whose author agrees. It also keeps accepted names whose checklist gives
// an author.
func (f *finder) preferAuthor(cands []candidate) found {
	s := found{}
	for i := range cands {
		s.author = s.author || cands[i].author.Agrees()
		s.sameAuthor = s.sameAuthor || cands[i].author == author.Same
	}
	s.candidates = cands
	if !s.author {
		return s
	}
	kept := cands[:0]
	for _, c := range cands {
		right := c.author == author.Same || c.author.Agrees() && !s.sameAuthor
		if right || f.accepted(c.usage) && c.author != author.Unknown {
			kept = append(kept, c)
		}
	}
	s.candidates = kept
	return s
}

// preferDatabase drops the candidates that are not species of the database, if some of them are.
func (f *finder) preferDatabase(s found) found {
	own := func(c candidate) bool { return f.inDatabase(c.concept) }
	if slices.ContainsFunc(s.candidates, own) {
		s.candidates = slices.DeleteFunc(s.candidates, func(c candidate) bool { return !own(c) })
	}
	s.candidates = s.candidates[:min(len(s.candidates), 4*answer.MaxLimit)]
	return s
}

// costMargin is the least cost above that of the nearest candidate at which a candidate no longer
// counts.
const costMargin = 0.75

// nearest returns the fuzzy candidates that are near enough to count. cands must be sorted by cost.
// If the author of some candidate agrees with the query, only candidates whose author agrees count.
func (f *finder) nearest(cands []candidate) found {
	otherLife, wellKnown := f.speciesOfOtherLife()
	cands = slices.DeleteFunc(cands, func(c candidate) bool {
		return f.isSisterSpecies(&c) ||
			otherLife && c.author != author.Same && (wellKnown || c.edits > 1 || c.flags.Has(answer.EpithetCorrected))
	})
	agree := slices.ContainsFunc(cands, func(c candidate) bool { return c.author.Agrees() })
	nearest := float64(2 * maxEdits)
	kept := cands[:0]
	for _, c := range cands {
		if isAnotherName(&c) || agree && !c.author.Agrees() || c.cost >= nearest+costMargin {
			continue
		}
		nearest = min(nearest, c.cost)
		kept = append(kept, c)
	}
	return found{candidates: kept, author: agree}
}

// isSisterSpecies reports whether the author of the query, who has named the candidate, may have named
// another species of the genus with a similar name: Ixora regalis and Ixora pedalis. Two epithets with
// the same beginning are one, and so are two that are formed from names of persons with the same
// initial: seldom has an author honoured two such persons.
func (f *finder) isSisterSpecies(c *candidate) bool {
	if c.doubt != doubtWord || c.edits < 2 || c.author != author.Same {
		return false
	}
	const sameBeginning = 8
	k := f.name.Keys[0]
	x, y, _, _ := nextWords(k.Text[min(k.Genus+1, len(k.Text)):], f.Rest(f.KeyOf(c.usage)))
	persons := x[0] == y[0] && len(spelling.Person(x)) < len(x) && len(spelling.Person(y)) < len(y)
	return !persons && spelling.CommonPrefix(x, y) < sameBeginning
}

// isAnotherName reports whether the query probably means another name than c. The checklists then
// lack this other name.
func isAnotherName(c *candidate) bool {
	switch {
	case c.author == author.Differs && c.edits > 2:
		return true
	case c.doubt == doubtGenus:
		return c.edits >= 2 || !c.author.AgreesWell() && c.author != author.NotGiven
	case c.doubt == doubtSlip:
		return c.author != author.Same
	case c.doubt != noDoubt:
		return c.edits >= 2 && c.author != author.Same
	}
	return false
}

// namesOthers reports whether an author has a name in the genus of key.
func (v view) namesOthers(cited *author.Cited, key uint32) bool {
	g := v.GenusOf(key)
	last := ""
	for n := v.Genera[g].Key; n < v.Genera[g+1].Key; n++ {
		usage := v.FirstOf(n)
		for i, to := v.Namesakes(usage); i < to; i++ {
			known := v.Text(i, file.Author)
			if known != last && cited.Compare(known) == author.Same { // the checklists repeat each other
				return true
			}
			last = known
		}
	}
	return false
}

// tiers yields the hits for the name in this order: exact, variant, fuzzy, higher rank. Names
// without an epithet and names with an abbreviated genus have tiers of their own. yield returns
// false if some of the hits have candidates, which ends the lookup. Each tier reports whether to go
// on.
func (f *finder) tiers(yield func([]hit) bool) {
	switch {
	case f.name.Abbreviated:
		f.expansions(yield)
	case f.name.OpenGenus:
		_ = f.belowGenus(yield) && f.higherRanks(yield) && f.nearGenus(yield)
	default:
		_ = f.exact(yield) && f.autonym(yield) && f.variants(yield) && f.fuzzy(yield) && f.higherRanks(yield)
	}
}
