package similarity

import (
	"context"
	"math"
)

// The nearest formulas are found by two herbs that they share. Herb by herb, the rarest
// first, all formulas that have it come together in a room. There each asks for those
// with another of its herbs, again the rarest first, and only as long as what is left of
// its herbs can still make a formula as like as the last of the 20 best that it has. The
// most common herbs are seldom come to: 甘草 brings a third of all formulas, and says
// little. Of those that are met, signatures tell most to be too far away; the others are
// compared to the end.
//
// To look at the rarest herbs alone is prefix filtering (Chaudhuri, Ganti and Kaushik,
// 2006), here with two herbs of the prefix (Wang, Li and Feng, 2012) and with the k-th
// best as the threshold (Xiao, Wang, Lin and Shang, 2009). For vectors what is left is
// bounded by its length (Anastasiu and Karypis, L2AP, 2014). Namesakes are compared
// first, by themselves.

// search is a worker: it finds the neighbours of one in so many formulas.
type search struct {
	*matrix
	found       []both // by place
	first, step int    // the places that are this worker's
	room        room
	sketch      sketch
	asks        int32     // the place of the formula that is compared with others
	few         bool      // it has so few herbs that one shared may be enough
	tally       []int64   // by herb: if that formula has it, its weight, and 1 in the last bits
	part        []float64 // by herb: its part of that formula
}

func (m *matrix) search(found []both, first, step int) *search {
	herbs := len(m.weights)
	return &search{
		matrix: m, found: found, first: first, step: step,
		room: newRoom(herbs), tally: make([]int64, herbs), part: make([]float64, herbs),
	}
}

func (s *search) run(ctx context.Context) error {
	for place := s.first; place < len(s.formulas); place += s.step {
		s.ofItsName(int32(place))
	}
	for _, pass := range []struct {
		open func(herb int32)
		ask  func(i int)
	}{
		{s.openByHerbs, s.askByHerbs},
		{s.openByDoses, s.askByDoses},
	} {
		for herb := range s.columns {
			if err := ctx.Err(); err != nil {
				return err
			}
			pass.open(int32(herb))
			for i, place := range s.room.places {
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

// counted is how many bits of a tally count herbs.
const counted = 16

// begin and end enclose the comparisons of a formula with others.
func (s *search) begin(place int32, herbs []int32, parts []float64) {
	s.asks, s.few, s.sketch = place, len(herbs) <= few, sketch{}
	for i, h := range herbs {
		s.tally[h], s.part[h] = int64(s.weights[h])<<counted|1, parts[i]
	}
}

func (s *search) end(herbs []int32) {
	for _, h := range herbs {
		s.tally[h], s.part[h] = 0, 0
	}
}

// shared is how many herbs a row shares with the formula that asks, and their weight.
func (s *search) shared(herbs []int32) (n int, weight int32) {
	sum := int64(0)
	for _, h := range herbs {
		sum += s.tally[h]
	}
	return int(sum & (1<<counted - 1)), int32(sum >> counted)
}

// dot is the product of a row with the formula that asks.
func (s *search) dot(herbs []int32, parts []float64) (sum float64) {
	for i, h := range herbs {
		sum += s.part[h] * parts[i]
	}
	return sum
}

// jaccard is the likeness of the formula that asks and one of another sum, by the weight
// they share.
func (s *search) jaccard(sum, weight int32) float64 {
	return float64(weight) / float64(s.sums[s.asks]+sum-weight)
}

// enough says whether so many shared herbs make a formula of so many comparable with the
// one that asks, whatever their names.
func (s *search) enough(n, herbs int) bool { return n > 1 || n == 1 && s.few && herbs <= few }

// offer offers another formula to the one that asks.
func (s *search) offer(place int32, jaccard, dot float64) {
	n, formula := &s.found[s.asks], int(s.formulas[place])
	n.jaccard.offer(Neighbour{formula, jaccard})
	n.euclidean.offer(Neighbour{formula, steps(dot)})
}

// steps counts a dot product in steps of dotUnit.
func steps(dot float64) float64 { return math.Round(dot / dotUnit) }

// ofItsName compares a formula with its namesakes.
func (s *search) ofItsName(place int32) {
	herbs, parts := s.row(place)
	s.begin(place, herbs, parts)
	defer s.end(herbs)
	name := s.names[place]
	for _, other := range s.namesakes[name.id] {
		if other == place {
			continue
		}
		herbs, parts := s.row(other)
		n, w := s.shared(herbs)
		if s.enough(n, len(herbs)) || n == 1 && name.telling && w > weight(rare) {
			s.offer(other, (1+s.jaccard(s.sums[other], w))/2, (1+s.dot(herbs, parts))/2)
		}
	}
}

// isMet says whether the i-th formula of the room, of so many herbs, shares enough with the
// one that asks and is not of its name.
func (s *search) isMet(i int32, n, herbs int) bool {
	return s.enough(n, herbs) && s.room.names[i] != s.names[s.asks].id
}

// looksUnder says whether the formula that asks looks for those that have another of its
// herbs as well. If the room's herb may be enough it looks at them all instead.
func (s *search) looksUnder(herb int32) bool { return s.few == (herb == s.room.herb) }
