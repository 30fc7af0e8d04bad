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

// Set is a set of herbs that occur together. The set is closed: no further herb is in all formulas
// that contain the set.
type Set struct {
	Herbs    []Herb  `json:"drugs" doc:"The drugs, the most frequent in the population first."`
	Formulas int32   `json:"formulas" doc:"Formulas with all of the drugs."`
	Support  float64 `json:"support" doc:"formulas / N."`
	Lift     float64 `json:"lift" doc:"formulas divided by the number that chance gives if the drugs are independent."`
}

// Sets holds the closed sets of a population. The most frequent sets come first. Equally frequent
// sets are sorted by lift, the highest first, and then by the frequency and the name of their
// herbs.
type Sets struct {
	Population Population
	N          int // the number of formulas that are counted: all, or one for each composition
	// MinFormulas is the number in the question or, with [Automatic], the number that was chosen.
	MinFormulas int
	Rows        []Set
}

// Sets takes at most mostSteps steps. In a population with many formulas, it takes at most
// stepsPerFormula steps for each formula. A branch of the search takes branchSteps steps, plus one
// step for each of its formulas, plus one step for each occurrence of a herb after branch.core in
// them. A step takes about 10 ns.
const (
	mostSteps       = 2_000_000
	stepsPerFormula = 60
	branchSteps     = 40
)

// With [Automatic], Sets starts with a minimum of leastSet formulas for a set. In a population with
// many formulas, the minimum is their number divided by setShare.
const (
	leastSet = 20
	setShare = 500
)

// Sets finds the closed sets of three to six herbs that at least MinFormulas formulas contain.
func (e *Engine) Sets(ctx context.Context, q Question) (*Sets, error) {
	c, err := e.begin(&q)
	if err != nil {
		return nil, err
	}
	count := c.perHerb(c.formulas)
	most := len(c.formulas) // a set cannot be in more formulas
	var herb uint32
	if q.Herb != "" {
		if herb, err = c.find("herb", q.Herb); err != nil {
			return nil, err
		}
		if most = count[herb]; most < q.MinFormulas || most == 0 {
			return nil, rareMessage.With(quote(c.list[herb].Name), most, max(1, q.MinFormulas))
		}
	}
	automatic := q.MinFormulas == Automatic
	if automatic {
		q.MinFormulas = max(1, min(most, max(leastSet, len(c.formulas)/setShare)))
	}
	m, err := mine(ctx, c, count, herb)
	if err != nil {
		return nil, err
	}
	if m.least > q.MinFormulas && (!automatic || m.least > most) {
		return nil, setsMessage.With(q.MinFormulas, m.least)
	}
	slices.SortFunc(m.found, func(a, b closed) int {
		return cmp.Or(cmp.Compare(b.formulas, a.formulas), cmp.Compare(b.lift, a.lift), slices.Compare(a.ranks, b.ranks))
	})
	out := &Sets{c.Population, len(c.formulas), m.least, make([]Set, len(m.found))}
	for i, f := range m.found {
		s := Set{Formulas: f.formulas, Support: float64(f.formulas) / float64(out.N), Lift: f.lift}
		for _, r := range f.ranks {
			s.Herbs = append(s.Herbs, c.list[m.herbs[r]])
		}
		out.Rows[i] = s
	}
	return out, nil
}

// mine finds the closed sets that answer a question. count has the number of formulas with each
// herb. If the question names a herb, herb is its number, and the sets contain it.
func mine(ctx context.Context, c *counted, count []int, herb uint32) (*miner, error) {
	herbs := c.eligible(count, c.MinFormulas)
	m := &miner{rankedSets: c.ranked(herbs), count: make([]int32, len(herbs)), least: c.MinFormulas, most: max(mostSteps, stepsPerFormula*len(c.formulas))}
	for _, herb := range herbs {
		m.share = append(m.share, float64(count[herb])/float64(len(c.formulas)))
	}
	all := make([]int32, 0, len(c.formulas))
	for f := range int32(len(c.formulas)) {
		if c.Herb == "" || slices.Contains(m.set(f), m.rank[herb]) {
			all = append(all, f)
		}
	}
	return m, m.search(ctx, all)
}

// miner finds closed sets by prefix-preserving closure extension (LCM; Uno, Asai, Uchida and
// Arimura 2004). This algorithm finds each closed set once. The fields and methods identify a herb
// by its rank, which is its index in herbs.
//
// The search has branches. A branch has fewer formulas than the branch from which it comes. The
// miner searches the branch with the most formulas first, so it finds the most frequent sets first.
// If the waiting branches need more steps than are left, the miner drops those with the fewest
// formulas and raises the minimum.
type miner struct {
	rankedSets
	share []float64 // rank → the share of the formulas with the herb
	found []closed
	// least is the minimum number of formulas that contain a set. The miner raises it if the search
	// would otherwise take too many steps: most is their maximum number.
	least   int
	most    int
	steps   int        // steps taken
	ahead   int        // the fewest steps that the waiting branches can take
	waiting [][]branch // number of formulas → the branches with that many formulas
	lists   []int32    // formulas of all branches
	from    [][]int32  // closed sets that branches extend
	count   []int32    // scratch, all 0 between calls
	touched []int32    // scratch
}

