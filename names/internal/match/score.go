package match

import (
	"fmt"
	"slices"
	"strings"

	"bencao/names/editdistance"
	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// A score is the share of right answers among the judged answers of its kind. docs/name-matching.md
// has the shares. TestCalibration measures them and fails if a score differs by more than 0.02 from
// its share. For scores that were set by hand instead, givenScores in TestCalibration has the
// allowed difference.
const (
	scoreSame     = 1.00
	scoreNoAuthor = 0.98
	scoreVariant  = 0.97
	// scoreCompatible and scoreLikely are set by hand: the share is 0.750 of the 40 answers whose
	// author is compatible or agrees in part. With so few answers, differing opinions on synonyms
	// change it much.
	scoreCompatible = 0.98
	// scoreHomonymUsed is the score of the homonym in use, if only one of the homonyms is the name
	// of a species of the database. scoreHomonymUnused is the score of the others. Both are set by
	// hand: the judged names include each homonym once, but in real lists the name in use is far
	// more frequent.
	scoreHomonymUsed   = 0.95
	scoreHomonymUnused = 0.20
	scoreHomonymAcc    = 0.75 // the accepted one of several homonyms; the share is 0.515 of 136
)

// These scores are levels, from names that can be accepted to names that are surely wrong. Several
// kinds of answers share a level if no judged list distinguishes them: fewer than 40 answers of each
// kind are judged, or the judged names are not typical of real lists.
const (
	// scoreLikely: the author agrees in part, or only this homonym occurs in the region.
	scoreLikely = 0.90
	// scoreUnread: words of the text were not understood, so a person must check the answer.
	scoreUnread = 0.89
	// scoreHerbName: only books on herbs give this synonym.
	scoreHerbName = 0.88
	// scoreReview: the author differs; the text was read in another way than it is written, as
	// Platycodon Grandiflorus; it has a rank with no epithet after it, as Rosa canina var.; or it
	// gives the author with a year, as zoologists do, and no checklist has this author. If the
	// author differs, the share is 0.902 of 41 names in use, but 0.268 of 220 old synonyms: WCVP has
	// only a homonym of such a synonym.
	scoreReview = 0.85
	// scoreWeak: the genus is abbreviated, or the name is the accepted homonym but its author
	// differs.
	scoreWeak = 0.70
	// scoreDoubtful: two names are equally near; the genus differs in two letters or is one of
	// animals (of 75 names of animals, one was as near as this to a name of a plant); or the query
	// is probably a later homonym that no checklist has, as Agrostis tenuis Vasey, not Sibth.
	scoreDoubtful = 0.65
	// scoreUnlikely: a homonym that is not accepted (the share is 0.355 of 245), a misapplied name, a
	// variant with another author, a taxon found through a possible edge, or a genus alone that animals have too
	// or that other words follow.
	scoreUnlikely = 0.60
	// scoreOneOf: one of several names in the text, or of several with the abbreviated genus.
	scoreOneOf = 0.50
	// scoreSpecies: only the species of an infraspecific name was found.
	scoreSpecies = 0.40
	// scoreGenusEdit: the query is a genus without a species, and one letter differs. Names of
	// animals, names of herbs and plain words are as often one letter away from a genus as misspelt
	// genera are.
	scoreGenusEdit = 0.25
	// scoreGenus: only the genus was found.
	scoreGenus = 0.20
	// scoreOther: a homonym, if another homonym has the author of the query.
	scoreOther = 0.10
)

// fuzzyScores has the scores of fuzzy matches, by the number of edits (1, 2, 3) and by the verdict
// on the author: same, compatible, partly, not given, unknown, differs. The scores for one and two
// edits are measured if the author is the same or not given. The others are set by hand.
var fuzzyScores = [maxEdits][6]float64{
	{0.97, 0.96, 0.94, 0.92, 0.90, 0.65},
	{0.93, 0.80, 0.70, 0.80, 0.70, 0.60},
	{0.88, 0.70, 0.50, 0.70, 0.50, 0},
}

func newScored(c candidate, explain bool) scored {
	if explain {
		return scored{candidate: c, why: &explanation{}}
	}
	return scored{candidate: c}
}

// add adds v to the score and records the reason.
func (s *scored) add(reason string, v float64) {
	s.score += v
	if s.why != nil {
		s.why.parts = append(s.why.parts, answer.ScorePart{Reason: reason, Value: v})
	}
}

// cap lowers the score as a row demands.
func (s *scored) cap(row *ceiling) {
	if s.score > row.most {
		s.add(row.name, row.most-s.score)
	}
}

// change replaces the score of s. It rounds the old and the new score to two decimals, so that the
// parts of the explanation add up.
func (s *scored) change(reason string, score float64) {
	s.score = rounded(s.score)
	s.add(reason, score-s.score)
	s.score = rounded(score)
}

// weigher scores the candidates for one name. Some scores depend on the other candidates.
type weigher struct {
	view
	name        *parse.Name
	found       found
	cited       *author.Cited
	explain     bool
	plant       bool   // the query says that it means a plant
	authorApart bool   // the query gives the author in a separate field
	region      string // the region in the query, which is a hint
	grows       func(answer.ListedAs) bool
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
		dst = append(dst, newScored(w.found.candidates[i], w.explain))
		s := &dst[len(dst)-1]
		w.base(s)
		w.adjust(s)
		s.score = max(s.score, 0)
	}
	return dst
}

