package similarity

import (
	"cmp"
	"math"
	"slices"
)

// topK has the best neighbours offered to it, the best first. Its capacity is k. A larger value is
// better.
type topK struct {
	list  []Neighbour
	worst float64 // the smallest value if the list is full; otherwise -Inf
}

func newTopK(k int) topK { return topK{make([]Neighbour, 0, k), math.Inf(-1)} }

// offer adds a neighbour if it is among the best. Of two equally similar formulas, the earlier one
// in the input is better.
func (b *topK) offer(n Neighbour) {
	if n.Value < b.worst {
		return
	}
	at, _ := slices.BinarySearchFunc(b.list, n, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Formula, b.Formula))
	})
	k := cap(b.list)
	if at == k {
		return
	}
	b.list = slices.Insert(b.list[:min(len(b.list), k-1)], at, n)
	if len(b.list) == k {
		b.worst = b.list[k-1].Value
	}
}

// shown returns the list with each value replaced by the value to show, rounded to four decimals.
func (b *topK) shown(value func(float64) float64) []Neighbour {
	for i, n := range b.list {
		b.list[i].Value = math.Round(value(n.Value)*1e4) / 1e4
	}
	return b.list
}
