package index

import (
	"encoding/binary"
	"math"
	"strings"

	"bencao/mappings/internal/terms"
	"bencao/store"
)

// column holds the values of one row for all records.
type column struct {
	text string
	ends []uint32
}

// maxColumn is the maximum size of a column in bytes.
const maxColumn = math.MaxUint32

// of returns the values of a record.
func (c *column) of(n store.Num) string {
	if int(n) >= len(c.ends) {
		return ""
	}
	start := uint32(0)
	if n > 0 {
		start = c.ends[n-1]
	}
	return c.text[start:c.ends[n]]
}

// orderStep returns the stored value for a place in an order: the record number at this place minus
// the record number at the place before, as a varint.
func orderStep(order []uint32, place int) string {
	before := uint32(0)
	if place > 0 {
		before = order[place-1]
	}
	return string(binary.AppendVarint(nil, int64(order[place])-int64(before)))
}

// Order returns all record numbers in the sort order that a row stores. ok is false if the index is
// damaged.
func (ix *Index) Order(row int) (order []store.Num, ok bool) {
	order = make([]store.Num, ix.Len())
	at := int64(0)
	for place := range order {
		step, size := binary.Varint([]byte(ix.columns[row].of(store.Num(place))))
		if at += step; size <= 0 || at < 0 || at >= int64(len(order)) {
			return nil, false
		}
		order[place] = store.Num(at)
	}
	return order, true
}

// Values returns the values of a record in a row, with [terms.Separator] between them.
func (ix *Index) Values(row int, n store.Num) string { return ix.columns[row].of(n) }

// Any reports whether ok returns true for some value of a record in a row.
func (ix *Index) Any(row int, n store.Num, ok func(value string) bool) bool {
	for v := range strings.SplitSeq(ix.columns[row].of(n), terms.Separator) {
		if v != "" && ok(v) {
			return true
		}
	}
	return false
}
