package patterns

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"bencao/store"
)

// Engine answers questions about the formulas of one snapshot. It is safe for concurrent use.
type Engine struct {
	namings    map[Naming]*herbs
	forms      [][]uint32 // herb of the naming joined → the herbs of the naming Standard that count as that herb
	composed   []uint64   // bit set of the formulas that have a composition
	factorials factorials
	joined     []uint32   // the opposite of forms
	origins    []origin   // by formula
	inText     [][]uint32 // by formula, the herbs of the naming Standard that only its text names
	children   [][]store.Num
	pool       sync.Pool // holds values of type *counter
}

// Stored returns the stored value with a key, or nil if there is none. [store.Tx.Pattern] is such a
// function.
type Stored func(key string) []byte

// Open reads the values that [Build] returned. For an old snapshot without them, the engine has no
// herbs.
func Open(stored Stored) (*Engine, error) {
	e := &Engine{namings: map[Naming]*herbs{}}
	for _, by := range storedNamings {
		packed := stored(string(by))
		if packed == nil {
			packed = pack(nil, nil)
		}
		d, err := unpack(packed)
		if err != nil {
			return nil, fmt.Errorf("names=%s: %w", by, err)
		}
		e.namings[by] = d
	}
	written := e.namings[Written]
	e.composed, e.factorials = written.composed(), newFactorials(len(written.class))
	if err := e.openForms(stored(formsKey)); err != nil {
		return nil, err
	}
	return e, e.openDescent(stored(descentKey))
}

// composed returns the bit set of the formulas that have a herb.
func (d *herbs) composed() []uint64 {
	set := make([]uint64, (len(d.class)+63)/64)
	for f := range d.class {
		if d.start[f+1] > d.start[f] {
			set[f/64] |= 1 << (f % 64)
		}
	}
	return set
}

// Side selects pairs of herbs that occur together more often than expected, or less often.
type Side string

// The sides.
const (
	Often  Side = "often"  // together more often than expected
	Seldom Side = "seldom" // together less often than expected
	Both   Side = "both"
)

// Question is a question about a population of formulas.
type Question struct {
	// Formulas is the bit set of the population by record number. Nil means all formulas. Formulas
	// without a composition are ignored.
	Formulas []uint64
	// Against is the bit set of the formulas with which Herbs compares the population. Nil means
	// all formulas. Formulas in Against that are also in the population are ignored.
	Against []uint64
	Names   Naming // "" means Standard
	// Together means that processed forms and parts count as the herb that they are made from. It
	// has an effect only with Standard.
	Together bool
	// Distinct means that formulas with the same set of herbs count once.
	Distinct bool
	// MinFormulas is the minimum number of formulas with a herb or, for Sets, with a set. It is at
	// least 1. With [Automatic], Pairs and Sets start with a default minimum and raise it until
	// their work is within its limits.
	MinFormulas int
	// Herb and With are each the id or the name of a herb, or "". If Herb is given, it is the herb
	// X of each pair that Pairs finds, and each set that Sets finds contains it. If With is given,
	// it is the herb Y of each pair.
	Herb, With string
	Side       Side // "" means Often
	// Chosen holds the keys, from [Engine.HerbsOf], of the herbs by which the population or the
	// formulas in Against were chosen. Herbs does not test them: how often they occur is no finding.
	Chosen []string
	Sort   Sort // the order of Herbs; "" means ByFormulas
}

// Sort is an order of the herbs that Herbs lists.
type Sort string

// The orders.
const (
	ByFormulas  Sort = "formulas"  // the most frequent first
	ByOddsRatio Sort = "oddsRatio" // those with q < Significant first, then the largest odds ratio
	ByQ         Sort = "q"         // the smallest q first, then the smallest p
)

// Significant is the false discovery rate below which a herb or a pair counts as significant.
const Significant = 0.05

// Automatic is the value of [Question.MinFormulas] that lets Pairs and Sets choose the number.
const Automatic = -1

// Population is the size of a population.
type Population struct {
	Formulas int32 `json:"formulas" doc:"Formulas that q and the filters find and that have a composition."`
	Distinct int32 `json:"distinct" doc:"Distinct sets of drugs among them."`
}

// counted is a question with the formulas that count in its answer. These are the formulas of the
// population that have a composition. With Distinct, formulas with the same herbs count once.
type counted struct {
	*Question
	*herbs
	Population
	formulas []store.Num // in ascending order
}

// count determines the population of the formulas that are in set and not in without. It returns
// the formulas that count in an answer, and the size of the population. set and without are bit
// sets. A nil set means all formulas.
func (e *Engine) count(q *Question, d *herbs, set, without []uint64) ([]store.Num, Population) {
	var out []store.Num
	classes := make([]uint64, len(e.composed))
	p := Population{}
	for i, composed := range e.composed {
		word := composed
		if set != nil {
			word &= at(set, i)
		}
		if without != nil {
			word &^= at(without, i)
		}
		for ; word != 0; word &= word - 1 {
			n := store.Num(i*64 + bits.TrailingZeros64(word))
			p.Formulas++
			c := d.class[n]
			first := classes[c/64]&(1<<(c%64)) == 0
			classes[c/64] |= 1 << (c % 64)
			if first {
				p.Distinct++
			}
			if first || !q.Distinct {
				out = append(out, n)
			}
		}
	}
	return out, p
}

