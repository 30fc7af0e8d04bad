package similarity

import (
	"context"
	"math"
)

// A formula is compared with all formulas that contain one of its herbs, herb by herb, from the
// rarest to the most frequent. It stops when no formula that shares only its remaining herbs can be
// as similar as the last of its best neighbours. So the most frequent herbs are rarely reached: 甘草
// is in a third of all formulas and says little about similarity. This is called prefix filtering
// (Chaudhuri, Ganti and Kaushik, 2006), with the similarity of the k-th best neighbour as its
// threshold (Xiao, Wang, Lin and Shang, 2009). A formula whose own remaining herbs are too few for
// that is skipped: positional filtering (Xiao, Wang, Lin and Yu, PPJoin, 2008). For vectors, the
// length of the remainder bounds its contribution (Anastasiu and Karypis, L2AP, 2014).

// search finds the neighbours of one formula after the other.
type search struct {
	*matrix
	k     int
	query int       // the formula whose neighbours are searched
	tally []int64   // by herb of the query: its weight, and a count of 1 in the low bits; 0 for other herbs
	part  []float64 // by herb: its part in the query
	met   []int     // by formula: the last query that was compared with it, plus 1

	jaccard, euclidean topK // the best neighbours of the query; dot products are counted in steps
}

func (m *matrix) search(k int) *search {
	herbs := len(m.weights)
	return &search{matrix: m, k: k, tally: make([]int64, herbs), part: make([]float64, herbs), met: make([]int, len(m.rows))}
}

// run finds the neighbours of every step-th formula, starting with first.
func (s *search) run(ctx context.Context, first, step int, out []Neighbours) error {
	for f := first; f < len(s.rows); f += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.query, s.jaccard, s.euclidean = f, newTopK(s.k), newTopK(s.k)
		s.find()
		out[f] = Neighbours{
			Jaccard:   s.jaccard.shown(func(v float64) float64 { return v }),
			Euclidean: s.euclidean.shown(func(v float64) float64 { return math.Sqrt(max(0, 2-2*v*dotUnit)) }),
		}
	}
	return nil
}

// find compares the query with all formulas that may be among its neighbours.
func (s *search) find() {
	row := s.rows[s.query]
	for _, c := range row {
		s.tally[c.herb], s.part[c.herb] = int64(s.weights[c.herb])<<countBits|1, c.part
	}
	s.compareNamesakes()
	weight, square := s.sums[s.query], 1.0 // total weight of the herbs from here on, and the squared length of their vector
	for i, c := range row {
		length := math.Sqrt(max(0, square))
		alone := i == len(row)-1 && len(row) > fewHerbs // one shared herb is not enough
		if alone || s.isTooLittle(weight, weight, length) {
			break
		}
		for _, e := range s.columns[c.herb] {
			other := e.formula
			if s.isTooLittle(min(weight, e.weight), e.sum, length*float64(e.length)) || s.met[other] == s.query+1 {
				continue
			}
			s.met[other] = s.query + 1
			if shares := s.compare(other); shares.herbs > 1 || s.areSmall(other) {
				s.offer(other, s.likeness(s.sums[other], shares.weight), shares.dot)
			}
		}
		weight, square = weight-s.weights[c.herb], square-c.part*c.part
	}
	for _, c := range row {
		s.tally[c.herb], s.part[c.herb] = 0, 0
	}
}

// slack is larger than the rounding errors of dot products.
const slack = 3 * dotUnit

// isTooLittle reports whether a formula cannot be among the neighbours if it shares at most this
// weight with the query, and has at most this dot product with it. sum is the total weight of the
// formula's herbs.
func (s *search) isTooLittle(weight, sum int32, dot float64) bool {
	return s.likeness(sum, weight) < s.jaccard.worst && dot+slack < s.euclidean.worst*dotUnit
}

// areSmall reports whether the query and another formula have so few herbs that one shared herb is
// enough to compare them.
func (s *search) areSmall(other int32) bool {
	return len(s.rows[s.query]) <= fewHerbs && len(s.rows[other]) <= fewHerbs
}

// countBits is the number of low bits of a tally that count herbs.
const countBits = 16

// shared is what the query and another formula have in common: the number and the total weight of
// their herbs, and the dot product of their unit vectors.
type shared struct {
	herbs  int
	weight int32
	dot    float64
}

// compare returns what the query and a formula have in common.
func (s *search) compare(other int32) shared {
	sum, dot := int64(0), 0.0
	for _, c := range s.rows[other] {
		sum += s.tally[c.herb]
		dot += s.part[c.herb] * c.part
	}
	return shared{int(sum & (1<<countBits - 1)), int32(sum >> countBits), dot}
}

// likeness returns the Jaccard similarity of the query and a formula. sum is the total weight of the
// formula's herbs, and weight that of the herbs that both share.
func (s *search) likeness(sum, weight int32) float64 {
	return float64(weight) / float64(s.sums[s.query]+sum-weight)
}

// offer adds a formula to the neighbours of the query if it is among the best so far.
func (s *search) offer(other int32, jaccard, dot float64) {
	s.jaccard.offer(Neighbour{int(other), jaccard})
	s.euclidean.offer(Neighbour{int(other), math.Round(dot / dotUnit)})
}

// compareNamesakes compares the query with the formulas of the same name.
func (s *search) compareNamesakes() {
	name := s.names[s.query]
	for _, other := range s.namesakes[name.id] {
		s.met[other] = s.query + 1
		if int(other) == s.query {
			continue
		}
		shares := s.compare(other)
		if shares.herbs > 1 || shares.herbs == 1 && (s.areSmall(other) || name.telling && shares.weight > weight(rarity)) {
			s.offer(other, (1+s.likeness(s.sums[other], shares.weight))/2, (1+shares.dot)/2)
		}
	}
}
