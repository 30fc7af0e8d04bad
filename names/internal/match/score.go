package match

import (
	"fmt"
	"slices"

	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/vocabulary"
)

// A score is the share of right answers among judged answers of the same kind.
// The shares are in docs/name-matching.md. TestCalibration measures them anew and
// fails when a score lies more than 0.02 from its share, but for the kinds that
// are named there as given.
const (
	scoreSame        = 1.00
	scoreNoAuthor    = 0.98
	scoreVariant     = 0.97
	scoreExpanded    = 0.90
	scoreExpandedAny = 0.50
)

// These scores are given. They were measured too, but the judged answers of
// these kinds are not what most lists ask, or are few; givenScores in
// TestCalibration says by how much each may be off.
const (
	scoreCompatible = 0.98 // with scorePartly 0.750 of 40: opinions on the place of a synonym differ
	scorePartly     = 0.90
	scoreDiffers    = 0.85 // 0.268 of 220 old synonyms, whose own homonym WCVP lacks; 0.902 of 41 names in use
	scoreHomonymAcc = 0.75 // the accepted one among homonyms: 0.515 of 136
	scoreHomonym    = 0.60 // another one: 0.355 of 245
)

// The homonym that is the name of a species of the database is the one in use,
// where no other is. Given: the judged are asked for once each, and in lists the
// name in use is meant far more often than the one it is a homonym of.
const (
	scoreHomonymUsed   = 0.95
	scoreHomonymRegion = 0.90 // the only one that grows in the region asked for
	scoreHomonymUnused = 0.20
)

// These scores are given: nobody has judged as many as forty answers of their
// kinds. They stand where they do between their neighbours that were measured.
const (
	scoreSameType       = 0.85 // author differs, but not that of the basionym
	scoreHomonymDiffers = 0.70 // the accepted one among homonyms, author differs
	scoreOther          = 0.10 // a homonym when another has the right author
	scoreVariantDiffers = 0.60
	scorePossible       = 0.60 // a possible edge leads there
	scoreOneOf          = 0.50 // one of several names in one text
	scoreHemihomonym    = 0.60 // a genus alone that animals have too
	scoreUnread         = 0.10 // what words cost that were left over
	scoreSpecies        = 0.40 // higherRank: the species of an infraspecific name
	scoreGenus          = 0.20
	// A genus alone that differs in a letter: of animals, drugs and plain words
	// as many are as near to a genus as of misspelt genera.
	scoreGenusEdit       = 0.25
	scoreGenusEditAuthor = 0.60 // the author agrees
	scoreGenusWords      = 0.60 // words behind it that no list has as its author
)

// fuzzyScores by edits (1, 2, 3) and author: same, compatible, partly, not
// given, unknown, differs. One and two edits with the same author and without
// any were measured, the others are given.
var fuzzyScores = [maxEdits][6]float64{
	{0.97, 0.96, 0.94, 0.92, 0.90, 0.65},
	{0.93, 0.80, 0.70, 0.80, 0.70, 0},
	{0.88, 0.70, 0.50, 0.70, 0.50, 0},
}

// weigher weighs the candidates for one name against each other.
type weigher struct {
	view
	name    *parse.Name
	found   found
	cited   *author.Cited
	explain bool
	apart   bool   // the author was given apart from the name, so is one
	region  string // a hint
}

// weigh scores the candidates.
func (w *weigher) weigh(dst []scored) []scored {
	for i := range w.found.candidates {
		s := newScored(w.found.candidates[i], w.explain)
		w.base(&s)
		w.adjust(&s)
		s.score = max(s.score, 0)
		dst = append(dst, s)
	}
	return dst
}

// base is what a candidate is worth for how alike the names and the authors
// are.
func (w *weigher) base(s *scored) {
	c := &s.candidate
	switch c.like {
	case exact:
		s.add(w.exact(c))
	case variant:
		s.add("same orthographic key", scoreVariant)
		if w.sameType(c) {
			s.add("author differs, but not that of the basionym", -0.05)
		} else if c.author == author.Differs {
			s.add("author differs", scoreVariantDiffers-scoreVariant)
		}
		s.cap(w.homonymous(c))
	case fuzzy:
		s.add(w.fuzzy(c))
		if c.doubt != noDoubt && !w.ownSlip(c) {
			s.add("the word as it stands is a known one", -0.15)
		}
		if c.flags.Has(vocabulary.GenusCorrected) {
			s.add("genus corrected", -0.03)
		}
		s.cap(w.homonymous(c))
	case higherRank:
		if c.up == 1 {
			s.add("the species of an infraspecific name", scoreSpecies)
		} else {
			s.add("the genus only", scoreGenus)
		}
	}
}

