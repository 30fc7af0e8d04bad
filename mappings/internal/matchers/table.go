package matchers

import (
	"slices"

	"bencao/mappings"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// matcher finds records in one way.
type matcher struct {
	stage stage
	// way selects the tier of a field in [mappings.Tiers]. A find function that serves several ways
	// has only one row in the table of matchers, under its main way. A matcher does not run for
	// fields without a tier for its way.
	way     mappings.Way
	accepts func(*reading.Reading) bool // reports whether the query can match
	find    func(*lookup, *reading.Reading, hits.Why)
}

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
// order. A comment beside a row gives the other ways of its find function.
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
		{exactStage, mappings.Processed, sound, processedSound},
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
	why     hits.Why // the row of the table, the way of the matcher, and the tier of this way in the row
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
				if tier := r.Tiers[w.way]; tier > 0 && slices.Contains(kind.fields, r.Analyzer) {
					why := hits.Why{Tier: tier, Row: i, Way: w.way}
					p.stages[w.stage] = append(p.stages[w.stage], step{w, why, w.way == mappings.Whole && ownName(r)})
				}
			}
		}
	}
	return p
}