// at returns word i of a bit set, or 0 beyond its end.
func at(set []uint64, i int) uint64 {
	if i < len(set) {
		return set[i]
	}
	return 0
}

// begin checks a question, sets its defaults and determines the formulas that count.
func (e *Engine) begin(q *Question) (*counted, error) {
	if q.Names == "" {
		q.Names = Standard
	}
	if q.Side == "" {
		q.Side = Often
	}
	if q.MinFormulas != Automatic {
		q.MinFormulas = max(1, q.MinFormulas)
	}
	if !slices.Contains(namings, q.Names) {
		return nil, fmt.Errorf("names is %q; use one of %v", q.Names, namings)
	}
	d := e.namings[q.Names]
	if q.Together && q.Names == Standard {
		d = e.namings[joined]
	}
	c := &counted{Question: q, herbs: d}
	c.formulas, c.Population = e.count(q, d, q.Formulas, nil)
	return c, nil
}

// find returns the number of the herb with an id or a name. parameter is the query parameter that
// error messages name.
func (c *counted) find(parameter, name string) (uint32, error) {
	if n, ok := c.herbs.find(name); ok {
		return n, nil
	}
	return 0, unknownMessage.With(parameter, quote(name), c.Names)
}

func quote(text string) string { return strconv.Quote(text) }

// perHerb returns the number of formulas of each herb.
func (d *herbs) perHerb(formulas []store.Num) []int {
	out := make([]int, len(d.list))
	for _, f := range formulas {
		for _, herb := range d.formula(f) {
			out[herb]++
		}
	}
	return out
}

// eligible returns each herb n with count[n] >= least, in the order of answers: the most frequent
// herbs come first, and equally frequent herbs are sorted by name and id.
func (d *herbs) eligible(count []int, least int) []uint32 {
	var out []uint32
	for n, c := range count {
		if c >= least {
			out = append(out, uint32(n))
		}
	}
	slices.SortFunc(out, func(a, b uint32) int { return d.compare(count, a, b) })
	return out
}

func (d *herbs) compare(count []int, a, b uint32) int {
	if c := count[b] - count[a]; c != 0 {
		return c
	}
	x, y := &d.list[a], &d.list[b]
	if x.Name != y.Name {
		if x.Name < y.Name {
			return -1
		}
		return 1
	}
	if x.ID < y.ID {
		return -1
	}
	return 1 // no two herbs have both the same name and the same id
}

// rankedSets holds the herbs of each formula as ranks in ascending order. The rank of a herb is its
// index in herbs; other herbs are left out.
type rankedSets struct {
	herbs []uint32
	rank  []int32 // herb → its rank, or -1
	sets  []int32 // the herbs of formula i are sets[start[i]:start[i+1]]
	start []int32
}

// ranked returns the herbs of each counted formula as ranks in herbs.
func (c *counted) ranked(herbs []uint32) rankedSets {
	s := rankedSets{herbs: herbs, rank: make([]int32, len(c.list)), sets: make([]int32, 0, 8*len(c.formulas)), start: make([]int32, 1, len(c.formulas)+1)}
	for i := range s.rank {
		s.rank[i] = -1
	}
	for i, herb := range herbs {
		s.rank[herb] = int32(i)
	}
	for i, f := range c.formulas {
		for _, herb := range c.formula(f) {
			if r := s.rank[herb]; r >= 0 {
				s.sets = append(s.sets, r)
			}
		}
		slices.Sort(s.sets[s.start[i]:])
		s.start = append(s.start, int32(len(s.sets)))
	}
	return s
}

// set returns the ranks of the herbs of a formula. formula is its index in counted.formulas.
func (s *rankedSets) set(formula int32) []int32 { return s.sets[s.start[formula]:s.start[formula+1]] }

// HerbCount is a herb of a population, with its frequency in the population and in the formulas with
// which the population is compared.
type HerbCount struct {
	Herb
	Formulas  int32    `json:"formulas" doc:"Formulas of the population with the drug."`
	Share     float64  `json:"share" doc:"formulas divided by the size of the population."`
	Elsewhere int32    `json:"elsewhere" doc:"Formulas with the drug among those that the population is compared with."`
	ShareElse *float64 `json:"shareElsewhere" doc:"elsewhere divided by the number of those formulas; null if there are none."`
	OddsRatio *float64 `json:"oddsRatio" doc:"Odds ratio; 0.5 stands for a cell that is 0. Null without formulas to compare with, and, like the fields after it, for a drug by which the formulas were chosen."`
	OddsLow   *float64 `json:"oddsLow" doc:"Lower end of Woolf's 95 % interval of the odds ratio."`
	OddsHigh  *float64 `json:"oddsHigh" doc:"Upper end of the interval."`
	P         *float64 `json:"p" doc:"Two-sided hypergeometric p value: twice the smaller tail, at most 1."`
	Q         *float64 `json:"q" doc:"False discovery rate by Benjamini and Hochberg over all listed drugs that have p."`
}