// adjust takes away what else speaks against a candidate.
func (w *weigher) adjust(s *scored) {
	c := &s.candidate
	if c.flags.Has(vocabulary.ProParte) && w.divided(c) {
		s.add("divided among several names", scoreHomonym-s.score)
	}
	if c.flags.Has(vocabulary.AutonymOfSpecies) {
		s.add("the species stands for its autonym", -0.05)
	}
	if c.flags.Has(vocabulary.RankDiffers) && c.like != higherRank {
		s.add("rank differs", -0.05)
	}
	if c.flags.Has(vocabulary.HybridSignIgnored) && w.signMatters(c) {
		s.add("another name agrees in the hybrid sign", -0.12)
	}
	if c.flags.Has(vocabulary.FamilyDiffers) {
		s.add("family differs", -0.15)
	}
	if w.name.Misapplied && !misapplied(&w.Usages[c.usage]) {
		s.cap("not in the sense of its author", scoreHomonym)
	}
	if c.edits > 0 && c.like != higherRank && w.uninomial() {
		if c.author.AgreesWell() {
			s.cap("a genus alone, misspelt, the author agrees", scoreGenusEditAuthor)
		} else {
			s.cap("a genus alone, misspelt", scoreGenusEdit)
		}
	}
	if w.mayBeCultivar(c) {
		s.cap("a genus alone, and words behind it that may be a cultivar's", scoreGenusWords)
	}
	if w.hemihomonym(c) {
		c.flags |= vocabulary.Homonym
		s.cap("a genus of animals has this name too", scoreHemihomonym)
	}
	if w.name.Unread && c.like != higherRank {
		s.add("the text has words that nobody read", -scoreUnread)
	}
	if w.name.OneOf {
		s.cap("the text has other names too", scoreOneOf)
	}
}

// uninomial says whether a genus alone is asked for.
func (w *weigher) uninomial() bool {
	return len(w.name.Keys) > 0 && w.name.Keys[0].Genus == len(w.name.Keys[0].Text)
}

// mayBeCultivar says whether a genus alone is asked for with words behind it
// that may be an author's and may be a cultivar's: Rosa Peace.
func (w *weigher) mayBeCultivar(c *candidate) bool {
	return w.uninomial() && (c.author == author.Unknown || c.author == author.Differs) && !w.apart && !author.Evident(w.name.Author)
}

// exact is what the same name is worth.
func (w *weigher) exact(c *candidate) (reason string, score float64) {
	switch {
	case c.flags.Has(vocabulary.GenusExpanded) && w.several():
		return "genus expanded, one of several", scoreExpandedAny
	case c.flags.Has(vocabulary.GenusExpanded):
		return "genus expanded from its first letters", scoreExpanded
	case c.author == author.Same:
		return "same name, same author", scoreSame
	case c.author.AgreesWell() && !w.found.sameAuthor:
		return "same name, author compatible", scoreCompatible
	case c.author.Agrees() && !w.found.sameAuthor:
		return "same name, author agrees in part", scorePartly
	case w.found.author && c.author == author.Unknown:
		return "homonym without author; another has this author", scoreOther
	case w.found.author && c.author != author.NotGiven:
		return "homonym; another has this author", scoreOther
	case w.rivalled(c) && w.sameType(c):
		return "one of homonyms, whose basionym has this author", scoreHomonymAcc
	case w.rivalled(c) && c.author == author.Differs && w.accepted(c.usage):
		return "accepted one of homonyms", scoreHomonymDiffers
	case w.rivalled(c):
		return w.homonym(c)
	case w.sameType(c):
		return "same name, author differs, but not that of the basionym", scoreSameType
	case c.author == author.Differs:
		return "same name, author differs", scoreDiffers
	}
	return "same name, one in the checklists", scoreNoAuthor
}

// ownSlip says that the author speaks for a name although its word is a known
// one as it stands: the same author is not likely to have meant another one.
func (w *weigher) ownSlip(c *candidate) bool {
	return c.author == author.Same || c.doubt == doubtShort && c.author.AgreesWell()
}