// base adds the score for the likeness of the name and for the agreement of the author.
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
			s.add("author differs", scoreUnlikely-scoreVariant)
		}
		w.limit(s, endingCaps)
		w.capHomonym(s)
	case fuzzy:
		s.add(w.fuzzy(c))
		w.limit(s, misspeltCaps)
		if c.doubt != noDoubt && !w.authorConfirms(c) {
			less := 0.15
			if c.author == author.Differs && !w.tied(c) {
				less = min(less, s.score-scoreUnlikely)
			}
			s.add("the word as written is a known word", -max(less, 0))
		}
		if c.flags.Has(answer.GenusCorrected) {
			s.add("genus corrected", -0.03)
		}
		w.capHomonym(s)
	case higherRank:
		if c.up == 1 {
			s.add("the species of an infraspecific name", scoreSpecies)
		} else {
			s.add("the genus only", scoreGenus)
		}
	}
}

// adjust changes the score for all differences that base does not consider.
func (w *weigher) adjust(s *scored) {
	c := &s.candidate
	if c.flags.Has(answer.ProParte) && w.divided(c) {
		s.add("divided among several names", scoreUnlikely-s.score)
	}
	if c.flags.Has(answer.AutonymOfSpecies) {
		s.add("the species in place of its autonym", -0.05)
	}
	if c.flags.Has(answer.RankDiffers) && c.like != higherRank {
		s.add("rank differs", -0.05)
	}
	if c.flags.Has(answer.HybridSignIgnored) && w.signMatters(c) {
		s.add("another name agrees in the hybrid sign", -0.12)
	}
	if c.author == author.Differs && c.like <= variant && c.homonym < 2 {
		c.flags |= answer.FlagAuthorDiffers
	}
	if c.flags.Has(answer.FamilyDiffers) && !onlyOne(c) && !c.oldFamily {
		s.add("family differs", -0.15)
	}
	if w.hemihomonym(c) {
		c.flags |= answer.Homonym
	}
	if w.name.Unread {
		s.leavesUnread()
	}
	w.limit(s, caps)
}

// leavesUnread lowers the score of a candidate if the text has words that were not understood.
func (s *scored) leavesUnread() {
	if s.like != higherRank {
		s.add("the text has words that were not understood", min(-0.10, scoreUnread-s.score))
	}
}

// onlyOne reports whether the name of c is spelt as in the query, and no homonym is listed.
func onlyOne(c *candidate) bool { return c.like == exact && c.homonym < 2 }

// genusShuffled reports whether a candidate differs from the query only in the order of letters in the
// genus: Fuschia magellanica.
func (w *weigher) genusShuffled(c *candidate) bool {
	k := w.name.Keys[0]
	return c.edits == c.genusEdits && shuffled(k.Text[:k.Genus], w.Genus(w.GenusOf(w.KeyOf(c.usage))))
}

