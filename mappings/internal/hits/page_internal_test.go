package hits

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"bencao/mappings/index"
	"bencao/store"
)

// TestPagesAreSorted compares pages with the same ranges of fully sorted hits. It covers any number
// of hits and both representations, and checks that a collector can be reused.
func TestPagesAreSorted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 20261123))
	const records = 7000
	ix := &index.Index{Weights: make([]uint8, records)}
	var lengths [256][]uint64
	for at := range ix.Weights {
		w := uint8(1 + rnd.IntN(30)*rnd.IntN(8))
		if ix.Weights[at] = w; lengths[w] == nil {
			lengths[w] = make([]uint64, (records+63)/64)
		}
		lengths[w][at/64] |= 1 << (at % 64)
	}
	for _, l := range lengths {
		if l != nil {
			ix.Lengths = append(ix.Lengths, l)
		}
	}
	c := New(ix)
	for range 500 {
		var allowed []uint64
		if rnd.IntN(3) == 0 {
			allowed = make([]uint64, (records+63)/64)
			for i := range allowed {
				allowed[i] = rnd.Uint64()
			}
		}
		c.Reset(allowed, nil)
		const best, ranked, worst = 90, 60, 40
		byLength := rnd.IntN(3) > 0
		if byLength {
			c.RankByLength(ranked)
		}
		tierOf := map[store.Num]uint8{}
		for _, tier := range []uint8{best, ranked, worst} {
			for range rnd.IntN(3) {
				n := []int{0, 1, 5, 100, 140, 900, records / 2}[rnd.IntN(7)]
				b := roaring.New()
				for range n {
					at := store.Num(rnd.IntN(records))
					if allowed == nil || allowed[at/64]&(1<<(at%64)) != 0 {
						tierOf[at] = max(tierOf[at], tier)
					}
					if b.Add(uint32(at)); n <= 140 {
						c.Add(at, Why{Tier: tier})
					}
				}
				if n > 140 {
					c.tiers[tier].bitmap = append(c.tiers[tier].bitmap, b)
				}
			}
		}
		want := []store.Num{}
		for at := range tierOf {
			want = append(want, at)
		}
		slices.SortFunc(want, func(a, b store.Num) int {
			length := 0
			if byLength && tierOf[a] == ranked {
				length = cmp.Compare(ix.Weights[a], ix.Weights[b])
			}
			return cmp.Or(cmp.Compare(tierOf[b], tierOf[a]), length, cmp.Compare(a, b))
		})
		from, size := rnd.IntN(3)*rnd.IntN(1000), rnd.IntN(60)
		page := c.Page(from, size)
		nums := want[min(from, len(want)):min(from+size, len(want))]
		if page.Total != len(want) || !slices.Equal(page.Nums, nums) {
			t.Fatalf("page of %d from %d: %d of %d hits, want %d of %d:\n%v\n%v", size, from, len(page.Nums), page.Total, len(nums), len(want), page.Nums, nums)
		}
	}
}
