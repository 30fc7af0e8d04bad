package mappings

// Way is a way in which a value matches a query. mappings/internal/matchers/table.go lists the
// matchers of each way. Explanations in the API give the names of ways.
type Way uint8

// The ways. The ways up to [Words] are also kinds of terms. The index writes the number of the way
// before each term, so the order is part of the format. Each comment says what the query gives or
// what it finds. "The value" means a value of the record.
const (
	Whole           Way = iota // the value
	Aligned                    // the first syllables of the value
	Prefix                     // the start of the value; in scientific names, the starts of words
	AlignedInside              // syllables within the value
	Inside                     // a part of the value; in pinyin it starts at a syllable
	Suffix                     // the end of the value: 大黄 of 掌叶大黄
	NearSound                  // the value in the pinyin of speakers who do not distinguish zh from z, ng from n, l from n
	OtherSound                 // the value with another reading of a character
	Abbreviated                // the value with an abbreviated genus: P. ginseng
	Endings                    // the value, but epithets may have other endings: quinquefolium for quinquefolius
	Genus                      // the genus of a scientific name
	Words                      // all words of the query, in any order
	MixedWhole                 // the value, written partly in characters and partly in pinyin
	MixedPrefix                // the start of the value, partly in characters and partly in pinyin
	MixedInside                // a part of the value, partly in characters and partly in pinyin
	LookAlike                  // the value with a character that looks like another one: 黄苓汤 for 黄芩汤
	SameSound                  // the value in other characters of the same sound
	SameSoundPart              // a part of the value in other characters of the same sound
	Untoned                    // the value, or a part of it, when tones and spaces are ignored
	NearPrefix                 // the start of the value in near sounds
	NearInside                 // a part of the value in near sounds
	OtherPrefix                // the value, or its start, with other readings of characters
	OtherInside                // syllables within the value with other readings of characters
	OtherForm                  // the name of a formula with another dose form: 归脾汤 for 归脾丸
	Shortened                  // the value in pinyin with shortened syllables: liuwdihuang
	WordStart                  // words of the value that start with the words of the query
	Processed                  // a herb, if the query names a processed form or a part of this herb: 甘草 for 炙甘草
	HerbLatin                  // the herb whose pharmaceutical Latin name is the query
	LatinStem                  // the genus or species, if the query is a pharmaceutical Latin name that contains it
	SomeWords                  // some words of the query
	NameAtStart                // the value is the start of the query: 车前 for 车前子
	NameAtEnd                  // the value is the end of the query: 逍遥散 for 丹栀逍遥散
	Reordered                  // the value with its characters in another order
	AnyOrder                   // all characters or syllables of the query, in any order
	OneCharacterOff            // the value with one character wrong, missing or added
	Typo                       // words or pinyin that differ from the query by one or two letters
	SoundTypo                  // pinyin as for [Typo], if the query looks like pinyin
	Listed                     // a name of the species in a checklist, written in any form that package names can read
	ListedInPart               // a name as for [Listed], if the query also has other words
	ListedSpelling             // a name as for [Listed], in another spelling
	ListedTypo                 // a name as for [Listed], with one or two wrong letters
	OtherGenus                 // a species with the epithet of the query in another genus, if no checklist has an accepted name for the query
	Family                     // the family of the species
	OnlyHerbs                  // formulas that consist of exactly the herbs of the query
	AllHerbs                   // formulas with all herbs of the query
	MostHerbs                  // formulas with most herbs of the query, if none has all
	numWays
)

