package names

import (
	"fmt"

	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// A score is the share of right answers among judged answers of the same kind;
// the table is in docs/name-matching.md and pinned by TestCalibration. Four
// kinds are given rather than measured, since what could be judged is not what
// lists hold, and the test lets them be that far off (givenScores): an author
// that differs, one that is compatible, the accepted one of homonyms without
// author, and another of them.
const (
	scoreSame           = 1.00
	scoreCompatible     = 0.98
	scorePartly         = 0.90
	scoreNoAuthor       = 0.98
	scoreDiffers        = 0.85
	scoreSameType       = 0.85
	scoreHomonym        = 0.60
	scoreHomonymAcc     = 0.75 // the accepted one among homonyms
	scoreOther          = 0.10 // a homonym when another has the right author
	scoreVariant        = 0.97
	scoreVariantDiffers = 0.60
	scoreExpanded       = 0.90
	scoreExpandedAny    = 0.50
	scoreOneOf          = 0.50 // the first of several names in one text
	scoreSpecies        = 0.40 // higherRank: the species of an infraspecific name
	scoreGenus          = 0.20
)

// score computes the score of c with its reasons.
func (m *matcher) score(p *parse.Name, c *candidate) {
	c.parts = nil
	c.score = 0
	add := func(reason string, v float64) {
		c.score += v
		if m.explain {
			c.parts = append(c.parts, ScorePart{Reason: reason, Value: v})
		}
	}
	if m.labelScore != nil {
		add(m.labelScore(c))
		return
	}
	switch c.like {
	case likeExact:
		add(m.exactScore(c))
	case likeVariant:
		add("same orthographic key", scoreVariant)
		if c.author == fitDiffers && m.sameType(c) {
			add("author differs, but not that of the basionym", -0.05)
		} else if c.author == fitDiffers {
			add("author differs", scoreVariantDiffers-scoreVariant)
		}
	case likeFuzzy:
		add(m.fuzzyScore(c))
		if c.doubt != noDoubt {
			add("the word as it stands is a known one", -0.15)
		}
		if c.flags.Has(fGenusCorrected) {
			add("genus corrected", -0.03)
		}
	case likeHigher:
		if c.up == 1 {
			add("the species of an infraspecific name", scoreSpecies)
		} else {
			add("the genus only", scoreGenus)
		}
	}
	if c.like == likeVariant || c.like == likeFuzzy {
		if word, v := m.homonymScore(c); v < c.score {
			add(word, v-c.score)
		}
	}
	if c.flags.Has(fProParte) && m.divided(c) {
		add("divided among several names", scoreHomonym-c.score)
	}
	if c.flags.Has(fAutonymOfSpecies) {
		add("the species stands for its autonym", -0.05)
	}
	if c.flags.Has(fRankDiffers) && c.like != likeHigher {
		add("rank differs", -0.05)
	}
	if c.flags.Has(fHybridSignIgnored) && m.signMatters(p, c) {
		add("another name agrees in the hybrid sign", -0.12)
	}
	if c.flags.Has(fFamilyDiffers) {
		add("family differs", -0.15)
	}
	if p.Misapplied && c.score > scoreHomonym && m.ix.Usages[c.usage].Status.Word() != Misapplied {
		add("not in the sense of its author", scoreHomonym-c.score)
	}
	if p.OneOf && c.score > scoreOneOf {
		add("the text offers another name too", scoreOneOf-c.score)
	}
	if c.score < 0 {
		c.score = 0
	}
}

func accepted(u *file.Usage) bool { return u.Status.Word() == Accepted }

func (m *matcher) exactScore(c *candidate) (string, float64) {
	u := &m.ix.Usages[c.usage]
	switch {
	case c.flags.Has(fGenusExpanded) && m.several():
		return "genus expanded, one of several", scoreExpandedAny
	case c.flags.Has(fGenusExpanded):
		return "genus expanded from its first letters", scoreExpanded
	case c.author == fitSame:
		return "same name, same author", scoreSame
	case c.author.AgreesWell() && !m.authorSame:
		return "same name, author compatible", scoreCompatible
	case c.author.Agrees() && !m.authorSame:
		return "same name, author agrees in part", scorePartly
	case (c.author == fitDiffers || c.author.Agrees()) && m.authorFound:
		return "homonym; another has this author", scoreOther
	case c.author == fitUnknown && m.authorFound:
		return "homonym without author; another has this author", scoreOther
	case m.rivalled(c) && c.author == fitDiffers && m.sameType(c):
		return "one of homonyms, whose basionym has this author", scoreHomonymAcc
	case m.rivalled(c) && accepted(u):
		return "accepted one of homonyms", min(scoreHomonymAcc, authorCap(c))
	case m.rivalled(c):
		return "one of homonyms", scoreHomonym
	case c.author == fitDiffers && m.sameType(c):
		return "same name, author differs, but not that of the basionym", scoreSameType
	case c.author == fitDiffers:
		return "same name, author differs", scoreDiffers
	}
	return "same name, one in the checklists", scoreNoAuthor
}

// several says whether the candidates lead to more than one accepted name.
func (m *matcher) several() bool {
	for i := 1; i < len(m.cands); i++ {
		if !m.sameTaxon(&m.cands[0], &m.cands[i]) {
			return true
		}
	}
	return false
}

// sameType says whether the author asked for differs from that of c only in
// who combined the name: the same basionym has the same type.
func (m *matcher) sameType(c *candidate) bool {
	return m.authorsParsed && m.given.SameBasionym(parseAuthors(m.ix.Text(c.usage, file.Author)))
}

// homonymScore is the most that one of homonyms is worth that no author tells
// apart, however it is spelt.
func (m *matcher) homonymScore(c *candidate) (string, float64) {
	switch {
	case c.author.Agrees() || !m.rivalled(c):
		return "", 1
	case accepted(&m.ix.Usages[c.usage]):
		return "accepted one of homonyms", scoreHomonymAcc
	}
	return "one of homonyms", scoreHomonym
}

// rivalled says whether a homonym of c leads to another accepted name.
func (m *matcher) rivalled(c *candidate) bool {
	if c.homonym < 2 {
		return false
	}
	for i := range m.cands {
		o := &m.cands[i]
		if m.ix.Usages[o.usage].Key == m.ix.Usages[c.usage].Key && !m.sameTaxon(o, c) {
			return true
		}
	}
	return false
}

func authorCap(c *candidate) float64 {
	if c.author == fitDiffers {
		return 0.70
	}
	return 1
}

// fuzzyScores by edits (1, 2, 3) and author: same, compatible, partly, not
// given, unknown, differs.
var fuzzyScores = [3][6]float64{
	{0.97, 0.96, 0.94, 0.92, 0.90, 0.65},
	{0.93, 0.80, 0.70, 0.80, 0.70, 0},
	{0.88, 0.70, 0.50, 0.70, 0.50, 0},
}

// fuzzyScore gives the reason only when it is asked for: a misspelt name has
// many candidates.
func (m *matcher) fuzzyScore(c *candidate) (reason string, score float64) {
	n := min(max(c.edits, 1), 3)
	if m.explain {
		word := "edits"
		if n == 1 {
			word = "edit"
		}
		reason = fmt.Sprintf("%d %s, author %s", n, word, c.author.String())
	}
	return reason, fuzzyScores[n-1][c.author]
}

// signMatters says whether, but for its hybrid sign, another accepted name is
// the one that c is.
func (m *matcher) signMatters(p *parse.Name, c *candidate) bool {
	for i := range m.cands {
		o := &m.cands[i]
		if !o.flags.Has(fHybridSignIgnored) && o.like == c.like && o.edits == c.edits && o.author <= c.author &&
			(p.Hybrid || accepted(&m.ix.Usages[o.usage])) {
			return true
		}
	}
	return false
}

// divided says whether another candidate is a part of the same divided name.
func (m *matcher) divided(c *candidate) bool {
	u := &m.ix.Usages[c.usage]
	for i := range m.cands {
		v := &m.ix.Usages[m.cands[i].usage]
		if v.Key == u.Key && v.Group == u.Group && m.cands[i].concept != c.concept {
			return true
		}
	}
	return false
}
