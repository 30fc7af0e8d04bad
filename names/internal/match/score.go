package match

import (
	"fmt"
	"slices"
	"strings"

	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/vocabulary"
)

// A score is the share of right answers among the judged answers of its kind. The shares are in
// docs/name-matching.md. TestCalibration measures them and fails if a score differs by more than
// 0.02 from its share. It has wider limits for scores that are chosen rather than measured.
const (
	scoreSame        = 1.00
	scoreNoAuthor    = 0.98
	scoreVariant     = 0.97
	scoreExpanded    = 0.70
	scoreExpandedAny = 0.50
)

// These scores are chosen. Their shares are measured too, but few answers of these kinds are
// judged, or the judged names are not typical of real lists. givenScores in TestCalibration has the
// allowed difference of each.
const (
	scoreCompatible = 0.98 // with scorePartly, 0.750 of 40: opinions on the place of a synonym differ
	scorePartly     = 0.90
	scoreDiffers    = 0.85 // 0.268 of 220 old synonyms whose homonym WCVP lacks; 0.902 of 41 names in use
	scoreHomonymAcc = 0.75 // the accepted one among homonyms: 0.515 of 136
	scoreHomonym    = 0.60 // another one: 0.355 of 245
)

// A homonym is in use if it is the only one that is the name of a species of the database. These
// scores are chosen. The judged names include each homonym once, but real lists mean the name in
// use far more often.
const (
	scoreHomonymUsed   = 0.95
	scoreHomonymRegion = 0.90 // the only one in the region of the query
	scoreHomonymUnused = 0.20
)

// These scores are chosen, because fewer than 40 answers of each kind are judged. Each is between
// the scores of the nearest measured kinds.
const (
	scoreSameType       = 0.85 // the author differs, but the author of the basionym is the same
	scoreHomonymDiffers = 0.70 // the accepted one among homonyms if the author differs
	scoreOther          = 0.10 // a homonym if another one has the right author
	scoreLaterHomonym   = 0.65 // probably a later homonym that no checklist has: Agrostis tenuis Vasey, not Sibth.
	scoreVariantDiffers = 0.60
	scorePossible       = 0.60 // found through a possible edge
	scoreDrugName       = 0.88 // a synonym that only books on drugs give
	scoreOneOf          = 0.50 // one of several names in one text
	scoreHemihomonym    = 0.60 // a genus without a species that is also a genus of animals
	scoreUnread         = 0.10 // deducted for unread words
	scoreUnreadRank     = 0.60 // a rank before unread words: subsp. adesmo.
	scoreTied           = 0.65 // each of two names that are equally near
	scoreRewritten      = 0.85 // read in another way than it is written: Platycodon Grandiflorus
	scoreRankOnly       = 0.85 // a rank with no epithet after it: Rosa canina var.
	scoreYear           = 0.85 // an author with a year, as zoologists cite, that no checklist confirms
	// A genus that is two letters away or is a genus of other life. Of 75 names of animals, 1 was
	// so near a plant.
	scoreGenusFar = 0.65
	scoreSpecies  = 0.40 // higherRank: the species of an infraspecific name
	scoreGenus    = 0.20
	// A genus without a species that differs in a letter. Names of animals and drugs and plain
	// words are as often near a genus as misspelt genera are.
	scoreGenusEdit       = 0.25
	scoreGenusEditAuthor = 0.60 // the author agrees
	scoreGenusWords      = 0.60 // a genus with words after it that no list has as its author
)

// fuzzyScores has the scores by the number of edits (1, 2, 3) and by the author: same, compatible,
// partly, not given, unknown, differs. The scores for one and two edits with the same author or
// without author are measured; the others are chosen.
var fuzzyScores = [maxEdits][6]float64{
	{0.97, 0.96, 0.94, 0.92, 0.90, 0.65},
	{0.93, 0.80, 0.70, 0.80, 0.70, 0},
	{0.88, 0.70, 0.50, 0.70, 0.50, 0},
}

// weigher scores the candidates for one name, which it also compares with each other.
type weigher struct {
	view
	name        *parse.Name
	found       found
	cited       *author.Cited
	explain     bool
	authorApart bool   // the query gives the author in a separate field
	region      string // a hint of the query
	// sameInitial is true if the epithet of some candidate starts with the same letter as the
	// epithet of the query.
	sameInitial bool
}

