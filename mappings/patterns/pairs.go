package patterns

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Pair is a pair of herbs in a population.
type Pair struct {
	X            Herb    `json:"x" doc:"The drug of herb=, or else the more frequent one."`
	Y            Herb    `json:"y" doc:"The other drug."`
	Formulas     int32   `json:"formulas" doc:"Formulas with both drugs."`
	FormulasX    int32   `json:"formulasX" doc:"Formulas with x."`
	FormulasY    int32   `json:"formulasY" doc:"Formulas with y."`
	Expected     float64 `json:"expected" doc:"formulasX · formulasY / N, the number of formulas with both that chance gives."`
	Support      float64 `json:"support" doc:"formulas / N."`
	ConfidenceXY float64 `json:"confidenceXY" doc:"formulas / formulasX."`
	ConfidenceYX float64 `json:"confidenceYX" doc:"formulas / formulasY."`
	Lift         float64 `json:"lift" doc:"formulas / expected."`
	Jaccard      float64 `json:"jaccard" doc:"formulas / (formulasX + formulasY - formulas)."`
	P            float64 `json:"p" doc:"Hypergeometric p value of the side."`
	Q            float64 `json:"q" doc:"False discovery rate by Benjamini and Hochberg over all pairs that were tested."`
}

// Pairs holds the tested pairs of a population in the order of their p values. [Pairs.Page]
// computes the figures of a pair, such as its expected frequency.
type Pairs struct {
	Population Population
	// N is the number of formulas that count. These are the formulas of the population that have a
	// composition. With Distinct, formulas with the same herbs count once.
	N int
	// Tested is the number of pairs that were tested. These are all pairs of two herbs that each
	// occur in at least MinFormulas formulas or are named by Question.Herb or Question.With. The two
	// herbs need not occur together.
	Tested int
	// Total is the number of tested pairs that match Question.Herb and Question.With.
	Total int
	// MinFormulas is the number in the question or, with [Automatic], the number that was chosen.
	MinFormulas int

	c       *counted
	e       *Engine
	count   []int
	herbs   []uint32 // the herbs in MinFormulas or more formulas, then rarer herbs that the question names; the index is the rank
	rarer   int      // the number of those rarer herbs
	fixed   [2]int   // the ranks of Question.Herb and Question.With, or -1
	tests   []test   // test.row is an index in found, or the bitwise complement of an index in classes
	found   []pair
	classes []class
}

// pair is a pair of herbs that occur together. x and y are the ranks of the herbs, with x < y. both
// is the number of formulas with both herbs.
type pair struct{ x, y, both int32 }

// class is a set of pairs that occur in no formula. One herb of each pair has a rank in x, and the
// other has a rank in y. All pairs of a class have the same p value.
type class struct {
	x, y  span
	pairs int
}

// span is a range of ranks of herbs that occur in the same number of formulas.
type span struct{ from, to int }

// counter counts the formulas in which a herb occurs together with each other herb.
type counter struct {
	of      []int32
	touched []int32
}

// mostPairs limits the work for a question. It is the maximum number of pairs that occur together in
// some formula.
const mostPairs = 100_000

// With [Automatic], Pairs starts with a minimum of leastPaired formulas for a herb. In a population
// with many formulas, the minimum is their number divided by pairedShare.
const (
	leastPaired = 10
	pairedShare = 1000
)

// Pairs tests the pairs of a population.
func (e *Engine) Pairs(ctx context.Context, q Question) (*Pairs, error) {
	c, err := e.begin(&q)
	if err != nil {
		return nil, err
	}
	p := &Pairs{Population: c.Population, N: len(c.formulas), c: c, e: e, count: c.perHerb(c.formulas)}
	var herbs [2]uint32
	var named []uint32
	for i, f := range []struct{ parameter, name string }{{"herb", q.Herb}, {"with", q.With}} {
		if f.name == "" {
			continue
		}
		if herbs[i], err = c.find(f.parameter, f.name); err != nil {
			return nil, err
		}
		if p.count[herbs[i]] == 0 {
			return nil, absentMessage.With(quote(c.list[herbs[i]].Name))
		}
		named = append(named, herbs[i])
	}
	if len(named) == 2 && named[0] == named[1] {
		return nil, sameMessage.With(quote(c.list[herbs[0]].Name))
	}
	automatic := q.MinFormulas == Automatic
	if automatic {
		q.MinFormulas = max(leastPaired, p.N/pairedShare)
	}
	p.pairAmong(q.MinFormulas, named)
	fit, err := p.occurring(ctx)
	if err != nil {
		return nil, err
	}
	if fit < len(p.herbs) {
		enough := p.of(fit) + 1
		if !automatic {
			return nil, pairsMessage.With(mostPairs, enough)
		}
		q.MinFormulas = enough
		p.pairAmong(enough, named)
		if _, err := p.occurring(ctx); err != nil {
			return nil, err
		}
	}
	p.MinFormulas = q.MinFormulas
	p.fixed = [2]int{-1, -1}
	for i, name := range []string{q.Herb, q.With} {
		if name != "" {
			p.fixed[i] = slices.Index(p.herbs, herbs[i])
		}
	}
	p.Tested = len(p.herbs) * (len(p.herbs) - 1) / 2
	p.tests = make([]test, len(p.found))
	for i, f := range p.found {
		p.tests[i] = test{p: p.e.factorials.p(p.c.Side, int(f.both), p.N, p.of(int(f.x)), p.of(int(f.y))), weight: 1, row: i}
	}
	if err := p.absent(ctx); err != nil {
		return nil, err
	}
	p.sort()
	adjust(p.tests, p.Tested)
	p.fix()
	return p, nil
}

