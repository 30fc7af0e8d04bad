package file

import (
	"iter"
	"sort"
)

// usages holds the usages of a file and their texts.
type usages struct {
	// Usages holds the rows, with one extra row at the end.
	Usages []Usage
	// Names holds the texts of the usages, in their order.
	Names []byte
	// starts holds the first usage of every key whose number is a multiple of keysPerStart, for
	// FirstOf. It is computed when the file is opened.
	starts []uint32
}

// Len returns the number of usages: the rows of all checklists and the names of the database.
func (d *usages) Len() int { return len(d.Usages) - 1 }

// Text returns one of the texts of a usage.
func (d *usages) Text(usage uint32, which TextName) string {
	text, _ := d.cut(usage, int(which))
	return asString(text)
}

// AppendID appends one of the identifiers of a usage.
func (d *usages) AppendID(dst []byte, usage uint32, which IDName) []byte {
	text, packed := d.cut(usage, int(which))
	if packed {
		return appendUnpacked(dst, text)
	}
	return append(dst, text...)
}

// HasID reports whether a usage has an identifier of this kind.
func (d *usages) HasID(usage uint32, which IDName) bool {
	b := d.Names[d.Usages[usage].Texts:]
	if b[0] == longHead {
		return len(cutLong(b, int(which))) > 0
	}
	return int(which) < sizeOfHead(b) && b[which] != 0
}

// Name returns the name of a usage.
func (d *usages) Name(usage uint32) string { return d.Text(usage, Name) }

// Namesakes returns the range [from, to) of the usages that have the same key as the given usage.
func (d *usages) Namesakes(usage uint32) (from, to uint32) {
	for from = usage; !d.Usages[from].Bits.Has(First); from-- {
	}
	for to = usage + 1; !d.Usages[to].Bits.Has(First); to++ {
	}
	return from, to
}

// keysPerStart is the number of keys from one entry of starts to the next.
const keysPerStart = 16

// sampleStarts fills starts.
func (d *usages) sampleStarts() {
	key := 0
	for i := range d.Usages[:d.Len()] {
		if !d.Usages[i].Bits.Has(First) {
			continue
		}
		if key%keysPerStart == 0 {
			d.starts = append(d.starts, uint32(i))
		}
		key++
	}
}

// FirstOf returns the first usage of a key.
func (d *usages) FirstOf(key uint32) uint32 {
	usage := d.starts[key/keysPerStart]
	for n := key % keysPerStart; n > 0; {
		if usage++; d.Usages[usage].Bits.Has(First) {
			n--
		}
	}
	return usage
}

// KeyOf returns the key of a usage.
func (d *usages) KeyOf(usage uint32) uint32 {
	i := sort.Search(len(d.starts), func(i int) bool { return d.starts[i] > usage }) - 1
	key := uint32(i) * keysPerStart
	for n := d.starts[i] + 1; n <= usage; n++ {
		if d.Usages[n].Bits.Has(First) {
			key++
		}
	}
	return key
}

// SameKey reports whether two usages have the same key.
func (d *usages) SameKey(a, b uint32) bool {
	for n := min(a, b) + 1; n <= max(a, b); n++ {
		if d.Usages[n].Bits.Has(First) {
			return false
		}
	}
	return true
}

// AuthorsOf yields the authors of all usages that have the key of the given usage.
func (d *usages) AuthorsOf(usage uint32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, to := d.Namesakes(usage); i < to; i++ {
			if !yield(d.Text(i, Author)) {
				return
			}
		}
	}
}

// cut returns text i of a usage as it is stored and reports whether it is packed.
func (d *usages) cut(usage uint32, i int) (text []byte, packed bool) {
	for {
		b := d.Names[d.Usages[usage].Texts:]
		if b[0] == longHead {
			return cutLong(b, i), false
		}
		from := sizeOfHead(b)
		if i >= from {
			return nil, false
		}
		c := b[i]
		if c&sizeBits == sameText {
			usage--
			continue
		}
		for _, c := range b[:i] {
			from += sizeOf(c)
		}
		return b[from:][:sizeOf(c)], c&packedBit != 0
	}
}

// firstName returns the name of the first usage of a key. n is the position of the usage's texts.
// The name is always stored in full, because no earlier usage has the same key.
func (d *usages) firstName(n uint32) string {
	b := d.Names[n:]
	if b[0] == longHead {
		return asString(cutLong(b, int(Name)))
	}
	return asString(b[sizeOfHead(b):][:sizeOf(b[Name])])
}
