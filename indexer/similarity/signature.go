package similarity

import "math/bits"

// signatureBits assigns each herb one of 64 bits. Each bit is set in about the same number of
// formulas, and the most frequent herbs have a bit of their own. The signature of a formula is the
// union of the bits of its herbs. counts is the number of formulas of each herb.
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

// sketch summarises the remaining herbs of a formula. Together with the signature of another
// formula, it gives an upper bound of the value that the two formulas share.
type sketch struct {
	mask  uint64      // the signature of the herbs
	value [64]float64 // by bit: the total value of the herbs with that bit
}

func (s *sketch) add(sign uint64, value float64) {
	s.mask |= sign
	s.value[bits.TrailingZeros64(sign)] += value
}

func (s *sketch) remove(sign uint64, value float64) { s.add(sign, -value) }

// shared returns an upper bound of the value that the sketch shares with a formula of the given
// signature.
func (s *sketch) shared(signature uint64) (sum float64) {
	for common := signature & s.mask; common != 0; common &= common - 1 {
		sum += s.value[bits.TrailingZeros64(common)&63]
	}
	return sum
}
