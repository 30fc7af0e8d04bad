package patterns

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Constants of the shuffles. A fixed seed gives the same shuffles on every machine. With n
// formulas, a shuffle makes n exchanges, each between two random formulas. The first shuffle makes
// burnIn·n exchanges.
const (
	seed   = 29
	burnIn = 5
)

// shuffler exchanges drugs between formulas. The size of each formula and the frequency of each
// drug do not change. The algorithm is Curveball (Strona and others 2014).
type shuffler struct {
	random *rand.Rand
	sets   [][]uint32 // drugs of each formula, in ascending order

	only, both []uint32 // scratch
}

func newShuffler(c *counted) *shuffler {
	s := &shuffler{random: rand.New(rand.NewPCG(seed, seed))}
	for _, f := range c.formulas {
		s.sets = append(s.sets, slices.Clone(c.formula(f)))
	}
	return s
}

// shuffle makes rounds·n exchanges, where n is the number of formulas.
func (s *shuffler) shuffle(rounds int) {
	n := len(s.sets)
	if n < 2 {
		return
	}
	for range rounds * n {
		a := s.random.IntN(n)
		b := s.random.IntN(n - 1)
		if b >= a {
			b++
		}
		s.exchange(a, b)
	}
}

// exchange randomly redistributes, between two formulas, the drugs that only one of the two has.
// The sizes of the formulas do not change.
func (s *shuffler) exchange(a, b int) {
	x, y := s.sets[a], s.sets[b]
	s.only, s.both = s.only[:0], s.both[:0]
	i, j, ofX := 0, 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case j == len(y) || i < len(x) && x[i] < y[j]:
			s.only = append(s.only, x[i])
			ofX++
			i++
		case i == len(x) || y[j] < x[i]:
			s.only = append(s.only, y[j])
			j++
		default:
			s.both = append(s.both, x[i])
			i, j = i+1, j+1
		}
	}
	if ofX == 0 || ofX == len(s.only) {
		return
	}
	for k := range ofX { // a random choice of ofX drugs
		r := k + s.random.IntN(len(s.only)-k)
		s.only[k], s.only[r] = s.only[r], s.only[k]
	}
	copy(x, s.both)
	copy(x[len(s.both):], s.only[:ofX])
	slices.Sort(x)
	copy(y, s.both)
	copy(y[len(s.both):], s.only[ofX:])
	slices.Sort(y)
}

// shuffled sets PShuffled of the given pairs. ranks has, for each pair, the ranks of its drugs and
// the number of formulas with both.
func (p *Pairs) shuffled(ctx context.Context, pairs []Pair, ranks []pair) error {
	s := newShuffler(p.c)
	row := make([]int32, len(p.c.list)) // drug → its row in sets plus 1, or 0 if no pair has the drug
	rows := int32(0)
	for _, r := range ranks {
		for _, drug := range []uint32{p.drugs[r.x], p.drugs[r.y]} {
			if row[drug] == 0 {
				rows++
				row[drug] = rows
			}
		}
	}
	words := (len(s.sets) + 63) / 64
	sets := make([]uint64, int(rows)*words)
	more, less := make([]int, len(pairs)), make([]int, len(pairs))
	for k := range p.c.Shuffles {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.shuffle(1)
		if k == 0 {
			s.shuffle(burnIn - 1)
		}
		clear(sets)
		for f, set := range s.sets {
			for _, drug := range set {
				if r := row[drug]; r > 0 {
					sets[int(r-1)*words+f/64] |= 1 << (f % 64)
				}
			}
		}
		of := func(rank int32) []uint64 {
			r := int(row[p.drugs[rank]]-1) * words
			return sets[r : r+words]
		}
		for i, r := range ranks {
			n := together(of(r.x), of(r.y))
			if n >= int(r.both) {
				more[i]++
			}
			if n <= int(r.both) {
				less[i]++
			}
		}
	}
	for i := range pairs {
		share := func(n int) float64 { return float64(n+1) / float64(p.c.Shuffles+1) }
		switch p.c.Side {
		case Often:
			pairs[i].PShuffled = new(share(more[i]))
		case Seldom:
			pairs[i].PShuffled = new(share(less[i]))
		default:
			pairs[i].PShuffled = new(min(1, 2*share(min(more[i], less[i]))))
		}
	}
	return nil
}