// ofOtherLife reports whether the genus of the query is one of animals, fungi, algae or bacteria.
// If the query is an orthographic variant of c, only a genus that is spelt as in the query counts.
func (w *weigher) ofOtherLife(c *candidate) bool {
	k := w.name.Keys[0]
	genus := k.Text[:k.Genus]
	is, _ := w.otherLife(genus)
	return is && (c.like != variant || isWrittenLife(genus))
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

// exact returns the score of a candidate whose name equals the query's.
func (w *weigher) exact(c *candidate) (reason string, score float64) {
	switch {
	case c.flags.Has(answer.GenusExpanded) && w.several():
		return "genus expanded, one of several", scoreOneOf
	case c.flags.Has(answer.GenusExpanded):
		return "genus expanded from its first letters", scoreWeak
	case c.author == author.Same:
		return "same name, same author", scoreSame
	case c.author.AgreesWell() && !w.found.sameAuthor:
		return "same name, author compatible", scoreCompatible
	case c.author.Agrees() && !w.found.sameAuthor:
		return "same name, author agrees in part", scoreLikely
	case w.found.author && c.author != author.NotGiven:
		return "homonym; another has this author", scoreOther
	case w.hasRival(c) && w.sameType(c):
		return "one of homonyms, whose basionym has this author", scoreHomonymAcc
	case w.hasRival(c) && c.author == author.Differs && w.accepted(c.usage):
		return "accepted one of homonyms", scoreWeak
	case w.hasRival(c):
		row := w.homonym(c)
		return row.name, row.most
	case c.author == author.Differs && !w.uninomial() && !w.checklistsOnly && !w.inUse(c) && w.namesOthers(w.cited, w.KeyOf(c.usage)):
		return "same name, but its author is another one who named species of the genus", scoreDoubtful
	case c.author == author.Differs:
		return "same name, author differs, no homonym is listed", scoreLikely
	}
	return "same name, one in the checklists", scoreNoAuthor
}

// authorConfirms reports whether the author makes c likely, although a word of the query exists as
// it is written. Usually the author must be the same, since one author seldom gives two plants such
// similar names. If the epithets differ only by one run of inserted letters, an author that agrees
// well is enough.
func (w *weigher) authorConfirms(c *candidate) bool {
	return c.author == author.Same || c.doubt == doubtShort && c.author.AgreesWell()
}

// inUse reports whether a candidate is the name of a species of the database, with the rank and
// the hybrid sign of the query.
func (w *weigher) inUse(c *candidate) bool {
	if c.flags.Has(answer.HybridSignIgnored | answer.RankDiffers | answer.RankMissing) {
		return false
	}
	for i, to := w.Namesakes(c.usage); i < to; i++ {
		if u := &w.Usages[i]; u.Group == w.Usages[c.usage].Group && w.own(i) && u.Bits.Has(file.Own) {
			return true
		}
	}
	return false
}

// inRegion reports whether the taxon of a candidate occurs in the region of the query. A taxon occurs
// in China if the database or Catalogue of Life China has it, and in a region with a code if a
// checklist lists it there.
func (w *weigher) inRegion(c *candidate) bool {
	if w.region == answer.RegionChina {
		return len(w.MembersOf(c.concept)) > 0
	}
	of := writer{view: w.view, texts: &texts{}}
	return w.grows != nil && slices.ContainsFunc(of.listed(c), w.grows)
}

// count returns how many taxa among c and its homonyms are in use. If region is true, it returns
// how many of these taxa occur in the region, whether in use or not.
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

// capHomonym limits the score of a candidate with homonyms that differs from the query in spelling.
func (w *weigher) capHomonym(s *scored) {
	if !s.author.Agrees() && w.hasRival(&s.candidate) {
		s.cap(w.homonym(&s.candidate))
	}
}

// rare is the number of names from which an epithet is no longer rare.
const rare = 5

// isRare reports whether few names have the epithet y.
func (w *weigher) isRare(y []byte) bool {
	var buf [editdistance.MaxWord]byte
	names := 0
	for n := range w.Values(file.ByRestOrtho, spelling.AppendOrthoRest(buf[:0], y)) {
		if string(w.Rest(n)) == string(y) {
			if names++; names == rare {
				return false
			}
		}
	}
	return true
}

// inUseAs reports whether an accepted name has the epithet x.
func (w *weigher) inUseAs(x []byte) bool {
	var buf [editdistance.MaxWord]byte
	for n := range w.Values(file.ByRestOrtho, spelling.AppendOrthoRest(buf[:0], x)) {
		if string(w.Rest(n)) == string(x) && w.accepted(w.FirstOf(n)) {
			return true
		}
	}
	return false
}

// otherSpecies reports whether the accepted name of a candidate is not of the species that its own
// name belongs to.
func (w *weigher) otherSpecies(c *candidate) bool {
	own, accepted := w.Rest(w.KeyOf(c.usage)), w.Rest(w.KeyOf(c.concept))
	return w.otherGenus(c) || string(own[:spelling.WordEnd(own)]) != string(accepted[:spelling.WordEnd(accepted)])
}

// otherGenus reports whether the accepted name of a candidate is in another genus than its name.
func (w *weigher) otherGenus(c *candidate) bool {
	return w.GenusOf(w.KeyOf(c.usage)) != w.GenusOf(w.KeyOf(c.concept))
}

// rightGender reports whether the ending of the epithet x has the gender that most epithets in the
// genus of the query have, while the ending of y has another. The query is then perhaps a name of
// its own: Cardamine palustris is not Cardamine palustre, a synonym in Rorippa.
func (w *weigher) rightGender(x, y []byte) bool {
	k := w.name.Keys[0]
	g, ok := w.FindGenus(k.Text[:k.Genus])
	if !ok {
		return false
	}
	given, other := spelling.GenderOf(x), spelling.GenderOf(y)
	if given&other != 0 || given == 0 || other == 0 {
		return false
	}
	same, differ := 0, 0
	for key := w.Genera[g].Key; key < w.Genera[g+1].Key; key++ {
		switch of := spelling.GenderOf(w.Rest(key)); {
		case of&given != 0:
			same++
		case of&other != 0:
			differ++
		}
	}
	return same > 2*differ
}

// fuzzy returns the score of a name that differs from the query in some letters. To save time, it
// returns the reason only if the query asks for an explanation: a misspelt name has many
// candidates.
func (w *weigher) fuzzy(c *candidate) (reason string, score float64) {
	n := min(max(c.edits, 1), maxEdits)
	if w.sameType(c) {
		return "misspelt, author differs, but not that of the basionym", fuzzyScores[n-1][author.Partly]
	}
	if w.explain {
		word := "edits"
		if n == 1 {
			word = "edit"
		}
		reason = fmt.Sprintf("%d %s, author %s", n, word, c.author)
	}
	return reason, fuzzyScores[n-1][c.author]
}

// tied reports whether another candidate has as many edits as c but another key and another
// accepted name.
func (w *weigher) tied(c *candidate) bool {
	return slices.ContainsFunc(w.found.candidates, func(o candidate) bool {
		return o.edits == c.edits && o.like == c.like && !w.SameKey(o.usage, c.usage) && !w.sameTaxon(&o, c)
	})
}

// otherInitial reports whether c is in the genus of the query but has an epithet that starts with
// another letter than the query's.
func (w *weigher) otherInitial(c *candidate) bool {
	if c.genusEdits != 0 || len(w.name.Epithets) == 0 {
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

// sameType reports whether the author of the query differs from the author of c, but both have the
// same author of the basionym.
func (w *weigher) sameType(c *candidate) bool {
	return c.author == author.Differs && w.cited.SameBasionym(w.Text(c.usage, file.Author))
}

// hasRival reports whether a homonym of c has another accepted name. A name and its misapplication
// are no rivals: the query says which of them it means.
func (w *weigher) hasRival(c *candidate) bool {
	for i := range w.found.candidates {
		if o := &w.found.candidates[i]; w.sameUse(o.usage, c.usage) && !w.sameTaxon(o, c) {
			return true
		}
	}
	return false
}

// signMatters reports whether another candidate fits better than c because of its hybrid sign. The
// other candidate agrees with the query in the sign, and is as near as c in spelling and author. If
// the query has no sign, the other candidate must be an accepted name.
func (w *weigher) signMatters(c *candidate) bool {
	for i := range w.found.candidates {
		o := &w.found.candidates[i]
		if !o.flags.Has(answer.HybridSignIgnored) && o.like == c.like && o.edits == c.edits && o.author <= c.author &&
			(w.name.Hybrid || w.accepted(o.usage)) {
			return true
		}
	}
	return false
}

// divided reports whether another candidate has the same name as c but another accepted name. This
// happens if a checklist assigns a name to several taxa (pro parte).
func (w *weigher) divided(c *candidate) bool {
	for i := range w.found.candidates {
		if o := &w.found.candidates[i]; w.sameName(o.usage, c.usage) && o.concept != c.concept {
			return true
		}
	}
	return false
}

// hemihomonym reports whether only the genus of the query is known, and is also a genus of animals.
// It returns false if the author or the family in the query shows that the plant is meant.
func (w *weigher) hemihomonym(c *candidate) bool {
	genusOnly := c.like == exact && w.uninomial() || c.like == higherRank && c.up > 1 && len(w.name.Epithets) > 0
	if !genusOnly || w.plant || isPlant(*c) {
		return false
	}
	k := &w.name.Keys[0]
	return hemihomonyms[string(k.Text[:k.Genus])]
}
