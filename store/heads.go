package store

import (
	"bytes"
	"encoding/binary"
)

// heads are what a [SimilarFormula] says of each formula, one behind the other: the
// detail of a formula has forty of them, and to find as many summaries takes longer
// than all the rest of it.
//
//	where each head begins and, behind these, where the last ends: four bytes each,
//	little-endian
//	heads: guid, name, dynasty and source as JSON with a zero byte behind each, then
//	the address, which is empty if it is that of the site's page
type heads []byte

// endOfValue is in no JSON.
const endOfValue = 0

// headFields are what stands before the values of a head.
var headFields = [...]string{`{"guid":`, `,"name":`, `,"dynasty":`, `,"originalSource":`}

// head is what is said of a formula before and behind its likeness.
type head struct {
	values  [len(headFields)][]byte
	address []byte
}

// of returns the head of a formula. It is not ok if the bytes are damaged.
func (h heads) of(n Num) (out head, ok bool) {
	at := 4 * int(n)
	if at+8 > len(h) {
		return head{}, false
	}
	from, to := binary.LittleEndian.Uint32(h[at:]), binary.LittleEndian.Uint32(h[at+4:])
	if from > to || int64(to) > int64(len(h)) {
		return head{}, false
	}
	rest := h[from:to]
	for i := range out.values {
		end := bytes.IndexByte(rest, endOfValue)
		if end < len(`""`) {
			return head{}, false
		}
		out.values[i], rest = rest[:end], rest[end+1:]
	}
	out.address = rest
	return out, true
}

// begin appends what stands before the likeness.
func (h *head) begin(out []byte) []byte {
	for i, field := range headFields {
		out = append(append(out, field...), h.values[i]...)
	}
	return out
}

// end appends what stands behind it. Pages is the address of formulas' own pages.
func (h *head) end(out []byte, pages string) []byte {
	out = append(out, `,"url":`...)
	if len(h.address) > 0 {
		return append(append(out, h.address...), '}')
	}
	out = append(append(out, '"'), pages...)
	return append(append(out, h.values[0][1:]...), '}')
}
