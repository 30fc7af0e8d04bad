package file

import (
	"fmt"
	"math/bits"
)

// Slots is the hash table of the keys, with linear probing
// (https://en.wikipedia.org/wiki/Linear_probing). A lookup in Slots reads one cache line. A lookup
// in a [Table] reads two, but a Table can hold several values for a hash.
//
// A slot is a 64-bit number; a free slot is 0. From the lowest bits upwards, a slot holds the first
// usage of the key plus 1, the position of that usage's texts, and as many low bits of the hash as
// fit into the remaining bits. The row and the texts are far apart in the file. Because the slot
// has the position of the texts, the processor can fetch the row and the texts at the same time.
type Slots struct {
	slots []uint64
	widths
}

// widths holds the sizes, in bits, of two fields of a slot: the usage and the position of its
// texts.
type widths struct{ usage, texts int }

// widthsFor returns the widths for a number of usages and a number of bytes of texts.
func widthsFor(usages, texts int) widths {
	return widths{bits.Len(uint(usages)), bits.Len(uint(texts))}
}

// MakeSlots returns an empty table for n keys. The keys will use at most 70 % of its slots. usages
// is the number of usages, texts the number of bytes of their texts.
func MakeSlots(n, usages, texts int) Slots {
	return Slots{make([]uint64, steadySize(n*10/7+2)), widthsFor(usages, texts)}
}

// steadySize returns n rounded up by at most a sixteenth. If a few keys are added, the rounded size
// is usually the same, and most hashes keep their places. Similar snapshots then have similar
// files.
func steadySize(n int) int {
	step := 1 << max(0, bits.Len(uint(n))-5)
	return (n + step - 1) / step * step
}

// place returns the slot where the search for a hash starts.
func (s *Slots) place(h uint64) int { return int(h >> 32 * uint64(len(s.slots)) >> 32) }

// tag returns the low bits of the hash h, shifted to their place in a slot. above is the number of
// bits below this place.
func (s *Slots) tag(h uint64) (tag uint64, above int) {
	above = (s.usage + s.texts) & 63
	return h << above, above
}

// cut returns the fields of a slot that is not free: the usage and the position of its texts.
func (s *Slots) cut(slot uint64) (usage, texts uint32) {
	return uint32(slot&(1<<s.usage-1)) - 1, uint32(slot >> s.usage & (1<<s.texts - 1))
}

// Add adds a key, given by its hash, with its first usage and the position of its texts.
func (s *Slots) Add(h uint64, usage, texts uint32) {
	i := s.place(h)
	for s.slots[i] != 0 {
		if i++; i == len(s.slots) {
			i = 0
		}
	}
	tag, _ := s.tag(h)
	s.slots[i] = tag | uint64(texts)<<s.usage | uint64(usage+1)
}

// check validates the slots. All usages must be less than limit.
func (s *Slots) check(limit int) error {
	free := false
	for _, e := range s.slots {
		if e == 0 {
			free = true
		} else if usage, _ := s.cut(e); int64(usage) >= int64(limit) {
			return fmt.Errorf("%w: a slot points to row %d of %d; build it again", ErrDamaged, usage, limit)
		}
	}
	if !free {
		return fmt.Errorf("%w: the table of keys has no free slot; build it again", ErrDamaged)
	}
	return nil
}
