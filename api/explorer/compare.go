package explorer

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/store"
)

// compareView is the data of the page of a comparison.
type compareView struct {
	Formulas []compared
	Shared   []compareRow
	Rest     []compareRow
	inAll    int // number of herbs that occur in each of the formulas
	Wide     bool
	Nothing  bool
	// Said describes in words how many herbs the formulas share.
	Said string
	// Guids holds the guids of the formulas, separated by commas. Full reports that no further
	// formula can be added.
	Guids string
	Full  bool
	// Unknown is what the user entered to add a formula, if the snapshot has no such formula. Choices
	// are the formulas that may be meant, if they are several or their name is another one, and More
	// leads to a search for all of them.
	Unknown string
	Choices []choice
	More    navLink
	// Skipped is the number of formulas in the address beyond the largest number.
	Skipped int
	Pairs   []pair
	CSV     string
}

// compared is a formula with two addresses: its page, and the comparison without this formula.
type compared struct {
	*brief
	Address, Remove string
}

// choice is a formula that can be added by following Address. Chosen reports whether it is in the
// comparison already.
type choice struct {
	store.FormulaSummary
	Address string
	Chosen  bool
}

// compareRow is the row of a herb, with one cell for each formula. Address is empty if there is no
// page about the herb.
type compareRow struct {
	Herb, Address, Pinyin string
	Cells                 []heatCell
}

func comparePage(v *visit) (*page, error) {
	view := &compareView{}
	var guids []string
	for guid := range strings.FieldsFuncSeq(strings.Join(v.query["formulas"], ","), func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(guids, guid) {
			guids = append(guids, guid)
		}
	}
	if name := strings.TrimSpace(v.query.Get("add")); name != "" {
		added, err := view.add(v, name, guids)
		if err != nil {
			return nil, err
		}
		guids = append(guids, added...)
	}
	for _, guid := range guids {
		if len(view.Formulas) == mostCompared {
			view.Skipped++
			continue
		}
		f, err := v.briefly(guid)
		if err != nil {
			return nil, err
		}
		view.Formulas = append(view.Formulas, compared{brief: f, Address: v.ours(f.URL)})
	}
	view.link(v)
	herbs, err := allHerbs(v)
	if err != nil {
		return nil, err
	}
	view.Nothing = len(view.Formulas) < 2
	view.Wide = len(view.Formulas) > 4
	if !view.Nothing {
		view.fill(v, herbs)
		if err := view.addPairs(v); err != nil {
			return nil, err
		}
		view.Said = v.say("compare.said", len(view.Formulas), len(view.Shared)+len(view.Rest), view.inAll)
	}
	if v.query.Get("as") == "csv" && !view.Nothing {
		return &page{file: spreadsheet("bencao-comparison.csv", view.table(v))}, nil
	}
	return &page{template: "compare", Title: v.say("compare.title"), Lead: v.say("compare.lead"), Data: view}, nil
}

// mostOfName is the largest number of formulas that the page offers for a name.
const mostOfName = 40

// add finds the formula with a name, beside which the user may have written its book, author or
// dynasty. It returns the formula's guid if there is only one, which is not in guids yet. Otherwise
// view gets the choices.
func (view *compareView) add(v *visit, name string, guids []string) ([]string, error) {
	l, err := ask[list[store.FormulaSummary]](v, "formulas.search", "", "q", name, "group", "name", "explain", "true", "pageSize", strconv.Itoa(mostOfName))
	if err != nil {
		return nil, err
	}
	named := l.Items
	certain := exact(l.Explanation)
	if certain { // names that contain this one come after it
		named = slices.DeleteFunc(slices.Clone(named), func(f store.FormulaSummary) bool { return f.Name != l.Items[0].Name })
	}
	switch {
	case !certain:
		view.Unknown = name
	case len(named) == 1 && !slices.Contains(guids, named[0].GUID):
		return []string{named[0].GUID}, nil
	}
	for _, f := range named {
		c := choice{FormulaSummary: f, Chosen: slices.Contains(guids, f.GUID)}
		if !c.Chosen && len(guids) < mostCompared {
			c.Address = v.link("/compare", "formulas", strings.Join(append(slices.Clone(guids), f.GUID), ","), "add", name)
		}
		view.Choices = append(view.Choices, c)
	}
	if l.Total > len(l.Items) {
		view.More = navLink{Text: v.say("compare.all", l.Total), Address: v.link("/search", "q", name, "kind", "formulas")}
	}
	return nil, nil
}

// Open reports whether any of the choices can be added.
func (view *compareView) Open() bool {
	return slices.ContainsFunc(view.Choices, func(c choice) bool { return c.Address != "" })
}

