// Package similarity finds the formulas that resemble each formula most.
//
// A formula is its herbs by plain name (processing stripped), each with a
// dose. Two measures compare formulas A and B that share at least one herb:
//
//	Jaccard     |A ∩ B| / |A ∪ B| on the sets of herbs, in (0, 1]; doses don't count
//	Euclidean   ‖a − b‖ on the dose vectors, each scaled to length 1, in [0, √2)
//
// Scaling makes the doses of one formula comparable with those of another
// dynasty, whose units weigh differently: what counts is how much of one herb
// stands against the others. Formulas without a common herb would all lie √2
// apart, and are left out.
//
// Every pair that shares a herb is compared, so the answers are exact.
package similarity

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

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
	// Shared lists the herbs both have, in the first formula's order.
	Shared []string
}

// Neighbours are the formulas that resemble one most, best first; where they
// are equally like it, in the order of the input.
type Neighbours struct {
	Jaccard, Euclidean []Neighbour
}

// dotUnit is the step in which dot products are compared, so that the order
// of additions never decides the order of answers.
const dotUnit = 1e-6

// Top returns the k nearest neighbours of each formula by both measures. A
// herb that stands twice in a formula counts once, with its doses added.
func Top(ctx context.Context, formulas [][]Herb, k int) ([]Neighbours, error) {
	m := newMatrix(formulas)
	out := make([]Neighbours, len(formulas))
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			s := m.scratch()
			for f := w; f < len(m.rows); f += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				out[f] = m.neighbours(f, k, s)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// cell is a herb in a row, or a formula in a column, with its weight in the
// formula's vector of length 1.
type cell struct {
	id     int32
	weight float64
}

// matrix has the formulas as rows and the herbs as columns.
type matrix struct {
	herbs   []string
	rows    [][]cell // by formula: its herbs in the formula's order
	columns [][]cell // by herb: the formulas that have it
}

func newMatrix(formulas [][]Herb) *matrix {
	m := &matrix{rows: make([][]cell, len(formulas))}
	ids := make(map[string]int32)
	for f, herbs := range formulas {
		var row []cell
		for _, h := range herbs {
			id, known := ids[h.Name]
			if !known {
				id = int32(len(m.herbs))
				ids[h.Name] = id
				m.herbs = append(m.herbs, h.Name)
			}
			dose := max(h.Dose, 0)
			if i := slices.IndexFunc(row, func(c cell) bool { return c.id == id }); i >= 0 {
				row[i].weight += dose
			} else {
				row = append(row, cell{id, dose})
			}
		}
		scale(row)
		m.rows[f] = row
	}
	m.columns = make([][]cell, len(m.herbs))
	for f, row := range m.rows {
		for _, c := range row {
			m.columns[c.id] = append(m.columns[c.id], cell{int32(f), c.weight})
		}
	}
	return m
}

// scale puts the median in the place of unknown doses and makes the vector's
// length 1.
func scale(row []cell) {
	var known []float64
	for _, c := range row {
		if c.weight > 0 {
			known = append(known, c.weight)
		}
	}
	median := 1.0
	if len(known) > 0 {
		slices.Sort(known)
		median = known[len(known)/2]
	}
	var sum float64
	for i := range row {
		if row[i].weight <= 0 {
			row[i].weight = median
		}
		sum += row[i].weight * row[i].weight
	}
	for i := range row {
		row[i].weight /= math.Sqrt(sum)
	}
}

// scratch is one worker's memory: what it has counted of each other formula.
type scratch struct {
	shared []int32
	dot    []float64
	seen   []int32 // formulas with shared > 0
}

func (m *matrix) scratch() *scratch {
	return &scratch{shared: make([]int32, len(m.rows)), dot: make([]float64, len(m.rows))}
}

func (m *matrix) neighbours(f, k int, s *scratch) Neighbours {
	s.seen = s.seen[:0]
	for _, herb := range m.rows[f] {
		for _, other := range m.columns[herb.id] {
			if s.shared[other.id] == 0 {
				s.seen = append(s.seen, other.id)
			}
			s.shared[other.id]++
			s.dot[other.id] += herb.weight * other.weight
		}
	}
	jaccard, euclidean := newBest(k), newBest(k)
	for _, g := range s.seen {
		if int(g) != f {
			union := len(m.rows[f]) + len(m.rows[g]) - int(s.shared[g])
			jaccard.offer(candidate{g, float64(s.shared[g]) / float64(union)})
			euclidean.offer(candidate{g, math.Round(s.dot[g] / dotUnit)})
		}
		s.shared[g], s.dot[g] = 0, 0
	}
	return Neighbours{
		Jaccard: m.list(f, jaccard, func(v float64) float64 { return v }),
		Euclidean: m.list(f, euclidean, func(v float64) float64 {
			return math.Sqrt(max(0, 2-2*v*dotUnit))
		}),
	}
}

// list turns candidates into neighbours whose values are rounded to four
// decimals.
func (m *matrix) list(f int, b *best, value func(float64) float64) []Neighbour {
	found := b.sorted()
	out := make([]Neighbour, len(found))
	for i, c := range found {
		out[i] = Neighbour{
			Formula: int(c.formula),
			Value:   math.Round(value(c.score)*1e4) / 1e4,
			Shared:  m.sharedHerbs(f, int(c.formula)),
		}
	}
	return out
}

func (m *matrix) sharedHerbs(f, g int) []string {
	var shared []string
	for _, a := range m.rows[f] {
		if slices.ContainsFunc(m.rows[g], func(b cell) bool { return a.id == b.id }) {
			shared = append(shared, m.herbs[a.id])
		}
	}
	return shared
}

// candidate is a formula with its likeness: more is more alike.
type candidate struct {
	formula int32
	score   float64
}

// compare puts the more alike first, then the earlier.
func (a candidate) compare(b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.formula, b.formula))
}

// best keeps the k best candidates as a heap whose root is the worst of them.
type best struct {
	k    int
	heap []candidate
}

func newBest(k int) *best { return &best{k: k, heap: make([]candidate, 0, k)} }

func (b *best) offer(c candidate) {
	switch {
	case len(b.heap) < b.k:
		b.heap = append(b.heap, c)
		for i := len(b.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if b.heap[parent].compare(b.heap[i]) >= 0 {
				break
			}
			b.heap[parent], b.heap[i] = b.heap[i], b.heap[parent]
			i = parent
		}
	case b.k > 0 && c.compare(b.heap[0]) < 0:
		b.heap[0] = c
		b.down()
	}
}

func (b *best) down() {
	for i := 0; ; {
		worst := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(b.heap) && b.heap[child].compare(b.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		b.heap[i], b.heap[worst] = b.heap[worst], b.heap[i]
		i = worst
	}
}

func (b *best) sorted() []candidate {
	slices.SortFunc(b.heap, candidate.compare)
	return b.heap
}
