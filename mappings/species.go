package mappings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/vernacular"
	"bencao/store"
)

// SpeciesDir is the folder of the index of species in a snapshot.
const SpeciesDir = "species.bleve"

// Species lists the fields of species.
//
// To add a search field, add a row here and test queries to testdata/species.txt. The index, the
// documents and the query follow from the row. If Facet is set, the field is also a facet. A
// filter by the field is a row of [Filters].
var Species = []Field[store.Species]{
	{
		Name: "chineseName", Analyzer: Chinese,
		Tiers:  Tiers{Whole: 100, Prefix: 80, Suffix: 79, Inside: 60, MixedWhole: 90, MixedPrefix: 78, MixedInside: 60, LookAlike: 42, Reordered: 38, NameAtStart: 37, AnyOrder: 30, OneCharacterOff: 28, NameAtEnd: 27},
		Values: func(s *store.Species) []string { return []string{string(s.ChineseName)} },
	},
	{
		Name: "alias", Analyzer: Chinese,
		Tiers:  Tiers{Whole: 85, Inside: 50, MixedWhole: 80, MixedPrefix: 68, MixedInside: 50, LookAlike: 41, Reordered: 36, NameAtStart: 34, AnyOrder: 29, OneCharacterOff: 26, NameAtEnd: 25},
		Values: func(s *store.Species) []string { return aliases(s, func(a *store.Alias) string { return a.Name }) },
	},
	{
		Name: "drug", Analyzer: Chinese, Tiers: Tiers{Whole: 96, Processed: 94, HerbLatin: 94, LookAlike: 41},
		Values: func(s *store.Species) []string { return readings(s.Herbs, names) },
	},
	{
		Name: "drugAlias", Analyzer: Chinese, Tiers: Tiers{Whole: 84, Processed: 82, HerbLatin: 82},
		Values: func(s *store.Species) []string { return readings(s.HerbAliases, names) },
	},
	{
		Name: "folkName", Analyzer: Chinese, Tiers: Tiers{Whole: 82, Processed: 81}, // the folk names of herbs
		Values: func(s *store.Species) []string { return readings(s.FolkNames, names) },
	},
	{
		Name: "englishName", Analyzer: Chinese, Tiers: Tiers{Whole: 87},
		Values: func(s *store.Species) []string { return vernacularOf(s, vernacular.English(), numbers) },
	},
	{
		Name: "englishNoun", Analyzer: Chinese, Tiers: Tiers{Whole: 73}, // the last words of English names: wormwood of sweet wormwood
		Values: func(s *store.Species) []string { return vernacularOf(s, vernacular.English(), nouns) },
	},
	{
		Name: "otherName", Analyzer: Chinese, Tiers: Tiers{Whole: 86}, // other names in everyday Chinese, Japanese and Korean
		Values: func(s *store.Species) []string { return vernacularOf(s, vernacular.Asian(), slices.Clone[[]string]) },
	},
	{
		Name: EntryID, Analyzer: Label, // not for users' queries; finds a record by an id that a checklist returned
		Values: func(s *store.Species) []string { return []string{strconv.Itoa(int(s.EntryID))} },
	},
	{
		Name: NoPlant, Analyzer: Chinese, // not for users' queries; a herb with such a name is known not to be a plant
		Values: func(s *store.Species) []string { return s.NoPlants },
	},
	{
		Name: "kind", Analyzer: Noun, Tiers: Tiers{Whole: 83},
		Values: func(s *store.Species) []string {
			if !known(s) {
				return nil
			}
			return []string{kind(s)}
		},
	},
	{
		Name: "anyKind", Analyzer: Noun, Tiers: Tiers{Whole: 79},
		Values: func(s *store.Species) []string { return []string{kind(s)} },
	},
	{
		Name: "knownName", Analyzer: Noun, Tiers: Tiers{Suffix: 80},
		Values: func(s *store.Species) []string {
			if !known(s) {
				return nil
			}
			return []string{string(s.ChineseName)}
		},
	},
	{
		Name: "kindPinyin", Analyzer: NounSound, Tiers: Tiers{Whole: 80},
		Values: func(s *store.Species) []string {
			if !known(s) {
				return nil
			}
			return []string{kindPinyin(s)}
		},
	},
	{
		Name: "pinyin", Analyzer: Pinyin, Characters: "chineseName", Tiers: namePinyin,
		Values: func(s *store.Species) []string { return []string{string(s.ChineseNamePinyin)} },
	},
	{
		Name: "aliasPinyin", Analyzer: Pinyin, Characters: "alias", Tiers: aliasPinyin,
		Values: func(s *store.Species) []string { return aliases(s, func(a *store.Alias) string { return a.Pinyin }) },
	},
	{
		Name: "drugPinyin", Analyzer: Pinyin, Characters: "drug", Tiers: Tiers{Whole: 89, Processed: 81, NearSound: 77, SameSound: 39},
		Values: func(s *store.Species) []string { return readings(s.Herbs, sounds) },
	},
	{
		Name: "drugAliasPinyin", Analyzer: Pinyin, Characters: "drugAlias", Tiers: Tiers{Whole: 81},
		Values: func(s *store.Species) []string { return readings(s.HerbAliases, sounds) },
	},
	{
		Name: "folkNamePinyin", Analyzer: Pinyin, Characters: "folkName", Tiers: Tiers{Whole: 80},
		Values: func(s *store.Species) []string { return readings(s.FolkNames, sounds) },
	},
	{
		Name: "initials", Analyzer: Initials, Characters: "chineseName", Tiers: Tiers{Whole: 54, Prefix: 45, Inside: 40, OtherPrefix: 27},
		Values: func(s *store.Species) []string { return []string{string(s.ChineseNamePinyin)} },
	},
	{
		Name: "aliasInitials", Analyzer: Initials, Characters: "alias", Tiers: Tiers{Whole: 52},
		Values: func(s *store.Species) []string { return aliases(s, func(a *store.Alias) string { return a.Pinyin }) },
	},
	{
		Name: "scientificName", Analyzer: SciName,
		Tiers: Tiers{
			Whole: 95, Abbreviated: 93, Listed: 89, Endings: 88, Genus: 79, Words: 78, LatinStem: 74, ListedSpelling: 71, Prefix: 69,
			ListedInPart: 39, OtherGenus: 33, ListedTypo: 31, Typo: 30,
		},
		Values: func(s *store.Species) []string { return []string{string(s.ScientificName)} },
	},
	{
		Name: "synonym", Analyzer: Synonym,
		Tiers: Tiers{Whole: 84, Abbreviated: 83, Endings: 72, Words: 66, Prefix: 62, Typo: 25},
		Values: func(s *store.Species) []string {
			out := make([]string, len(s.Synonyms))
			for i := range s.Synonyms {
				out[i] = s.Synonyms[i].Name
			}
			return out
		},
	},
	{
		Name: FamilyName, Analyzer: Label, Tiers: Tiers{Family: 79},
		Values: func(s *store.Species) []string {
			return []string{string(s.Family), string(s.FamilyChinese), familiesAlso[string(s.Family)]}
		},
	},
	{
		Name: "genusName", Analyzer: Label, Tiers: Tiers{Genus: 79}, // the Chinese name of the genus; the Latin name of the genus is a word of the scientific name
		Values: func(s *store.Species) []string { return []string{string(s.GenusChinese)} },
	},
	{
		Name: "family", Analyzer: Facet,
		Values: func(s *store.Species) []string {
			return []string{familyForms(string(s.Family), string(s.FamilyChinese))}
		},
	},
	{
		Name: "genus", Analyzer: Facet,
		Values: func(s *store.Species) []string { return []string{forms(string(s.Genus), string(s.GenusChinese))} },
	},
	{
		Name: "rank", Analyzer: Facet,
		Values: func(s *store.Species) []string {
			return []string{forms(string(s.Rank), ranksInChinese[string(s.Rank)])}
		},
	},
	{
		Name: "hasFormulas", Analyzer: Facet,
		Values: func(s *store.Species) []string { return []string{strconv.FormatBool(len(s.Formulas) > 0)} },
	},
	{
		Name: RegionField, Analyzer: Facet,
		Values: func(s *store.Species) []string {
			return areas(s, func(a *store.ListedArea) string { return forms(a.Code, a.Chinese, a.Name) })
		},
	},
	{
		Name: EstablishmentField, Analyzer: Facet,
		Values: func(s *store.Species) []string {
			return areas(s, func(a *store.ListedArea) string {
				word := store.Establishment(a.Introduced)
				return forms(word, establishedInChinese[word])
			})
		},
	},
	{
		Name: RangeField, Analyzer: Facet, Numbers: true,
		Values: func(s *store.Species) []string {
			return areas(s, func(a *store.ListedArea) string { return RangeValue(store.Establishment(a.Introduced), a.Code) })
		},
	},
	{
		Name: "lifeForm", Analyzer: Facet,
		Values: func(s *store.Species) []string {
			out := make([]string, len(s.LifeForms))
			for i, form := range s.LifeForms {
				out[i] = forms(form, LifeFormInChinese(form))
			}
			return out
		},
	},
	{
		Name: "nameOrder", Analyzer: Order,
		Compare: func(all []store.Species) func(a, b int) int {
			return byKeys(all, func(s *store.Species) string {
				return sortKey(string(s.ChineseNamePinyin), string(s.ChineseName), string(s.ScientificName))
			})
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

// The names of fields that matchers look up by name.
const (
	NoPlant = "noPlant" // names of herbs that are not plants
	EntryID = "entryId" // numbers of the records in the source database

	// FamilyName has the names of families. A query for a family finds all its species.
	FamilyName = "familyName"

	// The fields of where a species grows: codes of regions; native or introduced; and both together,
	// as [RangeValue] writes them.
	RegionField        = "region"
	EstablishmentField = "establishment"
	RangeField         = "range"
)

// RangeValue returns the value of [RangeField] for a region.
func RangeValue(establishment, code string) string { return establishment + " " + code }

// areas returns a value for each area that the checklists list for a species, each value once.
func areas(s *store.Species, value func(*store.ListedArea) string) (out []string) {
	for i := range s.Areas {
		if v := value(&s.Areas[i]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// namePinyin are the tiers of the pinyin of a record's own name.
var namePinyin = Tiers{
	Whole: 90, NearSound: 78, Aligned: 76, Prefix: 70, AlignedInside: 57, Inside: 55, OtherSound: 56,
	SameSound: 40, SameSoundPart: 36, Untoned: 38, NearPrefix: 35, NearInside: 34, Shortened: 33, OtherPrefix: 33, OtherInside: 31, SoundTypo: 34, Typo: 20,
}

// aliasPinyin are the tiers of the pinyin of a record's other names.
var aliasPinyin = Tiers{Whole: 82, NearSound: 58, AlignedInside: 48, Inside: 47, SameSound: 38, SameSoundPart: 35, NearPrefix: 32, NearInside: 31}

// knownSteps is the minimum prominence of a well-known species. It is a value of
// [Prominence.steps].
const knownSteps = 4

// known reports whether a species is so well known that the noun at the end of its name, used
// alone, means this species: 大黄 means 掌叶大黄.
func known(s *store.Species) bool {
	p := Prominence{Formulas: len(s.Formulas), Papers: len(s.Papers), Uses: len(s.Uses), Books: len(s.Flora)}
	return rankOrder(string(s.Rank)) == 0 && p.steps() >= knownSteps
}

// kind returns the noun at the end of a Chinese name if the genus has this noun as its name: 大黄 for
// 掌叶大黄 in the genus 大黄属, but not for 大黄花. It returns "" for other names.
func kind(s *store.Species) string {
	noun, ok := strings.CutSuffix(han.Fold(string(s.GenusChinese)), "属")
	if name := han.Fold(string(s.ChineseName)); !ok || noun == name || !strings.HasSuffix(name, noun) {
		return ""
	}
	return noun
}

// kindPinyin returns the pinyin of the noun that kind returns, or "".
func kindPinyin(s *store.Species) string {
	noun, syllables := utf8.RuneCountInString(kind(s)), strings.Fields(string(s.ChineseNamePinyin))
	if noun == 0 || len(syllables) != nameLength(string(s.ChineseName)) {
		return ""
	}
	return strings.Join(syllables[len(syllables)-noun:], " ")
}

func aliases(s *store.Species, of func(*store.Alias) string) []string {
	out := make([]string, len(s.Aliases))
	for i := range s.Aliases {
		out[i] = of(&s.Aliases[i])
	}
	return out
}

// vernacularOf returns the everyday names that a table has for a species. The table has a list for
// each scientific name. vernacularOf calls forms with each list and returns the results.
func vernacularOf(s *store.Species, t *vernacular.Table, forms func([]string) []string) []string {
	out := forms(t.OfPlant(string(s.ScientificName)))
	for i := range s.Synonyms {
		if syn := &s.Synonyms[i]; syn.Status != "misapplied" {
			out = append(out, forms(t.OfPlant(syn.Name))...)
		}
	}
	return distinct(out)
}

// numbers returns the English names, each in the singular and in the plural.
func numbers(names []string) (out []string) {
	for _, n := range names {
		out = append(out, n, vernacular.Plural(n))
	}
	return out
}

// nouns returns the ends of English names of several words, in the singular and in the plural:
// wormwood for sweet wormwood.
func nouns(names []string) (out []string) {
	for _, n := range names {
		for _, rest, more := strings.Cut(n, " "); more; _, rest, more = strings.Cut(rest, " ") {
			out = append(out, rest, vernacular.Plural(rest))
		}
	}
	return out
}

// distinct returns a list without repetitions.
func distinct(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// SpeciesOrder returns a comparison of species in the answer order. Species are given by index.
// Species come before lower ranks. The next criterion is the prominence in steps minus the number
// of characters of the name (the highest first). Further criteria are the length of the name (the
// shortest first), the number of formulas, papers, uses and books together (the largest first), and
// the entryId. A species without a Chinese name comes after all others of its rank.
func SpeciesOrder(all []store.Species, prominence func(i int) Prominence) func(a, b int) int {
	type key struct{ rank, prominence, length, popular int }
	keys := make([]key, len(all))
	for i := range all {
		p, length := prominence(i), nameLength(string(all[i].ChineseName))
		keys[i] = key{rankOrder(string(all[i].Rank)), p.steps() - length, length, p.all()}
	}
	return func(a, b int) int {
		x, y := &keys[a], &keys[b]
		return cmp.Or(
			cmp.Compare(x.rank, y.rank),
			cmp.Compare(y.prominence, x.prominence),
			cmp.Compare(x.length, y.length),
			cmp.Compare(y.popular, x.popular),
			cmp.Compare(all[a].EntryID, all[b].EntryID),
		)
	}
}

func rankOrder(rank string) int {
	if rank == "species" {
		return 0
	}
	return 1
}

// unnamed is the length of a missing name: longer than any name.
const unnamed = 1 << 20

// nameLength returns the number of characters of a folded name, or unnamed if there is
// none.
func nameLength(name string) int {
	if n := utf8.RuneCountInString(han.Fold(name)); n > 0 {
		return n
	}
	return unnamed
}