// link sets the addresses in view. The field Remove of each formula gets the address of the
// comparison without that formula.
func (view *compareView) link(v *visit) {
	var all []string
	for _, f := range view.Formulas {
		all = append(all, f.GUID)
	}
	for i := range view.Formulas {
		view.Formulas[i].Remove = v.link("/compare", "formulas", strings.Join(slices.Delete(slices.Clone(all), i, i+1), ","))
	}
	view.Guids, view.Full = strings.Join(all, ","), len(all) == mostCompared
	view.CSV = v.fileAt("/compare", url.Values{"formulas": {view.Guids}, "as": {"csv"}})
}

// fill lists the herbs of all formulas. Herbs that several formulas share come first.
func (view *compareView) fill(v *visit, herbs herbIndex) {
	var columns []column
	for _, f := range view.Formulas {
		for _, c := range columnsOf(f.brief) {
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
	}
	rows := make([]compareRow, len(columns))
	for i, c := range columns {
		rows[i] = compareRow{Herb: c.Name, Address: v.ours(c.URL), Pinyin: herbs.sound(c.Name)}
	}
	for _, f := range view.Formulas {
		for i, cell := range row(columns, nil, f.brief).Cells {
			rows[i].Cells = append(rows[i].Cells, cell)
		}
	}
	for _, r := range rows {
		has := 0
		for _, c := range r.Cells {
			if c.Class != "k0" {
				has++
			}
		}
		if has == len(view.Formulas) {
			view.inAll++
		}
		if has > 1 {
			view.Shared = append(view.Shared, r)
		} else {
			view.Rest = append(view.Rest, r)
		}
	}
}

// pair is two of the compared formulas. Likeness is their similarity, or "" if it is not known: for each
// formula, the snapshot has only the similarities to the most similar formulas.
type pair struct {
	A, B     compared
	Both, Of int // number of herbs in both formulas, and number of herbs in at least one of them
	value    float64
	Likeness string
}

// alike decodes the similarities to other formulas from the JSON of a formula.
type alike struct {
	SimilarJaccard []store.SimilarFormula `json:"similarJaccard"`
}

// addPairs adds each pair of the formulas, the most similar first.
func (view *compareView) addPairs(v *visit) error {
	values := map[[2]string]float64{}
	for _, f := range view.Formulas {
		a, err := ask[alike](v, "formulas.detail", f.GUID)
		if err != nil {
			return err
		}
		for _, s := range a.SimilarJaccard {
			values[[2]string{f.GUID, s.GUID}], values[[2]string{s.GUID, f.GUID}] = s.Value, s.Value
		}
	}
	for j := range view.Formulas {
		for i := range j {
			p := pair{A: view.Formulas[i], B: view.Formulas[j]}
			for _, r := range slices.Concat(view.Shared, view.Rest) {
				a, b := r.Cells[i].Class != "k0", r.Cells[j].Class != "k0"
				if a || b {
					p.Of++
				}
				if a && b {
					p.Both++
				}
			}
			if value, known := values[[2]string{p.A.GUID, p.B.GUID}]; known {
				p.value, p.Likeness = value, strconv.FormatFloat(value, 'f', 2, 64)
			}
			view.Pairs = append(view.Pairs, p)
		}
	}
	slices.SortStableFunc(view.Pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.Both*a.Of, a.Both*b.Of))
	})
	return nil
}

// Likeness reports whether the similarity of any pair is known.
func (view *compareView) Likeness() bool {
	return slices.ContainsFunc(view.Pairs, func(p pair) bool { return p.Likeness != "" })
}

// table returns the comparison for a spreadsheet, with one row for each herb. The cell of a formula
// has the dose as the formula writes it, or x if the herb has no dose there. If the formula calls
// the herb by another name, that name follows in brackets.
func (view *compareView) table(v *visit) [][]string {
	header := []string{"herb"}
	for _, f := range view.Formulas {
		name := []string{string(f.Name), string(f.OriginalSource), year(v.lang, f.Year)}
		header = append(header, strings.Join(slices.DeleteFunc(name, func(s string) bool { return s == "" }), " "))
	}
	out := [][]string{header}
	for _, r := range slices.Concat(view.Shared, view.Rest) {
		row := []string{r.Herb}
		for _, c := range r.Cells {
			text := ""
			if c.Class != "k0" {
				text = cmp.Or(c.Dose, "x")
			}
			if c.Written != "" {
				text += "（" + c.Written + "）"
			}
			row = append(row, text)
		}
		out = append(out, row)
	}
	return out
}
