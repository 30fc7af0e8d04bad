package patterns

import (
	"cmp"
	"context"
	"slices"
)

// The minimum and the maximum size of the sets that Sets finds.
const (
	smallestSet = 3
	largestSet  = 6
)

// Set is a set of drugs that occur together. The set is closed: no other drug is in all formulas
// that contain it.
type Set struct {
	Drugs    []Drug  `json:"drugs" doc:"The drugs, the most frequent in the population first."`
	Formulas int32   `json:"formulas" doc:"Formulas with all of the drugs."`
	Support  float64 `json:"support" doc:"formulas / N."`
	Lift     float64 `json:"lift" doc:"formulas divided by the number that chance gives if the drugs are independent."`
}

// Sets holds the closed sets of a population. The most frequent sets come first. Equally frequent
// sets are sorted by lift, the highest first, and then by the frequency and the name of their
// drugs.
type Sets struct {
	Population Population
	N          int // the number of formulas that count
	// MinFormulas is the number in the question or, with [Automatic], the number that was chosen.
	MinFormulas int
	Rows        []Set
}

// With [Automatic], Sets starts with this minimum for a set: it must be in at least leastSet
// formulas, and in at least one formula in setShare.
const (
	leastSet = 20
	setShare = 500
)

// Sets finds the closed sets of three to six drugs in at least MinFormulas formulas.
func (e *Engine) Sets(ctx context.Context, q Question) (*Sets, error) {
	c, err := e.begin(&q)
	if err != nil {
		return nil, err
	}
	count := c.perDrug(c.formulas)
	most := len(c.formulas) // no set is in more formulas
	if q.Herb != "" {
		drug, err := c.find("herb", q.Herb)
		if err != nil {
			return nil, err
		}
		if most = count[drug]; most < q.MinFormulas || most == 0 {
			return nil, rareMessage.With(quote(c.list[drug].Name), most, max(1, q.MinFormulas))
		}
	}
	usual := max(leastSet, len(c.formulas)/setShare)
	asked := q.MinFormulas
	if asked == Automatic {
		q.MinFormulas = max(1, min(usual, most))
	}
	m, err := e.mine(ctx, c, count)
	for err == nil && m == nil { // the search took too many steps
		more := min(max(2*q.MinFormulas, usual), most)
		if more <= q.MinFormulas {
			return nil, setsMessage.With(q.MinFormulas, more+1)
		}
		q.MinFormulas = more
		m, err = e.mine(ctx, c, count)
	}
	if err != nil {
		return nil, err
	}
	if asked != Automatic && asked != q.MinFormulas {
		return nil, setsMessage.With(asked, q.MinFormulas)
	}
	slices.SortFunc(m.found, func(a, b closed) int {
		return cmp.Or(cmp.Compare(b.formulas, a.formulas), cmp.Compare(b.lift, a.lift), slices.Compare(a.ranks, b.ranks))
	})
	out := &Sets{c.Population, len(c.formulas), q.MinFormulas, make([]Set, len(m.found))}
	for i, f := range m.found {
		s := Set{Formulas: f.formulas, Support: float64(f.formulas) / float64(out.N), Lift: f.lift}
		for _, r := range f.ranks {
			s.Drugs = append(s.Drugs, c.list[m.drugs[r]])
		}
		out.Rows[i] = s
	}
	return out, nil
}

