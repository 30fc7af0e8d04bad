package store

import "slices"

// Formula is one historical formula (方剂). Names are not unique: different
// books give the same name to different formulas.
type Formula struct {
	Num            Num
	EntryID        int32
	GUID           string // lower-case UUID
	Name           string
	NamePinyin     string // tone marks, a space between syllables
	Composition    string // verbatim
	Efficacy       string
	Indications    string
	Preparation    string
	Dynasty        string
	Year           *int32 // nil when unknown; years BCE are negative
	OriginalAuthor string
	OriginalSource string
	Compilation    string
	URL            string // the operator's own page; empty is the site's

	Ingredients []Ingredient
	// Unlisted are the herbs that the text names and no ingredient has, by their
	// plain names.
	Unlisted []string
	Codes    []Code
	Species  []Num // sorted; linked through the ingredients' herbs or the operator's table

	// SimilarEuclidean is sorted by distance, nearest first, SimilarJaccard by
	// likeness, most alike first; ties by answer order. At most 20 each.
	SimilarEuclidean []Similar
	SimilarJaccard   []Similar
}

// Ingredient is one herb of a formula, in the source's order.
type Ingredient struct {
	Seq  int32
	Herb string // as written
	// Plain are the plain names, processing and parts stripped: 甘草 of 炙甘草;
	// several of herbs that were run together.
	Plain   []string
	Dose    string // verbatim: 三两
	Note    string // processing and the like: 炙, 去皮
	Role    string // 君, 臣, 佐 or 使
	Species []Num  // the herb's source species, sorted
	Herbs   []Num  // the records of herbs that it leads to; none of what is no herb
}

// Code is a formula's identifier in a coding system.
type Code struct {
	System string // such as GB/T 31773-2015
	Code   string // opaque
	Label  string
}

// Similar is another formula that resembles one.
type Similar struct {
	Formula Num
	// Value is the Jaccard likeness in (0, 1] or the Euclidean distance from 0.
	Value float64
}

// plainHerbs are the plain names of a formula's herbs, in its order, each once.
func (f *Formula) plainHerbs() []string {
	var out []string
	for i := range f.Ingredients {
		for _, name := range f.Ingredients[i].Plain {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// hasHerb says whether a herb has that plain name.
func (f *Formula) hasHerb(plain string) bool {
	for i := range f.Ingredients {
		if slices.Contains(f.Ingredients[i].Plain, plain) {
			return true
		}
	}
	return false
}
