package store

import (
	"encoding/binary"
	"slices"
	"sort"
)

// leaves lead from the number of a record to the page that its value is on, in a list that
// stays in the processor's caches; bbolt searches a page on each level of its tree, most of
// which are gone from there when the next number is asked for. They are made when the pages
// are checked.
type leaves struct {
	first []Num    // the first number on each leaf, ascending
	pages []uint32 // the leaves' pages
	unfit bool     // other keys are in the bucket, or buckets, or nothing, or it has no page of its own
}

// add takes up a leaf, whose elements have been checked.
func (l *leaves) add(n uint64, page []byte) {
	count := int(binary.LittleEndian.Uint16(page[10:]))
	for i := range count {
		if key, _ := element(page, i); len(key) != 4 {
			l.unfit = true
			return
		}
	}
	if count == 0 || n > 1<<32-1 {
		l.unfit = true // an empty bucket
		return
	}
	key, _ := element(page, 0)
	l.first, l.pages = append(l.first, binary.BigEndian.Uint32(key)), append(l.pages, uint32(n))
}

// value returns the value of a number, nil if there is none.
func (l *leaves) value(file []byte, pageSize int, n Num) []byte {
	at, ok := slices.BinarySearch(l.first, n)
	if !ok {
		if at == 0 {
			return nil
		}
		at--
	}
	page := file[int(l.pages[at])*pageSize:]
	count := int(binary.LittleEndian.Uint16(page[10:]))
	if i := int(n - l.first[at]); i < count { // its place if no number before it is left out
		if key, value := element(page, i); binary.BigEndian.Uint32(key) == n {
			return value
		}
	}
	i := sort.Search(count, func(i int) bool {
		key, _ := element(page, i)
		return binary.BigEndian.Uint32(key) >= n
	})
	if i < count {
		if key, value := element(page, i); binary.BigEndian.Uint32(key) == n {
			return value
		}
	}
	return nil
}

// element returns the key and the value of an element of a leaf, which may go on behind
// its first page.
func element(page []byte, i int) (key, value []byte) {
	e := page[pageHead+i*elementSize:]
	from := int(binary.LittleEndian.Uint32(e[4:]))
	middle := from + int(binary.LittleEndian.Uint32(e[8:]))
	end := middle + int(binary.LittleEndian.Uint32(e[12:]))
	return e[from:middle:middle], e[middle:end:end]
}
