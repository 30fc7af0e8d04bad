package match

import (
	"bytes"
	"slices"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/spelling"
)

// ceiling is a reason why a score may not be higher than most. To add one, add a row to one of the
// tables with a query that it decides.
type ceiling struct {
	name    string // the reason, as an explanation gives it
	applies func(w *weigher, c *candidate) bool
	most    float64
	example string // a query, perhaps with a region after "; ", whose answer gives the reason if all checklists are asked
}

// Examples calls f with the reason and the example of each row of the tables.
func Examples(f func(reason, example string)) {
	for _, table := range [][]ceiling{misspeltCaps, endingCaps, homonyms, caps, byText} {
		for _, row := range table {
			f(row.name, row.example)
		}
	}
	for _, w := range rewrites {
		f(w.name, w.example)
	}
}

// limit lowers the score of s as the rows of a table demand.
func (w *weigher) limit(s *scored, table []ceiling) {
	for i := range table {
		if row := &table[i]; s.score > row.most && row.applies(w, &s.candidate) {
			s.cap(row)
		}
	}
}

// capAll lowers the scores of all candidates as a row demands.
func capAll(all []scored, row *ceiling) {
	for i := range all {
		all[i].cap(row)
	}
}

// misspeltCaps limits the scores of names with wrong letters, before known words lower them.
var misspeltCaps = []ceiling{
	{"another name is as near", func(w *weigher, c *candidate) bool { return !c.author.Agrees() && w.tied(c) }, scoreDoubtful, "Berberis pengii"},
	{"the epithet begins with another letter", func(w *weigher, c *candidate) bool {
		return !c.author.Agrees() && w.otherInitial(c) && (w.sameInitial || c.edits > 1)
	}, scoreDoubtful, "Epimedium agitatum"},
	{"a short epithet begins with another letter, or has one more", func(w *weigher, c *candidate) bool {
		x, y := w.epithets(c)
		return !c.author.Agrees() && len(y) > 0 && w.otherInitial(c) && (len(x) < 8 || string(x[1:]) == string(y))
	}, scoreReview, "Tibouchina frigidula"},
	{"a letter that tells apart places, or words that few names have", (*weigher).rareLetter, scoreReview, "Artemisia boratalensis"},
	{"three letters differ, and no author confirms it", func(_ *weigher, c *candidate) bool {
		return !c.author.Agrees() && c.edits >= maxEdits
	}, scoreDoubtful, "Acacia unifillis"},
	{"a known word in a genus that animals have too", func(w *weigher, c *candidate) bool {
		return c.doubt != noDoubt && c.genusEdits == 0 && !w.plant && !isPlant(*c) && ofAnimals(w.name.Canonical)
	}, scoreDoubtful, "Calamus laxifolius"},
}

// endingCaps limits the scores of names in another orthography because of the endings of their
// epithets, if no author confirms them.
var endingCaps = []ceiling{
	{"the epithet as written is known, and u is no v in its stem", ofWords(func(w *weigher, _ *candidate, x, y []byte) bool {
		return spelling.OtherVowel(x, y) && w.HasEpithet(x)
	}), scoreReview, "Panicum javanum"},
	{"the epithet as written names another place", ofWords(func(w *weigher, _ *candidate, x, y []byte) bool {
		return spelling.OtherPlace(x, y) && w.inUseAs(x)
	}), scoreReview, "Adonis wolgensis"},
	{"named for a man, not a woman, or for a woman, not a man", ofWords(func(_ *weigher, _ *candidate, x, y []byte) bool {
		return spelling.OtherSex(x, y)
	}), scoreReview, "Podocarpus gibbsii"},
	{"named for one person, not several, or for several, not one", ofWords(func(_ *weigher, _ *candidate, x, y []byte) bool {
		return spelling.OtherNumber(x, y)
	}), scoreReview, "Carex hartmanii"},
	{"-phyllus is no spelling of -philus", ofWords(func(_ *weigher, _ *candidate, x, y []byte) bool {
		return spelling.LeafOrLove(x, y)
	}), scoreReview, "Abildgaardia metalliphylla"},
	{"the epithet as written is a known Greek word", ofWords(func(w *weigher, _ *candidate, x, y []byte) bool {
		return spelling.IsGreek(x) && !spelling.IsGreek(y) && w.HasEpithet(x)
	}), scoreReview, "Acer micranthos"},
	{"rank and ending differ, and the species too", ofWords(func(w *weigher, c *candidate, _, _ []byte) bool {
		return c.flags.Has(answer.RankDiffers|answer.RankMissing) && c.flags.Has(answer.GenderEnding) && w.otherSpecies(c)
	}), scoreDoubtful, "Aconitum lycoctonum vulparia"},
	{"rank and ending differ", ofWords(func(_ *weigher, c *candidate, _, _ []byte) bool {
		return c.flags.Has(answer.RankDiffers) && c.flags.Has(answer.GenderEnding)
	}), scoreReview, "Descurainia pinnata var. brachycarpa"},
	{"a genitive is no gender ending", ofWords(func(_ *weigher, _ *candidate, x, y []byte) bool {
		return spelling.IsGenitive(x) != spelling.IsGenitive(y) && !bytes.HasPrefix(x, y) && !bytes.HasPrefix(y, x) && !shuffled(x, y)
	}), scoreReview, "Ranunculus vernyi"},
	{"the epithet as written is a known word with another first letter", ofWords(func(w *weigher, _ *candidate, x, y []byte) bool {
		return x[0] != y[0] && w.HasEpithet(x)
	}), scoreReview, "Filipendula kamtschatica"},
	{"the epithet as written has the gender of the genus", ofWords(func(w *weigher, c *candidate, x, y []byte) bool {
		return c.author == author.NotGiven && w.otherGenus(c) && w.rightGender(x, y)
	}), scoreReview, "Cardamine palustris"},
}

