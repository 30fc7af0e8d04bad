package similarity

import (
	"cmp"
	"math"
	"slices"
)

// best keeps the best of the neighbours it was offered, as many as its list has room
// for, as a heap whose root is the worst of them. More is better.
type best struct {
	list  []Neighbour
	worst float64 // the value of the last of the best, or less than any if there is room
}

// both holds the best by each measure; the dot products count in steps.
type both struct{ jaccard, euclidean best }

// newBoth returns lists for so many formulas, each with room for k.
func newBoth(formulas, k int) []both {
	all := make([]both, formulas)
	room := make([]Neighbour, 2*k*formulas)
	next := func() best {
		b := best{room[:0:k], math.Inf(-1)}
		room = room[k:]
		return b
	}
	for i := range all {
		all[i] = both{next(), next()}
	}
	return all
}

// better says whether one neighbour stands before another: the more alike, then the
// earlier.
func (n Neighbour) better(than Neighbour) bool {
	return n.Value > than.Value || n.Value == than.Value && n.Formula < than.Formula
}

// offer takes a neighbour that is among the best and is not there yet.
func (b *best) offer(n Neighbour) {
	full := len(b.list) == cap(b.list)
	if n.Value < b.worst || full && (len(b.list) == 0 || !n.better(b.list[0])) || slices.Contains(b.list, n) {
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

func (b *best) up() {
	heap := b.list
	for i := len(heap) - 1; i > 0 && heap[(i-1)/2].better(heap[i]); i = (i - 1) / 2 {
		heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
	}
}

func (b *best) down() {
	heap := b.list
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(heap) && heap[child].better(heap[child+1]) {
			child++
		}
		if child >= len(heap) || !heap[i].better(heap[child]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// finish sorts the best, and gives each the value that is shown, rounded to four
// decimals.
func (b *best) finish(value func(float64) float64) {
	slices.SortFunc(b.list, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Formula, b.Formula))
	})
	for i := range b.list {
		b.list[i].Value = math.Round(value(b.list[i].Value)*1e4) / 1e4
	}
}