// inUse says whether a candidate is the name of a species of the database, as
// it was asked for.
func (w *weigher) inUse(c *candidate) bool {
	if c.flags.Has(vocabulary.HybridSignIgnored | vocabulary.RankDiffers | vocabulary.RankMissing) {
		return false
	}
	for i, to := w.Namesakes(c.usage); i < to; i++ {
		if u := &w.Usages[i]; u.Group == w.Usages[c.usage].Group && w.own(i) && u.Bits.Has(file.Own) {
			return true
		}
	}
	return false
}

// inRegion says whether a candidate leads to a taxon of the region: one that the
// database or Catalogue of Life China has.
func (w *weigher) inRegion(c *candidate) bool { return len(w.MembersOf(c.concept)) > 0 }

// count counts the taxa of homonyms of c that are in use, or in the region asked
// for.
func (w *weigher) count(c *candidate, region bool) (n int) {
	var last *candidate
	for i := range w.found.candidates {
		o := &w.found.candidates[i]
		is := w.SameKey(o.usage, c.usage) && (region && w.inRegion(o) || !region && w.inUse(o))
		if !is || last != nil && w.sameTaxon(last, o) {
			continue
		}
		last = o
		n++
	}
	return n
}

// homonym is what one of homonyms is worth that no author tells apart.
func (w *weigher) homonym(c *candidate) (reason string, score float64) {
	if c.author == author.NotGiven {
		switch {
		case w.count(c, false) == 1:
			if w.inUse(c) {
				return "the homonym in use: a species of the database", scoreHomonymUsed
			}
			return "one of homonyms; another is in use", scoreHomonymUnused
		case w.region != "" && w.count(c, true) == 1:
			if w.inRegion(c) {
				return "the homonym of the region", scoreHomonymRegion
			}
			return "one of homonyms; another grows in the region", scoreHomonymUnused
		}
	}
	if w.accepted(c.usage) {
		return "accepted one of homonyms", scoreHomonymAcc
	}
	return "one of homonyms", scoreHomonym
}

// homonymous is the most that a name is worth that is spelt otherwise, because
// it is one of homonyms.
func (w *weigher) homonymous(c *candidate) (reason string, most float64) {
	if c.author.Agrees() || !w.rivalled(c) {
		return "", 1
	}
	return w.homonym(c)
}

// fuzzy is what a name is worth that differs in letters. The reason is written
// only when it is asked for: a misspelt name has many candidates.
func (w *weigher) fuzzy(c *candidate) (reason string, score float64) {
	n := min(max(c.edits, 1), maxEdits)
	if w.explain {
		word := "edits"
		if n == 1 {
			word = "edit"
		}
		reason = fmt.Sprintf("%d %s, author %s", n, word, c.author)
	}
	return reason, fuzzyScores[n-1][c.author]
}

// several says whether the candidates lead to more than one accepted name.
func (w *weigher) several() bool {
	all := w.found.candidates
	return slices.ContainsFunc(all[1:], func(c candidate) bool { return !w.sameTaxon(&all[0], &c) })
}

// sameType says whether the author asked for differs from that of c only in
// who combined the name.
func (w *weigher) sameType(c *candidate) bool {
	return c.author == author.Differs && w.cited.SameBasionym(w.Text(c.usage, file.Author))
}

// rivalled says whether a homonym of c leads to another accepted name.
func (w *weigher) rivalled(c *candidate) bool {
	if c.homonym < 2 {
		return false
	}
	for i := range w.found.candidates {
		if o := &w.found.candidates[i]; w.SameKey(o.usage, c.usage) && !w.sameTaxon(o, c) {
			return true
		}
	}
	return false
}

// signMatters says whether, but for its hybrid sign, another accepted name is
// the one that c is.
func (w *weigher) signMatters(c *candidate) bool {
	for i := range w.found.candidates {
		o := &w.found.candidates[i]
		if !o.flags.Has(vocabulary.HybridSignIgnored) && o.like == c.like && o.edits == c.edits && o.author <= c.author &&
			(w.name.Hybrid || w.accepted(o.usage)) {
			return true
		}
	}
	return false
}

// divided says whether another candidate is a part of the same divided name.
func (w *weigher) divided(c *candidate) bool {
	for i := range w.found.candidates {
		if o := &w.found.candidates[i]; w.sameName(o.usage, c.usage) && o.concept != c.concept {
			return true
		}
	}
	return false
}
