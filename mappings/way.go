package mappings

// Way is a way in which a value answers a query. Package search says in one table
// how the records of each way are found, and in which stage.
type Way uint8

// The ways. Up to [Words] they are kinds of terms too: the index writes their
// place in this list before each term, so that their order is its format.
const (
	Whole          Way = iota // the value
	Toned                     // the value, in pinyin with tones
	Separated                 // the value, in pinyin with its words apart
	Aligned                   // its first syllables
	Prefix                    // its beginning; in scientific names, that of each word
	AlignedInside             // some of its syllables
	Inside                    // a part of it; in pinyin, from the start of a syllable
	Tail                      // its end: 大黄 of 掌叶大黄
	NearSound                 // the value in the pinyin of those who don't tell zh from z, ng from n, l from n
	OtherSound                // the value with another reading of a character
	Abbreviated               // the value with the genus shortened: P. ginseng
	Endings                   // the value but for the endings of its words: quinquefolium for quinquefolius
	Genus                     // its genus
	Words                     // all words of the query, in any order
	MixedWhole                // the value, partly in characters and partly in pinyin
	MixedPrefix               // its beginning, so written
	MixedInside               // a part of it, so written
	MixedLatin                // a part of it, with a scientific name beside it; it has the tier of MixedInside
	SameSound                 // the value in wrong characters of the same sound
	SameSoundPart             // a part of it so written
	Untoned                   // any of the above when tones and spaces are not heeded
	NearPrefix                // its beginning in the pinyin of NearSound
	NearInside                // a part of it so written
	OtherPrefix               // its beginning, or all of it, with other readings of characters
	OtherInside               // some of its syllables so read
	OtherForm                 // the value in another dose form: 归脾汤 for 归脾丸
	Shortened                 // pinyin with syllables cut short: liuwdihuang
	WordStart                 // words that begin with those of the query
	Processed                 // the drug of which the query is a processed form or a part: 炙甘草 for 甘草
	DrugLatin                 // the drug that has the query as its pharmaceutical Latin name
	LatinStem                 // the genus or species that a pharmaceutical Latin name is made of
	Leading                   // the first words of the query, as before an author's name
	AnyWord                   // some words of the query
	Begun                     // the value and more behind it: 车前子 for 车前
	Ended                     // the value and more before it: 丹栀逍遥散 for 逍遥散
	Reordered                 // the value with its characters in another order
	AnyOrder                  // all characters of the query, in any order
	OneWrong                  // the value with a character wrong, missing or too many
	Typo                      // words a letter or two away
	SoundTypo                 // pinyin a letter or two away, when the query reads as pinyin
	Listed                    // a name that a checklist has for the species, however it is written down
	ListedInPart              // the same with words left over
	ListedSpelling            // the same in another spelling
	ListedTypo                // the same a letter or two away
	OtherGenus                // the epithet in another genus, of a name that no checklist places
	Family                    // its family
	numWays
)

// wayNames say how an explanation calls the ways.
var wayNames = [numWays]string{
	Whole:         "whole",
	Toned:         "whole, tones agree",
	Separated:     "whole, syllables apart",
	Aligned:       "first syllables",
	Prefix:        "prefix",
	AlignedInside: "syllables inside",
	Inside:        "inside",
	Tail:          "end",
	NearSound:     "near sound",
	OtherSound:    "other reading of a character",
	Abbreviated:   "genus shortened",
	Endings:       "whole but for endings",
	Genus:         "genus",
	Words:         "all words",
	MixedWhole:    "characters and pinyin, whole",
	MixedPrefix:   "characters and pinyin, prefix",
	MixedInside:   "characters and pinyin, inside",
	MixedLatin:    "with the scientific name",
	SameSound:     "same sound",
	SameSoundPart: "same sound, in part",
	Untoned:       "tones and spaces not heeded",
	NearPrefix:    "near sound, prefix",
	NearInside:    "near sound, inside",
	OtherPrefix:   "other readings of characters",
	OtherInside:   "other readings of characters, inside",
	OtherForm:     "another dose form",
	Shortened:     "syllables cut short",
	WordStart:     "beginnings of words",
	Processed:     "processed form or part",
	DrugLatin:     "pharmaceutical Latin",
	LatinStem:     "stem of pharmaceutical Latin",
	Leading:       "leading words",
	AnyWord:       "some words",
	Begun:         "name at the beginning of the query",
	Ended:         "name at the end of the query",
	Reordered:     "whole, characters in another order",
	AnyOrder:      "characters in any order",
	OneWrong:      "one character off",
	Typo:          "letters off",

	SoundTypo:      "pinyin with letters off",
	Listed:         "in a checklist",
	ListedInPart:   "in a checklist with words left over",
	ListedSpelling: "in a checklist spelled otherwise",
	ListedTypo:     "in a checklist with letters off",
	OtherGenus:     "the epithet in another genus",
	Family:         "family",
}

func (w Way) String() string { return wayNames[w] }

// Tiers gives each way its tier, from [MaxTier] for the best down to 1; 0 says
// that the field is not found in that way.
type Tiers [numWays]uint8

// MaxTier is the best tier.
const MaxTier = 100

// forgiving names the ways that forgive something that was typed, as the answer
// says it. A record that is found in another way holds what was typed.
var forgiving = [numWays]string{
	NearSound: "nearSound", NearPrefix: "nearSound", NearInside: "nearSound",
	OtherSound: "otherReading", OtherPrefix: "otherReading", OtherInside: "otherReading",
	Endings: "endings", SameSound: "sameSound", SameSoundPart: "sameSound", Untoned: "tones", OtherForm: "doseForm",
	WordStart: "wordBeginnings", Shortened: "shortened", Leading: "wordsLeftOut", AnyWord: "wordsLeftOut", Begun: "partOfQuery", Ended: "partOfQuery",
	Reordered: "order", AnyOrder: "order", OneWrong: "oneCharacter", Typo: "letters", SoundTypo: "letters",
	ListedInPart: "wordsLeftOut", ListedSpelling: "letters", ListedTypo: "letters", OtherGenus: "genus",
}

// parts names the ways in which a value only holds what was typed, by where.
var parts = [numWays]string{
	Aligned: "beginning", Prefix: "beginning", MixedPrefix: "beginning",
	AlignedInside: "inside", Inside: "inside", MixedInside: "inside", MixedLatin: "inside",
	Tail: "end", Words: "words",
}

// groups names the ways in which a query is read as the name of a group of records.
var groups = [numWays]string{Family: "family", Genus: "genus"}

// Verdict says in what manner the best records of an answer have what was typed.
// Without any of it they are called so; there may also be none.
type Verdict struct {
	Forgiven string // what was forgiven, such as "sameSound": none holds what was typed
	Part     string // where their names hold it, such as "beginning": none is called so
	Group    string // the group that it names: "family" or "genus"
}

// Verdict is what is said of records that were found in one way.
func (w Way) Verdict() Verdict { return Verdict{forgiving[w], parts[w], groups[w]} }

// Better says whether v promises more than o: a name rather than a group, a group
// rather than a part, a part rather than what is forgiven.
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
