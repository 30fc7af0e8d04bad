package explorer

import (
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
	"bencao/names/herb"
	"bencao/names/herb/dose"
	"bencao/store"
)

// brief holds the fields of a formula that comparisons need. To decode only these fields takes half
// as long as to decode the whole detail.
type brief struct {
	GUID           string     `json:"guid"`
	Name           store.Text `json:"name"`
	Dynasty        store.Text `json:"dynasty"`
	Year           *int32     `json:"year"`
	OriginalSource store.Text `json:"originalSource"`
	URL            string     `json:"url"`
	// Ingredients is nil if the pages may not show compositions.
	Ingredients []dosed `json:"ingredients"`
	// Unlisted lists herbs that the text of the formula names and that are not in Ingredients.
	Unlisted []string `json:"unlisted"`
}

// dosed is a herb as a formula writes it, with its dose. Species and Herbs are the records to which
// the herb is linked.
type dosed struct {
	Herb    string           `json:"herb"`
	Dose    store.Text       `json:"dose"`
	Species []struct{}       `json:"species"`
	Herbs   []store.HerbLink `json:"herbs"`
}

// column is a herb that several formulas may contain. A herb without a record has no ID, and Name
// is its text in the formula.
type column struct{ ID, Name, URL string }

// herbs returns the herbs of an ingredient. If the text of the ingredient names several herbs,
// there are several herbs.
func (in *dosed) herbs() []column {
	if len(in.Herbs) == 0 {
		return []column{{Name: in.Herb}}
	}
	var out []column
	for _, h := range in.Herbs {
		out = append(out, column{h.GUID, h.Name, h.URL})
	}
	return out
}

// portion is a herb in a formula. Written is the name that the formula uses for the herb, and Dose
// is the text of the dose. If the formula has the herb several times, Written and Dose list all
// these texts. Written is empty if the formula uses no other name than that of the herb. Share is
// the weight of the herb, divided by the largest weight in the formula. Like a result of [doses],
// it may also be 0 or otherUnit.
type portion struct {
	column
	Written, Dose string
	Share         float64
}

// portions returns the herbs of a formula, each once, in the order of the formula.
func portions(list []dosed, year *int32) []portion {
	var out []portion
	most := 1.0
	shares := doses(list, year)
	for i, in := range list {
		for _, d := range in.herbs() {
			at := slices.IndexFunc(out, func(p portion) bool { return p.column == d })
			if at < 0 {
				at = len(out)
				out = append(out, portion{column: d})
			}
			p := &out[at]
			if !slices.Contains(strings.Split(p.Written, listComma), in.Herb) {
				p.Written = listed(p.Written, in.Herb)
			}
			p.Dose = listed(p.Dose, string(in.Dose))
			switch share := shares[i]; {
			case share > 0:
				p.Share = max(0, p.Share) + share
				most = max(most, p.Share)
			case p.Share == 0:
				p.Share = share
			}
		}
	}
	for i := range out {
		p := &out[i]
		if p.Share > 0 {
			p.Share /= most
		}
		if p.Written == p.Name {
			p.Written = ""
		}
	}
	return out
}

// listComma separates the items of a list in Chinese.
const listComma = "、"

// listed returns list with item added, as a list in Chinese.
func listed(list, item string) string {
	if list == "" || item == "" {
		return list + item
	}
	return list + listComma + item
}

// longestUnknown is the largest number of characters that an ingredient without links and dose may
// have to count as a herb. A longer one is taken for other text. With a dose, it may have
// longestDosed characters, or longestName if it looks like the name of a herb: of longer texts, 85
// and 98 of 100 are pieces of sentences.
const longestUnknown, longestDosed, longestName = 3, 4, 6

// prose reports whether an ingredient is probably not a herb. Such an ingredient has no link, and its
// text is too long or does not look like a herb name. leads is the number of records to which the
// ingredient is linked.
func prose(written string, dose store.Text, leads int) bool {
	n, looks := utf8.RuneCountInString(written), herb.LooksLikeHerb(written)
	switch {
	case leads > 0:
		return false
	case dose == "":
		return n > longestUnknown || !looks
	}
	return n > longestName || n > longestDosed && !looks
}

// herbs removes the ingredients that are probably not herbs.
func (b *brief) herbs() {
	b.Ingredients = slices.DeleteFunc(b.Ingredients, func(in dosed) bool { return prose(in.Herb, in.Dose, len(in.Species)+len(in.Herbs)) })
}

// briefly returns the brief of a formula, from the cache if possible.
func (v *visit) briefly(guid string) (*brief, error) {
	return cached(v, v.formulas, v.Tag(guid), func() (*brief, error) {
		f, err := askHiding[brief](v, access.PrescriptionSimilarity, "formulas.detail", guid)
		f.herbs()
		return &f, err
	})
}