// pairAmong selects the herbs that are paired: those in at least least formulas, and the named ones.
func (p *Pairs) pairAmong(least int, named []uint32) {
	p.herbs, p.rarer = p.c.eligible(p.count, least), 0
	for _, herb := range named {
		if p.count[herb] < least {
			p.herbs = append(p.herbs, herb)
			p.rarer++
		}
	}
	slices.SortFunc(p.herbs[len(p.herbs)-p.rarer:], func(a, b uint32) int { return p.c.compare(p.count, a, b) })
}

// occurring finds the pairs that occur in some formula. It takes the herbs by rank and pairs each
// herb y with the herbs x before y. When it has found more than mostPairs pairs, it stops and
// returns the rank of y. Otherwise it returns the number of herbs. The pairs of the rarer herbs that
// the question names are few, so they have no limit.
func (p *Pairs) occurring(ctx context.Context) (fit int, err error) {
	p.found = p.found[:0]
	formulas := p.c.ranked(p.herbs)
	in := make([][]int32, len(p.herbs)) // rank → the indexes of the herb's formulas
	room := 0
	for _, herb := range p.herbs {
		room += p.count[herb]
	}
	all := make([]int32, room)
	for i, herb := range p.herbs {
		in[i], all = all[:0:p.count[herb]], all[p.count[herb]:]
	}
	for f := range int32(len(p.c.formulas)) {
		for _, r := range formulas.set(f) {
			in[r] = append(in[r], f)
		}
	}
	c, ok := p.e.pool.Get().(*counter)
	if !ok {
		c = &counter{}
	}
	defer p.e.pool.Put(c)
	if len(c.of) < len(p.herbs) {
		c.of = make([]int32, len(p.herbs))
	}
	for y := range p.herbs {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		c.touched = c.touched[:0]
		for _, f := range in[y] {
			for _, x := range formulas.set(f) {
				if x >= int32(y) {
					break
				}
				if c.of[x]++; c.of[x] == 1 {
					c.touched = append(c.touched, x)
				}
			}
		}
		slices.Sort(c.touched)
		for _, x := range c.touched {
			p.found = append(p.found, pair{x, int32(y), c.of[x]})
			c.of[x] = 0
		}
		if len(p.found) > mostPairs && y < len(p.herbs)-p.rarer {
			return y, nil
		}
	}
	return len(p.herbs), nil
}

// of returns the number of formulas with the herb of the given rank.
func (p *Pairs) of(rank int) int { return p.count[p.herbs[rank]] }

// absent tests the pairs that occur in no formula. All pairs of herbs with the same two frequencies
// have the same p value, so they need only one test.
func (p *Pairs) absent(ctx context.Context) error {
	var spans []span
	where := make([]int, len(p.herbs))
	for i := range p.herbs {
		if i == 0 || p.of(i) != p.of(i-1) {
			spans = append(spans, span{i, i})
		}
		spans[len(spans)-1].to = i + 1
		where[i] = len(spans) - 1
	}
	p.tests = slices.Grow(p.tests, len(spans)*(len(spans)+1)/2)
	occurring := make([]int32, len(spans)*len(spans))
	for _, f := range p.found {
		occurring[where[f.x]*len(spans)+where[f.y]]++
	}
	for i, x := range spans {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j, y := range spans[i:] {
			pairs := (x.to - x.from) * (y.to - y.from)
			if j == 0 {
				pairs = (x.to - x.from) * (x.to - x.from - 1) / 2
			}
			if pairs -= int(occurring[i*len(spans)+i+j]); pairs > 0 {
				p.tests = append(p.tests, test{p: p.e.factorials.p(p.c.Side, 0, p.N, p.of(x.from), p.of(y.from)), weight: pairs, row: ^len(p.classes)})
				p.classes = append(p.classes, class{x, y, pairs})
			}
		}
	}
	return nil
}

// sort sorts the tests. It sorts the tests of pairs and those of classes separately, because the
// tests of classes are often in order already. Then it merges the two.
func (p *Pairs) sort() {
	order := func(a, b test) int {
		switch {
		case a.p < b.p:
			return -1
		case a.p > b.p:
			return 1
		}
		return p.order(a, b)
	}
	found, classes := p.tests[:len(p.found)], p.tests[len(p.found):]
	slices.SortFunc(found, order)
	slices.SortFunc(classes, order)
	all := make([]test, 0, len(p.tests))
	for len(found) > 0 && len(classes) > 0 {
		if order(found[0], classes[0]) < 0 {
			all, found = append(all, found[0]), found[1:]
		} else {
			all, classes = append(all, classes[0]), classes[1:]
		}
	}
	p.tests = append(append(all, found...), classes...)
}

