package store

import "bytes"

// The heads of formulas are what a [SimilarFormula] says of each: the detail of a formula
// has forty of them, and to find as many summaries takes longer than all the rest of it.
// They rest on a [shelf]: the JSON up to the likeness, a zero byte, and the JSON of the
// address, which is empty if it is that of the site's page.

// endOfHead is in no JSON.
const endOfHead = 0

// A head begins so, with the guid and a quote behind it.
const beginHead = `{"guid":"`

// formulaPages is the address of formulas' own pages in a [Template].
var formulaPages = string(byte(markSite)) + "/formulas/"

// head is what is said of a formula before and behind its likeness.
type head struct{ begin, address []byte }

// splitHead splits what rests of a head. It is not ok if the bytes are damaged.
func splitHead(text []byte) (out head, ok bool) {
	if !isHead(text) {
		return head{}, false
	}
	out.begin, out.address, ok = bytes.Cut(text, []byte{endOfHead})
	return out, ok
}

// isHead tells whether a text begins as a head does.
func isHead(text []byte) bool { return bytes.HasPrefix(text, []byte(beginHead)) }

// packHeads writes down the heads of formulas.
func packHeads(formulas []Formula) (shelf, error) {
	return newShelf(len(formulas), func(out []byte, i int) ([]byte, error) {
		f := &formulas[i]
		for k, text := range []string{f.GUID, f.Name, f.Dynasty, f.OriginalSource} {
			value, err := render(Text(text), 0)
			if err != nil {
				return nil, err
			}
			out = append(append(out, [...]string{`{"guid":`, `,"name":`, `,"dynasty":`, `,"originalSource":`}[k]...), value...)
		}
		out = append(out, endOfHead)
		if f.URL == "" {
			return out, nil
		}
		value, err := render(f.URL, 0)
		return append(out, value...), err
	})
}

// end appends what stands behind the likeness.
func (h *head) end(out []byte) []byte {
	out = append(out, `,"url":`...)
	if len(h.address) > 0 {
		return append(append(out, h.address...), '}')
	}
	guid, _, _ := bytes.Cut(h.begin[len(beginHead):], []byte{'"'})
	out = append(append(append(out, '"'), formulaPages...), guid...)
	return append(out, `"}`...)
}
