package store

import "slices"

// Formula is one historical formula (方剂). Names are not unique: different books use the
// same name for different formulas.
type Formula struct {
	Num Num
	// FormulaDetail has the columns of the row, the unlisted herbs and the codes. Its URL is the
	// operator's own page, or "". Rendering fills in the lists below, which hide the fields of the
	// same names.
	FormulaDetail

	Ingredients []Ingredient
	Species     []Num // sorted; source species of the ingredients' herbs, or the species in the operator's table

	// SimilarEuclidean is sorted by distance, SimilarJaccard by descending similarity. Ties are in
	// answer order. Each list has at most 20 formulas.
	SimilarEuclidean []Similar
	SimilarJaccard   []Similar
}

// Ingredient is one herb of a formula, in the order of the source.
type Ingredient struct {
	Seq  int32
	Herb string // as the source writes it
	// Plain are the standard names of the ingredient's herbs: 白芍 for 炒白芍药. For a herb that is in no
	// table, Plain has the name in the text, without processing and parts. If the text names
	// several herbs without a separator, Plain has a name for each.
	Plain []string
	Dose  string   // verbatim: 三两
	Grams *float64 // weight of the dose; nil if unknown
	// Noted are the standard names of processed forms that the note adds: 炙甘草 for 甘草（炙）. The formula is
	// found by them too. Nothing counts them.
	Noted   []string
	Note    string // processing and other remarks: 炙, 去皮
	Role    string // 君, 臣, 佐 or 使
	Species []Num  // source species of the herb, sorted
	Herbs   []Num  // the herbs to which the ingredient links; empty if its text names no herb of the table
	// Relations has an entry for each entry of Herbs: how the herb in the text is related to it. An
	// entry is same, processed or part.
	Relations []string
}

// Similar is a formula that is similar to another formula.
type Similar struct {
	Formula Num
	// Value is the Jaccard similarity, in (0, 1], or the Euclidean distance, 0 or more.
	Value float64
}

// plainHerbs returns the distinct plain names of a formula's herbs, in the order of its
// ingredients.
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

// hasHerb reports whether an ingredient of the formula has the plain name.
func (f *Formula) hasHerb(plain string) bool {
	for i := range f.Ingredients {
		if slices.Contains(f.Ingredients[i].Plain, plain) {
			return true
		}
	}
	return false
}
