package mappings

import (
	"cmp"
	"strconv"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/vernacular"
	"bencao/store"
)

// HerbsDir is the folder of the index of herbs in a snapshot.
const HerbsDir = "herbs.bleve"

// Herbs lists the fields of herbs.
//
// To add a search field, add a row here and test queries to testdata/herbs.txt. The index, the
// documents and the query follow from the row. If Facet is set, the field is also a facet. A
// filter by the field is a row of [Filters].
var Herbs = []Field[store.Herb]{
	{
		Name: "name", Analyzer: Chinese,
		Tiers: Tiers{Whole: 100, Processed: 94, HerbLatin: 97, Suffix: 80, Prefix: 79, Inside: 60, MixedWhole: 90, MixedPrefix: 78, MixedInside: 60,
			LookAlike: 42, Reordered: 38, NameAtStart: 37, AnyOrder: 30, OneCharacterOff: 28, NameAtEnd: 27},
		Values: func(h *store.Herb) []string { return []string{h.Name} },
	},
	{
		Name: "processedForm", Analyzer: Chinese, Tiers: Tiers{Whole: 96},
		Values: func(h *store.Herb) []string { return h.Forms },
	},
	{
		Name: "alias", Analyzer: Chinese,
		Tiers:  Tiers{Whole: 85, Processed: 82, Inside: 50, MixedWhole: 80, MixedPrefix: 68, MixedInside: 50, LookAlike: 41, Reordered: 36, NameAtStart: 34, AnyOrder: 29, OneCharacterOff: 26, NameAtEnd: 25},
		Values: func(h *store.Herb) []string { return aliasesOf(h, false, names) },
	},
	{
		Name: "folkName", Analyzer: Chinese, // proves nothing, so that no slip is corrected to it
		Tiers:  Tiers{Whole: 82, Processed: 81, Inside: 49, MixedWhole: 77, MixedPrefix: 67, MixedInside: 49},
		Values: func(h *store.Herb) []string { return aliasesOf(h, true, names) },
	},
	{
		Name: "englishName", Analyzer: Chinese, Tiers: Tiers{Whole: 88},
		Values: func(h *store.Herb) []string { return numbers(herbNames(h, vernacular.English())) },
	},
	{
		Name: "otherName", Analyzer: Chinese, Tiers: Tiers{Whole: 86}, // other names in Japanese and Korean
		Values: func(h *store.Herb) []string { return herbNames(h, vernacular.Asian()) },
	},
	{
		Name: "plant", Analyzer: Chinese, Tiers: Tiers{Whole: 83}, // the Chinese names of the herb's source species
		Values: func(h *store.Herb) []string {
			return sources(h, func(s *store.HerbSource) string { return s.ChineseName })
		},
	},
	{
		Name: "pinyin", Analyzer: Pinyin, Characters: "name", Tiers: herbPinyin,
		Values: func(h *store.Herb) []string { return []string{h.NamePinyin} },
	},
	{
		Name: "aliasPinyin", Analyzer: Pinyin, Characters: "alias", Tiers: herbAliasPinyin,
		Values: func(h *store.Herb) []string { return aliasesOf(h, false, sounds) },
	},
	{
		Name: "folkNamePinyin", Analyzer: Pinyin, Characters: "folkName", Tiers: herbFolkPinyin,
		Values: func(h *store.Herb) []string { return aliasesOf(h, true, sounds) },
	},
	{
		Name: "initials", Analyzer: Initials, Characters: "name", Tiers: Tiers{Whole: 54, Prefix: 45, Inside: 40, OtherPrefix: 27},
		Values: func(h *store.Herb) []string { return []string{h.NamePinyin} },
	},
	{
		Name: "aliasInitials", Analyzer: Initials, Characters: "alias", Tiers: Tiers{Whole: 52},
		Values: func(h *store.Herb) []string { return aliasesOf(h, false, sounds) },
	},
	{
		Name: "latinName", Analyzer: Synonym, Tiers: Tiers{Whole: 95, Endings: 88, Words: 78, Prefix: 69, Typo: 30},
		Values: func(h *store.Herb) []string { return h.Latin },
	},
	{
		Name: "scientificName", Analyzer: Synonym, // the scientific names of the species that the herb comes from
		Tiers: Tiers{Whole: 84, Abbreviated: 83, Endings: 72, Words: 66, Prefix: 62, Typo: 25},
		Values: func(h *store.Herb) []string {
			out := sources(h, func(s *store.HerbSource) string { return s.ScientificName })
			for _, name := range append([]string{h.Name}, aliasesOf(h, false, names)...) {
				for _, d := range herb.LookupReading(herb.Reading{Base: han.Fold(name)}) { // also fungi, animals, and plants without a record
					if d.Alias() || d.Unsure || d.Kind == herb.Mineral || isOther(d.Name, h) {
						continue
					}
					for _, s := range d.Species {
						out = append(out, s.Names...)
					}
				}
			}
			return distinct(out)
		},
	},
	{
		Name: "kind", Analyzer: Facet,
		Values: func(h *store.Herb) []string { return []string{forms(h.Kind, kindsInChinese[h.Kind])} },
	},
	{
		Name: "part", Analyzer: Facet,
		Values: func(h *store.Herb) []string { return h.Parts },
	},
	{
		Name: "species", Analyzer: Facet, Numbers: true,
		Values: func(h *store.Herb) []string {
			return sources(h, func(s *store.HerbSource) string { return strconv.Itoa(int(s.Species)) })
		},
	},
	{
		Name: "nameOrder", Analyzer: Order,
		Compare: func(all []store.Herb) func(a, b int) int {
			return byKeys(all, func(h *store.Herb) string { return sortKey(h.NamePinyin, h.Name, "") })
		},
	},
	{
		Name: "prominenceOrder", Analyzer: Order, // herbs in the most formulas first
		Compare: func(all []store.Herb) func(a, b int) int {
			return func(a, b int) int { return cmp.Compare(len(all[b].Formulas), len(all[a].Formulas)) }
		},
	},
}

