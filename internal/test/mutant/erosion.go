package mutant

import (
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// Erosion is a small damage that repeats: every build damages a further share of a column. Each
// build alone looks like the work of a curator.
type Erosion struct {
	// Name has the same form as the name of a [Mutant].
	Name string
	// Share is the share of the column's filled cells that each build damages.
	Share float64
	file  string
	list  string // the key of the checklist that has the file, or "" for the package
	spoil func(t *Table, p *pick)
}

// Next returns the sources of the next build, with further damage. The damage is random but
// reproducible; n is the number of the build.
func (e Erosion) Next(s Sources, n int) Sources {
	erode := func(f Folder) Folder {
		t := f.Tables[e.file].clone()
		rng := rand.New(rand.NewPCG(uint64(n), uint64(len(e.Name))))
		e.spoil(t, &pick{rng, n})
		return f.with(e.file, t)
	}
	if e.list == "" {
		return s.withPackage(erode(s.Package))
	}
	s.Checklists = slices.Clone(s.Checklists)
	for i, c := range s.Checklists {
		if c.Key == e.list {
			s.Checklists[i].Folder = erode(c.Folder)
		}
	}
	return s
}

// erosionKinds lists the ways in which cells erode. row is the index of the cell's row. A kind
// returns the cell's new value.
var erosionKinds = []struct {
	name string
	of   func(t *Table, row, col int, rng *rand.Rand) string
}{
	{"copies", func(t *Table, row, col int, _ *rand.Rand) string { return t.Rows[max(row-1, 0)][col] }},
	{"fills", func(t *Table, _, col int, _ *rand.Rand) string {
		return t.Rows[slices.IndexFunc(t.Rows, func(r []string) bool { return r[col] != "" })][col]
	}},
	{"random", func(t *Table, _, col int, rng *rand.Rand) string { return t.Rows[rng.IntN(len(t.Rows))][col] }},
	{"cuts", func(t *Table, row, col int, _ *rand.Rand) string {
		r := []rune(t.Rows[row][col])
		return string(r[:(len(r)+1)/2])
	}},
}

// erosion returns an erosion of a column. of returns the new value of a cell.
func erosion(list, file, column, kind string, share float64, of func(t *Table, row, col int, rng *rand.Rand) string) Erosion {
	source := list
	if list == "" {
		source = "package"
	}
	name := strings.Join([]string{source, strings.TrimSuffix(file, path.Ext(file)), column, kind}, "/")
	return Erosion{name, share, file, list, func(t *Table, p *pick) {
		col := t.index(column)
		var filled []int
		for i, row := range t.Rows {
			if col < len(row) && row[col] != "" {
				filled = append(filled, i)
			}
		}
		left := max(1, int(math.Round(share*float64(len(filled)))))
		for _, i := range p.rng.Perm(len(filled)) {
			row := filled[i]
			is := of(t, row, col, p.rng)
			if left == 0 {
				break
			}
			if is != "" && is != t.Rows[row][col] {
				t.Rows[row][col] = is
				left--
			}
		}
	}}
}

// leastFilled is the minimum number of filled cells of a column that erodes. Of fewer cells, 3 % are
// what a curator corrects in a day.
const leastFilled = 200

// Erosions returns the erosion of each column of the package and of the checklists by each kind, at
// 3 % a build. Columns with one value are left out.
func Erosions(s Sources) []Erosion {
	var all []Erosion
	add := func(list string, f Folder) {
		for _, file := range f.names() {
			t := f.Tables[file]
			for col, column := range t.Header {
				filled, values := 0, map[string]bool{}
				for _, v := range t.column(col) {
					if v != "" {
						filled++
						values[v] = true
					}
				}
				if filled < leastFilled || len(values) < 2 {
					continue
				}
				for _, k := range erosionKinds {
					all = append(all, erosion(list, file, column, k.name, 0.03, k.of))
				}
			}
		}
	}
	add("", s.Package)
	for _, c := range s.Checklists {
		add(c.Key, c.Folder)
	}
	return all
}

// KnownErosions returns ten erosions that happened or that would do the most harm: a checklist that
// sends species to other families, doses of the row above, one herb for all, links to other
// species, sentences without their "not".
func KnownErosions() []Erosion {
	kind := func(name string) func(*Table, int, int, *rand.Rand) string {
		return erosionKinds[slices.IndexFunc(erosionKinds, func(k struct {
			name string
			of   func(t *Table, row, col int, rng *rand.Rand) string
		}) bool {
			return k.name == name
		})].of
	}
	value := func(v string) func(*Table, int, int, *rand.Rand) string {
		return func(*Table, int, int, *rand.Rand) string { return v }
	}
	accepted := Erosion{"wcvp/wcvp_names/accepted-to-random", 0.007, "wcvp_names.csv", "wcvp", func(t *Table, p *pick) {
		status, to, id := t.index("taxon_status"), t.index("accepted_plant_name_id"), t.index("plant_name_id")
		isAccepted := func(row []string) bool { return row[status] == "Accepted" }
		all := slices.DeleteFunc(slices.Clone(t.Rows), func(row []string) bool { return !isAccepted(row) })
		p.n = int(math.Ceil(0.007 * float64(len(all))))
		for _, i := range p.of(t, isAccepted) {
			t.Rows[i][status], t.Rows[i][to] = "Synonym", all[p.rng.IntN(len(all))][id]
		}
	}}
	return []Erosion{
		accepted,
		erosion("", "formula_ingredients.csv", "dose", "copies", 0.025, kind("copies")),
		erosion("", "formula_ingredients.csv", "herb", "甘草", 0.03, value("甘草")),
		erosion("", "herb_species.csv", "species_id", "random", 0.025, kind("random")),
		erosion("", "formulas.csv", "indications", "without-不", 0.03, func(t *Table, row, col int, _ *rand.Rand) string {
			return strings.ReplaceAll(t.Rows[row][col], "不", "")
		}),
		erosion("", "species.csv", "author", "L.", 0.03, value("L.")),
		erosion("", "species.csv", "chinese_name", "random", 0.03, kind("random")),
		erosion("", "synonyms.csv", "name", "cuts", 0.03, kind("cuts")),
		erosion("", "papers.csv", "title", "copies", 0.02, kind("copies")),
		erosion("wcvp", "wcvp_names.csv", "taxon_authors", "random", 0.03, kind("random")),
	}
}
