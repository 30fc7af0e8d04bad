package mappings

import (
	"cmp"
	"math"

	"bencao/store"
)

// FormulasDir is what the index of formulas is called in a snapshot.
const FormulasDir = "formulas.bleve"

// Formulas lists everything a formula can be found by.
//
// To add a search field, add a row here and its queries to
// testdata/formulas.txt. The index, the documents and the query follow.
var Formulas = []Field[store.Formula]{
	{
		Name: "name", Analyzer: Chinese,
		Tiers:  Tiers{Whole: 100, Prefix: 80, Inside: 60, MixedWhole: 90, MixedPrefix: 78, MixedInside: 60, Reordered: 38, Begun: 37, AnyOrder: 30, OneWrong: 28, Ended: 27},
		Values: func(f *store.Formula) []string { return []string{f.Name} },
	},
	{
		Name: "pinyin", Analyzer: Pinyin, Sounds: "name", Tiers: namePinyin,
		Values: func(f *store.Formula) []string { return []string{f.NamePinyin} },
	},
	{
		Name: "initials", Analyzer: Initials, Sounds: "name", Tiers: Tiers{Whole: 54, Prefix: 45, Inside: 40, OtherPrefix: 27},
		Values: func(f *store.Formula) []string { return []string{f.NamePinyin} },
	},
	{
		Name: "dynasty", Analyzer: Dynasty,
		Values: func(f *store.Formula) []string { return []string{f.Dynasty} },
	},
}

// LessFormulas says whether a stands before b in the answer order: short
// names before long ones, then the older source (an unknown year stands
// last), then the more popular (linked species), then by entryId. So the first
// 桂枝汤 is that of the oldest book.
func LessFormulas(a, b *store.Formula, popularityA, popularityB int) bool {
	return cmp.Or(
		cmp.Compare(nameLength(a.Name), nameLength(b.Name)),
		cmp.Compare(year(a), year(b)),
		cmp.Compare(popularityB, popularityA),
		cmp.Compare(a.EntryID, b.EntryID),
	) < 0
}

func year(f *store.Formula) int32 {
	if f.Year == nil {
		return math.MaxInt32
	}
	return *f.Year
}