// caps limits the scores of all names.
var caps = []ceiling{
	{"a name of drug plants, in no checklist", func(w *weigher, c *candidate) bool { return w.ofHerbs(&w.Usages[c.usage]) }, scoreHerbName, "Vladimiria souliei"},
	{"a rank, and nothing after it", func(w *weigher, c *candidate) bool {
		return c.flags.Has(answer.OpenNomenclature) && c.like == exact && len(w.name.Epithets) > 0
	}, scoreReview, "Logania albiflora subsp. W"},
	{"a hybrid in another spelling, or no hybrid", func(_ *weigher, c *candidate) bool {
		return c.edits > 0 && c.flags.Has(answer.HybridSignIgnored) && !c.author.Agrees()
	}, scoreReview, "Eucalyptus marsdeni"},
	{"author and family differ", func(_ *weigher, c *candidate) bool {
		return onlyOne(c) && c.author == author.Differs && c.flags.Has(answer.FamilyDiffers) && !c.oldFamily
	}, scoreReview, "Lauraceae Quercus ilex Quisquis"},
	{"family differs, no homonym is listed", func(_ *weigher, c *candidate) bool {
		return onlyOne(c) && c.flags.Has(answer.FamilyDiffers)
	}, scoreLikely, "Lauraceae Quercus ilex"},
	{"the name is in this family, but the plant is not", func(_ *weigher, c *candidate) bool { return c.oldFamily }, scoreLikely, "Malvaceae Corchorus japonicus (L.) Houtt."},
	{"an author with a year that no checklist confirms", func(w *weigher, c *candidate) bool {
		return (c.author == author.Unknown || c.author == author.Differs) && w.cited.Year() != 0
	}, scoreReview, "Quercus ilex Quisquis, 1899"},
	{"not in the sense of its author", func(w *weigher, c *candidate) bool {
		return w.name.Misapplied && !misapplied(&w.Usages[c.usage])
	}, scoreUnlikely, "Quercus ilex auct."},
	{"wrongly used for this plant", func(w *weigher, c *candidate) bool {
		return misapplied(&w.Usages[c.usage]) && !w.name.Misapplied
	}, scoreUnlikely, "Ribes grossularia"},
	{"a genus alone, misspelt", func(w *weigher, c *candidate) bool {
		return c.edits > 0 && c.like != higherRank && w.uninomial()
	}, scoreGenusEdit, "Fraxinnus"},
	{"a genus two letters away, and no author confirms it", func(w *weigher, c *candidate) bool {
		return c.genusEdits > 1 && !c.author.Agrees() && !w.genusShuffled(c)
	}, scoreDoubtful, "Flindasia australis"},
	{"a genus of animals, fungi, algae or bacteria has this spelling", func(w *weigher, c *candidate) bool {
		return c.flags.Has(answer.GenusCorrected) && !c.author.Agrees() && !(c.genusEdits > 1 && !w.genusShuffled(c)) && w.ofOtherLife(c)
	}, scoreDoubtful, "Diurus maculata"},
	{"a genus alone, followed by words that may be a cultivar name", (*weigher).mayBeCultivar, scoreUnlikely, "Rosa Peace"},
	{"a genus of animals has this name too", (*weigher).hemihomonym, scoreUnlikely, "Prunella"},
	{"something below this name was not understood", func(w *weigher, c *candidate) bool {
		return w.name.Unread && c.like != higherRank && c.flags.Has(answer.OpenNomenclature)
	}, scoreUnlikely, "Prunus armeniaca subsp. indet."},
	{"a virus of the plant is named", func(w *weigher, _ *candidate) bool { return w.name.NoOrganism }, scoreOneOf, "Acer negundo mosaic virus"},
	{otherNames.name, func(w *weigher, _ *candidate) bool { return w.name.OneOf }, otherNames.most, "Quercus alba, Quercus rubra"},
}