// ranks returns the ranks of the two herbs of a test, and the number of formulas with both herbs.
// For a class of pairs, it returns the ranks of the first pair.
func (p *Pairs) ranks(t *test) (x, y, both int) {
	if t.row < 0 {
		c := &p.classes[^t.row]
		return c.x.from, c.y.from, 0
	}
	f := &p.found[t.row]
	return int(f.x), int(f.y), int(f.both)
}

// order compares two tests with the same p value. The test whose herb x is more frequent comes
// first. Ties are broken by the frequency of herb y, then the frequency of the pair, then the ranks
// of the herbs.
func (p *Pairs) order(a, b test) int {
	ax, ay, aboth := p.ranks(&a)
	bx, by, bboth := p.ranks(&b)
	return cmp.Or(cmp.Compare(p.of(bx), p.of(ax)), cmp.Compare(p.of(by), p.of(ay)), cmp.Compare(bboth, aboth), cmp.Compare(ax, bx), cmp.Compare(ay, by))
}

// fix keeps only the pairs that contain the herb of Herb and that of With. A field that is ""
// excludes no pair.
func (p *Pairs) fix() {
	p.Total = p.Tested
	one, other := p.fixed[0], p.fixed[1]
	if one < 0 {
		one, other = other, one
	}
	if one < 0 {
		return
	}
	x := int32(one)
	type key struct{ x, y int32 }
	together := map[key]bool{}
	fixed := func(f *pair) bool {
		return (f.x == x || f.y == x) && (other < 0 || int(f.x) == other || int(f.y) == other)
	}
	var tests []test
	var classes []class
	p.Total = 0
	for i := range p.found {
		if f := &p.found[i]; fixed(f) {
			together[key{f.x, f.y}] = true
		}
	}
	for _, t := range p.tests {
		if t.row >= 0 {
			if fixed(&p.found[t.row]) {
				tests = append(tests, t)
				p.Total++
			}
			continue
		}
		c := p.classes[^t.row]
		y := c.y
		switch {
		case int(x) >= c.x.from && int(x) < c.x.to:
		case int(x) >= c.y.from && int(x) < c.y.to:
			y = c.x
		default:
			continue
		}
		for r := y.from; r < y.to; r++ {
			a, b := min(x, int32(r)), max(x, int32(r))
			if a == b || together[key{a, b}] || other >= 0 && r != other {
				continue
			}
			classes = append(classes, class{span{int(a), int(a) + 1}, span{int(b), int(b) + 1}, 1})
			tests = append(tests, test{p: t.p, q: t.q, weight: 1, row: ^(len(classes) - 1)})
			p.Total++
		}
	}
	p.tests, p.classes = tests, classes
}

// Page returns the pairs with an index i in the list of all pairs such that from <= i < to.
func (p *Pairs) Page(from, to int) []Pair {
	out, ranks := []Pair{}, []pair{}
	for i := range p.tests {
		t := &p.tests[i]
		if from >= to {
			break
		}
		if from >= t.weight {
			from, to = from-t.weight, to-t.weight
			continue
		}
		if t.row >= 0 {
			ranks = append(ranks, p.found[t.row])
		} else {
			ranks = p.expand(ranks, &p.classes[^t.row], from, to)
		}
		for k := len(out); k < len(ranks); k++ {
			out = append(out, p.pair(ranks[k], t))
		}
		from, to = 0, to-t.weight
	}
	return out
}

// expand appends the pairs of a class with an index i in the class such that from <= i < to.
func (p *Pairs) expand(out []pair, c *class, from, to int) []pair {
	n := 0
	for x := c.x.from; x < c.x.to; x++ {
		for y := max(c.y.from, x+1); y < c.y.to; y++ {
			if _, occurs := slices.BinarySearchFunc(p.found, pair{int32(x), int32(y), 0}, func(a, b pair) int {
				return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
			}); occurs {
				continue
			}
			if n >= to {
				return out
			}
			if n >= from {
				out = append(out, pair{int32(x), int32(y), 0})
			}
			n++
		}
	}
	return out
}

// pair returns a pair with its figures, such as its expected frequency.
func (p *Pairs) pair(f pair, t *test) Pair {
	if p.fixed[0] >= 0 && int(f.y) == p.fixed[0] || p.fixed[1] >= 0 && int(f.x) == p.fixed[1] {
		f.x, f.y = f.y, f.x
	}
	x, y, n, both := p.of(int(f.x)), p.of(int(f.y)), float64(p.N), float64(f.both)
	return Pair{
		X: p.c.list[p.herbs[f.x]], Y: p.c.list[p.herbs[f.y]],
		Formulas: f.both, FormulasX: int32(x), FormulasY: int32(y),
		Expected: float64(x) * float64(y) / n, Support: both / n,
		ConfidenceXY: both / float64(x), ConfidenceYX: both / float64(y),
		Lift: n * both / (float64(x) * float64(y)), Jaccard: both / (float64(x+y) - both),
		P: math.Exp(t.p), Q: t.q,
	}
}
