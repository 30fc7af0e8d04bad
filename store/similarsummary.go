package store

import (
	"bytes"
	"encoding/binary"
)

// The bucket of similar summaries holds, for each formula, the part of a [SimilarFormula] that is
// the same in all lists. The detail of a formula shows forty similar formulas; reading forty
// [FormulaSummary] answers would cost more than the rest of the detail. Each text of the
// [textArray] is:
//
//	before   a varint with its length, then the JSON up to the value
//	address  the JSON of the address of the operator's page; empty for a page of this site

// similarSummary is a [SimilarFormula] without its value and shared herbs.
type similarSummary struct{ before, address []byte }

// similarStart is the start of every summary; the GUID and a quote follow.
const similarStart = `{"guid":"`

// splitSimilarSummary splits the text of a summary. ok is false if the bytes are damaged.
func splitSimilarSummary(text []byte) (s similarSummary, ok bool) {
	n, size := binary.Uvarint(text)
	if size <= 0 || n > uint64(len(text)-size) || n < uint64(len(similarStart)) {
		return similarSummary{}, false
	}
	s = similarSummary{text[size : size+int(n)], text[size+int(n):]}
	return s, string(s.before[:len(similarStart)]) == similarStart
}

// appendAfter appends the JSON that follows the shared herbs.
func (s *similarSummary) appendAfter(out []byte, site string) []byte {
	out = append(out, `,"url":`...)
	if len(s.address) > 0 {
		return append(append(out, s.address...), '}')
	}
	guid, _, _ := bytes.Cut(s.before[len(similarStart):], []byte{'"'})
	out = append(append(append(out, '"'), site...), "/formulas/"...)
	return append(append(out, guid...), `"}`...)
}

// packSimilarSummaries returns the summaries of all formulas.
func packSimilarSummaries(formulas []Formula) (textArray, error) {
	var before []byte
	return newTextArray(len(formulas), func(out []byte, i int) ([]byte, error) {
		f := &formulas[i]
		before = before[:0]
		for k, text := range []string{f.GUID, string(f.Name), string(f.Dynasty), string(f.OriginalSource)} {
			value, err := render(Text(text), 0)
			if err != nil {
				return nil, err
			}
			before = append(append(before, [...]string{`{"guid":`, `,"name":`, `,"dynasty":`, `,"originalSource":`}[k]...), value...)
		}
		out = append(binary.AppendUvarint(out, uint64(len(before))), before...)
		if f.URL == "" {
			return out, nil
		}
		value, err := render(f.URL, 0)
		return append(out, value...), err
	})
}
