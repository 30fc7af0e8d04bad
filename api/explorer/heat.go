package explorer

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/dose"
	"bencao/store"
)

// brief is what of a formula others are held against: reading no more of it
// takes half the time.
type brief struct {
	GUID           string     `json:"guid"`
	Name           store.Text `json:"name"`
	Dynasty        store.Text `json:"dynasty"`
	Year           *int32     `json:"year"`
	OriginalSource store.Text `json:"originalSource"`
	URL            string     `json:"url"`
	// Ingredients are nil where they are not shown.
	Ingredients []dosed `json:"ingredients"`
	// Unlisted are herbs that the text names and Ingredients lack.
	Unlisted []string `json:"unlisted"`
}

// dosed is a herb as a formula writes it. Species and Herbs are what it leads to.
type dosed struct {
	Herb    string     `json:"herb"`
	Dose    store.Text `json:"dose"`
	Species []struct{} `json:"species"`
	Herbs   []struct {
		URL string `json:"url"`
	} `json:"herbs"`
}

// longestUnknown is how many characters a herb has that leads nowhere and has no
// dose: what is longer is a piece of the text.
const longestUnknown = 3

// prose tells whether an ingredient is hardly a herb.
func prose(herb string, dose store.Text, leads int) bool {
	return dose == "" && leads == 0 && utf8.RuneCountInString(herb) > longestUnknown
}

// herbs leaves out the ingredients that are hardly herbs.
func (b *brief) herbs() {
	b.Ingredients = slices.DeleteFunc(b.Ingredients, func(in dosed) bool { return prose(in.Herb, in.Dose, len(in.Species)+len(in.Herbs)) })
}

// briefOf is the brief of a formula that was read whole.
func briefOf(f *store.FormulaDetail) *brief {
	b := &brief{GUID: f.GUID, Name: f.Name, Dynasty: f.Dynasty, Year: f.Year, OriginalSource: f.OriginalSource, URL: f.URL, Unlisted: f.Unlisted}
	for _, in := range f.Ingredients {
		b.Ingredients = append(b.Ingredients, dosed{Herb: in.Herb, Dose: in.Dose})
	}
	return b
}

// heat is a table of formulas by the herbs of one: how much of each, against the
// largest dose of the formula.
type heat struct {
	Columns []column
	Rows    []heatRow
	// More is how many herbs have no column.
	More int
}

// mostColumns is how many herbs have a column.
const mostColumns = 16

// cut leaves out the columns that have no room.
func (h *heat) cut() {
	shown := min(len(h.Columns), mostColumns)
	h.Columns, h.More = h.Columns[:shown], len(h.Columns)-shown
	for i := range h.Rows {
		h.Rows[i].Cells = h.Rows[i].Cells[:min(shown, len(h.Rows[i].Cells))]
	}
}

// Wide says that there are more columns than have room for doses.
func (h *heat) Wide() bool { return len(h.Columns) > wideFrom }

// Many says that a row of cells has no room on a phone, where each cell then names
// its herb, and only those that a formula has are shown.
func (h *heat) Many() bool { return len(h.Columns) > manyFrom }

// column is a herb of the formula that others are held against.
type column struct {
	Written string
	plain   string
}

// heatRow is a formula.
type heatRow struct {
	Address, Name, Dynasty, Source string
	Year                           *int32
	Self                           bool
	Cells                          []heatCell
	Added, Left                    []string
	Value                          float64
	// Distance is the value as it is shown; empty without one.
	Distance string
}

// heatCell is a herb in a formula: Class is k0 for one that it lacks, kx for one
// without a dose, ku for one whose dose is no weight, else k1 to k5.
type heatCell struct{ Class, Herb, Dose string }

// steps are the shares of the largest dose from which the next colour begins.
var steps = []float64{.2, .4, .65, .9}

// wideFrom is how many columns have room for their doses, manyFrom how many on a
// phone.
const wideFrom, manyFrom = 8, 5

// otherUnit is the share of a dose that can't be held against weights: of a count, a
// volume, or words that can't be read.
const otherUnit = -1

// doses reads the weights of a formula as shares of the largest, 0 for a dose that is
// not given.
func doses(list []dosed, year *int32) []float64 {
	era := dose.EraOf(year)
	out := make([]float64, len(list))
	most := 0.0
	for i, in := range list {
		if in.Dose == "" {
			continue
		}
		out[i] = otherUnit
		if d, err := era.Parse(string(in.Dose)); err == nil && d.Kind == dose.Weight && d.Value > 0 {
			out[i] = d.Value
			most = max(most, d.Value)
		}
	}
	for i, d := range out {
		if d > 0 {
			out[i] = d / most
		}
	}
	return out
}

// step is the colour of a share of the largest dose.
func step(share float64) string {
	switch {
	case share < 0:
		return "ku"
	case share == 0:
		return "kx"
	}
	n := 1
	for _, s := range steps {
		if share >= s {
			n++
		}
	}
	return "k" + string(rune('0'+n))
}

// columnsOf are the herbs of a formula, each once, with the plain names that its
// similar formulas give them.
func columnsOf(f *store.FormulaDetail) []column {
	var plain []string
	for _, similar := range [][]store.SimilarFormula{f.SimilarJaccard, f.SimilarEuclidean} {
		for _, s := range similar {
			plain = append(plain, s.SharedHerbs...)
		}
	}
	slices.SortFunc(plain, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	plain = slices.Compact(plain)
	var out []column
	for _, in := range f.Ingredients {
		c := column{Written: in.Herb, plain: in.Herb}
		if i := slices.IndexFunc(plain, func(p string) bool { return strings.Contains(in.Herb, p) }); i >= 0 {
			c.plain = plain[i]
		}
		if !slices.ContainsFunc(out, func(o column) bool { return o.plain == c.plain }) {
			out = append(out, c)
		}
	}
	return out
}

// is tells whether a herb of another formula is that of a column. shared are the
// herbs that both are known to share, nil if that is not known.
func (c column) is(herb string, shared []string) bool {
	if herb == c.Written {
		return true
	}
	return strings.Contains(herb, c.plain) && (shared == nil || slices.Contains(shared, c.plain))
}

// row holds a formula against the columns.
func row(columns []column, f *brief, shared []string) heatRow {
	r := heatRow{Name: string(f.Name), Dynasty: string(f.Dynasty), Source: string(f.OriginalSource), Year: f.Year}
	shares := doses(f.Ingredients, f.Year)
	used := make([]bool, len(f.Ingredients))
	for _, c := range columns {
		cell := heatCell{Class: "k0", Herb: c.Written}
		for i, in := range f.Ingredients {
			if c.is(in.Herb, shared) {
				used[i] = true
				if cell.Class == "k0" {
					cell.Class, cell.Dose = step(shares[i]), string(in.Dose)
				}
			}
		}
		if cell.Class == "k0" && shared != nil && slices.Contains(shared, c.plain) {
			cell.Class = "kx" // under another name
		}
		if cell.Class == "k0" {
			r.Left = append(r.Left, c.Written)
		}
		r.Cells = append(r.Cells, cell)
	}
	for i, in := range f.Ingredients {
		if !used[i] && !slices.Contains(r.Added, in.Herb) {
			r.Added = append(r.Added, in.Herb)
		}
	}
	return r
}
