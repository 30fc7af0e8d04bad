package similarity

// rounding is more than what weights lose in comparisons; they are whole numbers.
const rounding = 1e-3

// openByHerbs opens the room of a herb, the formulas with the smallest sum first. What
// they share with rarer herbs was found in the rooms of these.
func (s *search) openByHerbs(herb int32) {
	s.room.open(s.matrix, herb, s.columns[herb].bySum, herb)
}

// askByHerbs offers the i-th formula of the room others that may be among the most like
// it by Jaccard and share no rarer herb with it. To be like by t, two formulas that weigh
// so much together must share a weight w with w ≥ t · (together − w).
func (s *search) askByHerbs(i int) {
	place := s.room.places[i]
	list, sum := &s.found[place].jaccard, float64(s.sums[place])
	herbs, parts := s.room.row(i)
	left := 0.0
	for _, h := range herbs {
		if h >= s.room.herb {
			left += float64(s.weights[h])
		}
	}
	if left+rounding < list.worst*sum {
		return
	}
	s.begin(place, herbs, parts)
	defer s.end(herbs)
	for _, h := range herbs {
		if h >= s.room.herb {
			s.sketch.add(s.signs[h], float64(s.weights[h]))
		}
	}
	for _, h := range herbs {
		if h < s.room.herb || !s.looksUnder(h) {
			continue
		}
		if left+rounding < list.worst*sum {
			return
		}
		s.meetByHerbs(s.room.with(h), left, list)
		left -= float64(s.weights[h])
		s.sketch.remove(s.signs[h], float64(s.weights[h]))
	}
}

// meetByHerbs compares the formulas of a shelf, of which none shares more than what is
// left.
func (s *search) meetByHerbs(shelf []member, left float64, list *best) {
	sum := float64(s.sums[s.asks])
	for _, m := range shelf {
		together := sum + float64(s.room.sums[m.index])
		if left+rounding < list.worst*(together-left) {
			return // those behind have larger sums
		}
		if most := s.sketch.shared(s.room.signs[m.index]); most+rounding < list.worst*(together-most) {
			continue
		}
		herbs, parts := s.room.row(int(m.index))
		n, weight := s.shared(herbs)
		if j := s.jaccard(s.room.sums[m.index], weight); j >= list.worst && s.isMet(m.index, n, len(herbs)) {
			s.offer(s.room.places[m.index], j, s.dot(herbs, parts)) // by doses it may be near as well
		}
	}
}
