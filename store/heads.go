package store

import "bytes"

// The heads of formulas are what a [SimilarFormula] says of each: the detail of a formula
// has forty of them, and to find as many summaries takes longer than all the rest of it.
// They rest on a [shelf]: guid, name, dynasty and source as JSON with a zero byte behind
// each, then the address, which is empty if it is that of the site's page.

// endOfValue is in no JSON.
const endOfValue = 0

// headFields are what stands before the values of a head.
var headFields = [...]string{`{"guid":`, `,"name":`, `,"dynasty":`, `,"originalSource":`}

// head is what is said of a formula before and behind its likeness.
type head struct {
	values  [len(headFields)][]byte
	address []byte
}

// headOf returns the head of a formula. It is not ok if the bytes are damaged.
func headOf(all shelf, n Num) (out head, ok bool) {
	rest, ok := all.text(n)
	if !ok {
		return head{}, false
	}
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

// packHeads writes down the heads of formulas.
func packHeads(formulas []Formula) (shelf, error) {
	return newShelf(len(formulas), func(out []byte, i int) ([]byte, error) {
		f := &formulas[i]
		for _, text := range [len(headFields)]string{f.GUID, f.Name, f.Dynasty, f.OriginalSource} {
			value, err := render(Text(text), 0)
			if err != nil {
				return nil, err
			}
			out = append(append(out, value...), endOfValue)
		}
		if f.URL == "" {
			return out, nil
		}
		value, err := render(f.URL, 0)
		return append(out, value...), err
	})
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
