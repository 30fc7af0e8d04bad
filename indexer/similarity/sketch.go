package similarity

import "math/bits"

// signs gives each herb one of 64 bits, so that all bits are set in about as many
// formulas: the most common herbs have one of their own. The bits of a formula's
// herbs are its signature. Herbs are numbered by how many formulas have them.
func signs(counts []int) []uint64 {
	signs := make([]uint64, len(counts))
	var load [64]int
	for herb := len(counts) - 1; herb >= 0; herb-- {
		bit := 0
		for i, l := range load {
			if l < load[bit] {
				bit = i
			}
		}
		load[bit] += counts[herb]
		signs[herb] = 1 << bit
	}
	return signs
}

// sketch has the herbs of a formula that still count. By the signature of another it
// tells what both have at most.
type sketch struct {
	mask  uint64      // the signature of the herbs
	value [64]float64 // by bit: what its herbs are worth
}

func (s *sketch) add(sign uint64, value float64) {
	s.mask |= sign
	s.value[bits.TrailingZeros64(sign)] += value
}

func (s *sketch) remove(sign uint64, value float64) { s.add(sign, -value) }

// shared is what the herbs that another may have, too, are worth.
func (s *sketch) shared(signature uint64) (sum float64) {
	for common := signature & s.mask; common != 0; common &= common - 1 {
		sum += s.value[bits.TrailingZeros64(common)&63]
	}
	return sum
}
