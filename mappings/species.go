package mappings

import (
	"cmp"
	"strconv"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/store"
)

// SpeciesDir is what the index of species is called in a snapshot.
const SpeciesDir = "species.bleve"

// Species lists everything a species can be found by.
//
// To add a search field, add a row here and its queries to
// testdata/species.txt. The index, the documents and the query follow.
var Species = []Field[store.Species]{
	{
		Name: "chineseName", Analyzer: Chinese,
		Tiers:  Tiers{Whole: 100, Prefix: 80, Inside: 60, MixedWhole: 90, MixedPrefix: 78, MixedInside: 60, Reordered: 38, Begun: 37, AnyOrder: 30, OneWrong: 28, Ended: 27},
		Values: func(s *store.Species) []string { return []string{s.ChineseName} },
	},
	{
		Name: "alias", Analyzer: Chinese,
		Tiers:  Tiers{Whole: 85, Inside: 50, MixedWhole: 80, MixedPrefix: 68, MixedInside: 50, Reordered: 36, Begun: 34, AnyOrder: 29, OneWrong: 26, Ended: 25},
		Values: func(s *store.Species) []string { return aliases(s, func(a *store.Alias) string { return a.Name }) },
	},
	{
		Name: "pinyin", Analyzer: Pinyin, Sounds: "chineseName", Tiers: namePinyin,
		Values: func(s *store.Species) []string { return []string{s.ChineseNamePinyin} },
	},
	{
		Name: "aliasPinyin", Analyzer: Pinyin, Sounds: "alias",
		Tiers:  Tiers{Whole: 82, AlignedInside: 48, Inside: 47, NearSound: 46, SameSound: 38, SameSoundPart: 35, NearPrefix: 32, NearInside: 31},
		Values: func(s *store.Species) []string { return aliases(s, func(a *store.Alias) string { return a.Pinyin }) },
	},
	{
		Name: "initials", Analyzer: Initials, Sounds: "chineseName", Tiers: Tiers{Whole: 54, Prefix: 45, Inside: 40, OtherPrefix: 27},
		Values: func(s *store.Species) []string { return []string{s.ChineseNamePinyin} },
	},
	{
		Name: "aliasInitials", Analyzer: Initials, Sounds: "alias", Tiers: Tiers{Whole: 52},
		Values: func(s *store.Species) []string { return aliases(s, func(a *store.Alias) string { return a.Pinyin }) },
	},
	{
		Name: "scientificName", Analyzer: SciName,
		Tiers:  Tiers{Whole: 95, Abbreviated: 93, Endings: 88, Genus: 79, Words: 78, Prefix: 69, Leading: 37, Typo: 30},
		Values: func(s *store.Species) []string { return []string{s.ScientificName} },
	},
	{
		Name: "synonym", Analyzer: Synonym,
		Tiers: Tiers{Whole: 84, Abbreviated: 83, Endings: 72, Words: 66, Prefix: 62, Leading: 34, Typo: 25},
		Values: func(s *store.Species) []string {
			out := make([]string, len(s.Synonyms))
			for i := range s.Synonyms {
				out[i] = s.Synonyms[i].Name
			}
			return out
		},
	},
	{
		Name: "family", Analyzer: Facet,
		Values: func(s *store.Species) []string {
			return []string{forms(s.Family, s.FamilyChinese, familiesAlso[s.Family])}
		},
	},
	{
		Name: "genus", Analyzer: Facet,
		Values: func(s *store.Species) []string { return []string{forms(s.Genus, s.GenusChinese)} },
	},
	{
		Name: "rank", Analyzer: Facet,
		Values: func(s *store.Species) []string { return []string{forms(s.Rank, ranksInChinese[s.Rank])} },
	},
	{
		Name: "hasFormulas", Analyzer: Facet,
		Values: func(s *store.Species) []string { return []string{strconv.FormatBool(len(s.Formulas) > 0)} },
	},
	{
		Name: "nameOrder", Analyzer: Order,
		Compare: func(all []store.Species) func(a, b int) int {
			return byKeys(all, func(s *store.Species) string { return aloud(s.ChineseNamePinyin, s.ChineseName, s.ScientificName) })
		},
	},
	{
		Name: "prominenceOrder", Analyzer: Order,
		Compare: func(all []store.Species) func(a, b int) int {
			known := func(i int) int { return len(all[i].Formulas) + len(all[i].Papers) + len(all[i].Uses) }
			return func(a, b int) int { return cmp.Compare(known(b), known(a)) }
		},
	},
}

// namePinyin are the tiers of a record's own name in pinyin.
var namePinyin = Tiers{
	Toned: 92, Separated: 91, Whole: 90, Aligned: 77, Prefix: 70, AlignedInside: 57, Inside: 55, NearSound: 56, OtherSound: 56,
	SameSound: 40, SameSoundPart: 36, Untoned: 38, NearPrefix: 35, NearInside: 34, Shortened: 33, OtherPrefix: 33, OtherInside: 31, Typo: 20,
}

func aliases(s *store.Species, of func(*store.Alias) string) []string {
	out := make([]string, len(s.Aliases))
	for i := range s.Aliases {
		out[i] = of(&s.Aliases[i])
	}
	return out
}

// LessSpecies says whether a stands before b in the answer order: species
// before lower ranks, then short names before long ones, then by popularity
// (formulas, papers and uses together), then by entryId. A species without a
// Chinese name stands behind all that have one.
func LessSpecies(a, b *store.Species, popularityA, popularityB int) bool {
	return cmp.Or(
		cmp.Compare(rankOrder(a.Rank), rankOrder(b.Rank)),
		cmp.Compare(nameLength(a.ChineseName), nameLength(b.ChineseName)),
		cmp.Compare(popularityB, popularityA),
		cmp.Compare(a.EntryID, b.EntryID),
	) < 0
}

func rankOrder(rank string) int {
	if rank == "species" {
		return 0
	}
	return 1
}

// nameLength counts the characters of a name as it is compared. A name that
// is missing is longer than any other.
func nameLength(name string) int {
	if n := utf8.RuneCountInString(han.Fold(name)); n > 0 {
		return n
	}
	return 1 << 20
}
