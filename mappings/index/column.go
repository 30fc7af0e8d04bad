package index

import (
	"encoding/binary"
	"fmt"
	"strings"

	"bencao/mappings/internal/terms"
	"bencao/store"
)

// column holds the values of one row, by record.
type column struct {
	text string
	ends []uint32
}

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

// loadColumns reads the kept values.
func (ix *Index) loadColumns() error {
	ix.columns = make([]column, len(ix.Rows))
	var kept []int
	for i, r := range ix.Rows {
		if terms.Keeps(r.Analyzer) {
			kept = append(kept, i)
			ix.columns[i].ends = make([]uint32, 0, ix.Len())
		}
	}
	if len(kept) == 0 || ix.Len() == 0 {
		return nil
	}
	texts := make([]strings.Builder, len(ix.Rows))
	var stored []byte
	for doc := range ix.Len() {
		stored = stored[:0]
		err := ix.segment.VisitDocument(uint64(doc), func(field string, _ byte, value []byte, _ []uint64) bool {
			if field == valuesField {
				stored = append(stored, value...) // which is the next reader's when this returns
			}
			return field != valuesField
		})
		if err != nil {
			return fmt.Errorf("read document %d: %w", doc, err)
		}
		values := stored
		for _, i := range kept {
			length, size := binary.Uvarint(values)
			if size <= 0 || length > uint64(len(values)-size) {
				return fmt.Errorf("document %d lacks its values; the index is damaged, build it anew", doc)
			}
			texts[i].Write(values[size : size+int(length)])
			values = values[size+int(length):]
			ix.columns[i].ends = append(ix.columns[i].ends, uint32(texts[i].Len()))
		}
	}
	for _, i := range kept {
		ix.columns[i].text = texts[i].String()
	}
	return nil
}

// Place returns a record's place in the order that a row holds. It is not ok if the
// index is damaged.
func (ix *Index) Place(row int, n store.Num) (place uint32, ok bool) {
	value := ix.columns[row].of(n)
	if len(value) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32([]byte(value)), true
}

// Values returns the values of a row of a record, with
// [terms.Separator] between them.
func (ix *Index) Values(row int, n store.Num) string { return ix.columns[row].of(n) }

// Any says whether ok holds for a value of a row of a record.
func (ix *Index) Any(row int, n store.Num, ok func(value string) bool) bool {
	for v := range strings.SplitSeq(ix.columns[row].of(n), terms.Separator) {
		if v != "" && ok(v) {
			return true
		}
	}
	return false
}