// weigh appends the candidates with their scores to dst.
func (w *weigher) weigh(dst []scored) []scored {
	if all := w.found.candidates; len(all) > 0 && all[0].like == fuzzy {
		w.sameInitial = slices.ContainsFunc(all, func(c candidate) bool { return !w.otherInitial(&c) })
	}
	for i := range w.found.candidates {
		s := newScored(w.found.candidates[i], w.explain)
		w.base(&s)
		w.adjust(&s)
		s.score = max(s.score, 0)
		dst = append(dst, s)
	}
	return dst
}

// base adds the score for the likeness of the names and of the authors.
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
		s.cap(w.homonymCap(c))
	case fuzzy:
		s.add(w.fuzzy(c))
		if !c.author.Agrees() {
			if w.tied(c) {
				s.cap("another name is as near", scoreTied)
			}
			if (w.sameInitial || c.edits > 1) && w.otherInitial(c) {
				s.cap("the epithet begins with another letter", scoreTied)
			}
			if c.edits >= maxEdits {
				s.cap("three letters differ, and no author confirms it", scoreTied)
			}
		}
		if c.doubt != noDoubt && !w.authorConfirms(c) {
			s.add("the word as written is a known word", -0.15)
		}
		if c.flags.Has(vocabulary.GenusCorrected) {
			s.add("genus corrected", -0.03)
		}
		s.cap(w.homonymCap(c))
	case higherRank:
		if c.up == 1 {
			s.add("the species of an infraspecific name", scoreSpecies)
		} else {
			s.add("the genus only", scoreGenus)
		}
	}
}

// adjust changes the score because of all other differences.
func (w *weigher) adjust(s *scored) {
	c := &s.candidate
	if c.flags.Has(vocabulary.ProParte) && w.divided(c) {
		s.add("divided among several names", scoreHomonym-s.score)
	}
	if w.ofDrugs(&w.Usages[c.usage]) {
		s.cap("a name of drug plants, in no checklist", scoreDrugName)
	}
	if c.flags.Has(vocabulary.AutonymOfSpecies) {
		s.add("the species in place of its autonym", -0.05)
	}
	if c.flags.Has(vocabulary.OpenNomenclature) && c.like == exact && len(w.name.Epithets) > 0 {
		s.cap("a rank, and nothing after it", scoreRankOnly)
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
	if (c.author == author.Unknown || c.author == author.Differs) && w.cited.Year() != 0 {
		s.cap("an author with a year that no checklist confirms", scoreYear)
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
	if c.flags.Has(vocabulary.GenusCorrected) && !c.author.Agrees() {
		if c.inGenus > 1 {
			s.cap("a genus two letters away, and no author confirms it", scoreGenusFar)
		} else if w.ofOtherLife() {
			s.cap("a genus of animals, fungi, algae or bacteria has this spelling", scoreGenusFar)
		}
	}
	if w.mayBeCultivar(c) {
		s.cap("a genus alone, followed by words that may be a cultivar name", scoreGenusWords)
	}
	if w.hemihomonym(c) {
		c.flags |= vocabulary.Homonym
		s.cap("a genus of animals has this name too", scoreHemihomonym)
	}
	if w.name.Unread && c.like != higherRank {
		s.add("the text has words that were not understood", -scoreUnread)
		if c.flags.Has(vocabulary.OpenNomenclature) {
			s.cap("something below this name was not understood", scoreUnreadRank)
		}
	}
	if w.name.NoOrganism {
		s.cap("a virus of the plant is named", scoreOneOf)
	}
	if w.name.OneOf {
		s.cap("the text has other names too", scoreOneOf)
	}
}

// ofOtherLife reports whether the genus of the query is one of animals, fungi, algae or bacteria.
func (w *weigher) ofOtherLife() bool {
	if w.found.life == notAsked {
		w.found.life = noOtherLife
		if is, _ := w.otherLife(w.name.Keys[0].Text[:w.name.Keys[0].Genus]); is {
			w.found.life = someOtherLife
		}
	}
	return w.found.life == someOtherLife
}

// uninomial reports whether the query is a genus without a species.
func (w *weigher) uninomial() bool {
	return len(w.name.Keys) > 0 && w.name.Keys[0].Genus == len(w.name.Keys[0].Text)
}

// mayBeCultivar reports whether the query is a genus followed by words that may be an author or a
// cultivar: Rosa Peace.
func (w *weigher) mayBeCultivar(c *candidate) bool {
	return w.uninomial() && (c.author == author.Unknown || c.author == author.Differs) && !w.authorApart && !author.Evident(w.name.Author)
}

// exact returns the score of a candidate with the same name.
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
	case w.hasRival(c) && w.sameType(c):
		return "one of homonyms, whose basionym has this author", scoreHomonymAcc
	case w.hasRival(c) && c.author == author.Differs && w.accepted(c.usage):
		return "accepted one of homonyms", scoreHomonymDiffers
	case w.hasRival(c):
		return w.homonym(c)
	case w.sameType(c):
		return "same name, author differs, but not that of the basionym", scoreSameType
	case c.author == author.Differs && !w.checklistsOnly && !w.inUse(c) && w.namesOthers(w.cited, w.KeyOf(c.usage)):
		return "same name, but its author is another one who named species of the genus", scoreLaterHomonym
	case c.author == author.Differs:
		return "same name, author differs", scoreDiffers
	}
	return "same name, one in the checklists", scoreNoAuthor
}

