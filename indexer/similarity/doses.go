package similarity

// slack is larger than the rounding errors of the parts of herbs, of their squares and of their
// products.
const slack = 1e-6

// loadByDoses loads the formulas that contain a herb. Formulas in which the herb has the largest
// part come first.
func (s *search) loadByDoses(herb int32) {
	s.block.load(s.matrix, herb, s.columns[herb].byPart, 0)
}

// queryByDoses compares the i-th formula of the block with those formulas of the block that may be
// among its nearest neighbours. A formula queries only the blocks of its most selective herbs. The
// vector of the remaining herbs is too short to make another formula near enough.
func (s *search) queryByDoses(i int) {
	place := s.block.places[i]
	list := &s.found[place].euclidean
	herbs, parts := s.block.row(i)
	own := s.block.own[i]
	says := func(herb int32, part float64) float64 { return part * part / float64(len(s.columns[herb].byPart)) }
	room := says(s.block.herb, own)
	less := 0.0
	for k, h := range herbs {
		if says(h, parts[k]) <= room {
			less += parts[k] * parts[k]
		}
	}
	if t := least(list); less+slack < t*t {
		return
	}
	s.setQuery(place, herbs, parts)
	defer s.clearQuery(herbs)
	left := 0.0
	counts := func(k int) bool { return herbs[k] >= s.block.herb || says(herbs[k], parts[k]) < room } // counts reports whether the formula has not yet queried the block of herb k
	for k, h := range herbs {
		if counts(k) {
			left += parts[k] * parts[k]
			s.sketch.add(s.signs[h], parts[k]*parts[k])
		}
	}
	for k, h := range herbs {
		if !counts(k) || !s.scansHerb(h) {
			continue
		}
		if t := least(list); left+slack < t*t {
			return
		}
		s.scanByDoses(h, own, left, list)
		left -= parts[k] * parts[k]
		s.sketch.remove(s.signs[h], parts[k]*parts[k])
	}
}

// scanByDoses compares the query with the formulas of the block that contain a second herb. left
// limits the herbs that such a formula can share with the query: it is the squared length of their
// vector, including the block's herb. Of the dot product, the terms of the block's herb and of the
// second herb are known exactly. By the Cauchy-Schwarz inequality, the other herbs add at most the
// product of two lengths.
func (s *search) scanByDoses(herb int32, own, left float64, list *topK) {
	known := own * own
	other := s.part[herb]
	if herb == s.block.herb {
		other = 0 // the span of the block's own herb has no second herb
	}
	for _, m := range s.block.postingsOf(herb) {
		x, y := s.block.own[m.index], float64(m.part)
		if herb == s.block.herb {
			y = 0
		}
		gap := least(list) - own*x
		if tooFar(gap, left-known, 1-x*x) {
			if x*x*left < known {
				return // all following formulas are even farther away
			}
			continue
		}
		gap -= other * y
		rest := 1 - x*x - y*y
		if tooFar(gap, left-known-other*other, rest) || tooFar(gap, s.sketch.shared(s.block.signs[m.index])-known-other*other, rest) {
			continue
		}
		herbs, parts := s.block.row(int(m.index))
		dot := s.dot(herbs, parts)
		if dot < least(list) {
			continue
		}
		if n, _ := s.shared(herbs); s.isCandidate(m.index, n, len(herbs)) {
			list.offer(Neighbour{int(s.formulas[s.block.places[m.index]]), steps(dot)})
		}
	}
}

// least returns the dot product below which a formula certainly does not enter the list: the dot
// product of the last entry minus two steps.
func least(list *topK) float64 { return max(0, (list.worst-2)*dotUnit) }

// tooFar reports whether two vectors with the squared lengths a and b are too short to have the dot
// product gap.
func tooFar(gap, a, b float64) bool { return gap > 0 && gap*gap > (a+slack)*(b+slack) }
