// Package similarity finds the formulas that resemble each formula most.
//
// A formula is its name and its herbs by plain name (processing stripped), each
// with a dose. A herb that n of all N formulas have weighs
//
//	w = ln(1 + N/n)
//
// its inverse document frequency: that two formulas have 甘草, as every third
// does, says little; that they have 礞石 says much. Two measures compare
// formulas A and B:
//
//	Jaccard     w(A ∩ B) / w(A ∪ B) on the sets of herbs, in (0, 1]; doses don't count
//	Euclidean   ‖a − b‖ on the vectors of w · dose, each scaled to length 1, in [0, √2)
//
// Scaling makes the doses of one formula comparable with those of another
// dynasty, whose units weigh differently: what counts is how much of one herb
// stands against the others.
//
// A formula that has the name, too, is most often the same one as another book
// gives it. Namesakes stand nearer: by half of what Jaccard lacks to 1, and in
// space as if the name were one more coordinate, as large as all herbs together,
// which divides their distance by √2.
//
// One herb in common is no likeness. Formulas are compared when they share two;
// with one alone only if neither has more than three herbs, or if it is a rare
// herb and they share a telling name as well. The answers are exact: a pair is
// left out only when it is certain that it is not among the best.
package similarity

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
)

// Formula is what is compared.
type Formula struct {
	Name  string
	Herbs []Herb
}

// Herb is one herb of a formula.
type Herb struct {
	// Name is the plain name, processing stripped.
	Name string
	// Dose is the dose in one unit for all formulas; a value ≤ 0 means that it
	// is not known, and the formula's median dose stands in.
	Dose float64
}

// Neighbour is a formula that resembles another.
type Neighbour struct {
	Formula int // index in the input
	// Value is the Jaccard likeness or the Euclidean distance.
	Value float64
}

// Neighbours are the formulas that resemble one most, best first; where they
// are equally like it, in the order of the input.
type Neighbours struct {
	Jaccard, Euclidean []Neighbour
}

// Steps in which weights and dot products are counted, so that the order of
// additions never decides the order of answers.
const (
	weightUnit = 1e-4
	dotUnit    = 1e-6
)

// Top returns the k nearest neighbours of each formula by both measures. A
// herb that stands twice in a formula counts once, with its doses added.
func Top(ctx context.Context, formulas []Formula, k int) ([]Neighbours, error) {
	m := newMatrix(formulas)
	out := make([]Neighbours, len(formulas))
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			s := m.scratch(k)
			for f := w; f < len(m.rows); f += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				out[f] = m.neighbours(f, s)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// cell is a herb in a row, or a formula in a column, with its part of the
// formula's vector of length 1.
type cell struct {
	id   int32
	part float64
}

// matrix has the formulas as rows and the herbs as columns.
type matrix struct {
	rows      [][]cell  // by formula: its herbs, the rarest first
	columns   [][]cell  // by herb: the formulas that have it
	weights   []int32   // by herb: how rare it is, in steps of weightUnit
	sums      []int32   // by formula: the weights of its herbs together
	names     []name    // by formula
	namesakes [][]int32 // by name: the formulas
}

// name is a formula's name.
type name struct {
	id      int32
	telling bool
}

// What a single shared herb must be to count, and with which names: long ones
// that few formulas have. 散 and 补肝汤 say little.
const (
	few          = 3  // herbs of a formula that needs to share but one
	rare         = 20 // a rare herb is in fewer than one of so many formulas
	tellingRunes = 4  // characters of a telling name, at least
	tellingTimes = 10 // formulas of a telling name, at most
)

func newMatrix(formulas []Formula) *matrix {
	m := &matrix{rows: make([][]cell, len(formulas)), sums: make([]int32, len(formulas))}
	ids := make(map[string]int32)
	m.name(formulas)
	for f := range formulas {
		var row []cell
		for _, h := range formulas[f].Herbs {
			id, known := ids[h.Name]
			if !known {
				id = int32(len(ids))
				ids[h.Name] = id
			}
			dose := max(h.Dose, 0)
			if i := slices.IndexFunc(row, func(c cell) bool { return c.id == id }); i >= 0 {
				row[i].part += dose
			} else {
				row = append(row, cell{id, dose})
			}
		}
		m.rows[f] = row
	}
	m.weigh(len(ids))
	m.columns = make([][]cell, len(ids))
	for f, row := range m.rows {
		m.scale(row)
		for _, c := range row {
			m.columns[c.id] = append(m.columns[c.id], cell{int32(f), c.part})
			m.sums[f] += m.weights[c.id]
		}
	}
	for f, row := range m.rows {
		// What a herb says, by both measures, for each formula that has it.
		says := func(c cell) float64 {
			return (float64(m.weights[c.id])/float64(m.sums[f]) + c.part*c.part) / float64(len(m.columns[c.id]))
		}
		slices.SortFunc(row, func(a, b cell) int { return cmp.Or(cmp.Compare(says(b), says(a)), cmp.Compare(a.id, b.id)) })
	}
	return m
}

// name numbers the names.
func (m *matrix) name(formulas []Formula) {
	ids := map[string]int32{}
	m.names = make([]name, len(formulas))
	for i := range formulas {
		id, known := ids[formulas[i].Name]
		if !known {
			id = int32(len(ids))
			ids[formulas[i].Name] = id
			m.namesakes = append(m.namesakes, nil)
		}
		m.names[i].id = id
		m.namesakes[id] = append(m.namesakes[id], int32(i))
	}
	for i := range formulas {
		n := &m.names[i]
		n.telling = len(m.namesakes[n.id]) <= tellingTimes && utf8.RuneCountInString(formulas[i].Name) >= tellingRunes
	}
}

// weigh gives each of so many herbs its weight.
func (m *matrix) weigh(herbs int) {
	count := make([]int, herbs)
	for _, row := range m.rows {
		for _, c := range row {
			count[c.id]++
		}
	}
	m.weights = make([]int32, herbs)
	for id, n := range count {
		m.weights[id] = weight(float64(len(m.rows)) / float64(n))
	}
}

// weight is the weight of a herb that one of so many formulas has.
func weight(of float64) int32 { return int32(math.Round(math.Log(1+of) / weightUnit)) }

// scale makes a vector of length 1 of a formula's doses: the median stands in
// the place of those that are not known.
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
		row[i].part = row[i].part * float64(m.weights[row[i].id])
		sum += row[i].part * row[i].part
	}
	for i := range row {
		row[i].part /= math.Sqrt(sum)
	}
}
