package names

import "fmt"

// slots is a hash table that holds one value for a hash, so that a look-up
// reads one line of memory; a [table] holds several and reads two. A value
// stands in the slot of its hash or the next free one.
type slots []slot

// slot is a value with the upper half of its hash.
type slot struct {
	Tag   uint32
	Value uint32 // + 1; 0 in a free slot
}

// makeSlots returns free slots for n values: at most two thirds will be taken.
func makeSlots(n int) slots {
	size := 2
	for size*2 < n*3 {
		size *= 2
	}
	return make(slots, size)
}

func (s slots) add(h uint64, value uint32) {
	i := h & uint64(len(s)-1)
	for s[i].Value != 0 {
		i = (i + 1) & uint64(len(s)-1)
	}
	s[i] = slot{uint32(h >> 32), value + 1}
}

// find returns the first value entered for h that fits.
func (s slots) find(h uint64, fits func(value uint32) bool) (uint32, bool) {
	for i := h & uint64(len(s)-1); s[i].Value != 0; i = (i + 1) & uint64(len(s)-1) {
		if s[i].Tag == uint32(h>>32) && fits(s[i].Value-1) {
			return s[i].Value - 1, true
		}
	}
	return 0, false
}

// openSlots checks slots whose values must be less than limit.
func openSlots(section []byte, limit int) (slots, error) {
	s, err := view[slot](section)
	if err != nil {
		return nil, err
	}
	if n := len(s); n < 2 || n&(n-1) != 0 {
		return nil, fmt.Errorf("%w: the table of keys has %d slots; build it again", ErrDamaged, n)
	}
	free := false
	for _, e := range s {
		if int64(e.Value) > int64(limit) {
			return nil, fmt.Errorf("%w: a slot points to row %d of %d; build it again", ErrDamaged, e.Value-1, limit)
		}
		free = free || e.Value == 0
	}
	if !free {
		return nil, fmt.Errorf("%w: the table of keys has no free slot; build it again", ErrDamaged)
	}
	return s, nil
}
