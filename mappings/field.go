package mappings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"bencao/names"
	"bencao/names/han"
	"bencao/store"
)

// version is raised whenever an analyzer makes other terms of the same text,
// or an index is laid out otherwise. The tables that fold characters speak for
// themselves.
const version = 2

// Field is one row of a search table: one thing that a record is found by.
type Field[R any] struct {
	// Name names the field in the index and in explanations.
	Name string
	// Analyzer makes terms of values and of queries.
	Analyzer Analyzer
	// Tiers says which ways of being found count, and how much.
	Tiers Tiers
	// Sounds names the field that holds the same names in characters, value for
	// value. Only rows of pinyin and of initials have it.
	Sounds string
	// Values returns what the record is found by; empty values are ignored.
	Values func(*R) []string
}

// Analyzer is a kind of text.
type Analyzer uint8

// The analyzers, and what the text of a field with them is.
const (
	Chinese  Analyzer = iota // a name in Chinese characters
	Pinyin                   // pinyin with tone marks, a space between syllables
	Initials                 // the same, found by the first letters of its syllables
	SciName                  // a scientific name without author
	Synonym                  // scientific names without author, of which any may fit
	Title                    // a title in any language
	DOI                      // a digital object identifier in any of its spellings
	Number                   // an identifier of digits
	Dynasty                  // a dynasty; it is filtered by, not searched
)

// analyzerNames are the names under which the index knows the analyzers.
var analyzerNames = [...]string{"zh", "pinyin", "initials", "sciname", "synonym", "title", "doi", "number", "dynasty"}

func (a Analyzer) String() string { return analyzerNames[a] }

// Way is a way in which a value answers a query.
type Way uint8

// The ways. Those from [SameSound] on forgive mistakes: they are tried in
// stages, each only when nothing was found before.
const (
	Whole         Way = iota // the value
	Toned                    // the value, in pinyin with tones
	Separated                // the value, in pinyin with its words apart
	Aligned                  // its first syllables
	Prefix                   // its beginning; in scientific names, that of each word
	AlignedInside            // some of its syllables
	Inside                   // a part of it; in pinyin, from the start of a syllable
	NearSound                // the value in the pinyin of those who don't tell zh from z, ng from n, l from n
	OtherSound               // the value with another reading of a character
	Abbreviated              // the value with the genus shortened: P. ginseng
	Endings                  // the value but for the endings of its words: quinquefolium for quinquefolius
	Genus                    // its genus
	Words                    // all words of the query, in any order
	MixedWhole               // the value, partly in characters and partly in pinyin
	MixedPrefix              // its beginning, so written
	MixedInside              // a part of it, so written
	MixedLatin               // a part of it, with a scientific name beside it
	SameSound                // the value in wrong characters of the same sound
	SameSoundPart            // a part of it so written
	Untoned                  // any of the above when tones and spaces are not heeded
	NearPrefix               // its beginning in the pinyin of NearSound
	NearInside               // a part of it so written
	OtherPrefix              // its beginning, or all of it, with other readings of characters
	OtherInside              // some of its syllables so read
	Shortened                // pinyin with syllables cut short: liuwdihuang
	Leading                  // the first words of the query, as before an author's name
	AnyWord                  // some words of the query
	Begun                    // the value and more behind it: 车前子 for 车前
	Ended                    // the value and more before it: 丹栀逍遥散 for 逍遥散
	Reordered                // the value with its characters in another order
	AnyOrder                 // all characters of the query, in any order
	OneWrong                 // the value with a character wrong, missing or too many
	Typo                     // words a letter or two away
	numWays
)

// ways says of each way how an explanation calls it and in which stage it is
// tried.
var ways = [numWays]struct {
	reason string
	stage  int
}{
	Whole:         {"whole", 0},
	Toned:         {"whole, tones agree", 0},
	Separated:     {"whole, syllables apart", 0},
	Aligned:       {"first syllables", 0},
	Prefix:        {"prefix", 0},
	AlignedInside: {"syllables inside", 0},
	Inside:        {"inside", 0},
	NearSound:     {"near sound", 0},
	OtherSound:    {"other reading of a character", 0},
	Abbreviated:   {"genus shortened", 0},
	Endings:       {"whole but for endings", 0},
	Genus:         {"genus", 0},
	Words:         {"all words", 0},
	MixedWhole:    {"characters and pinyin, whole", 0},
	MixedPrefix:   {"characters and pinyin, prefix", 0},
	MixedInside:   {"characters and pinyin, inside", 0},
	MixedLatin:    {"with the scientific name", 0},
	SameSound:     {"same sound", 1},
	SameSoundPart: {"same sound, in part", 3},
	Untoned:       {"tones and spaces not heeded", 1},
	NearPrefix:    {"near sound, prefix", 2},
	NearInside:    {"near sound, inside", 2},
	OtherPrefix:   {"other readings of characters", 2},
	OtherInside:   {"other readings of characters, inside", 2},
	Shortened:     {"syllables cut short", 2},
	Leading:       {"leading words", 2},
	AnyWord:       {"some words", 2},
	Begun:         {"name at the beginning of the query", 2},
	Ended:         {"name at the end of the query", 2},
	Reordered:     {"whole, characters in another order", 2},
	AnyOrder:      {"characters in any order", 2},
	OneWrong:      {"one character off", 2},
	Typo:          {"letters off", 3},
}

// lastStage is the stage after which a query has found nothing.
const lastStage = 4

func (w Way) String() string { return ways[w].reason }

// Tiers gives each way its tier, from 100 for the best down to 1; 0 says that
// the field is not found in that way.
type Tiers [numWays]uint8

// maxTier is the best tier.
const maxTier = 100

// Schema identifies what the files of a snapshot hold: the fields, terms and
// tiers of the indexes, how names are folded, and the formats of the names file
// and the store. A server must refuse a snapshot with another schema, and a
// night must build it anew.
func Schema() string {
	h := sha256.New()
	fmt.Fprintln(h, "version", version, "folding", han.Tables(), "names", names.Format, "store", store.Format)
	describe(h, "species", Species)
	describe(h, "formulas", Formulas)
	describe(h, "papers", Papers)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func describe[R any](w interface{ Write([]byte) (int, error) }, table string, fields []Field[R]) {
	for _, f := range fields {
		fmt.Fprintln(w, table, f.Name, f.Analyzer, f.Tiers, f.Sounds)
	}
}