type closed struct {
	ranks    []int32
	formulas int32
	lift     float64
}

// branch is the search for the closed sets that contain the herbs of a closed set and the herb
// core. Their other herbs come after core.
type branch struct {
	list int32 // index in lists of the first formula
	from int32 // index of the closed set
	core int32
}

// search finds the closed sets in the given formulas and stores them in found.
func (m *miner) search(ctx context.Context, formulas []int32) error {
	m.waiting, m.lists = make([][]branch, len(formulas)+1), formulas
	m.wait(len(formulas), branch{core: -1})
	m.from = append(m.from, nil)
	for n := len(formulas); n >= m.least; n-- {
		for _, b := range m.waiting[n] {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.ahead -= n + branchSteps
			m.extend(b, m.lists[b.list:][:n])
			for m.steps+m.ahead > m.most && m.least <= n {
				m.ahead -= len(m.waiting[m.least]) * (m.least + branchSteps)
				m.waiting[m.least] = nil
				m.least++
			}
			if m.least > n {
				break
			}
		}
		m.waiting[n] = nil
	}
	m.found = slices.DeleteFunc(m.found, func(f closed) bool { return int(f.formulas) < m.least })
	return nil
}

// wait adds a branch with n formulas.
func (m *miner) wait(n int, b branch) {
	m.waiting[n] = append(m.waiting[n], b)
	m.ahead += n + branchSteps
}

// extend finds the closed set of a branch and adds the branches that come from b.
func (m *miner) extend(b branch, formulas []int32) {
	m.steps += len(formulas) + branchSteps
	from := m.from[b.from]
	// If all formulas contain a herb that is before core and not in the set from, another branch
	// finds their closed set.
	further := m.touched[:0]
	for _, r := range m.set(formulas[0]) {
		if r < b.core && !slices.Contains(from, r) {
			further = append(further, r)
		}
	}
	for i := 1; i < len(formulas) && len(further) > 0; i++ {
		set := m.set(formulas[i])
		further = slices.DeleteFunc(further, func(r int32) bool { return !slices.Contains(set, r) })
	}
	if len(further) > 0 {
		return
	}
	touched := m.touched[:0]
	for _, f := range formulas {
		set := m.set(f)
		i := len(set)
		for ; i > 0 && set[i-1] > b.core; i-- {
			r := set[i-1]
			if m.count[r]++; m.count[r] == 1 {
				touched = append(touched, r)
			}
		}
		m.steps += len(set) - i
	}
	m.touched = touched
	set := slices.Clone(from)
	if b.core >= 0 {
		set = append(set, b.core)
	}
	for _, r := range touched {
		if int(m.count[r]) == len(formulas) {
			set = append(set, r)
		}
	}
	slices.Sort(set)
	set = slices.Compact(set)
	if len(set) >= smallestSet && len(set) <= largestSet {
		m.found = append(m.found, closed{set, int32(len(formulas)), m.lift(set, len(formulas))})
	}
	if len(set) < largestSet {
		m.divide(b, formulas, set)
	}
	for _, r := range touched {
		m.count[r] = 0
	}
}

// divide adds the branches that come from b. set is the closed set of b. m.touched has the herbs
// after b.core that occur in the formulas of b.
func (m *miner) divide(b branch, formulas, set []int32) {
	to := len(m.lists)
	for _, r := range m.touched {
		n := int(m.count[r])
		m.count[r] = 0
		if n >= m.least && n < len(formulas) {
			m.wait(n, branch{int32(to), int32(len(m.from)), r})
			m.count[r] = int32(to)
			to += n
		}
	}
	m.from = append(m.from, set)
	m.lists = slices.Grow(m.lists, to-len(m.lists))[:to]
	for _, f := range formulas {
		set := m.set(f)
		for i := len(set) - 1; i >= 0 && set[i] > b.core; i-- {
			if place := &m.count[set[i]]; *place > 0 {
				m.lists[*place] = f
				*place++
			}
		}
	}
}

// lift returns the number of formulas with a set, divided by the number expected by chance.
func (m *miner) lift(set []int32, formulas int) float64 {
	chance := float64(len(m.start) - 1)
	for _, r := range set {
		chance *= m.share[r]
	}
	return float64(formulas) / chance
}
