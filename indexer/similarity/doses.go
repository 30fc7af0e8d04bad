package similarity

// slack is more than what parts, their squares and their products lose in rounding.
const slack = 1e-6

// openByDoses opens the room of a herb, the formulas of which it is the largest part
// first.
func (s *search) openByDoses(herb int32) {
	s.room.open(s.matrix, herb, s.columns[herb].byPart, 0)
}

// askByDoses offers the i-th formula of the room others that may be among the nearest to
// it. It asks only in the rooms of some of its herbs: the others, which say least for the
// formulas that have them, are together too short a vector.
func (s *search) askByDoses(i int) {
	place := s.room.places[i]
	list := &s.found[place].euclidean
	herbs, parts := s.room.row(i)
	own := s.room.own[i]
	says := func(herb int32, part float64) float64 { return part * part / float64(len(s.columns[herb].byPart)) }
	room := says(s.room.herb, own)
	less := 0.0
	for k, h := range herbs {
		if says(h, parts[k]) <= room {
			less += parts[k] * parts[k]
		}
	}
	if t := least(list); less+slack < t*t {
		return
	}
	s.begin(place, herbs, parts)
	defer s.end(herbs)
	left := 0.0
	counts := func(k int) bool { return herbs[k] >= s.room.herb || says(herbs[k], parts[k]) < room } // it did not ask there
	for k, h := range herbs {
		if counts(k) {
			left += parts[k] * parts[k]
			s.sketch.add(s.signs[h], parts[k]*parts[k])
		}
	}
	for k, h := range herbs {
		if !counts(k) || !s.looksUnder(h) {
			continue
		}
		if t := least(list); left+slack < t*t {
			return
		}
		s.meetByDoses(h, own, left, list)
		left -= parts[k] * parts[k]
		s.sketch.remove(s.signs[h], parts[k]*parts[k])
	}
}

// meetByDoses compares the formulas on the shelf of a herb. Left is the squared length of
// the herbs that they may share, the room's among them. With the parts of both herbs
// known, the others add the product of two lengths at most (Cauchy and Schwarz).
func (s *search) meetByDoses(herb int32, own, left float64, list *best) {
	known := own * own
	other := s.part[herb]
	if herb == s.room.herb {
		other = 0 // it is the room's own shelf
	}
	for _, m := range s.room.with(herb) {
		x, y := s.room.own[m.index], float64(m.part)
		if herb == s.room.herb {
			y = 0
		}
		gap := least(list) - own*x
		if tooFar(gap, left-known, 1-x*x) {
			if x*x*left < known {
				return // those behind point away further
			}
			continue
		}
		gap -= other * y
		rest := 1 - x*x - y*y
		if tooFar(gap, left-known-other*other, rest) || tooFar(gap, s.sketch.shared(s.room.signs[m.index])-known-other*other, rest) {
			continue
		}
		herbs, parts := s.room.row(int(m.index))
		dot := s.dot(herbs, parts)
		if dot < least(list) {
			continue
		}
		if n, _ := s.shared(herbs); s.isMet(m.index, n, len(herbs)) {
			list.offer(Neighbour{int(s.formulas[s.room.places[m.index]]), steps(dot)})
		}
	}
}

// least is a dot product that the last of a list surpasses, by less than three steps.
func least(list *best) float64 { return max(0, (list.worst-2)*dotUnit) }

// tooFar says whether the product of two vectors of these squared lengths can't fill a gap.
func tooFar(gap, a, b float64) bool { return gap > 0 && gap*gap > (a+slack)*(b+slack) }