// Herbs lists the herbs in the formulas of a population.
type Herbs struct {
	Population Population
	Against    Population // the formulas with which the population is compared
	Rows       []HerbCount
}

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// Herbs counts the herbs of a population.
func (e *Engine) Herbs(ctx context.Context, q Question) (*Herbs, error) {
	c, err := e.begin(&q)
	if err != nil {
		return nil, err
	}
	own := q.Formulas
	if own == nil {
		own = e.composed
	}
	others, against := e.count(&q, c.herbs, q.Against, own)
	inside, outside := c.perHerb(c.formulas), c.perHerb(others)
	out := &Herbs{c.Population, against, []HerbCount{}}
	n, m := len(c.formulas), len(others)
	chosen := map[uint32]bool{}
	for _, key := range q.Chosen {
		if herb, ok := c.herbs.find(key); ok {
			chosen[herb] = true
		}
	}
	var tests []test
	for _, herb := range c.eligible(inside, q.MinFormulas) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k, l := inside[herb], outside[herb]
		h := HerbCount{Herb: c.list[herb], Formulas: int32(k), Share: float64(k) / float64(n), Elsewhere: int32(l)}
		if m > 0 {
			h.ShareElse = new(float64(l) / float64(m))
		}
		if m > 0 && !chosen[herb] {
			cell := func(count int) float64 { return max(0.5, float64(count)) }
			in, not, there, notThere := cell(k), cell(n-k), cell(l), cell(m-l)
			ratio := in * notThere / (not * there)
			half := z95 * math.Sqrt(1/in+1/not+1/there+1/notThere)
			p := e.factorials.p(Both, k, n+m, k+l, n)
			h.OddsRatio, h.OddsLow, h.OddsHigh = &ratio, new(ratio*math.Exp(-half)), new(ratio*math.Exp(half))
			h.P = new(math.Exp(p))
			tests = append(tests, test{p: p, weight: 1, row: len(out.Rows)})
		}
		out.Rows = append(out.Rows, h)
	}
	slices.SortFunc(tests, byP)
	adjust(tests, len(tests))
	for _, t := range tests {
		out.Rows[t.row].Q = new(t.q)
	}
	out.Rows = sorted(out.Rows, q.Sort, tests)
	return out, nil
}

// sorted returns rows in an order. The rows must be in the order ByFormulas, which decides between
// equal rows, and tests in the order of p. Rows without a test come last.
func sorted(rows []HerbCount, by Sort, tests []test) []HerbCount {
	if by == "" || by == ByFormulas {
		return rows
	}
	out := make([]HerbCount, 0, len(rows))
	for _, t := range tests {
		out = append(out, rows[t.row])
	}
	if by == ByOddsRatio {
		slices.SortStableFunc(out, func(a, b HerbCount) int {
			if one, other := *a.Q < Significant, *b.Q < Significant; one != other {
				if one {
					return -1
				}
				return 1
			}
			return cmp.Compare(*b.OddsRatio, *a.OddsRatio)
		})
	}
	for _, h := range rows {
		if h.Q == nil {
			out = append(out, h)
		}
	}
	return out
}

// test is the result of one statistical test, or of several tests with the same p value.
type test struct {
	p      float64 // the logarithm of the p value
	weight int     // the number of tests
	row    int
	q      float64
}

func byP(a, b test) int {
	switch {
	case a.p < b.p:
		return -1
	case a.p > b.p:
		return 1
	}
	return a.row - b.row
}

// adjust sets the q values of tests by the method of Benjamini and Hochberg. The tests must be in
// ascending order of p. all is the total weight of all tests, including those not in the slice.
func adjust(tests []test, all int) {
	rank, least := all, 1.0
	for i := len(tests) - 1; i >= 0; i-- {
		t := &tests[i]
		least = min(least, math.Exp(t.p)*float64(all)/float64(rank))
		t.q = least
		rank -= t.weight
	}
}

// Listed holds the formulas of a population in answer order. With [Question.Distinct], it holds one
// formula for each set of herbs.
type Listed struct {
	Population Population
	Formulas   []store.Num
	d          *herbs
}

// List returns the formulas of a population.
func (e *Engine) List(q Question) (*Listed, error) {
	c, err := e.begin(&q)
	if err != nil {
		return nil, err
	}
	return &Listed{c.Population, c.formulas, c.herbs}, nil
}

// Herbs returns the herbs of a formula. The herb that is most frequent in the snapshot comes first.
func (l *Listed) Herbs(n store.Num) []Herb {
	out := []Herb{}
	for _, herb := range l.d.formula(n) {
		out = append(out, l.d.list[herb])
	}
	return out
}
