package similarity

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"
)

// matrix has the formulas as rows and the herbs as columns. Herbs are numbered from the rarest to
// the most frequent. The place of a formula is its number when the formulas are sorted by the total
// weight of their herbs.
type matrix struct {
	formulas  []int32   // by place: index of the formula in the input
	sums      []int32   // by place: total weight of the formula's herbs
	starts    []int32   // by place: index in herbs of the formula's first herb; the last entry is len(herbs)
	herbs     []int32   // the herbs of all formulas; within a formula from the rarest
	parts     []float64 // for each entry of herbs: the herb's coordinate in the formula's unit vector
	weights   []int32   // by herb: its weight in steps of weightUnit
	signs     []uint64  // by herb: its bit in signatures
	columns   []column  // by herb
	names     []name    // by place
	namesakes [][]int32 // by name: the places of the formulas with that name
}

// column holds the places of the formulas that contain a herb.
type column struct {
	bySum  []int32
	byPart []int32 // the same places, sorted by the herb's part in the formula, the largest part first
}

// name describes the name of a formula.
type name struct {
	id      int32
	telling bool
}

// One shared herb is enough to compare two formulas if the herb is rare and the formulas share a
// distinctive name. A distinctive name is long and belongs to few formulas; 散 and 补肝汤 are not
// distinctive.
const (
	fewHerbs         = 3  // one shared herb is enough for two formulas with at most this many herbs each
	rarity           = 20 // a rare herb is in fewer than one twentieth of all formulas
	distinctiveRunes = 4  // minimum length of a distinctive name in characters
	distinctiveUses  = 10 // maximum number of formulas with a distinctive name
)

func newMatrix(formulas []Formula) *matrix {
	rows, counts := read(formulas)
	m := &matrix{
		formulas: make([]int32, len(rows)),
		sums:     make([]int32, 0, len(rows)),
		starts:   make([]int32, 1, len(rows)+1),
		weights:  make([]int32, len(counts)),
		signs:    signatureBits(counts),
		columns:  make([]column, len(counts)),
	}
	cells := 0
	for herb, n := range counts {
		m.weights[herb] = weight(float64(len(rows)) / float64(n))
		m.columns[herb] = column{make([]int32, 0, n), make([]int32, 0, n)}
		cells += n
	}
	sums := make([]int32, len(rows))
	for f, row := range rows {
		m.formulas[f] = int32(f)
		m.scale(row)
		for _, c := range row {
			sums[f] += m.weights[c.herb]
		}
	}
	slices.SortFunc(m.formulas, func(a, b int32) int { return cmp.Or(cmp.Compare(sums[a], sums[b]), cmp.Compare(a, b)) })
	m.herbs, m.parts = make([]int32, 0, cells), make([]float64, 0, cells)
	for place, f := range m.formulas {
		m.sums = append(m.sums, sums[f])
		for _, c := range rows[f] {
			m.herbs, m.parts = append(m.herbs, c.herb), append(m.parts, c.part)
			m.columns[c.herb].bySum = append(m.columns[c.herb].bySum, int32(place))
		}
		m.starts = append(m.starts, int32(len(m.herbs)))
	}
	m.sortByPart()
	m.name(formulas)
	return m
}

// cell is a herb of a formula. part is the herb's dose until it is replaced by the herb's
// coordinate in the formula's unit vector.
type cell struct {
	herb int32
	part float64
}

// read returns the herbs of each formula. counts is the number of formulas with each herb.
func read(formulas []Formula) (rows [][]cell, counts []int) {
	ids := make(map[string]int32)
	var seen []int
	rows = make([][]cell, len(formulas))
	for f := range formulas {
		row := make([]cell, 0, len(formulas[f].Herbs))
		for _, h := range formulas[f].Herbs {
			id, known := ids[h.Name]
			if !known {
				id = int32(len(ids))
				ids[h.Name] = id
				seen = append(seen, 0)
			}
			dose := max(h.Dose, 0)
			if i := slices.IndexFunc(row, func(c cell) bool { return c.herb == id }); i >= 0 {
				row[i].part += dose
			} else {
				row = append(row, cell{id, dose})
				seen[id]++
			}
		}
		rows[f] = row
	}
	rarest := make([]int32, len(seen))
	for id := range rarest {
		rarest[id] = int32(id)
	}
	slices.SortFunc(rarest, func(a, b int32) int { return cmp.Or(cmp.Compare(seen[a], seen[b]), cmp.Compare(a, b)) })
	renamed := make([]int32, len(seen))
	for herb, id := range rarest {
		renamed[id] = int32(herb)
		counts = append(counts, seen[id])
	}
	for _, row := range rows {
		for i := range row {
			row[i].herb = renamed[row[i].herb]
		}
		slices.SortFunc(row, func(a, b cell) int { return cmp.Compare(a.herb, b.herb) })
	}
	return rows, counts
}

// sortByPart sets column.byPart: it sorts the formulas of each column by the part of the column's
// herb.
func (m *matrix) sortByPart() {
	part := make([]float64, len(m.formulas)) // by place: the part of the column's herb
	for herb := range m.columns {
		c := &m.columns[herb]
		for _, place := range c.bySum {
			part[place] = m.part(place, int32(herb))
		}
		c.byPart = append(c.byPart, c.bySum...)
		slices.SortFunc(c.byPart, func(a, b int32) int { return cmp.Or(cmp.Compare(part[b], part[a]), cmp.Compare(a, b)) })
	}
}

// row returns the herbs of a formula, and the part of each herb.
func (m *matrix) row(place int32) ([]int32, []float64) {
	from, to := m.starts[place], m.starts[place+1]
	return m.herbs[from:to], m.parts[from:to]
}

// part returns the part of a herb in a formula: its coordinate in the formula's unit vector. The
// formula must contain the herb.
func (m *matrix) part(place, herb int32) float64 {
	herbs, parts := m.row(place)
	return parts[slices.Index(herbs, herb)]
}

// name assigns a number to each distinct name of formulas.
func (m *matrix) name(formulas []Formula) {
	ids := map[string]int32{}
	m.names = make([]name, len(formulas))
	for place, f := range m.formulas {
		id, known := ids[formulas[f].Name]
		if !known {
			id = int32(len(ids))
			ids[formulas[f].Name] = id
			m.namesakes = append(m.namesakes, nil)
		}
		m.names[place].id = id
		m.namesakes[id] = append(m.namesakes[id], int32(place))
	}
	for place, f := range m.formulas {
		n := &m.names[place]
		n.telling = len(m.namesakes[n.id]) <= distinctiveUses && utf8.RuneCountInString(formulas[f].Name) >= distinctiveRunes
	}
}

// weight returns the weight of a herb. The parameter "of" is the number of all formulas divided by
// the number of formulas with the herb.
func weight(of float64) int32 { return int32(math.Round(math.Log(1+of) / weightUnit)) }

// scale converts a formula's doses to a unit vector. It replaces unknown doses by the median.
func (m *matrix) scale(row []cell) {
	var known []float64
	for _, c := range row {
		if c.part > 0 {
			known = append(known, c.part)
		}
	}
	median := 1.0
	if len(known) > 0 {
		slices.Sort(known)
		median = known[len(known)/2]
	}
	var sum float64
	for i := range row {
		if row[i].part <= 0 {
			row[i].part = median
		}
		row[i].part = row[i].part * float64(m.weights[row[i].herb])
		sum += row[i].part * row[i].part
	}
	for i := range row {
		row[i].part /= math.Sqrt(sum)
	}
}
