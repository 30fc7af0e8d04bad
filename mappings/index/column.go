package index

import (
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
	byName := make(map[string]int)
	for i, r := range ix.Rows {
		if terms.Keeps(r.Analyzer) {
			byName[r.Name+keptSuffix] = i
		}
	}
	if len(byName) == 0 || ix.Len() == 0 {
		return nil
	}
	texts := make([]strings.Builder, len(ix.Rows))
	for doc := range ix.Len() {
		err := ix.segment.VisitDocument(uint64(doc), func(field string, _ byte, value []byte, _ []uint64) bool {
			if i, ok := byName[field]; ok {
				texts[i].Write(value)
			}
			return true
		})
		if err != nil {
			return fmt.Errorf("read document %d: %w", doc, err)
		}
		for _, i := range byName {
			ix.columns[i].ends = append(ix.columns[i].ends, uint32(texts[i].Len()))
		}
	}
	for _, i := range byName {
		ix.columns[i].text = texts[i].String()
	}
	return nil
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
