package file

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// TableName identifies a table of the file. A table maps the hash of a text to the rows that may
// have this text. The caller compares the texts.
type TableName int

// The tables of the names file.
const (
	ByRestOrtho  TableName = iota // orthographic key of the part after the genus → key
	ByGenus                       // genus → genus
	ByGenusOrtho                  // orthographic genus → genus
	ByGenusLess                   // genus with up to two letters left out → genus
	ByIdentifier                  // identifier → usage
	ByLabel                       // Chinese name or pinyin → label
	Epithets                      // epithet → 0; the table only tells which epithets exist
	NumTables
)

// perBucket is the average number of entries in the bucket of a table.
const perBucket = 4

// Table is a hash table that can hold several values for a hash. It is laid out as a compressed
// sparse row
// (https://en.wikipedia.org/wiki/Sparse_matrix#Compressed_sparse_row_(CSR,_CRS_or_Yale_format)):
// the entries of bucket b are entries[buckets[b]:buckets[b+1]], sorted by value. An entry is a
// 32-bit number. Its low bits are the value. Its other bits, the tag, are copied from the hash.
// Different hashes can have equal tags, so callers compare the texts.
type Table struct {
	buckets []uint32
	entries []uint32
	tags    uint32 // mask of the bits of an entry that are the tag
}

// tagsFor returns the mask of the bits that values below limit leave for the tag.
func tagsFor(limit int) uint32 { return ^uint32(0) << bits.Len(uint(max(limit, 1)-1)) }

// place returns the bucket of a hash.
func (t *Table) place(h uint64) int { return int(h >> 32 * uint64(len(t.buckets)-1) >> 32) }

// bucket returns the entries of the bucket of hash h.
func (t *Table) bucket(h uint64) []uint32 {
	b := t.place(h)
	return t.entries[t.buckets[b]:t.buckets[b+1]]
}

// has reports whether the table probably has a value for hash h.
func (t *Table) has(h uint64) bool {
	for _, e := range t.bucket(h) {
		if (e^uint32(h))&t.tags == 0 {
			return true
		}
	}
	return false
}

// values yields the values in [from, to) that may belong to hash h. It returns false if yield
// returned false.
func (t *Table) values(h uint64, from, to uint32, yield func(uint32) bool) bool {
	bucket := t.bucket(h)
	if from > 0 {
		i, _ := slices.BinarySearchFunc(bucket, from, func(e, v uint32) int { return cmp.Compare(e&^t.tags, v) })
		bucket = bucket[i:]
	}
	for _, e := range bucket {
		value := e &^ t.tags
		if value >= to {
			break
		}
		if (e^uint32(h))&t.tags == 0 && !yield(value) {
			return false
		}
	}
	return true
}

// check validates the table. All values must be less than limit.
func (t *Table) check(limit int) error {
	if len(t.buckets) < 2 {
		return fmt.Errorf("%w: a table has no buckets; build it again", ErrDamaged)
	}
	if err := checkOffsets(len(t.buckets), func(i int) uint32 { return t.buckets[i] }, len(t.entries)); err != nil {
		return err
	}
	for _, e := range t.entries {
		if v := e &^ t.tags; int64(v) >= int64(limit) {
			return fmt.Errorf("%w: a table points to row %d of %d; build it again", ErrDamaged, v, limit)
		}
	}
	return nil
}

// TableBuilder collects the entries of a table.
type TableBuilder struct {
	hashes []uint64
	values []uint32
}

// Add adds a value for a hash. Each value must be at least as large as the one before.
func (b *TableBuilder) Add(h uint64, value uint32) {
	b.hashes = append(b.hashes, h)
	b.values = append(b.values, value)
}

// build returns the table. All values must be less than limit.
func (b *TableBuilder) build(limit int) Table {
	n := steadySize(max(1, len(b.hashes)/perBucket))
	t := Table{make([]uint32, n+1), make([]uint32, len(b.hashes)), tagsFor(limit)}
	for _, h := range b.hashes {
		t.buckets[t.place(h)+1]++
	}
	for i := 1; i <= n; i++ {
		t.buckets[i] += t.buckets[i-1]
	}
	next := slices.Clone(t.buckets)
	for i, h := range b.hashes {
		k := t.place(h)
		t.entries[next[k]] = uint32(h)&t.tags | b.values[i]
		next[k]++
	}
	return t
}