// homonyms has the scores of homonyms between which no author decides. The first row that applies
// gives the score of an exact name and limits the score of another one.
var homonyms = []ceiling{
	{"the homonym in use: a species of the database", func(w *weigher, c *candidate) bool {
		return c.author == author.NotGiven && w.count(c, false) == 1 && w.inUse(c)
	}, scoreHomonymUsed, "Poa attenuata"},
	{"one of homonyms; another is in use", func(w *weigher, c *candidate) bool {
		return c.author == author.NotGiven && w.count(c, false) == 1
	}, scoreHomonymUnused, "Poa attenuata"},
	{"the homonym of the region", func(w *weigher, c *candidate) bool {
		return c.author == author.NotGiven && w.region != "" && w.count(c, true) == 1 && w.inRegion(c)
	}, scoreLikely, "Poa pubescens; china"},
	{"one of homonyms; another grows in the region", func(w *weigher, c *candidate) bool {
		return c.author == author.NotGiven && w.region != "" && w.count(c, true) == 1
	}, scoreHomonymUnused, "Poa pubescens; china"},
	{"accepted one of homonyms", func(w *weigher, c *candidate) bool { return w.accepted(c.usage) }, scoreHomonymAcc, "Poa affinis"},
	{"one of homonyms", func(*weigher, *candidate) bool { return true }, scoreUnlikely, "Poa affinis"},
}

// homonym returns the row of homonyms for a candidate.
func (w *weigher) homonym(c *candidate) *ceiling {
	return &homonyms[slices.IndexFunc(homonyms, func(row ceiling) bool { return row.applies(w, c) })]
}

// byText has the rows that the text decides, not the candidates for one of its names. The code that
// reads the text applies them.
var byText = []ceiling{*otherNames, *parentOnly, *misplacedSpace, *oneSyllable, *latinUnknown, *latinElsewhere, *chineseDiffers, *drugOfOthers, *drugToo}

var (
	otherNames     = &ceiling{"the text has other names too", nil, scoreOneOf, "人参、丹参"}
	parentOnly     = &ceiling{"a parent of the hybrid, not the hybrid itself", nil, scoreReview, "Quercus robur × Quercus petraea"}
	misplacedSpace = &ceiling{"the space is misplaced", nil, scoreReview, "Viciamul ticaulis"}
	// oneSyllable: a text of a single syllable is more often a surname or a word.
	oneSyllable = &ceiling{"one syllable", nil, scoreUnlikely, "dao"}
	// latinUnknown and latinElsewhere limit a Chinese name beside a Latin name.
	latinUnknown   = &ceiling{"no checklist has the Latin name beside it", nil, labelUnconfirmed, "人参 Xqzwklerty vbnmasdfgh"}
	latinElsewhere = &ceiling{"the words of the Latin name beside it belong to other plants", nil, scoreDoubtful, "人参 Xqzwklerty officinalis"}
	chineseDiffers = &ceiling{"the Chinese name is another plant's", nil, scoreReview, "树棉 Oryza sativa"}
	drugOfOthers   = &ceiling{"the name is a drug's, which comes from other plants", nil, herbPlant, "木瓜"}
	drugToo        = &ceiling{"another name of this plant, and the name of a drug", nil, herbBesides, "金钱草"}
)

// ofWords returns a condition on a variant that no author confirms: applies reports true for one of
// the epithets that differ, x in the query and y in the candidate.
func ofWords(applies func(w *weigher, c *candidate, x, y []byte) bool) func(*weigher, *candidate) bool {
	return func(w *weigher, c *candidate) bool {
		if c.author.Agrees() {
			return false
		}
		var buf [128]byte
		a, b := w.name.Keys[0].Text, w.AppendKey(buf[:0], w.KeyOf(c.usage))
		if bytes.Count(a, []byte(" ")) != bytes.Count(b, []byte(" ")) {
			return false
		}
		_, _, a, b = nextWords(a, b)
		for len(a) > 0 && len(b) > 0 {
			var x, y []byte
			if x, y, a, b = nextWords(a, b); string(x) != string(y) && applies(w, c, x, y) {
				return true
			}
		}
		return false
	}
}

// epithets returns the first epithet of the query, and that of a candidate.
func (w *weigher) epithets(c *candidate) (x, y []byte) {
	k := w.name.Keys[0]
	x, y, _, _ = nextWords(k.Text[min(k.Genus+1, len(k.Text)):], w.Rest(w.KeyOf(c.usage)))
	return x, y
}

// rareLetter reports whether a candidate differs from the query in one letter that tells apart places
// or persons, or in its first letter, and few names have the epithet of the candidate.
func (w *weigher) rareLetter(c *candidate) bool {
	x, y := w.epithets(c)
	other := w.otherInitial(c)
	if c.author.Agrees() || len(x) == 0 || len(y) == 0 || c.edits > 1 || len(w.name.Epithets) > 1 || other && len(x) < len(y) {
		return false
	}
	return (other || sameUmlaut(x, y) || spelling.OtherPlace(x, y)) && w.isRare(y)
}
