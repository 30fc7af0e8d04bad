package delta

import (
	"encoding/binary"
	"math/bits"
)

const (
	// stretch is the number of bytes compared at each nearby position. nearby is the maximum
	// distance of these positions from the current match, in bytes.
	stretch = 64
	nearby  = 128
	// fitting is the number of bytes of a stretch that must be equal.
	fitting = stretch * 5 / 8
	// seldom is the minimum distance in bytes between two searches of the method near. Each failed
	// search doubles this distance, at most mostSeldom times.
	seldom, mostSeldom = 16, 6
)

// near searches the old file close to the current match for the position that best fits the stretch
// of the new file that starts with m.new[at]. It returns the position and the number of equal
// bytes, or 0 bytes if no position fits well enough. Since it needs no long run of equal bytes, it
// finds tables that have moved by a few bytes and whose numbers all changed by the same amount.
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

// fit compares the stretch that starts with m.new[at] with the stretch that starts with
// m.old[from]. It returns the number of equal bytes.
func (m *making) fit(at, from int) int {
	if from < 0 || from+stretch > len(m.old) {
		return 0
	}
	now, old := m.new[at:at+stretch], m.old[from:from+stretch]
	differ := 0
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	for i := 0; i < stretch; i += 8 {
		x := binary.LittleEndian.Uint64(now[i:]) ^ binary.LittleEndian.Uint64(old[i:])
		differ += bits.OnesCount64(((x&low + low) | x) & high) // one bit for each byte that is not 0
	}
	return stretch - differ
}
