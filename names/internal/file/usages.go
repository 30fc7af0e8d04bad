package file

import "iter"

// usages are the usages of a file with their texts.
type usages struct {
	// Usages are the rows, with a last row.
	Usages []Usage
	// Names are the texts of each usage, in the order of the usages.
	Names []byte
}

// Len returns the number of usages: rows of all checklists, and names of the
// database.
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

// HasID says whether a usage has one of the identifiers.
func (d *usages) HasID(usage uint32, which IDName) bool {
	b := d.Names[d.Usages[usage].Texts:]
	if b[0] == longHead {
		return len(cutLong(b, int(which))) > 0
	}
	return b[which] != 0
}

// Name returns the name of a usage.
func (d *usages) Name(usage uint32) string { return d.Text(usage, Name) }

// Namesakes returns the usages that have the key of a usage: those from from
// to to.
func (d *usages) Namesakes(usage uint32) (from, to uint32) {
	for from = usage; !d.Usages[from].Bits.Has(First); from-- {
	}
	for to = usage + 1; !d.Usages[to].Bits.Has(First); to++ {
	}
	return from, to
}

// SameKey says whether two usages have one key.
func (d *usages) SameKey(a, b uint32) bool {
	for n := min(a, b) + 1; n <= max(a, b); n++ {
		if d.Usages[n].Bits.Has(First) {
			return false
		}
	}
	return true
}

// AuthorsOf yields the authors of the usages that have the key of a usage.
func (d *usages) AuthorsOf(usage uint32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, to := d.Namesakes(usage); i < to; i++ {
			if !yield(d.Text(i, Author)) {
				return
			}
		}
	}
}

// cut returns text i of a usage, and whether it is packed.
func (d *usages) cut(usage uint32, i int) (text []byte, packed bool) {
	for {
		b := d.Names[d.Usages[usage].Texts:]
		if b[0] == longHead {
			return cutLong(b, i), false
		}
		c := b[i]
		if c == sameText {
			usage--
			continue
		}
		from := headSize
		for _, c := range b[:i] {
			from += sizeOf(c)
		}
		return b[from:][:sizeOf(c)], c&packedBit != 0
	}
}

// firstName returns the name of the first usage of a key, whose texts begin at
// n: it is the same as no other's.
func (d *usages) firstName(n uint32) string {
	b := d.Names[n:]
	if b[0] == longHead {
		return asString(cutLong(b, int(Name)))
	}
	return asString(b[headSize:][:sizeOf(b[Name])])
}
