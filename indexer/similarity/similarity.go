// Package similarity finds the most similar formulas of each formula.
//
// A formula is its name and its herbs by plain name (without processing), each with a dose. A herb
// that n of all N formulas contain has the weight
//
//	w = ln(1 + N/n)
//
// This is its inverse document frequency. Sharing 甘草, which is in every third formula, says little
// about two formulas; sharing 礞石 says much. Two measures compare formulas A and B:
//
//	Jaccard     w(A ∩ B) / w(A ∪ B) on the sets of herbs, in (0, 1]; doses do not count
//	Euclidean   ‖a − b‖ on the vectors of w · dose, each scaled to length 1, in [0, √2)
//
// Units of weight differ between dynasties. Scaling makes the doses comparable, since only the
// proportions of the herbs count.
//
// Two formulas of the same name are usually the same formula in two books. So the distance of their
// Jaccard similarity from 1 is halved, and their Euclidean distance is divided by √2, as if the
// name were a coordinate as large as all herbs together.
//
// Formulas are compared if they share two herbs. One shared herb is enough in two cases: if neither
// formula has more than three herbs, or if the herb is rare and the formulas also share a
// distinctive name. The results are exact: a pair is skipped only if it cannot be among the best.
//
// The package does not know the store. Start with [Top], then read search.go.
package similarity

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Formula is a formula to compare.
type Formula struct {
	Name  string
	Herbs []Herb
}

// Herb is one herb of a formula.
type Herb struct {
	// Name is the plain name, without processing.
	Name string
	// Dose is in the same unit for all herbs. A dose ≤ 0 is unknown and is replaced by the
	// formula's median dose.
	Dose float64
}

// Neighbour is a formula similar to another.
type Neighbour struct {
	Formula int // index in the input
	// Value is the Jaccard similarity or the Euclidean distance.
	Value float64
}

// Neighbours lists the formulas that are most similar to one formula, the best first. Equally
// similar formulas are in the order of the input.
type Neighbours struct {
	Jaccard, Euclidean []Neighbour
}

// Weights and dot products are rounded to these steps, so that the order in which floating-point
// numbers are added does not affect the order of results.
const (
	weightUnit = 1e-4
	dotUnit    = 1e-6
)

// Top returns the k nearest neighbours of each formula by each of the two measures. A herb that
// occurs twice in a formula counts once, with the sum of its doses.
func Top(ctx context.Context, formulas []Formula, k int) ([]Neighbours, error) {
	m := newMatrix(formulas)
	out := make([]Neighbours, len(formulas))
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error { return m.search(k).run(ctx, w, workers, out) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}
