// Package similarity finds the formulas that resemble each formula most.
//
// A formula is its name and its herbs by plain name (processing stripped), each
// with a dose. A herb that n of all N formulas have weighs
//
//	w = ln(1 + N/n)
//
// its inverse document frequency: that two formulas have 甘草, as every third
// does, says little; that they have 礞石 says much. Two measures compare
// formulas A and B:
//
//	Jaccard     w(A ∩ B) / w(A ∪ B) on the sets of herbs, in (0, 1]; doses don't count
//	Euclidean   ‖a − b‖ on the vectors of w · dose, each scaled to length 1, in [0, √2)
//
// Scaling makes the doses of one formula comparable with those of another
// dynasty, whose units weigh differently: what counts is how much of one herb
// stands against the others.
//
// A formula that has the name, too, is most often the same one as another book
// gives it. Namesakes stand nearer: by half of what Jaccard lacks to 1, and in
// space as if the name were one more coordinate, as large as all herbs together,
// which divides their distance by √2.
//
// One herb in common is no likeness. Formulas are compared when they share two;
// with one alone only if neither has more than three herbs, or if it is a rare
// herb and they share a telling name as well. The answers are exact: a pair is
// left out only when it is certain that it is not among the best.
package similarity

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Formula is what is compared.
type Formula struct {
	Name  string
	Herbs []Herb
}

// Herb is one herb of a formula.
type Herb struct {
	// Name is the plain name, processing stripped.
	Name string
	// Dose is the dose in one unit for all formulas; a value ≤ 0 means that it
	// is not known, and the formula's median dose stands in.
	Dose float64
}

// Neighbour is a formula that resembles another.
type Neighbour struct {
	Formula int // index in the input
	// Value is the Jaccard likeness or the Euclidean distance.
	Value float64
}

// Neighbours are the formulas that resemble one most, best first; where they
// are equally like it, in the order of the input.
type Neighbours struct {
	Jaccard, Euclidean []Neighbour
}

// Steps in which weights and dot products are counted, so that the order of
// additions never decides the order of answers.
const (
	weightUnit = 1e-4
	dotUnit    = 1e-6
)

// Top returns the k nearest neighbours of each formula by both measures. A
// herb that stands twice in a formula counts once, with its doses added.
func Top(ctx context.Context, formulas []Formula, k int) ([]Neighbours, error) {
	m := newMatrix(formulas)
	found := newBoth(len(formulas), k) // by place
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error { return m.search(found, w, workers).run(ctx) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := make([]Neighbours, len(formulas))
	for place, f := range m.formulas {
		out[f] = Neighbours{Jaccard: found[place].jaccard.list, Euclidean: found[place].euclidean.list}
	}
	return out, nil
}
