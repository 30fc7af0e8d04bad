package similarity

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"
)

// matrix has the formulas as rows and the herbs as columns. Herbs are numbered from the rarest to
// the most frequent.
type matrix struct {
	rows      [][]cell  // by formula: its herbs, from the rarest
	sums      []int32   // by formula: total weight of its herbs
	weights   []int32   // by herb: its weight in steps of weightUnit
	columns   [][]entry // by herb: the formulas that contain it
	names     []name    // by formula
	namesakes [][]int32 // by name: the formulas with that name
}

// cell is a herb of a formula. part is the herb's dose until it is replaced by the herb's
// coordinate in the formula's unit vector.
type cell struct {
	herb int32
	part float64
}

// entry is a formula that contains a herb. All herbs that it shares with a formula without rarer
// herbs are the herb and its more frequent ones.
type entry struct {
	formula int32
	sum     int32   // total weight of the formula's herbs
	weight  int32   // total weight of the herb and the more frequent ones
	length  float32 // length of their part of the formula's unit vector
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
	m := &matrix{rows: rows, sums: make([]int32, len(rows)), weights: make([]int32, len(counts)), columns: make([][]entry, len(counts))}
	for herb, n := range counts {
		m.weights[herb] = weight(float64(len(rows)) / float64(n))
		m.columns[herb] = make([]entry, 0, n)
	}
	for f, row := range rows {
		m.scale(row)
		for _, c := range row {
			m.sums[f] += m.weights[c.herb]
		}
		weight, square := m.sums[f], 1.0
		for _, c := range row {
			m.columns[c.herb] = append(m.columns[c.herb], entry{int32(f), m.sums[f], weight, float32(math.Sqrt(max(0, square)))})
			weight, square = weight-m.weights[c.herb], square-c.part*c.part
		}
	}
	m.name(formulas)
	return m
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

// name assigns a number to each distinct name of formulas.
func (m *matrix) name(formulas []Formula) {
	ids := map[string]int32{}
	m.names = make([]name, len(formulas))
	for f := range formulas {
		id, known := ids[formulas[f].Name]
		if !known {
			id = int32(len(ids))
			ids[formulas[f].Name] = id
			m.namesakes = append(m.namesakes, nil)
		}
		m.names[f].id = id
		m.namesakes[id] = append(m.namesakes[id], int32(f))
	}
	for f := range m.names {
		n := &m.names[f]
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