// mine finds the closed sets of a question. count has the number of formulas of each drug. If the
// search takes more than mostSteps steps, mine returns nil.
func (e *Engine) mine(ctx context.Context, c *counted, count []int) (*miner, error) {
	m := &miner{ctx: ctx, c: c, drugs: c.eligible(count, c.MinFormulas)}
	rank := make([]int32, len(c.list)) // drug → its rank plus 1
	for i, drug := range m.drugs {
		m.share = append(m.share, float64(count[drug])/float64(len(c.formulas)))
		rank[drug] = int32(i) + 1
	}
	m.count = make([]int32, len(m.drugs))
	fixed := int32(-1)
	if c.Herb != "" {
		drug, err := c.find("herb", c.Herb)
		if err != nil {
			return nil, err
		}
		fixed = rank[drug] - 1
	}
	var all []int32
	for i, f := range c.formulas {
		m.start = append(m.start, int32(len(m.sets)))
		for _, drug := range c.formula(f) {
			if r := rank[drug]; r > 0 {
				m.sets = append(m.sets, r-1)
			}
		}
		set := m.sets[m.start[i]:]
		slices.Sort(set)
		if fixed < 0 || slices.Contains(set, fixed) {
			all = append(all, int32(i))
		}
	}
	m.start = append(m.start, int32(len(m.sets)))
	if err := m.extend(all, nil, -1); err != nil {
		return nil, err
	}
	if m.steps > mostSteps {
		return nil, nil
	}
	return m, nil
}

// miner finds closed sets by prefix-preserving closure extension (LCM; Uno, Asai, Uchida and
// Arimura 2004). This algorithm finds each closed set once. Drugs are given by their ranks.
type miner struct {
	ctx   context.Context
	c     *counted
	drugs []uint32
	share []float64 // share of the formulas that have the drug
	sets  []int32   // drugs of all formulas; those of formula i are sets[start[i]:start[i+1]]
	start []int32
	count []int32 // scratch, all 0 between calls
	steps int
	found []closed
}

type closed struct {
	ranks    []int32
	formulas int32
	lift     float64
}

// extend finds the closed sets that contain the drugs of from. formulas are all formulas with these
// drugs. A further drug must come after core, unless all formulas have it.
func (m *miner) extend(formulas, from []int32, core int32) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if len(formulas) < m.c.MinFormulas {
		return nil
	}
	var touched []int32
	for _, f := range formulas {
		set := m.sets[m.start[f]:m.start[f+1]]
		m.steps += len(set)
		for _, r := range set {
			if m.count[r]++; m.count[r] == 1 {
				touched = append(touched, r)
			}
		}
	}
	if m.steps > mostSteps {
		return nil
	}
	var set, next []int32
	for _, r := range touched {
		switch n := m.count[r]; {
		case int(n) == len(formulas):
			set = append(set, r)
		case r > core && int(n) >= m.c.MinFormulas:
			next = append(next, r)
			continue
		}
		m.count[r] = 0
	}
	// seen is true if the search has already found this set, starting from an earlier drug.
	seen := slices.ContainsFunc(set, func(r int32) bool { return r < core && !slices.Contains(from, r) })
	// For a drug of next, count has the length of the drug's list until the lists are made, and
	// from then on the index of the list plus 1.
	lists := make([][]int32, len(next))
	for i, r := range next {
		if !seen && len(set) < largestSet {
			lists[i] = make([]int32, 0, m.count[r])
			m.count[r] = int32(i) + 1
		} else {
			m.count[r] = 0
		}
	}
	if seen || len(set) > largestSet {
		return nil
	}
	slices.Sort(set)
	if len(set) >= smallestSet {
		m.found = append(m.found, closed{set, int32(len(formulas)), m.lift(set, len(formulas))})
	}
	if len(next) == 0 || len(set) == largestSet {
		return nil
	}
	for _, f := range formulas {
		for _, r := range m.sets[m.start[f]:m.start[f+1]] {
			if i := m.count[r]; i > 0 {
				lists[i-1] = append(lists[i-1], f)
			}
		}
	}
	for _, r := range next {
		m.count[r] = 0
	}
	for i, r := range next {
		if err := m.extend(lists[i], set, r); err != nil || m.steps > mostSteps {
			return err
		}
	}
	return nil
}

// lift returns the number of formulas with a set, divided by the number expected by chance.
func (m *miner) lift(set []int32, formulas int) float64 {
	chance := float64(len(m.c.formulas))
	for _, r := range set {
		chance *= m.share[r]
	}
	return float64(formulas) / chance
}
