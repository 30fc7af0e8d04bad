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
// herb and they share a telling name as well. Every such pair is compared, so
// the answers are exact.
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
	// Shared lists the herbs both have, in the first formula's order.
	Shared []string
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

// cell is a herb in a row, or a formula in a column, with its part of the
// formula's vector of length 1.
type cell struct {
	id   int32
	part float64
}

// matrix has the formulas as rows and the herbs as columns.
type matrix struct {
	herbs   []string
	rows    [][]cell // by formula: its herbs in the formula's order
	columns [][]cell // by herb: the formulas that have it
	weights []int32  // by herb: how rare it is, in steps of weightUnit
	sums    []int32  // by formula: the weights of its herbs together
	names   []name   // by formula
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
				id = int32(len(m.herbs))
				ids[h.Name] = id
				m.herbs = append(m.herbs, h.Name)
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
	m.weigh()
	m.columns = make([][]cell, len(m.herbs))
	for f, row := range m.rows {
		m.scale(row)
		for _, c := range row {
			m.columns[c.id] = append(m.columns[c.id], cell{int32(f), c.part})
			m.sums[f] += m.weights[c.id]
		}
	}
	return m
}

// name numbers the names.
func (m *matrix) name(formulas []Formula) {
	count := map[string]int{}
	ids := map[string]int32{}
	for i := range formulas {
		n := formulas[i].Name
		if _, known := ids[n]; !known {
			ids[n] = int32(len(ids))
		}
		count[n]++
	}
	m.names = make([]name, len(formulas))
	for i := range formulas {
		n := formulas[i].Name
		m.names[i] = name{ids[n], count[n] <= tellingTimes && utf8.RuneCountInString(n) >= tellingRunes}
	}
}

// weigh gives each herb its weight.
func (m *matrix) weigh() {
	count := make([]int, len(m.herbs))
	for _, row := range m.rows {
		for _, c := range row {
			count[c.id]++
		}
	}
	m.weights = make([]int32, len(m.herbs))
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

// tally is what a worker has counted of another formula.
type tally struct {
	herbs, weight int32 // of the herbs both have
	dot           float64
}

// scratch is one worker's memory.
type scratch struct {
	tallies []tally // by formula
	seen    []int32 // formulas that share a herb
}

func (m *matrix) scratch() *scratch { return &scratch{tallies: make([]tally, len(m.rows))} }

func (m *matrix) neighbours(f, k int, s *scratch) Neighbours {
	s.seen = s.seen[:0]
	for _, herb := range m.rows[f] {
		weight := m.weights[herb.id]
		for _, other := range m.columns[herb.id] {
			t := &s.tallies[other.id]
			if t.herbs == 0 {
				s.seen = append(s.seen, other.id)
			}
			t.herbs++
			t.weight += weight
			t.dot += herb.part * other.part
		}
	}
	jaccard, euclidean := newBest(k), newBest(k)
	for _, g := range s.seen {
		t := s.tallies[g]
		s.tallies[g] = tally{}
		if int(g) == f || !m.comparable(f, int(g), t) {
			continue
		}
		likeness := float64(t.weight) / float64(m.sums[f]+m.sums[g]-t.weight)
		cosine := t.dot
		if m.names[f].id == m.names[g].id {
			likeness = (1 + likeness) / 2
			cosine = (1 + cosine) / 2
		}
		jaccard.offer(candidate{g, likeness})
		euclidean.offer(candidate{g, math.Round(cosine / dotUnit)})
	}
	return Neighbours{
		Jaccard: m.list(f, jaccard, func(v float64) float64 { return v }),
		Euclidean: m.list(f, euclidean, func(v float64) float64 {
			return math.Sqrt(max(0, 2-2*v*dotUnit))
		}),
	}
}

// comparable says whether two formulas share enough to be compared.
func (m *matrix) comparable(f, g int, t tally) bool {
	switch {
	case t.herbs > 1:
		return true
	case len(m.rows[f]) <= few && len(m.rows[g]) <= few:
		return true
	}
	return m.names[f].id == m.names[g].id && m.names[f].telling && t.weight > weight(rare)
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
