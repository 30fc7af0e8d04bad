package similarity

import "math"

// The nearest formulas are found as by MaxScore (Turtle and Flood, 1995). What a
// formula shares with others is counted herb by herb, the rarest first. Most of
// the work would be at the end: every third formula has 甘草. But a formula that
// shares none but the last herbs can be so like at most, and once k others are
// more like than that, nobody new need be looked at. Of those that were met the
// promising ones are compared to the end. Namesakes are compared by themselves.

// tally is what is known of how much two formulas share.
type tally struct {
	herbs, weight int32 // of the herbs both have
	dot           float64
}

// apart stands for the herbs of a formula that is compared by itself: a number that
// stays below 0 whatever is counted.
const apart = math.MinInt32 / 2

// scratch is one worker's memory.
type scratch struct {
	tallies []tally   // by formula
	seen    []int32   // formulas that share a herb which was counted
	rest    []float64 // by herb: its part of the formula, if it was not yet counted
	found   both      // the best of those that were compared to the end
	reached both      // the best so far of those that were met
}

func (m *matrix) scratch(k int) *scratch {
	return &scratch{tallies: make([]tally, len(m.rows)), rest: make([]float64, len(m.columns)), found: newBoth(k), reached: newBoth(k)}
}

func (m *matrix) neighbours(f int, s *scratch) Neighbours {
	s.seen = s.seen[:0]
	s.found.clear()
	row := m.rows[f]
	for _, c := range row {
		s.rest[c.id] = c.part
	}
	m.namesakesOf(f, s)
	at := 0
	for ; at < len(row); at++ {
		left := m.remainder(row[at:])
		// To look at all that were met must be worth it.
		if left.entries > 2*len(s.seen) && m.closed(f, left, s) {
			break
		}
		m.count(row[at], s)
		s.rest[row[at].id] = 0
	}
	m.finish(f, row[at:], s)
	for _, c := range row[at:] {
		s.rest[c.id] = 0
	}
	return Neighbours{
		Jaccard:   list(&s.found.jaccard, func(v float64) float64 { return v }),
		Euclidean: list(&s.found.euclidean, func(v float64) float64 { return math.Sqrt(max(0, 2-2*v*dotUnit)) }),
	}
}

// namesakesOf compares a formula with those of its name, and sets them and itself
// apart.
func (m *matrix) namesakesOf(f int, s *scratch) {
	for _, g := range m.namesakes[m.names[f].id] {
		s.tallies[g].herbs = apart
		if int(g) == f {
			continue
		}
		var t tally
		m.complete(g, &t, s)
		if m.comparable(f, g, t) || t.herbs == 1 && m.names[f].telling && t.weight > weight(rare) {
			s.found.offer(g, (1+m.jaccard(f, g, t))/2, (1+t.dot)/2)
		}
	}
}

// remainder is what herbs can add at most.
type remainder struct {
	weight  int32
	norm    float64 // the length of their part of the vector
	entries int     // formulas that have them, together
}

func (m *matrix) remainder(row []cell) (r remainder) {
	for _, c := range row {
		r.weight += m.weights[c.id]
		r.norm += c.part * c.part
		r.entries += len(m.columns[c.id])
	}
	r.norm = math.Sqrt(r.norm)
	return r
}

// count counts a herb of a formula in all others.
func (m *matrix) count(herb cell, s *scratch) {
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

// closed says whether no formula that was not met can be among the best: by both
// measures there are k that are more like already.
func (m *matrix) closed(f int, left remainder, s *scratch) bool {
	s.reached.copy(&s.found)
	for _, g := range s.seen {
		if t := s.tallies[g]; m.comparable(f, g, t) && s.reached.mayTake(t, m.sums[f]+m.sums[g]) {
			s.reached.offer(g, m.jaccard(f, g, t), t.dot)
		}
	}
	// The other has those herbs at most, and the vector of the formula's own that
	// they are.
	return s.reached.jaccard.worst() > float64(left.weight)/float64(m.sums[f]) && s.reached.euclidean.worst() > steps(left.norm)+1
}

// finish compares those that were met, as far as they may be among the best, and
// clears the tallies. Rest are the herbs that were not counted.
func (m *matrix) finish(f int, rest []cell, s *scratch) {
	if len(rest) > 0 {
		m.completeAll(f, rest, s)
	}
	for _, g := range s.seen {
		t := s.tallies[g]
		s.tallies[g] = tally{}
		if m.comparable(f, g, t) && s.found.mayTake(t, m.sums[f]+m.sums[g]) {
			s.found.offer(g, m.jaccard(f, g, t), t.dot)
		}
	}
	for _, g := range m.namesakes[m.names[f].id] {
		s.tallies[g] = tally{}
	}
}

// perRow is how many formulas of a column are counted in the time in which one is
// compared by its row.
const perRow = 100

// completeAll counts the rest of the herbs in those that were met and may be among
// the best, and drops the others.
func (m *matrix) completeAll(f int, rest []cell, s *scratch) {
	left := m.remainder(rest)
	may := s.seen[:0]
	for _, g := range s.seen {
		t := s.tallies[g]
		most := tally{weight: min(t.weight+left.weight, m.sums[f], m.sums[g]), dot: t.dot + left.norm}
		if s.reached.mayTake(most, m.sums[f]+m.sums[g]) {
			may = append(may, g)
		} else {
			s.tallies[g] = tally{}
		}
	}
	s.seen = may
	if perRow*len(may) < left.entries {
		for _, g := range may {
			m.complete(g, &s.tallies[g], s)
		}
		return
	}
	for _, herb := range rest {
		for _, other := range m.columns[herb.id] {
			if t := &s.tallies[other.id]; t.herbs > 0 {
				t.herbs++
				t.weight += m.weights[herb.id]
				t.dot += herb.part * other.part
			}
		}
	}
}

// complete counts the herbs of another formula that were not yet counted.
func (m *matrix) complete(g int32, t *tally, s *scratch) {
	for _, c := range m.rows[g] {
		if part := s.rest[c.id]; part > 0 {
			t.herbs++
			t.weight += m.weights[c.id]
			t.dot += part * c.part
		}
	}
}

// comparable says whether two formulas share enough to be compared, whatever their
// names.
func (m *matrix) comparable(f int, g int32, t tally) bool {
	return t.herbs > 1 || t.herbs == 1 && len(m.rows[f]) <= few && len(m.rows[g]) <= few
}

// jaccard is the likeness of two formulas by the herbs they share.
func (m *matrix) jaccard(f int, g int32, t tally) float64 {
	return float64(t.weight) / float64(m.sums[f]+m.sums[g]-t.weight)
}

// steps counts a dot product in steps of dotUnit.
func steps(dot float64) float64 { return math.Round(dot / dotUnit) }

// list turns the best into neighbours whose values are rounded to four decimals.
func list(b *best, value func(float64) float64) []Neighbour {
	found := b.sorted()
	out := make([]Neighbour, len(found))
	for i, c := range found {
		out[i] = Neighbour{Formula: int(c.formula), Value: math.Round(value(c.score)*1e4) / 1e4}
	}
	return out
}
