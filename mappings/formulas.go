package mappings

import (
	"cmp"
	"math"
	"strconv"

	"bencao/names/han"
	"bencao/names/vernacular"
	"bencao/store"
)

// FormulasDir is the folder of the index of formulas in a snapshot.
const FormulasDir = "formulas.bleve"

// Formulas lists the fields of formulas.
//
// To add a search field, add a row here and test queries to testdata/formulas.txt. The index, the
// documents and the query follow from the row. If Facet is set, the field is also a facet. A
// filter by the field is a row of [Filters].
var Formulas = []Field[store.Formula]{
	{
		Name: "name", Analyzer: Chinese, Attested: "source",
		Tiers:  Tiers{Whole: 100, Prefix: 80, Inside: 80, MixedWhole: 90, MixedPrefix: 78, MixedInside: 60, LookAlike: 42, Reordered: 38, NameAtStart: 37, AnyOrder: 30, OneCharacterOff: 28, NameAtEnd: 27, OtherForm: 82},
		Values: func(f *store.Formula) []string { return []string{string(f.Name)} },
	},
	{
		Name: "otherName", Analyzer: Chinese, Tiers: Tiers{Whole: 87}, // English and Japanese names
		Values: func(f *store.Formula) []string { return vernacular.OfFormula(string(f.Name)) },
	},
	{
		Name: "pinyin", Analyzer: Pinyin, Characters: "name", Tiers: formulaPinyin,
		Values: func(f *store.Formula) []string { return []string{string(f.NamePinyin)} },
	},
	{
		Name: "initials", Analyzer: Initials, Characters: "name", Tiers: Tiers{Whole: 54, Prefix: 45, Inside: 40, OtherPrefix: 27},
		Values: func(f *store.Formula) []string { return []string{string(f.NamePinyin)} },
	},
	{
		Name: DynastyField, Analyzer: Dynasty,
		Values: func(f *store.Formula) []string { return []string{string(f.Dynasty)} },
	},
	{
		Name: SourceField, Analyzer: Facet,
		Values: func(f *store.Formula) []string { return []string{string(f.OriginalSource)} },
	},
	{
		Name: AuthorField, Analyzer: Facet,
		Values: func(f *store.Formula) []string { return []string{string(f.OriginalAuthor)} },
	},
	{
		Name: "year", Analyzer: Year,
		Values: func(f *store.Formula) []string {
			if f.Year == nil {
				return nil
			}
			return []string{strconv.Itoa(int(*f.Year))}
		},
	},
	{
		Name: HerbsField, Analyzer: Facet, Tiers: Tiers{OnlyHerbs: 89, AllHerbs: 79, MostHerbs: 36},
		Values: func(f *store.Formula) []string {
			var out []string
			for _, in := range f.Ingredients {
				switch len(in.Plain) {
				case 0:
					out = append(out, in.Herb)
				case 1:
					also := []string{in.Herb}
					for _, name := range in.Noted {
						also = append(also, NotedMark+name)
					}
					out = append(out, forms(in.Plain[0], also...))
				default: // several herbs, written without a separator
					out = append(out, in.Plain...)
				}
			}
			return out
		},
	},
	{
		Name: Incomplete, Analyzer: Label, // not for users' queries; a formula whose text names a herb that is missing from its ingredients
		Values: func(f *store.Formula) []string {
			if len(f.Unlisted) == 0 {
				return nil
			}
			return []string{Incomplete}
		},
	},
	{
		Name: IndicationsField, Analyzer: Text, Part: IndicationsField, Tiers: Tiers{Inside: 80},
		Values: func(f *store.Formula) []string { return []string{string(f.Indications)} },
	},
	{
		Name: "composition", Analyzer: Text, Part: "composition", Tiers: Tiers{Inside: 80},
		Values: func(f *store.Formula) []string { return []string{string(f.Composition)} },
	},
	{
		Name: "nameOrder", Analyzer: Order,
		Compare: func(all []store.Formula) func(a, b int) int {
			return byKeys(all, func(f *store.Formula) string { return sortKey(string(f.NamePinyin), string(f.Name), "") })
		},
	},
	{
		Name: "yearOrder", Analyzer: Order, // the oldest first, and each book in its own order
		Compare: func(all []store.Formula) func(a, b int) int {
			return func(a, b int) int {
				x, y := &all[a], &all[b]
				return cmp.Or(cmp.Compare(year(x), year(y)), cmp.Compare(x.OriginalSource, y.OriginalSource), cmp.Compare(x.EntryID, y.EntryID))
			}
		},
	},
	{
		Name: "prominenceOrder", Analyzer: Order, // names in the most books first
		Compare: func(all []store.Formula) func(a, b int) int {
			books := make(map[string]map[string]bool)
			names := make([]string, len(all))
			for i := range all {
				names[i] = han.Fold(string(all[i].Name))
				if books[names[i]] == nil {
					books[names[i]] = make(map[string]bool)
				}
				books[names[i]][string(all[i].OriginalSource)] = true
			}
			return func(a, b int) int {
				return cmp.Or(cmp.Compare(len(books[names[b]]), len(books[names[a]])), cmp.Compare(names[a], names[b]))
			}
		},
	},
}

// formulaPinyin are the tiers of the pinyin of formulas. Another dose form comes before the beginnings
// of names, as it does in characters.
var formulaPinyin = with(with(namePinyin, OtherForm, 79), AnyOrder, 32)

// The names of fields of formulas. A query may contain values of these fields besides a name or
// instead of a name.
const (
	HerbsField   = "herbs"
	Incomplete   = "incomplete" // the only value of the field is its name
	SourceField  = "source"
	AuthorField  = "author"
	DynastyField = "dynasty"
	// IndicationsField is also the part of the records that the field holds.
	IndicationsField = "indications"

	WithoutField = "without" // of a herb that the formulas must not have; no field of the index
)

// Recognised is a part of a query that gives a property of formulas: 伤寒论 in 伤寒论 桂枝汤.
type Recognised struct {
	Text   string   // as typed
	Field  string   // the field of the property, such as [SourceField]
	Values []string // the matching values, as written in the records
}

// FormulaOrder returns a comparison of formulas in the answer order. Formulas are given by index.
// Formulas with a name come first, and the first record of each name comes before its repetitions.
// The next criteria are the number of books with the name (the largest first), the length of the
// name (the shortest first), the name, the year of the source (the oldest first, unknown years
// last), and the entryId.
func FormulaOrder(all []store.Formula, standings []Standing) func(a, b int) int {
	type key struct {
		length, repeats int
		name            string
	}
	keys := make([]key, len(all))
	for i := range all {
		keys[i] = key{nameLength(string(all[i].Name)), repeats(standings[i]), han.Fold(string(all[i].Name))}
	}
	return func(a, b int) int {
		x, y := &keys[a], &keys[b]
		return cmp.Or(
			cmp.Compare(x.length/unnamed, y.length/unnamed),
			cmp.Compare(x.repeats, y.repeats),
			cmp.Compare(standings[b].Books, standings[a].Books),
			cmp.Compare(x.length, y.length),
			cmp.Compare(x.name, y.name),
			cmp.Compare(year(&all[a]), year(&all[b])),
			cmp.Compare(all[a].EntryID, all[b].EntryID),
		)
	}
}

func repeats(s Standing) int {
	if s.Repeats {
		return 1
	}
	return 0
}

func year(f *store.Formula) int32 {
	if f.Year == nil {
		return math.MaxInt32
	}
	return *f.Year
}
