package names

import "fmt"

// slots is the hash table of the keys. Each key stands in the slot of its hash
// or the next free one: a look-up reads one line of memory, where a [table],
// which holds several values for a hash, reads two.
type slots []slot

// slot is a key. With both numbers in it the row and the texts, far apart in
// the file, are fetched side by side and not one after the other.
type slot struct {
	Tag   uint32 // upper half of the hash
	Usage uint32 // first usage + 1; 0 in a free slot
	Texts uint32 // where its texts begin
}

// makeSlots returns free slots for n keys: at most two thirds will be taken.
func makeSlots(n int) slots {
	size := 2
	for size*2 < n*3 {
		size *= 2
	}
	return make(slots, size)
}

func (s slots) add(h uint64, usage, texts uint32) {
	i := h & uint64(len(s)-1)
	for s[i].Usage != 0 {
		i = (i + 1) & uint64(len(s)-1)
	}
	s[i] = slot{uint32(h >> 32), usage + 1, texts}
}

// findKey returns the first usage of a key.
func (ix *Index) findKey(key []byte) (usage uint32, ok bool) { return ix.findName("", key) }

// findName returns the first usage of the key that a name has. It compares
// them with the usage's own name, which an answer needs anyway.
func (ix *Index) findName(name string, key []byte) (usage uint32, ok bool) {
	h, last := hash(key), uint64(len(ix.exact)-1)
	for i := h & last; ; i = (i + 1) & last {
		s := &ix.exact[i]
		if s.Usage == 0 {
			return 0, false
		}
		if s.Tag != uint32(h>>32) || ix.usages[s.Usage-1].Texts != s.Texts {
			continue
		}
		if own := cutUsageText(ix.names[s.Texts:], textName); own == name || hasKey(own, key) {
			return s.Usage - 1, true
		}
	}
}

// hasKey says whether key is that of a name.
func hasKey(name string, key []byte) bool {
	var buf [96]byte
	own, _ := appendKey(buf[:0], name)
	return string(own) == string(key)
}

// openSlots checks slots whose usages must be less than limit.
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
		if int64(e.Usage) > int64(limit) {
			return nil, fmt.Errorf("%w: a slot points to row %d of %d; build it again", ErrDamaged, e.Usage-1, limit)
		}
		free = free || e.Usage == 0
	}
	if !free {
		return nil, fmt.Errorf("%w: the table of keys has no free slot; build it again", ErrDamaged)
	}
	return s, nil
}
