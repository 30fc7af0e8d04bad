package index

import "github.com/RoaringBitmap/roaring/v2"

// Postings is a set of record numbers. If many is not nil, it is the set. Otherwise, the set has at
// most one record, whose number is in the field one.
type Postings struct {
	many *roaring.Bitmap
	one  int64 // -1 if there is none
}

// Nothing is the empty set.
var Nothing = Postings{one: -1}

// Everything returns the set of all records of an index. records is their number.
func Everything(records int) Postings {
	m := roaring.New()
	m.AddRange(0, uint64(records))
	return Postings{many: m, one: -1}
}

// Bitmap returns the records as a bitmap, which must not be changed. Bitmap may return nil for a
// set of at most one record.
func (p Postings) Bitmap() *roaring.Bitmap { return p.many }

// Empty reports whether the set is empty.
func (p Postings) Empty() bool { return p.many == nil && p.one < 0 }

// Count returns the number of records.
func (p Postings) Count() int {
	if p.many != nil {
		return int(p.many.GetCardinality())
	}
	if p.one >= 0 {
		return 1
	}
	return 0
}

// And returns the intersection of two sets.
func (p Postings) And(q Postings) Postings {
	switch {
	case p.Empty() || q.Empty():
		return Nothing
	case p.many != nil && q.many != nil:
		return Postings{many: roaring.And(p.many, q.many), one: -1}
	case p.many != nil:
		return q.And(p)
	case q.many != nil && q.many.Contains(uint32(p.one)), q.many == nil && q.one == p.one:
		return p
	}
	return Nothing
}

// Or returns the union of two sets.
func (p Postings) Or(q Postings) Postings {
	if p.Empty() {
		return q
	}
	if q.Empty() {
		return p
	}
	m := roaring.New()
	for _, x := range []Postings{p, q} {
		if x.many != nil {
			m.Or(x.many)
		} else {
			m.Add(uint32(x.one))
		}
	}
	return Postings{many: m, one: -1}
}
