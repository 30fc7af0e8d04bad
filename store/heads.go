package store

import (
	"bytes"
	"encoding/binary"
)

// The heads of formulas are what a [SimilarFormula] says of each: the detail of a formula
// has forty of them, and to find as many summaries takes longer than all the rest of it.
// They rest on a [shelf]:
//
//	begin    the JSON up to the likeness, with its length before it, a varint
//	address  the JSON of the address, empty if it is that of the site's page

// A head begins so, with the guid and a quote behind it.
const beginHead = `{"guid":"`

// head is what is said of a formula before and behind its likeness.
type head struct{ begin, address []byte }

// splitHead splits what rests of a head. It is not ok if the bytes are damaged.
func splitHead(text []byte) (out head, ok bool) {
	n, size := binary.Uvarint(text)
	if size <= 0 || n > uint64(len(text)-size) || n < uint64(len(beginHead)) {
		return head{}, false
	}
	out = head{text[size : size+int(n)], text[size+int(n):]}
	return out, string(out.begin[:len(beginHead)]) == beginHead
}

// packHeads writes down the heads of formulas.
func packHeads(formulas []Formula) (shelf, error) {
	var begin []byte
	return newShelf(len(formulas), func(out []byte, i int) ([]byte, error) {
		f := &formulas[i]
		begin = begin[:0]
		for k, text := range []string{f.GUID, f.Name, f.Dynasty, f.OriginalSource} {
			value, err := render(Text(text), 0)
			if err != nil {
				return nil, err
			}
			begin = append(append(begin, [...]string{`{"guid":`, `,"name":`, `,"dynasty":`, `,"originalSource":`}[k]...), value...)
		}
		out = append(binary.AppendUvarint(out, uint64(len(begin))), begin...)
		if f.URL == "" {
			return out, nil
		}
		value, err := render(f.URL, 0)
		return append(out, value...), err
	})
}

// end appends what stands behind the likeness.
func (h *head) end(out []byte, site string) []byte {
	out = append(out, `,"url":`...)
	if len(h.address) > 0 {
		return append(append(out, h.address...), '}')
	}
	guid, _, _ := bytes.Cut(h.begin[len(beginHead):], []byte{'"'})
	out = append(append(append(out, '"'), site...), "/formulas/"...)
	return append(append(out, guid...), `"}`...)
}
