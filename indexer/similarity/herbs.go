package similarity

// rounding is an upper bound of the rounding errors in comparisons of weights. Weights themselves
// are whole numbers.
const rounding = 1e-3

// loadByHerbs loads the formulas that contain a herb. Formulas with the smallest total weight come
// first. Two formulas that share a rarer herb have already been compared in the block of that herb.
func (s *search) loadByHerbs(herb int32) {
	s.block.load(s.matrix, herb, s.columns[herb].bySum, herb)
}

// queryByHerbs compares the i-th formula of the block with those formulas of the block that share
// no rarer herb with it and may be among the most similar to it by Jaccard. Let together be the sum
// of the total weights of two formulas, and w the weight of their shared herbs. Their similarity is
// at least t only if w ≥ t · (together − w).
func (s *search) queryByHerbs(i int) {
	place := s.block.places[i]
	list, sum := &s.found[place].jaccard, float64(s.sums[place])
	herbs, parts := s.block.row(i)
	left := 0.0
	for _, h := range herbs {
		if h >= s.block.herb {
			left += float64(s.weights[h])
		}
	}
	if left+rounding < list.worst*sum {
		return
	}
	s.setQuery(place, herbs, parts)
	defer s.clearQuery(herbs)
	for _, h := range herbs {
		if h >= s.block.herb {
			s.sketch.add(s.signs[h], float64(s.weights[h]))
		}
	}
	for _, h := range herbs {
		if h < s.block.herb || !s.scansHerb(h) {
			continue
		}
		if left+rounding < list.worst*sum {
			return
		}
		s.scanByHerbs(s.block.postingsOf(h), left, list)
		left -= float64(s.weights[h])
		s.sketch.remove(s.signs[h], float64(s.weights[h]))
	}
}

// scanByHerbs compares the query with the formulas in postings. left is an upper bound of the
// weight of the herbs that such a formula shares with the query.
func (s *search) scanByHerbs(postings []posting, left float64, list *topK) {
	sum := float64(s.sums[s.query])
	for _, m := range postings {
		together := sum + float64(s.block.sums[m.index])
		if left+rounding < list.worst*(together-left) {
			return // the following formulas have larger sums, so none of them is similar enough
		}
		if most := s.sketch.shared(s.block.signs[m.index]); most+rounding < list.worst*(together-most) {
			continue
		}
		herbs, parts := s.block.row(int(m.index))
		n, weight := s.shared(herbs)
		if j := s.jaccard(s.block.sums[m.index], weight); j >= list.worst && s.isCandidate(m.index, n, len(herbs)) {
			s.offer(s.block.places[m.index], j, s.dot(herbs, parts)) // the formula may also be near by doses
		}
	}
}
