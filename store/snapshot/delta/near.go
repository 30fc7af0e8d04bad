package delta

import (
	"encoding/binary"
	"math/bits"
)

const (
	// stretch is how many bytes are compared with places nearby, nearby how far
	// these are.
	stretch = 64
	nearby  = 128
	// fitting is how many bytes of a stretch must be equal.
	fitting = stretch * 5 / 8
	// A place nearby is looked for every so many bytes, and more seldom the more
	// often in vain.
	seldom, mostSeldom = 16, 6
)

// near is the place in the old file close to the one that is followed which a
// stretch of the new file fits best, and how many bytes that counts for; 0 if there
// is none that fits. No bytes need be the same for long: so tables are found again
// whose numbers all differ by the same, and that have moved by a few bytes.
func (m *making) near(at int) (from, n int) {
	here := m.from + at - m.done
	if at < m.look || at+stretch > len(m.new) {
		return 0, 0
	}
	m.look = at + seldom
	follows := m.fit(at, here)
	if follows >= fitting {
		return 0, 0
	}
	best := 0
	for off := 1; off <= nearby; off++ {
		for _, place := range []int{here - off, here + off} {
			if fit := m.fit(at, place); fit > best {
				from, best = place, fit
			}
		}
	}
	if best < fitting || best <= follows+minGain {
		m.vain = min(m.vain+1, mostSeldom)
		m.look = at + seldom<<m.vain
		return 0, 0
	}
	m.vain = 0
	return from, best
}

// fit is how many bytes of a stretch of the new file are as those in a place of the
// old one.
func (m *making) fit(at, from int) int {
	if from < 0 || from+stretch > len(m.old) {
		return 0
	}
	now, old := m.new[at:at+stretch], m.old[from:from+stretch]
	differ := 0
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	for i := 0; i < stretch; i += 8 {
		x := binary.LittleEndian.Uint64(now[i:]) ^ binary.LittleEndian.Uint64(old[i:])
		differ += bits.OnesCount64(((x&low + low) | x) & high) // of each byte that is not 0
	}
	return stretch - differ
}
