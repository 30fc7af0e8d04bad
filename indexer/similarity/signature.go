package similarity

import "math/bits"

// signatureBits assigns each herb one of 64 bits, so that all bits are set in about the same number of
// formulas; the most frequent herbs have a bit of their own. The signature of a formula is the union
// of its herbs' bits. counts is the number of formulas by herb.
func signatureBits(counts []int) []uint64 {
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

// sketch holds the remaining herbs of a formula. Together with another formula's signature it gives an
// upper bound of what the two share.
type sketch struct {
	mask  uint64      // the signature of the herbs
	value [64]float64 // by bit: the total value of its herbs
}

func (s *sketch) add(sign uint64, value float64) {
	s.mask |= sign
	s.value[bits.TrailingZeros64(sign)] += value
}

func (s *sketch) remove(sign uint64, value float64) { s.add(sign, -value) }

// shared returns an upper bound of the value that a formula with a signature shares.
func (s *sketch) shared(signature uint64) (sum float64) {
	for common := signature & s.mask; common != 0; common &= common - 1 {
		sum += s.value[bits.TrailingZeros64(common)&63]
	}
	return sum
}
