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
	random *rand.PCG
	sets   [][]uint32 // drugs of each formula, in any order
	in     []uint8    // drug → 1 if the formula x of exchange has it; all 0 between calls
}

func newShuffler(c *counted) *shuffler {
	s := &shuffler{random: rand.NewPCG(seed, seed), in: make([]uint8, len(c.list))}
	for _, f := range c.formulas {
		s.sets = append(s.sets, slices.Clone(c.formula(f)))
	}
	return s
}

// below returns a number from 0 to n-1, made from 32 random bits. The probabilities of two numbers
// differ by at most 1/2³².
func below(bits uint32, n int) int { return int(uint64(bits) * uint64(n) >> 32) }

// shuffle makes rounds·n exchanges, where n is the number of formulas.
func (s *shuffler) shuffle(rounds int) {
	n := len(s.sets)
	if n < 2 {
		return
	}
	for range rounds * n {
		r := s.random.Uint64()
		a, b := below(uint32(r), n), below(uint32(r>>32), n-1)
		if b >= a {
			b++
		}
		s.exchange(s.sets[a], s.sets[b])
	}
}

// exchange randomly redistributes, between two formulas, the drugs that only one of the two has.
// The sizes of the formulas do not change.
func (s *shuffler) exchange(x, y []uint32) {
	for _, drug := range x {
		s.in[drug] = 1
	}
	both := 0
	for i, drug := range y { // move the drugs of both to the front
		y[i], y[both] = y[both], drug
		both += int(s.in[drug])
		s.in[drug] = 0
	}
	only := 0
	for i, drug := range x { // move the drugs that y lacks to the front
		x[i], x[only] = x[only], drug
		only += int(s.in[drug])
		s.in[drug] = 0
	}
	x, y = x[:only], y[both:]
	if len(x) > len(y) {
		x, y = y, x
	}
	for i := range x { // the first steps of a Fisher–Yates shuffle of x and y
		k := i + below(uint32(s.random.Uint64()), len(x)+len(y)-i)
		other := &y[max(0, k-len(x))]
		if k < len(x) {
			other = &x[k]
		}
		x[i], *other = *other, x[i]
	}
}

// shuffled sets PShuffled of the given pairs. ranks has, for each pair, the ranks of its drugs and
// the number of formulas with both.
func (p *Pairs) shuffled(ctx context.Context, pairs []Pair, ranks []pair) error {
	s := newShuffler(p.c)
	row := make([]int32, len(p.c.list)) // drug → its row in sets plus 1, or 0 if no pair has the drug
	rows := int32(0)
	words := (len(s.sets) + 63) / 64
	offset := func(rank int32) int { // the first word of the drug's row
		drug := p.drugs[rank]
		if row[drug] == 0 {
			rows++
			row[drug] = rows
		}
		return int(row[drug]-1) * words
	}
	x, y := make([]int, len(ranks)), make([]int, len(ranks))
	for i, r := range ranks {
		x[i], y[i] = offset(r.x), offset(r.y)
	}
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
		for i, r := range ranks {
			n := together(sets[x[i]:x[i]+words], sets[y[i]:y[i]+words])
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