// briefOf returns the brief of a formula whose detail was already fetched.
func briefOf(f *store.FormulaDetail) *brief {
	b := &brief{GUID: f.GUID, Name: f.Name, Dynasty: f.Dynasty, Year: f.Year, OriginalSource: f.OriginalSource, URL: f.URL, Unlisted: f.Unlisted}
	for _, in := range f.Ingredients {
		b.Ingredients = append(b.Ingredients, dosed{Herb: in.Herb, Dose: in.Dose, Herbs: in.Herbs})
	}
	return b
}

// mostCompared is the largest number of formulas in a comparison.
const mostCompared = 6

// heat is a table of formulas. Its columns are the herbs of one formula. Each cell is the dose of a
// herb relative to the largest dose in the same formula.
type heat struct {
	Columns []column
	Rows    []heatRow
	// More is the number of herbs that have no column because there are too many.
	More int
}

// mostColumns is the largest number of herb columns in a heat map.
const mostColumns = 16

// cut removes the columns after the first mostColumns.
func (h *heat) cut() {
	shown := min(len(h.Columns), mostColumns)
	h.Columns, h.More = h.Columns[:shown], len(h.Columns)-shown
	for i := range h.Rows {
		h.Rows[i].Cells = h.Rows[i].Cells[:min(shown, len(h.Rows[i].Cells))]
	}
}

// Wide reports whether the heat map has too many columns to show doses.
func (h *heat) Wide() bool { return len(h.Columns) > wideFrom }

// Many reports whether a row has too many columns for the width of a phone. On a phone each cell
// then names its herb, and cells of herbs that the formula lacks are hidden.
func (h *heat) Many() bool { return len(h.Columns) > manyFrom }

// heatRow is the row of a formula.
type heatRow struct {
	Address, Name, Dynasty, Source string
	Year                           *int32
	Self                           bool
	Cells                          []heatCell
	Added                          []portion
	Left                           []column
	Value                          float64
	// Distance is a text: the similarity to the formula that the page is about, or the distance
	// from it. It may be empty.
	Distance string
}

// heatCell is the cell of a herb in the row of a formula. Written is the name that the formula
// uses; it is empty if that is the name of the herb. Class is k0 if the formula lacks the herb, kx
// if it gives no dose, and ku if the dose is not a weight. Otherwise Class is k1 to k5, from the
// smallest share to the largest.
type heatCell struct{ Class, Herb, Written, Dose string }

// steps holds the smallest share of the largest dose for the colours k2 to k5.
var steps = []float64{.2, .4, .65, .9}

// wideFrom is the largest number of columns for which a heat map shows doses. manyFrom is the
// largest number of columns whose rows fit the width of a phone.
const wideFrom, manyFrom = 8, 5

// otherUnit is used as the share of a dose that cannot be compared with weights: a count, a volume,
// or an unreadable text.
const otherUnit = -1

// doses returns the weight of each herb of a formula as a share of the largest weight. A herb
// without a dose gets 0. A dose that is not a weight gets otherUnit.
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

// step returns the class of the cell for a share of the largest dose.
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

// columnsOf returns the herbs of a formula, each once.
func columnsOf(f *brief) []column {
	var out []column
	for _, p := range portions(f.Ingredients, f.Year) {
		out = append(out, p.column)
	}
	return out
}

// row returns the row of a formula in a heat map with the given columns. unlisted has further herbs
// that the formula does not add, since the text of the heat map's own formula names them.
func row(columns []column, unlisted []string, f *brief) heatRow {
	r := heatRow{Name: string(f.Name), Dynasty: string(f.Dynasty), Source: string(f.OriginalSource), Year: f.Year}
	has := portions(f.Ingredients, f.Year)
	for _, c := range columns {
		cell := heatCell{Class: "k0", Herb: c.Name}
		if i := slices.IndexFunc(has, func(p portion) bool { return p.column == c }); i >= 0 {
			cell.Class, cell.Written, cell.Dose = step(has[i].Share), has[i].Written, has[i].Dose
		} else if slices.Contains(f.Unlisted, c.Name) {
			cell.Class = step(0) // the text of the formula names it
		} else {
			r.Left = append(r.Left, c)
		}
		r.Cells = append(r.Cells, cell)
	}
	for _, p := range has {
		if !slices.Contains(columns, p.column) && !slices.Contains(unlisted, p.Name) {
			r.Added = append(r.Added, p)
		}
	}
	return r
}

