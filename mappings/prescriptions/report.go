package prescriptions

import (
	"cmp"
	"context"
	"slices"

	"bencao/internal/null"
	"bencao/mappings/patterns"
	"bencao/store"
)

// Counting are the choices for counting.
type Counting struct {
	// Apart is true if processed forms count as drugs of their own.
	Apart bool
	// Against is the bit set of the formulas of the snapshot with which the prescriptions are compared;
	// nil means all. Query describes it, and Chosen has the keys of the drugs by which it was chosen.
	Against []uint64
	Query   string
	Chosen  []string
	// Data is the version of the data, and Program that of the program.
	Data, Program string
}

// Report is what was counted in a set of prescriptions.
type Report struct {
	*Set
	Counting
	Counted int // prescriptions that count: those with a drug that do not change another one
	Herbs   *patterns.Herbs
	Pairs   *patterns.Pairs
	Sets    *patterns.Sets
	// PairRows has the pairs that occur together.
	PairRows []patterns.Pair
	// Near has the nearest formula of each prescription; the zero value if there is none.
	Near []patterns.Near

	drugs []patterns.Herb // the drugs that occur, the most frequent first
}

// counts returns the drug as which a drug counts.
func (c *Counting) counts(b *Base, n int) *drug {
	if !c.Apart {
		n = b.drugs[n].of
	}
	return &b.drugs[n]
}

// countedAs returns the drug as which a drug of a formula counts.
func (r *Report) countedAs(h patterns.Herb) patterns.Herb {
	n, ok := r.base.byID[string(h.ID)]
	if !ok {
		return h
	}
	one := r.counts(r.base, n)
	return patterns.Herb{ID: null.Text(one.id), Name: one.name}
}

// Of returns the different drugs of a prescription that count, in the order of the prescription.
func (r *Report) Of(p *Prescription) (set []patterns.Herb) {
	if p.Changes {
		return nil
	}
	for _, d := range p.Drugs {
		for _, n := range d.drugs {
			one := r.counts(r.base, n)
			if h := (patterns.Herb{ID: null.Text(one.id), Name: one.name}); !slices.Contains(set, h) {
				set = append(set, h)
			}
		}
	}
	return set
}

// Count counts the drugs of the prescriptions and compares them with the formulas of the snapshot.
func (s *Set) Count(ctx context.Context, c Counting) (*Report, error) {
	r := &Report{Set: s, Counting: c, Near: make([]patterns.Near, len(s.Prescriptions))}
	b := s.base
	sets := make([][]patterns.Herb, len(s.Prescriptions))
	for i := range s.Prescriptions {
		if sets[i] = r.Of(&s.Prescriptions[i]); sets[i] != nil {
			r.Counted++
		}
	}
	engine, own, other, err := b.engine.With(sets, r.countedAs)
	if err != nil {
		return nil, err
	}
	near := engine.Neighbours(other, func(n store.Num) bool { return !b.formulas[n].incomplete }, b.older)
	for i, set := range sets {
		if found, ok := near.Of(set); ok {
			r.Near[i] = found
		}
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	against := c.Against
	if against == nil {
		against = other
	}
	if r.Herbs, err = engine.Herbs(ctx, patterns.Question{Formulas: own, Against: against, Chosen: c.Chosen}); err != nil {
		return nil, err
	}
	for _, h := range r.Herbs.Rows {
		r.drugs = append(r.drugs, h.Herb)
	}
	if r.Pairs, err = engine.Pairs(ctx, patterns.Question{Formulas: own, MinFormulas: patterns.LeastPaired(r.Counted)}); err != nil {
		return nil, err
	}
	for _, p := range r.Pairs.Page(0, r.Pairs.Total) {
		if p.Formulas > 0 {
			r.PairRows = append(r.PairRows, p)
		}
	}
	r.Sets, err = engine.Sets(ctx, patterns.Question{Formulas: own, MinFormulas: patterns.LeastPaired(r.Counted)})
	return r, err
}

// older compares formulas by year, then by their place in lists. Those without a year come last.
func (b *Base) older(x, y store.Num) int {
	f, g := &b.formulas[x], &b.formulas[y]
	switch {
	case f.year != nil && g.year != nil:
		return cmp.Or(cmp.Compare(*f.year, *g.year), cmp.Compare(x, y))
	case f.year != nil:
		return -1
	case g.year != nil:
		return 1
	}
	return cmp.Compare(x, y)
}

// Tally counts mentions by their state.
type Tally struct {
	Prescriptions, Changing                             int
	Mentions                                            int // without instructions
	Sure, Proposed, Several, NotUnderstood, Instruction int
	Decided, Names, Drugs                               int // names decided by hand, all names, and standard names
}

// Tally counts the mentions of the set.
func (s *Set) Tally() Tally {
	t := Tally{Prescriptions: len(s.Prescriptions)}
	for i := range s.Prescriptions {
		if s.Prescriptions[i].Changes {
			t.Changing++
		}
	}
	drugs := map[int]bool{}
	for _, n := range s.names {
		switch n.State {
		case Sure:
			t.Sure += n.Count
		case Proposed:
			t.Proposed += n.Count
		case Several:
			t.Several += n.Count
		case NotUnderstood:
			t.NotUnderstood += n.Count
		default:
			t.Instruction += n.Count
			continue
		}
		t.Names++
		for _, d := range n.drugs {
			drugs[d] = true
		}
	}
	for _, n := range s.names {
		if n.Decided {
			t.Decided++
		}
	}
	t.Drugs = len(drugs)
	t.Mentions = t.Sure + t.Proposed + t.Several + t.NotUnderstood
	return t
}
