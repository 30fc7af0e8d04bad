package matchers

import (
	"slices"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// matcher finds records in one or several ways.
type matcher struct {
	stage stage
	// ways are the ways in which the matcher finds records. The first is its main way, which find
	// gets with its tier in [mappings.Tiers]. A matcher does not run for fields without a tier for
	// any of its ways, and finds nothing in a way without a tier.
	ways    ways
	accepts func(*reading.Reading) bool // reports whether the query can match
	find    func(*lookup, *reading.Reading, hits.Why)
}

type ways []mappings.Way

// stage is the place of a matcher in the sequence. A stage runs only if all earlier stages found
// nothing.
type stage int

// The stages.
const (
	exactStage       stage = iota // the query is right as typed
	checklistStage                // the query is a name that the checklists resolve
	phoneticStage                 // the sound is right, but characters or tones are wrong
	approximateStage              // the query is similar to a name
	fuzzyStage                    // the query has wrong letters
	stages
)

// matchers lists the matchers for each kind of field. They run, and appear in explanations, in this
// order.
var matchers = []struct {
	fields   []mappings.Analyzer
	matchers []matcher
}{
	{[]mappings.Analyzer{mappings.Chinese}, []matcher{
		{exactStage, ways{mappings.Whole}, noWildcard, term(key)},
		{exactStage, ways{mappings.OtherForm}, characters, otherForm},
		{exactStage, ways{mappings.Suffix}, severalCharacters, term(key)},
		{exactStage, ways{mappings.Prefix}, several, term(key)},
		{exactStage, ways{mappings.Inside}, noWildcard, inside},
		{exactStage, ways{mappings.Processed}, characters, processed},
		{exactStage, ways{mappings.HerbLatin}, latin, herbLatin},
		{exactStage, ways{mappings.MixedWhole, mappings.MixedPrefix, mappings.MixedInside}, charactersAndLetters, mixed},
		{phoneticStage, ways{mappings.LookAlike}, characters, lookAlike},
		{approximateStage, ways{mappings.NameAtStart}, characters, leadingName},
		{approximateStage, ways{mappings.NameAtEnd}, characters, trailingName},
		{approximateStage, ways{mappings.AnyOrder, mappings.Reordered}, characters, anyOrder},
		{approximateStage, ways{mappings.OneCharacterOff}, characters, oneCharacterOff},
	}},
	{[]mappings.Analyzer{mappings.Noun}, []matcher{
		{exactStage, ways{mappings.Whole}, characters, term(key)},
		{exactStage, ways{mappings.Suffix}, severalCharacters, term(key)},
	}},
	{[]mappings.Analyzer{mappings.NounSound}, []matcher{
		{exactStage, ways{mappings.Whole}, sound, soundOf},
	}},
	{[]mappings.Analyzer{mappings.Pinyin}, []matcher{
		{exactStage, ways{mappings.Whole}, sound, soundOf},
		{exactStage, ways{mappings.OtherForm}, plainSound, otherFormSound},
		{exactStage, ways{mappings.Aligned}, sound, soundOf},
		{exactStage, ways{mappings.Prefix}, sound, soundOf},
		{exactStage, ways{mappings.AlignedInside}, sound, soundOf},
		{exactStage, ways{mappings.Inside}, sound, soundOf},
		{exactStage, ways{mappings.NearSound}, plainSound, nearSound},
		{exactStage, ways{mappings.OtherSound}, plainSound, otherSound},
		{exactStage, ways{mappings.Processed}, sound, processedSound},
		{phoneticStage, ways{mappings.SameSound}, characters, sameSound},
		{phoneticStage, ways{mappings.Untoned}, sound, untoned},
		{approximateStage, ways{mappings.NearPrefix, mappings.NearInside}, sound, nearParts},
		{approximateStage, ways{mappings.Shortened}, sound, shortened},
		{approximateStage, ways{mappings.OtherPrefix, mappings.OtherInside}, plainSound, heteronymNames},
		{approximateStage, ways{mappings.AnyOrder}, plainSound, anyOrderSound},
		{fuzzyStage, ways{mappings.SameSound}, characters, rareSound},
		{fuzzyStage, ways{mappings.SameSoundPart}, characters, sameSoundPart},
		{fuzzyStage, ways{mappings.Typo, mappings.SoundTypo}, sound, soundTypo},
	}},
	{[]mappings.Analyzer{mappings.Initials}, []matcher{
		{exactStage, ways{mappings.Whole}, plainSound, term(initials)},
		{exactStage, ways{mappings.Prefix}, plainSound, term(initials)},
		{exactStage, ways{mappings.Inside}, plainSound, term(initials)},
		{exactStage, ways{mappings.Whole}, plainSound, withoutNote},
		{approximateStage, ways{mappings.OtherPrefix}, plainSound, heteronymInitials},
	}},
	{[]mappings.Analyzer{mappings.SciName, mappings.Synonym}, []matcher{
		{exactStage, ways{mappings.Whole}, latin, wholeLatin},
		{exactStage, ways{mappings.Abbreviated}, latin, abbreviated},
		{exactStage, ways{mappings.Listed}, latin, listed},
		{exactStage, ways{mappings.Endings}, latin, otherEndings},
		{exactStage, ways{mappings.Genus}, latin, genus},
		{exactStage, ways{mappings.Words}, latin, latinWords},
		{exactStage, ways{mappings.LatinStem}, latin, latinStem},
		{exactStage, ways{mappings.Prefix}, latin, latinPrefix},
		{checklistStage, ways{mappings.ListedInPart, mappings.Listed, mappings.ListedSpelling}, noWildcard, listedInText},
		{checklistStage, ways{mappings.OtherGenus}, latin, otherGenus},
		{fuzzyStage, ways{mappings.ListedTypo}, latin, listedTypo},
		{fuzzyStage, ways{mappings.Typo}, latin, latinTypo},
	}},
	{[]mappings.Analyzer{mappings.Title}, []matcher{
		{exactStage, ways{mappings.Words}, always, allWords},
		{phoneticStage, ways{mappings.WordStart, mappings.Typo}, always, wordStarts},
		{approximateStage, ways{mappings.SomeWords}, always, someWords},
	}},
	{[]mappings.Analyzer{mappings.Label}, []matcher{
		{exactStage, ways{mappings.Family}, ofGroup("科", "ae"), group},
		{exactStage, ways{mappings.Genus}, ofGroup("属", ""), group},
	}},
	{[]mappings.Analyzer{mappings.Text}, []matcher{
		{exactStage, ways{mappings.Inside}, always, textMatch},
	}},
	{[]mappings.Analyzer{mappings.DOI}, []matcher{
		{exactStage, ways{mappings.Whole, mappings.Prefix}, always, doi},
	}},
	{[]mappings.Analyzer{mappings.Number}, []matcher{
		{exactStage, ways{mappings.Whole}, noWildcard, number},
	}},
}

// The functions that decide which queries a matcher accepts. Names never contain wildcards, but
// titles and DOIs may.
func always(*reading.Reading) bool        { return true }
func noWildcard(rd *reading.Reading) bool { return !rd.Literal }

// several rejects single characters. The position of a single character in a name has no meaning,
// so all names that contain it should get the same tier.
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

// term returns a find function that looks up the term of a text in the way of the matcher. Only the
// ways up to [mappings.Words] have terms.
func term(text func(*reading.Reading) string) func(*lookup, *reading.Reading, hits.Why) {
	return func(l *lookup, rd *reading.Reading, why hits.Why) { l.collectTerm(why.Way, text(rd), why, nil) }
}

// step is a matcher together with a row of the search table.
type step struct {
	matcher
	why     hits.Why // the row of the table, the main way of the matcher, and the tier of this way in the row
	ownName bool     // the row has the records' own names, and the way matches whole names
}

// plan lists the steps of a table.
type plan struct {
	stages [stages][]step
	rows   namedRows
}

// newPlan returns the plan of a search table.
func newPlan(list []mappings.Row) plan {
	p := plan{rows: newNamedRows(list)}
	for i, r := range list {
		for _, kind := range matchers {
			for _, w := range kind.matchers {
				hasTier := func(w mappings.Way) bool { return r.Tiers[w] > 0 }
				if slices.Contains(kind.fields, r.Analyzer) && slices.ContainsFunc(w.ways, hasTier) {
					main := w.ways[0]
					why := hits.Why{Tier: r.Tiers[main], Row: i, Way: main}
					p.stages[w.stage] = append(p.stages[w.stage], step{w, why, main == mappings.Whole && ownName(r)})
				}
			}
		}
	}
	return p
}