// authorConfirms reports whether the author makes c likely, although a word of the query exists as
// it is written. The same author is unlikely to have named two such similar plants.
func (w *weigher) authorConfirms(c *candidate) bool {
	return c.author == author.Same || c.doubt == doubtShort && c.author.AgreesWell()
}

// inUse reports whether a candidate is the name of a species of the database, with the rank and
// the hybrid sign of the query.
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

// inRegion reports whether the taxon of a candidate occurs in China, the only region: the database
// or Catalogue of Life China has it.
func (w *weigher) inRegion(c *candidate) bool { return len(w.MembersOf(c.concept)) > 0 }

// count returns the number of taxa among c and its homonyms that are in use or, if region is true,
// that occur in the region.
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

// homonym returns the score of a homonym when no author decides.
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

// homonymCap returns the highest score of a name in another spelling that has homonyms.
func (w *weigher) homonymCap(c *candidate) (reason string, most float64) {
	if c.author.Agrees() || !w.hasRival(c) {
		return "", 1
	}
	return w.homonym(c)
}

// fuzzy returns the score of a name that differs in letters. It writes the reason only if the query
// asks for it, since a misspelt name has many candidates.
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

// tied reports whether another candidate is as near as c and has another accepted name.
func (w *weigher) tied(c *candidate) bool {
	return slices.ContainsFunc(w.found.candidates, func(o candidate) bool {
		return o.edits == c.edits && o.like == c.like && !w.SameKey(o.usage, c.usage) && !w.sameTaxon(&o, c)
	})
}

// otherInitial reports whether a candidate in the genus of the query has an epithet that starts
// with another letter than in the query.
func (w *weigher) otherInitial(c *candidate) bool {
	if c.inGenus != 0 || len(w.name.Epithets) == 0 {
		return false
	}
	_, rest, _ := strings.Cut(w.Name(c.usage), " ")
	return rest != "" && !strings.HasPrefix(strings.TrimLeft(rest, "× "), w.name.Epithets[0].Word[:1])
}

// several reports whether the candidates have more than one accepted name.
func (w *weigher) several() bool {
	all := w.found.candidates
	return slices.ContainsFunc(all[1:], func(c candidate) bool { return !w.sameTaxon(&all[0], &c) })
}

// sameType reports whether the author of the query and the author of c differ but have the same
// author of the basionym.
func (w *weigher) sameType(c *candidate) bool {
	return c.author == author.Differs && w.cited.SameBasionym(w.Text(c.usage, file.Author))
}

// hasRival reports whether a homonym of c has another accepted name.
func (w *weigher) hasRival(c *candidate) bool {
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

// signMatters reports whether another candidate is as near as c and agrees with the query in the
// hybrid sign.
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

// divided reports whether another candidate is a part of the same divided name.
func (w *weigher) divided(c *candidate) bool {
	for i := range w.found.candidates {
		if o := &w.found.candidates[i]; w.sameName(o.usage, c.usage) && o.concept != c.concept {
			return true
		}
	}
	return false
}
