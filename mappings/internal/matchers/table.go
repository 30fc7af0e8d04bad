package matchers

import (
	"slices"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// matcher is a row of the table below: how the records of one way are found.
type matcher struct {
	stage stage
	// column names the way, and where in [mappings.Tiers] a field has its tier.
	// Where one look tells several ways, it is the one without which the others
	// are not tried.
	way     mappings.Way
	accepts func(*reading.Reading) bool // which queries
	find    func(*lookup, *reading.Reading, hits.Why)
}

// stage is when a way is tried: after all ways of the stages before it have found
// nothing.
type stage int

// The stages.
const (
	exactStage       stage = iota // what was typed is right
	checklistStage                // the checklists understand it
	phoneticStage                 // it sounds right: wrong characters, wrong tones
	approximateStage              // it is like a name
	fuzzyStage                    // letters are wrong
	stages
)

// matchers is the table. Of each kind of field it lists the ways in which it is found,
// in the order in which they are tried and explained.
var matchers = []struct {
	fields   []mappings.Analyzer
	matchers []matcher
}{
	{[]mappings.Analyzer{mappings.Chinese}, []matcher{
		{exactStage, mappings.Whole, noWildcard, term(key)},
		{exactStage, mappings.OtherForm, characters, otherForm},
		{exactStage, mappings.Suffix, severalCharacters, term(key)},
		{exactStage, mappings.Prefix, several, term(key)},
		{exactStage, mappings.Inside, noWildcard, inside},
		{exactStage, mappings.Processed, characters, processed},
		{exactStage, mappings.DrugLatin, latin, drugLatin},
		{exactStage, mappings.MixedInside, charactersAndLetters, mixedLatin},
		{exactStage, mappings.MixedWhole, charactersAndLetters, mixed}, // and MixedPrefix, MixedInside
		{approximateStage, mappings.NameAtStart, characters, leadingName},
		{approximateStage, mappings.NameAtEnd, characters, trailingName},
		{approximateStage, mappings.AnyOrder, characters, anyOrder}, // and Reordered
		{approximateStage, mappings.OneCharacterOff, characters, oneCharacterOff},
	}},
	{[]mappings.Analyzer{mappings.Noun}, []matcher{
		{exactStage, mappings.Whole, characters, term(key)},
		{exactStage, mappings.Suffix, severalCharacters, term(key)},
	}},
	{[]mappings.Analyzer{mappings.NounSound}, []matcher{
		{exactStage, mappings.Whole, sound, wholeSound},
	}},
	{[]mappings.Analyzer{mappings.Pinyin}, []matcher{
		{exactStage, mappings.Whole, sound, wholeSound}, // and Toned, Separated
		{exactStage, mappings.Aligned, sound, partSound},
		{exactStage, mappings.Prefix, sound, partSound},
		{exactStage, mappings.AlignedInside, sound, partSound},
		{exactStage, mappings.Inside, sound, partSound},
		{exactStage, mappings.NearSound, plainSound, nearSound},
		{exactStage, mappings.OtherSound, plainSound, otherSound},
		{phoneticStage, mappings.SameSound, characters, sameSound},
		{phoneticStage, mappings.Untoned, sound, untoned},
		{approximateStage, mappings.NearPrefix, sound, nearParts}, // and NearInside
		{approximateStage, mappings.Shortened, sound, shortened},
		{approximateStage, mappings.OtherPrefix, plainSound, heteronymNames}, // and OtherInside
		{fuzzyStage, mappings.SameSoundPart, characters, sameSoundPart},
		{fuzzyStage, mappings.Typo, sound, soundTypo},
	}},
	{[]mappings.Analyzer{mappings.Initials}, []matcher{
		{exactStage, mappings.Whole, plainSound, term(initials)},
		{exactStage, mappings.Prefix, plainSound, term(initials)},
		{exactStage, mappings.Inside, plainSound, term(initials)},
		{exactStage, mappings.Whole, plainSound, withoutNote},
		{approximateStage, mappings.OtherPrefix, plainSound, heteronymInitials},
	}},
	{[]mappings.Analyzer{mappings.SciName, mappings.Synonym}, []matcher{
		{exactStage, mappings.Whole, latin, wholeLatin},
		{exactStage, mappings.Abbreviated, latin, abbreviated},
		{exactStage, mappings.Listed, latin, listed},
		{exactStage, mappings.Endings, latin, otherEndings},
		{exactStage, mappings.Genus, latin, genus},
		{exactStage, mappings.Words, latin, latinWords},
		{exactStage, mappings.LatinStem, latin, latinStem},
		{exactStage, mappings.Prefix, latin, latinPrefix},
		{checklistStage, mappings.ListedInPart, noWildcard, listedInText}, // and Listed, ListedSpelling
		{checklistStage, mappings.OtherGenus, latin, otherGenus},
		{approximateStage, mappings.LeadingWords, latin, leading},
		{fuzzyStage, mappings.ListedTypo, latin, listedTypo},
		{fuzzyStage, mappings.Typo, latin, latinTypo},
	}},
	{[]mappings.Analyzer{mappings.Title}, []matcher{
		{exactStage, mappings.Words, always, allWords},
		{phoneticStage, mappings.WordStart, always, wordStarts}, // and Typo
		{approximateStage, mappings.SomeWords, always, someWords},
	}},
	{[]mappings.Analyzer{mappings.Label}, []matcher{
		{exactStage, mappings.Family, ofGroup("科", "ae"), group},
		{exactStage, mappings.Genus, ofGroup("属", ""), group},
	}},
	{[]mappings.Analyzer{mappings.Text}, []matcher{
		{exactStage, mappings.Inside, always, textMatch},
	}},
	{[]mappings.Analyzer{mappings.DOI}, []matcher{
		{exactStage, mappings.Whole, always, doi}, // and Prefix
	}},
	{[]mappings.Analyzer{mappings.Number}, []matcher{
		{exactStage, mappings.Whole, noWildcard, number},
	}},
}

// What queries a way takes. No name holds a sign that is a command elsewhere; a
// title or a DOI may.
func always(*reading.Reading) bool        { return true }
func noWildcard(rd *reading.Reading) bool { return !rd.Literal }

// several takes what is no single character: where one stands in a name says
// nothing, and how well known its names are decides alone.
func several(rd *reading.Reading) bool {
	return noWildcard(rd) && (rd.Script != reading.Characters || len(rd.Runes) > 1)
}
func severalCharacters(rd *reading.Reading) bool { return characters(rd) && len(rd.Runes) > 1 }
func characters(rd *reading.Reading) bool {
	return !rd.Literal && rd.Script == reading.Characters
}
func charactersAndLetters(rd *reading.Reading) bool {
	return !rd.Literal && rd.Script == reading.Mixed
}
func sound(rd *reading.Reading) bool {
	return !rd.Literal && rd.Script == reading.Letters && rd.HasSound
}
func plainSound(rd *reading.Reading) bool { return sound(rd) && !rd.Sound.Toned }
func latin(rd *reading.Reading) bool {
	return !rd.Literal && rd.Script == reading.Letters && len(rd.Words) > 0 && len(rd.Words) <= maxWords
}

// term finds the records that have a term of the way's own kind, which only the
// ways up to [mappings.Words] have.
func term(text func(*reading.Reading) string) func(*lookup, *reading.Reading, hits.Why) {
	return func(l *lookup, rd *reading.Reading, why hits.Why) { l.collectTerm(why.Way, text(rd), why, nil) }
}

// step is a way as a row of a search table has it.
type step struct {
	matcher
	why     hits.Why // the row, and its tier in the way
	ownName bool     // it finds the very names of the records
}

// plan is what is to be tried for the records of a table.
type plan struct {
	stages [stages][]step
	rows   namedRows
}

// newPlan lists the ways in which the rows of a search table are found.
func newPlan(list []mappings.Row) plan {
	p := plan{rows: newNamedRows(list)}
	for i, r := range list {
		for _, kind := range matchers {
			for _, w := range kind.matchers {
				if tier := r.Tiers[w.way]; tier > 0 && slices.Contains(kind.fields, r.Analyzer) {
					why := hits.Why{Tier: tier, Row: i, Way: w.way}
					p.stages[w.stage] = append(p.stages[w.stage], step{w, why, w.way == mappings.Whole && ownName(r)})
				}
			}
		}
	}
	return p
}
