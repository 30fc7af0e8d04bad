package similarity

import (
	"cmp"
	"math"
	"slices"
)

// candidate is a formula with its likeness: more is more alike.
type candidate struct {
	formula int32
	score   float64
}

// compare puts the more alike first, then the earlier.
func (a candidate) compare(b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.formula, b.formula))
}

// best keeps the k best candidates as a heap whose root is the worst of them.
type best struct {
	k    int
	heap []candidate
}

func newBest(k int) best { return best{k: k, heap: make([]candidate, 0, k)} }

// worst is the score of the last of the best, or that of none if there is room.
func (b *best) worst() float64 {
	if len(b.heap) < b.k || b.k == 0 {
		return math.Inf(-1)
	}
	return b.heap[0].score
}

func (b *best) offer(c candidate) {
	switch {
	case len(b.heap) < b.k:
		b.heap = append(b.heap, c)
		for i := len(b.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if b.heap[parent].compare(b.heap[i]) >= 0 {
				break
			}
			b.heap[parent], b.heap[i] = b.heap[i], b.heap[parent]
			i = parent
		}
	case b.k > 0 && c.compare(b.heap[0]) < 0:
		b.heap[0] = c
		b.down()
	}
}

func (b *best) down() {
	for i := 0; ; {
		worst := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(b.heap) && b.heap[child].compare(b.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		b.heap[i], b.heap[worst] = b.heap[worst], b.heap[i]
		i = worst
	}
}

func (b *best) sorted() []candidate {
	slices.SortFunc(b.heap, candidate.compare)
	return b.heap
}

// both holds the best by each measure; the dot products count in steps.
type both struct{ jaccard, euclidean best }

func newBoth(k int) both { return both{newBest(k), newBest(k)} }

func (b *both) clear() {
	b.jaccard.heap, b.euclidean.heap = b.jaccard.heap[:0], b.euclidean.heap[:0]
}

func (b *both) copy(of *both) {
	b.clear()
	b.jaccard.heap = append(b.jaccard.heap, of.jaccard.heap...)
	b.euclidean.heap = append(b.euclidean.heap, of.euclidean.heap...)
}

// mayTake says whether a formula may be among the best by either measure. It is
// quicker than to offer it; sums are the weights of both formulas.
func (b *both) mayTake(t tally, sums int32) bool {
	const rounding = 1e-3 // of numbers that are compared with whole ones
	return float64(t.weight)+rounding >= b.jaccard.worst()*float64(sums-t.weight) || t.dot >= (b.euclidean.worst()-1)*dotUnit
}

func (b *both) offer(g int32, likeness, dot float64) {
	b.jaccard.offer(candidate{g, likeness})
	b.euclidean.offer(candidate{g, steps(dot)})
}
