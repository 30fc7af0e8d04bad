package file

import "fmt"

// Slots is the hash table of the keys, with linear probing
// (https://en.wikipedia.org/wiki/Linear_probing): a look-up reads one line of
// memory, where a [Table], which holds several values for a hash, reads two.
type Slots []slot

// slot is a key. With both numbers in it the row and the texts, far apart in
// the file, are fetched side by side and not one after the other.
type slot struct {
	Tag   uint32 // upper half of the hash
	Usage uint32 // first usage + 1; 0 in a free slot
	Texts uint32 // where its texts begin
}

// MakeSlots returns free slots for n keys: at most two thirds will be taken.
func MakeSlots(n int) Slots {
	size := 2
	for size*2 < n*3 {
		size *= 2
	}
	return make(Slots, size)
}

// Add enters a key by its hash.
func (s Slots) Add(h uint64, usage, texts uint32) {
	i := h & uint64(len(s)-1)
	for s[i].Usage != 0 {
		i = (i + 1) & uint64(len(s)-1)
	}
	s[i] = slot{uint32(h >> 32), usage + 1, texts}
}

// check checks slots whose usages must be less than limit.
func (s Slots) check(limit int) error {
	if n := len(s); n < 2 || n&(n-1) != 0 {
		return fmt.Errorf("%w: the table of keys has %d slots; build it again", ErrDamaged, n)
	}
	free := false
	for _, e := range s {
		if int64(e.Usage) > int64(limit) {
			return fmt.Errorf("%w: a slot points to row %d of %d; build it again", ErrDamaged, e.Usage-1, limit)
		}
		free = free || e.Usage == 0
	}
	if !free {
		return fmt.Errorf("%w: the table of keys has no free slot; build it again", ErrDamaged)
	}
	return nil
}
