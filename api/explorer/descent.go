package explorer

import (
	"html/template"
	"strings"

	"bencao/api"
	"bencao/api/explorer/draw"
	"bencao/mappings/patterns"
	"bencao/store"
)

// descentView shows from which formulas a formula descends, and a family: a formula and its
// descendants. It is the family of the page's formula or, if nothing descends from it, that of the
// formula from which it descends.
type descentView struct {
	From      []descentRow // none, one, or the two formulas that the page's formula combines
	Count     int          // number of descendants
	Tree      template.HTML
	Rows      []descentRow
	Rest      []descentRow // rows that are hidden until the user unfolds the list
	Additions []bar
	Most      int
	CutTo     int // number of formulas in the picture if some are left out; otherwise 0
}

// descentRow is a formula in the list of descendants.
type descentRow struct {
	store.FormulaSummary
	Address string
	Basis   patterns.Basis
	Added   string // herbs that only the younger formula has, in Chinese
	LeftOut string // herbs that only the older formula has
	Years   int
	Here    bool
}

// treeShown is the number of descendants in the picture. rowsUnfolded is the number of rows that
// are visible before the user unfolds the list. additionsShown is the number of added herbs in the
// chart.
const treeShown, rowsUnfolded, additionsShown = 24, 8, 12

// descentOf returns the descent of a formula, or nil if pages may not show it.
func descentOf(v *visit, f *store.FormulaDetail, index herbIndex) (*descentView, error) {
	d, err := ask[api.Descent](v, "formulas.descent", f.GUID)
	if err != nil {
		if refused(err) {
			return nil, nil
		}
		return nil, err
	}
	view := &descentView{}
	root, year := draw.Descendant{Text: string(f.Name), Address: v.ours(f.URL), Title: formulaTitle(v, f), Here: true}, f.Year
	for _, from := range []*api.Relative{d.DescendsFrom, d.CombinedWith} {
		if from != nil {
			view.From = append(view.From, *descendant(v, from))
		}
	}
	if len(d.Descendants) == 0 && d.DescendsFrom != nil {
		from := d.DescendsFrom
		root, year = draw.Descendant{Text: string(from.Name), Address: view.From[0].Address, Title: string(from.Name)}, from.Year
		if d, err = ask[api.Descent](v, "formulas.descent", from.GUID); err != nil {
			return nil, err
		}
	}
	if view.Count = len(d.Descendants); view.Count == 0 {
		return view, nil
	}
	if year != nil {
		root.Year = int(*year)
	}
	all := []draw.Descendant{root}
	for i := range d.Descendants {
		r := descendant(v, &d.Descendants[i])
		r.Here = r.GUID == f.GUID
		if len(view.Rows) < rowsUnfolded {
			view.Rows = append(view.Rows, *r)
		} else {
			view.Rest = append(view.Rest, *r)
		}
		if r.Year != nil && (len(all) <= treeShown || r.Here) {
			text := string(r.Name)
			if r.Added != "" {
				text += " +" + shortened(r.Added, 3)
			}
			all = append(all, draw.Descendant{Year: int(*r.Year), Text: text, Address: r.Address, Title: string(r.Name) + " " + string(r.OriginalSource) + " +" + r.Added, Here: r.Here})
		}
	}
	if len(all)-1 < view.Count {
		view.CutTo = len(all) - 1
	}
	view.Tree = draw.Tree(all, v.say("descent.label", len(all)), v.dynastyName)
	for _, a := range d.Additions[:min(additionsShown, len(d.Additions))] {
		view.Most = max(view.Most, int(a.Formulas))
		view.Additions = append(view.Additions, bar{Value: a.Name, Count: int(a.Formulas), Pinyin: v.sound(index, a.Name), Address: v.herbAddress(a.Herb)})
	}
	return view, nil
}

// Said reports whether a name or a text says that the one formula comes from the other.
func (r descentRow) Said() bool { return r.Basis != patterns.Contained }

// Bars returns a bar chart of the herbs that descendants add.
func (d *descentView) Bars() bars { return bars{Rows: d.Additions, Most: d.Most} }

func descendant(v *visit, r *api.Relative) *descentRow {
	return &descentRow{FormulaSummary: r.FormulaSummary, Address: v.ours(r.URL), Basis: r.Basis, Added: namesOf(r.Added), LeftOut: namesOf(r.LeftOut), Years: int(r.YearsApart)}
}

// namesOf joins the names of herbs.
func namesOf(herbs []patterns.Herb) string {
	var names []string
	for _, d := range herbs {
		names = append(names, d.Name)
	}
	return strings.Join(names, "、")
}

// shortened returns the first names of a list, and an ellipsis if there are more.
func shortened(names string, most int) string {
	all := strings.Split(names, "、")
	if len(all) <= most {
		return names
	}
	return strings.Join(all[:most], "、") + "…"
}
