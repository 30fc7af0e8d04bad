package ways

import (
	"slices"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// way is a row of the table of ways: how the records of one way are found.
type way struct {
	stage stage
	// column names the way, and where in [mappings.Tiers] a field has its tier.
	// Where one look tells several ways, it is the one without which the others
	// are not tried.
	column mappings.Way
	takes  func(*reading.Reading) bool // which queries
	find   func(*lookup, *reading.Reading, hits.Why)
}

// stage is when a way is tried: after all ways of the stages before it have found
// nothing.
type stage int

// The stages.
const (
	asTyped  stage = iota // what was typed is right
	asListed              // the checklists understand it
	asHeard               // it sounds right: wrong characters, wrong tones
	nearby                // it is like a name
	farther               // letters are wrong
	stages
)

// ways is the table. Of each kind of field it lists the ways in which it is found,
// in the order in which they are tried and explained.
var ways = []struct {
	fields []mappings.Analyzer
	ways   []way
}{
	{[]mappings.Analyzer{mappings.Chinese}, []way{
		{asTyped, mappings.Whole, anything, term(key)},
		{asTyped, mappings.OtherForm, characters, otherForm},
		{asTyped, mappings.Tail, severalCharacters, term(key)},
		{asTyped, mappings.Prefix, several, term(key)},
		{asTyped, mappings.Inside, anything, inside},
		{asTyped, mappings.Processed, characters, processed},
		{asTyped, mappings.DrugLatin, latin, drugLatin},
		{asTyped, mappings.MixedInside, charactersAndLetters, mixedLatin},
		{asTyped, mappings.MixedWhole, charactersAndLetters, mixed}, // and MixedPrefix, MixedInside
		{nearby, mappings.Begun, characters, begun},
		{nearby, mappings.Ended, characters, ended},
		{nearby, mappings.AnyOrder, characters, anyOrder}, // and Reordered
		{nearby, mappings.OneWrong, characters, oneWrong},
	}},
	{[]mappings.Analyzer{mappings.Noun}, []way{
		{asTyped, mappings.Whole, characters, term(key)},
		{asTyped, mappings.Tail, severalCharacters, term(key)},
	}},
	{[]mappings.Analyzer{mappings.NounSound}, []way{
		{asTyped, mappings.Whole, sound, wholeSound},
	}},
	{[]mappings.Analyzer{mappings.Pinyin}, []way{
		{asTyped, mappings.Whole, sound, wholeSound}, // and Toned, Separated
		{asTyped, mappings.Aligned, sound, partSound},
		{asTyped, mappings.Prefix, sound, partSound},
		{asTyped, mappings.AlignedInside, sound, partSound},
		{asTyped, mappings.Inside, sound, partSound},
		{asTyped, mappings.NearSound, plainSound, nearSound},
		{asTyped, mappings.OtherSound, plainSound, otherSound},
		{asHeard, mappings.SameSound, characters, sameSound},
		{asHeard, mappings.Untoned, sound, untoned},
		{nearby, mappings.NearPrefix, sound, nearParts}, // and NearInside
		{nearby, mappings.Shortened, sound, shortened},
		{nearby, mappings.OtherPrefix, plainSound, otherReadings}, // and OtherInside
		{farther, mappings.SameSoundPart, characters, sameSoundPart},
		{farther, mappings.Typo, sound, soundTypo},
	}},
	{[]mappings.Analyzer{mappings.Initials}, []way{
		{asTyped, mappings.Whole, plainSound, term(initials)},
		{asTyped, mappings.Prefix, plainSound, term(initials)},
		{asTyped, mappings.Inside, plainSound, term(initials)},
		{asTyped, mappings.Whole, plainSound, withoutNote},
		{nearby, mappings.OtherPrefix, plainSound, otherInitials},
	}},
	{[]mappings.Analyzer{mappings.SciName, mappings.Synonym}, []way{
		{asTyped, mappings.Whole, latin, wholeLatin},
		{asTyped, mappings.Abbreviated, latin, abbreviated},
		{asTyped, mappings.Listed, latin, listed},
		{asTyped, mappings.Endings, latin, otherEndings},
		{asTyped, mappings.Genus, latin, genus},
		{asTyped, mappings.Words, latin, latinWords},
		{asTyped, mappings.LatinStem, latin, latinStem},
		{asTyped, mappings.Prefix, latin, latinPrefix},
		{asListed, mappings.ListedInPart, anything, listedInText}, // and Listed, ListedSpelling
		{asListed, mappings.OtherGenus, latin, otherGenus},
		{nearby, mappings.Leading, latin, leading},
		{farther, mappings.ListedTypo, latin, listedTypo},
		{farther, mappings.Typo, latin, latinTypo},
	}},
	{[]mappings.Analyzer{mappings.Title}, []way{
		{asTyped, mappings.Words, literally, allWords},
		{asHeard, mappings.WordStart, literally, wordStarts}, // and Typo
		{nearby, mappings.AnyWord, literally, someWords},
	}},
	{[]mappings.Analyzer{mappings.Label}, []way{
		{asTyped, mappings.Family, ofGroup("科", "ae"), group},
		{asTyped, mappings.Genus, ofGroup("属", ""), group},
	}},
	{[]mappings.Analyzer{mappings.Text}, []way{
		{asTyped, mappings.Inside, literally, passage},
	}},
	{[]mappings.Analyzer{mappings.DOI}, []way{
		{asTyped, mappings.Whole, literally, doi}, // and Prefix
	}},
	{[]mappings.Analyzer{mappings.Number}, []way{
		{asTyped, mappings.Whole, anything, number},
	}},
}

// What queries a way takes. No name holds a sign that is a command elsewhere; a
// title or a DOI may.
func literally(*reading.Reading) bool   { return true }
func anything(rd *reading.Reading) bool { return !rd.Literal }

// several takes what is no single character: where one stands in a name says
// nothing, and how well known its names are decides alone.
func several(rd *reading.Reading) bool {
	return anything(rd) && (rd.Script != reading.Characters || len(rd.Runes) > 1)
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
	return func(l *lookup, rd *reading.Reading, why hits.Why) { l.look(why.Way, text(rd), why, nil) }
}

// step is a way as a row of a search table has it.
type step struct {
	way
	why   hits.Why // the row, and its tier in the way
	ofOwn bool     // it finds the very names of the records
}

// plan is what is to be tried for the records of a table.
type plan struct {
	stages [stages][]step
	rows   rows
}

// planOf lists the ways in which the rows of a search table are found.
func planOf(list []mappings.Row) plan {
	p := plan{rows: rowsOf(list)}
	for i, r := range list {
		for _, kind := range ways {
			for _, w := range kind.ways {
				if tier := r.Tiers[w.column]; tier > 0 && slices.Contains(kind.fields, r.Analyzer) {
					why := hits.Why{Tier: tier, Row: i, Way: w.column}
					p.stages[w.stage] = append(p.stages[w.stage], step{w, why, w.column == mappings.Whole && ofOwn(r)})
				}
			}
		}
	}
	return p
}
