package prescriptions

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/rows"
	"bencao/mappings/patterns"
	"bencao/names/herb"
)

// File is a file with results. Write writes it.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// Files returns the files with the results. Tables are CSV in UTF-8 with a byte-order mark, by which
// Excel knows the encoding. Equal reports give equal files.
func (r *Report) Files() []File {
	return []File{
		table("drugs.csv", r.drugRows),
		table("names.csv", r.nameRows),
		table("transactions.csv", r.transactions),
		table("matrix.csv", r.matrixRows),
		table("herbs.csv", r.herbRows),
		table("pairs.csv", r.pairRows),
		table("sets.csv", r.setRows),
		table("nearest.csv", r.nearestRows),
		{"methods.txt", func(w io.Writer) error {
			_, err := io.WriteString(w, r.Methods(false)+"\n\n"+r.Methods(true)+"\n")
			return err
		}},
	}
}

// table returns a file with the rows that all passes on. Errors of writing end up in the last Flush.
func table(name string, all func(row func(...string))) File {
	return File{name, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		out := csv.NewWriter(buffered)
		_, err := buffered.WriteString("\ufeff")
		all(func(cells ...string) {
			for i, c := range cells {
				cells[i] = rows.Defuse(c)
			}
			if err == nil {
				err = out.Write(cells)
			}
		})
		out.Flush()
		if err == nil {
			err = out.Error()
		}
		if err == nil {
			err = buffered.Flush()
		}
		return err
	}}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// drugRows has a row for each drug of each mention, and for each mention that is no drug. So every word
// of the prescriptions is in one.
func (r *Report) drugRows(row func(...string)) {
	row("prescription", "place", "written", "dose", "note", "grams", "standardName", "id", "countedAs", "relation", "species", "authority", "state")
	for i := range r.Prescriptions {
		p := &r.Prescriptions[i]
		for k := range p.Drugs {
			d := &p.Drugs[k]
			grams := ""
			if d.Grams > 0 {
				grams = number(d.Grams)
			}
			begin := []string{p.ID, strconv.Itoa(k + 1), d.Written, d.Dose, d.Note, grams}
			if d.drugs == nil {
				row(append(begin, "", "", "", "", "", "", string(d.State))...)
			}
			for _, n := range d.drugs {
				is, relation := &r.base.drugs[n], string(d.relation)
				counted := r.counts(r.base, n).name
				if p.Changes {
					counted = ""
				}
				if relation == "" {
					relation = string(herb.Same)
				}
				row(append(slices.Clone(begin), is.name, is.id, counted, relation, is.species, is.authority, string(d.State))...)
			}
		}
	}
}

func (r *Report) nameRows(row func(...string)) {
	for _, cells := range r.namesTable() {
		row(cells...)
	}
}

func (r *Report) transactions(row func(...string)) {
	row("prescription", "drug")
	for i := range r.Prescriptions {
		p := &r.Prescriptions[i]
		for _, h := range r.Of(p) {
			row(p.ID, h.Name)
		}
	}
}

func (r *Report) matrixRows(row func(...string)) {
	cells := []string{"prescription"}
	column := make(map[patterns.Herb]int, len(r.drugs))
	for i, h := range r.drugs {
		column[h] = i + 1
		cells = append(cells, h.Name)
	}
	row(cells...)
	for i := range r.Prescriptions {
		p := &r.Prescriptions[i]
		set := r.Of(p)
		if set == nil {
			continue
		}
		for k := range cells {
			cells[k] = "0"
		}
		cells[0] = p.ID
		for _, h := range set {
			cells[column[h]] = "1"
		}
		row(cells...)
	}
}

func (r *Report) herbRows(row func(...string)) {
	row("id", "name", "formulas", "share", "elsewhere", "shareElsewhere", "oddsRatio", "oddsLow", "oddsHigh", "p", "q")
	for _, h := range r.Herbs.Rows {
		row(string(h.ID), h.Name, strconv.Itoa(int(h.Formulas)), number(h.Share), strconv.Itoa(int(h.Elsewhere)), optional(h.ShareElse), optional(h.OddsRatio), optional(h.OddsLow), optional(h.OddsHigh), optional(h.P), optional(h.Q))
	}
}

func (r *Report) pairRows(row func(...string)) {
	row("x", "y", "formulas", "formulasX", "formulasY", "expected", "support", "confidenceXY", "confidenceYX", "lift", "jaccard", "p", "q")
	for _, p := range r.PairRows {
		row(p.X.Name, p.Y.Name, strconv.Itoa(int(p.Formulas)), strconv.Itoa(int(p.FormulasX)), strconv.Itoa(int(p.FormulasY)), number(p.Expected), number(p.Support), number(p.ConfidenceXY), number(p.ConfidenceYX), number(p.Lift), number(p.Jaccard), number(p.P), number(p.Q))
	}
}

func (r *Report) setRows(row func(...string)) {
	row("drugs", "formulas", "support", "lift")
	for _, s := range r.Sets.Rows {
		row(namesOf(s.Herbs), strconv.Itoa(int(s.Formulas)), number(s.Support), number(s.Lift))
	}
}

func (r *Report) nearestRows(row func(...string)) {
	row("prescription", "relation", "formula", "guid", "year", "book", "shared", "added", "leftOut")
	for i := range r.Prescriptions {
		n := &r.Near[i]
		if n.How == "" {
			row(r.Prescriptions[i].ID, "", "", "", "", "", "", "", "")
			continue
		}
		f := r.Formula(n)
		row(r.Prescriptions[i].ID, string(n.How), f.Name, f.GUID, f.Year, f.Book, strconv.Itoa(n.Shared), f.Added, f.LeftOut)
	}
}

// NearFormula describes the formula that is nearest to a prescription. Added and LeftOut have 、 between
// drugs.
type NearFormula struct{ Name, GUID, Year, Book, Added, LeftOut string }

// Formula describes a formula of [Report.Near].
func (r *Report) Formula(n *patterns.Near) NearFormula {
	f, year := &r.base.formulas[n.Formula], ""
	if f.year != nil {
		year = strconv.Itoa(int(*f.year))
	}
	return NearFormula{f.name, f.guid, year, f.book, namesOf(n.Added), namesOf(n.LeftOut)}
}

// namesOf returns the names of drugs with 、 between them.
func namesOf(herbs []patterns.Herb) string {
	var all []string
	for _, h := range herbs {
		all = append(all, h.Name)
	}
	return strings.Join(all, "、")
}