// mostAdded is the largest number of added herbs that a row names. For such a herb, the row also
// shows the name that the formula uses, if it has at most longestWritten characters. A longer text
// is several herbs run together, or a herb followed by other text.
const mostAdded, longestWritten = 8, 4

// heatRows returns a function that writes the rows of a heat map. It uses no template, because a
// template would take most of the page's time for hundreds of cells.
func heatRows(lang *texts.Language) func(h *heat, rated bool) template.HTML {
	none, unknown, self := typeset.Hidden("–", lang.Say("heat.none")), typeset.Hidden("●", lang.Say("heat.unknown")), "<b>"+typeset.Escape(lang.Say("heat.self"))+"</b>"
	return func(h *heat, rated bool) template.HTML {
		var b strings.Builder
		for _, r := range h.Rows {
			if r.Self {
				b.WriteString(`<tr class="self"><th scope="row">` + self)
			} else {
				name := typeset.Chinese(r.Name)
				if !rated && r.Source != "" {
					name = typeset.Book(r.Source)
				}
				b.WriteString(`<tr><th scope="row"><a href="` + typeset.Escape(r.Address) + `">` + string(name) + `</a>`)
			}
			b.WriteString(` <span class="small mut nw">` + string(dynasty(lang, r.Dynasty)) + " " + typeset.Escape(year(lang, r.Year)) + `</span>`)
			if r.Source != "" && (rated || r.Self) {
				b.WriteString(` <span class="small mut src">` + string(typeset.Book(r.Source)) + `</span>`)
			}
			b.WriteString(`</th>`)
			switch {
			case rated && r.Self:
				b.WriteString(`<td class="v"></td>`)
			case rated:
				b.WriteString(`<td class="v"><span class="num">` + typeset.Escape(r.Distance) + `</span>` + string(draw.Meter(r.Value, "f1")) + `</td>`)
			}
			for _, c := range r.Cells {
				b.WriteString(cell(c, h.Many(), none, unknown))
			}
			b.WriteString(`<td class="d">`)
			for _, p := range r.Added[:min(mostAdded, len(r.Added))] {
				b.WriteString(`<span class="plus"><span lang="zh-Hans">` + typeset.Escape(p.Name))
				if p.Written != "" && utf8.RuneCountInString(p.Written) <= longestWritten {
					b.WriteString(` <small>` + typeset.Escape(p.Written) + `</small>`)
				}
				b.WriteString(`</span></span>`)
			}
			if more := len(r.Added) - mostAdded; more > 0 {
				b.WriteString(`<span class="small mut nw">` + typeset.Escape(lang.Say("search.more", more)) + `</span>`)
			}
			b.WriteString("</td></tr>")
		}
		return template.HTML(b.String())
	}
}

// cells returns a function that writes the row of cells of one herb in a comparison.
func cells(lang *texts.Language) func([]heatCell) template.HTML {
	none, unknown := typeset.Hidden("–", lang.Say("heat.none")), typeset.Hidden("●", lang.Say("heat.unknown"))
	return func(all []heatCell) (html template.HTML) {
		for _, c := range all {
			html += template.HTML(cell(c, false, none, unknown))
		}
		return html
	}
}

// cell writes a cell of a heat map. If named is true, the cell names its herb. none is the text for
// a missing herb, and unknown the text for a missing dose.
func cell(c heatCell, named bool, none, unknown string) string {
	content := unknown
	switch {
	case c.Class == "k0":
		content = none
	case c.Dose != "":
		content = `<span lang="zh-Hans" class="do">` + typeset.Escape(c.Dose) + `</span>`
	}
	if c.Written != "" {
		content += ` <small lang="zh-Hans">` + typeset.Escape(c.Written) + `</small>`
	}
	if named && c.Class != "k0" {
		return `<td class="c ` + c.Class + `" data-h="` + typeset.Escape(c.Herb) + `">` + content + `</td>`
	}
	return `<td class="c ` + c.Class + `">` + content + `</td>`
}

// heatTable is a heat map with its texts.
type heatTable struct {
	Heat                  *heat
	Rated                 bool
	First, Value, Caption string
}

// Heat adds texts to a heat map. rated reports that its rows are rated by similarity. If byDose is
// set, they are rated by the distance of their doses instead.
func (v *visit) Heat(h *heat, rated, byDose bool) heatTable {
	t := heatTable{Heat: h, Rated: rated, First: v.say("book"), Caption: v.say("formula.same")}
	if rated {
		t.First, t.Value, t.Caption = v.say("formula"), v.say("heat.likeness"), v.say("formula.like")
		if byDose {
			t.Value = v.say("heat.distance")
		}
	}
	return t
}
