package similarity

import (
	"context"
	"math"
)

// The nearest formulas are found through two herbs that they share. For each herb, from the rarest
// to the most frequent, all formulas that contain it are loaded into a block. Each of these
// formulas queries the block for formulas that share another of its herbs, again starting with the
// rarest. The formula stops when no other formula that shares only its remaining herbs can be as
// similar as the last of its 20 best neighbours. So the most frequent herbs are rarely reached: 甘草
// is in a third of all formulas and says little about similarity. Signatures exclude most
// candidates; the others are compared in full.
//
// Using only the rarest herbs is called prefix filtering (Chaudhuri, Ganti and Kaushik, 2006). This
// code uses two herbs of the prefix (Wang, Li and Feng, 2012). Its threshold is the similarity of
// the k-th best neighbour (Xiao, Wang, Lin and Shang, 2009). For vectors, the length of the
// remainder bounds its contribution (Anastasiu and Karypis, L2AP, 2014). Formulas of the same name
// are compared first, separately.

// search is a worker. It finds the neighbours of every step-th formula, starting with first.
type search struct {
	*matrix
	found       []topLists // by place
	first, step int        // the places of this worker
	block       block
	sketch      sketch
	query       int32     // the place of the formula whose neighbours are searched
	fewHerbs    bool      // the query has at most fewHerbs herbs, so that one shared herb may be enough to compare it
	tally       []int64   // by herb of the query: its weight, and a count of 1 in the low bits; 0 for other herbs
	part        []float64 // by herb: its part in the query
}

func (m *matrix) search(found []topLists, first, step int) *search {
	herbs := len(m.weights)
	return &search{
		matrix: m, found: found, first: first, step: step,
		block: newBlock(herbs), tally: make([]int64, herbs), part: make([]float64, herbs),
	}
}

func (s *search) run(ctx context.Context) error {
	for place := s.first; place < len(s.formulas); place += s.step {
		s.compareNamesakes(int32(place))
	}
	for _, pass := range []struct {
		open func(herb int32)
		ask  func(i int)
	}{
		{s.loadByHerbs, s.queryByHerbs},
		{s.loadByDoses, s.queryByDoses},
	} {
		for herb := range s.columns {
			if err := ctx.Err(); err != nil {
				return err
			}
			pass.open(int32(herb))
			for i, place := range s.block.places {
				if int(place)%s.step == s.first {
					pass.ask(i)
				}
			}
		}
	}
	for place := s.first; place < len(s.formulas); place += s.step {
		s.found[place].jaccard.finish(func(v float64) float64 { return v })
		s.found[place].euclidean.finish(func(v float64) float64 { return math.Sqrt(max(0, 2-2*v*dotUnit)) })
	}
	return nil
}

// countBits is the number of low bits of a tally that count herbs.
const countBits = 16

// setQuery prepares comparisons of a formula with others. After the comparisons, call clearQuery.
func (s *search) setQuery(place int32, herbs []int32, parts []float64) {
	s.query, s.fewHerbs, s.sketch = place, len(herbs) <= fewHerbs, sketch{}
	for i, h := range herbs {
		s.tally[h], s.part[h] = int64(s.weights[h])<<countBits|1, parts[i]
	}
}

func (s *search) clearQuery(herbs []int32) {
	for _, h := range herbs {
		s.tally[h], s.part[h] = 0, 0
	}
}

// shared returns the number of herbs that a formula shares with the query, and the total weight of
// these herbs.
func (s *search) shared(herbs []int32) (n int, weight int32) {
	sum := int64(0)
	for _, h := range herbs {
		sum += s.tally[h]
	}
	return int(sum & (1<<countBits - 1)), int32(sum >> countBits)
}

// dot returns the dot product of two unit vectors: that of the query, and that of the formula with
// the given herbs and parts.
func (s *search) dot(herbs []int32, parts []float64) (sum float64) {
	for i, h := range herbs {
		sum += s.part[h] * parts[i]
	}
	return sum
}

// jaccard returns the similarity of the query and a formula. sum is the total weight of the
// formula's herbs, and weight is the weight of the herbs that both share.
func (s *search) jaccard(sum, weight int32) float64 {
	return float64(weight) / float64(s.sums[s.query]+sum-weight)
}

// sharesEnough reports whether n shared herbs are enough to compare the query with another formula,
// even if their names differ. herbs is the number of herbs in the other formula.
func (s *search) sharesEnough(n, herbs int) bool {
	return n > 1 || n == 1 && s.fewHerbs && herbs <= fewHerbs
}

// offer adds a formula to the lists of the query if it is among the nearest found so far.
func (s *search) offer(place int32, jaccard, dot float64) {
	n, formula := &s.found[s.query], int(s.formulas[place])
	n.jaccard.offer(Neighbour{formula, jaccard})
	n.euclidean.offer(Neighbour{formula, steps(dot)})
}

// steps converts a dot product to a whole number of steps of dotUnit.
func steps(dot float64) float64 { return math.Round(dot / dotUnit) }

// compareNamesakes compares a formula with those of the same name.
func (s *search) compareNamesakes(place int32) {
	herbs, parts := s.row(place)
	s.setQuery(place, herbs, parts)
	defer s.clearQuery(herbs)
	name := s.names[place]
	for _, other := range s.namesakes[name.id] {
		if other == place {
			continue
		}
		herbs, parts := s.row(other)
		n, w := s.shared(herbs)
		if s.sharesEnough(n, len(herbs)) || n == 1 && name.telling && w > weight(rarity) {
			s.offer(other, (1+s.jaccard(s.sums[other], w))/2, (1+s.dot(herbs, parts))/2)
		}
	}
}

// isCandidate reports whether the i-th formula of the block shares enough herbs with the query and
// has another name. n is the number of shared herbs; herbs is the number of herbs in the formula.
func (s *search) isCandidate(i int32, n, herbs int) bool {
	return s.sharesEnough(n, herbs) && s.block.names[i] != s.names[s.query].id
}

// scansHerb reports whether to compare the query with the formulas of the block that contain the
// given herb. Normally, it returns true for all herbs of the query except the block's own herb,
// which all formulas of the block contain. If one shared herb may be enough, it returns true only
// for the block's own herb.
func (s *search) scansHerb(herb int32) bool { return s.fewHerbs == (herb == s.block.herb) }