// wayNames are the names of the ways in explanations.
var wayNames = [numWays]string{
	Whole:           "whole",
	Aligned:         "first syllables",
	Prefix:          "prefix",
	AlignedInside:   "syllables inside",
	Inside:          "inside",
	Suffix:          "end",
	NearSound:       "near sound",
	OtherSound:      "other reading of a character",
	Abbreviated:     "genus shortened",
	Endings:         "whole but for endings",
	Genus:           "genus",
	Words:           "all words",
	MixedWhole:      "characters and pinyin, whole",
	MixedPrefix:     "characters and pinyin, prefix",
	MixedInside:     "characters and pinyin, inside",
	LookAlike:       "look-alike character",
	SameSound:       "same sound",
	SameSoundPart:   "same sound, in part",
	Untoned:         "tones and spaces ignored",
	NearPrefix:      "near sound, prefix",
	NearInside:      "near sound, inside",
	OtherPrefix:     "other readings of characters",
	OtherInside:     "other readings of characters, inside",
	OtherForm:       "another dose form",
	Shortened:       "syllables cut short",
	WordStart:       "beginnings of words",
	Processed:       "processed form or part",
	HerbLatin:       "pharmaceutical Latin",
	LatinStem:       "stem of pharmaceutical Latin",
	SomeWords:       "some words",
	NameAtStart:     "name at the beginning of the query",
	NameAtEnd:       "name at the end of the query",
	Reordered:       "whole, characters in another order",
	AnyOrder:        "characters in any order",
	OneCharacterOff: "one character off",
	Typo:            "letters off",

	SoundTypo:      "pinyin with letters off",
	Listed:         "in a checklist",
	ListedInPart:   "in a checklist with words left over",
	ListedSpelling: "in a checklist spelled otherwise",
	ListedTypo:     "in a checklist with letters off",
	OtherGenus:     "the epithet in another genus",
	Family:         "family",
	OnlyHerbs:      "exactly these herbs",
	AllHerbs:       "all these herbs",
	MostHerbs:      "most of these herbs",
}

func (w Way) String() string { return wayNames[w] }

// Tiers holds the tier of each way, from [MaxTier] for the best down to 1. A field with
// tier 0 is not searched in that way.
type Tiers [numWays]uint8

// MaxTier is the best tier.
const MaxTier = 100

// forgiving maps each way that tolerates a mistake to the name of the mistake in answers. The other
// ways tolerate no mistake.
var forgiving = [numWays]string{
	NearSound: "nearSound", NearPrefix: "nearSound", NearInside: "nearSound",
	OtherSound: "otherReading", OtherPrefix: "otherReading", OtherInside: "otherReading",
	Endings: "endings", LookAlike: "lookAlike", SameSound: "sameSound", SameSoundPart: "sameSound", Untoned: "tones", OtherForm: "doseForm",
	WordStart: "wordBeginnings", Shortened: "shortened", SomeWords: "wordsLeftOut", NameAtStart: "partOfQuery", NameAtEnd: "partOfQuery",
	Reordered: "order", AnyOrder: "order", OneCharacterOff: "oneCharacter", Typo: "letters", SoundTypo: "letters",
	ListedInPart: "wordsLeftOut", ListedSpelling: "letters", ListedTypo: "letters", OtherGenus: "genus", MostHerbs: "herbsLeftOut",
}

// parts maps each way that matches a part of the value to the name of that part.
var parts = [numWays]string{
	Aligned: "beginning", Prefix: "beginning", MixedPrefix: "beginning",
	AlignedInside: "inside", Inside: "inside", MixedInside: "inside",
	Suffix: "end", Words: "words",
}

// groups maps each way that matches the name of a group to the kind of group.
var groups = [numWays]string{Family: "family", Genus: "genus"}

// Verdict describes how well the best hits match the text of the query. All its fields are empty if
// a name equals the text or there are no hits.
type Verdict struct {
	Forgiven string // the mistake that was tolerated, such as "sameSound"
	Part     string // the part of a name that matches the query, such as "beginning"
	Group    string // the kind of group that the query names: "family" or "genus"
}

// Verdict describes how well records that are found in this way match the query.
func (w Way) Verdict() Verdict { return Verdict{forgiving[w], parts[w], groups[w]} }

// Better reports whether v is a closer match than o. A name is closer than a group, a group is
// closer than a part of a name, and a part is closer than a tolerated mistake.
func (v Verdict) Better(o Verdict) bool { return v.distance() < o.distance() }

func (v Verdict) distance() int {
	switch {
	case v.Forgiven != "":
		return 3
	case v.Part != "":
		return 2
	case v.Group != "":
		return 1
	}
	return 0
}
