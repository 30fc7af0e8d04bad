package file

import (
	"fmt"
	"slices"
)

// TableName says which table of the file is meant. Each maps the hash of a
// text to the numbers of the rows that may have it; who looks a text up
// compares the texts.
type TableName int

// The tables of the names file.
const (
	ByOrtho      TableName = iota // orthographic key → key
	ByRest                        // what follows the genus → key
	ByRestOrtho                   // the same, orthographic → key
	ByGenus                       // genus → genus
	ByGenusOrtho                  // orthographic genus → genus
	ByGenusLess                   // genus with up to two letters left out → genus
	ByIdentifier                  // identifier → usage
	ByLabel                       // Chinese name or pinyin → label
	Epithets                      // epithet → 1, or 2 if several genera have it; known by its hash alone
	NumTables
)

// tableEntry is a value with the upper half of its hash.
type tableEntry struct {
	Tag, Value uint32
}

// Table is a hash table that may hold several values for a hash. It is laid
// out as a compressed sparse row
// (https://en.wikipedia.org/wiki/Sparse_matrix#Compressed_sparse_row_(CSR,_CRS_or_Yale_format)):
// the entries of bucket b are those from buckets[b] to buckets[b+1].
type Table struct {
	buckets []uint32
	entries []tableEntry
}

// bucket returns the entries among which those of hash h are.
func (t Table) bucket(h uint64) []tableEntry {
	b := h & uint64(len(t.buckets)-2)
	return t.entries[t.buckets[b]:t.buckets[b+1]]
}

// has says whether some value was entered for h.
func (t Table) has(h uint64) bool {
	for _, e := range t.bucket(h) {
		if e.Tag == uint32(h>>32) {
			return true
		}
	}
	return false
}

// check checks a table whose values must be less than limit.
func (t Table) check(limit int) error {
	if n := len(t.buckets) - 1; n < 1 || n&(n-1) != 0 {
		return fmt.Errorf("%w: a table has %d buckets; build it again", ErrDamaged, n)
	}
	if err := checkOffsets(len(t.buckets), func(i int) uint32 { return t.buckets[i] }, len(t.entries)); err != nil {
		return err
	}
	for _, e := range t.entries {
		if int(e.Value) >= limit {
			return fmt.Errorf("%w: a table points to row %d of %d; build it again", ErrDamaged, e.Value, limit)
		}
	}
	return nil
}

// checkOffsets checks that n offsets rise from 0 to end.
func checkOffsets(n int, at func(int) uint32, end int) error {
	if n == 0 || at(0) != 0 || int64(at(n-1)) != int64(end) {
		return fmt.Errorf("%w: offsets do not span their section; build it again", ErrDamaged)
	}
	for i := 1; i < n; i++ {
		if at(i) < at(i-1) {
			return fmt.Errorf("%w: offsets do not rise; build it again", ErrDamaged)
		}
	}
	return nil
}

// TableBuilder collects the entries of a table.
type TableBuilder struct {
	hashes []uint64
	values []uint32
}

// Add enters a value under a hash.
func (b *TableBuilder) Add(h uint64, value uint32) {
	b.hashes = append(b.hashes, h)
	b.values = append(b.values, value)
}

// Build returns the table; entries of a bucket are in the order in which they
// were added.
func (b *TableBuilder) Build() Table {
	n := 1
	for n < len(b.hashes) {
		n *= 2
	}
	t := Table{make([]uint32, n+1), make([]tableEntry, len(b.hashes))}
	for _, h := range b.hashes {
		t.buckets[h&uint64(n-1)+1]++
	}
	for i := 1; i <= n; i++ {
		t.buckets[i] += t.buckets[i-1]
	}
	next := slices.Clone(t.buckets)
	for i, h := range b.hashes {
		k := h & uint64(n-1)
		t.entries[next[k]] = tableEntry{uint32(h >> 32), b.values[i]}
		next[k]++
	}
	return t
}