// herbPinyin and herbAliasPinyin are the tiers of the pinyin of herbs. They are namePinyin and
// aliasPinyin with a tier for [Processed]. herbFolkPinyin, of folk names, has no ways that correct slips.
var (
	herbPinyin      = with(namePinyin, Processed, 81)
	herbAliasPinyin = with(aliasPinyin, Processed, 80)
	herbFolkPinyin  = with(with(herbAliasPinyin, SameSound, 0), SameSoundPart, 0)
)

func with(t Tiers, w Way, tier uint8) Tiers {
	t[w] = tier
	return t
}

// herbNames returns the everyday names that a table has for a herb. It looks up the herb's own
// name. If the table lacks that name, it uses the first of the herb's aliases that the table has.
func herbNames(h *store.Herb, t *vernacular.Table) []string {
	out := t.OfHerb(h.Name)
	for i := 0; i < len(h.Aliases) && len(out) == 0; i++ {
		out = t.OfHerb(h.Aliases[i].Name)
	}
	return out
}

// isOther reports whether a name in the table of herbs names another herb than h: neither is it the
// name of h, nor only another name of a herb.
func isOther(name string, h *store.Herb) bool {
	return herb.Standard(name) == "" && han.Fold(name) != han.Fold(h.Name)
}

// kindsInChinese maps kinds of herbs to their Chinese names.
var kindsInChinese = map[string]string{
	"plant": "植物", "fungus": "真菌", "alga": "藻类", "animal": "动物", "mineral": "矿物", "other": "其他",
}

// CompareHerbs compares two herbs in the answer order: the herb that is in more formulas comes
// first. Ties are broken by the length of the name (the shortest first), the name, and the GUID.
func CompareHerbs(a, b *store.Herb) int {
	return cmp.Or(
		cmp.Compare(len(b.Formulas), len(a.Formulas)),
		cmp.Compare(nameLength(a.Name), nameLength(b.Name)),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.GUID, b.GUID),
	)
}

// sources returns of(s) for each source species s of a herb. A species that is the source in
// several eras occurs once.
func sources(h *store.Herb, of func(*store.HerbSource) string) (out []string) {
	seen := map[store.Num]bool{}
	for _, list := range [][]store.HerbSource{h.Species, h.Others} {
		for i := range list {
			if s := &list[i]; !seen[s.Species] {
				seen[s.Species] = true
				out = append(out, of(s))
			}
		}
	}
	return out
}

// aliasesOf returns the names of a herb's aliases if of is the function names, or their pinyin if of
// is the function sounds: only its folk names, or only the others. It leaves out other forms of the
// characters of the standard name, which the search finds by the name itself.
func aliasesOf(h *store.Herb, folk bool, of func(store.Reading) string) []string {
	out := []string{}
	for i := range h.Aliases {
		if a := &h.Aliases[i]; a.Folk() == folk && han.Fold(a.Name) != han.Fold(h.Name) {
			out = append(out, of(a.Reading))
		}
	}
	return out
}

// readings returns the names of a list if of is the function names, or their pinyin if of is the
// function sounds.
func readings(list []store.Reading, of func(store.Reading) string) []string {
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = of(r)
	}
	return out
}

func names(r store.Reading) string  { return r.Name }
func sounds(r store.Reading) string { return r.Pinyin }
