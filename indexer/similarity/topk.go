package similarity

import (
	"cmp"
	"math"
	"slices"
)

// topK is a min-heap of the best neighbours offered to it. Its capacity is k. A larger value is
// better.
type topK struct {
	list  []Neighbour
	worst float64 // the smallest value if the list is full; otherwise -Inf
}

// topLists has the best neighbours by each measure. Dot products are counted in steps.
type topLists struct{ jaccard, euclidean topK }

// newTopLists returns lists for the given number of formulas, each for k neighbours.
func newTopLists(formulas, k int) []topLists {
	all := make([]topLists, formulas)
	room := make([]Neighbour, 2*k*formulas)
	next := func() topK {
		b := topK{room[:0:k], math.Inf(-1)}
		room = room[k:]
		return b
	}
	for i := range all {
		all[i] = topLists{next(), next()}
	}
	return all
}

// before reports whether a neighbour precedes another: n is more similar, or it is equally similar
// and earlier in the input.
func (n Neighbour) before(than Neighbour) bool {
	return n.Value > than.Value || n.Value == than.Value && n.Formula < than.Formula
}

// offer adds a neighbour if it is among the best and not yet in the list.
func (b *topK) offer(n Neighbour) {
	full := len(b.list) == cap(b.list)
	if n.Value < b.worst || full && (len(b.list) == 0 || !n.before(b.list[0])) || slices.Contains(b.list, n) {
		return
	}
	if full {
		b.list[0] = n
		b.down()
	} else {
		b.list = append(b.list, n)
		b.up()
	}
	if len(b.list) == cap(b.list) {
		b.worst = b.list[0].Value
	}
}

func (b *topK) up() {
	heap := b.list
	for i := len(heap) - 1; i > 0 && heap[(i-1)/2].before(heap[i]); i = (i - 1) / 2 {
		heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
	}
}

func (b *topK) down() {
	heap := b.list
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(heap) && heap[child].before(heap[child+1]) {
			child++
		}
		if child >= len(heap) || !heap[i].before(heap[child]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// finish sorts the list and replaces each value by the value to show, rounded to four decimals.
func (b *topK) finish(value func(float64) float64) {
	slices.SortFunc(b.list, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Formula, b.Formula))
	})
	for i := range b.list {
		b.list[i].Value = math.Round(value(b.list[i].Value)*1e4) / 1e4
	}
}
