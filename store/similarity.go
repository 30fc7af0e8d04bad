package store

import (
	"encoding/binary"
	"math"
	"strconv"

	"bencao/internal/varint"
)

// Lists of similar formulas are stored as numbers and rendered on request. As JSON they would take
// three quarters of the store. packSimilar writes the following form and similarReader reads it.
// All numbers are varints:
//
//	herbs    their count, then the length and the JSON of each name
//	lists    the Euclidean, then the Jaccard list: the number of formulas, then
//	         for each formula its record number, its value, the number of
//	         shared herbs, and the index of each shared herb in herbs
//
// A value that is a multiple of 1/10,000 is stored as this multiple plus 1. Any other value is
// stored as 0 and the eight bytes of the float64.

// valueSteps is the number of steps per unit.
const valueSteps = 1e4

// packSimilar returns the stored form of a formula's similar formulas. Shared herbs are the plain
// names that both formulas have, in f's order.
func (d *Data) packSimilar(f *Formula) (Template, error) {
	own := f.plainHerbs()
	index := make([]int, len(own)) // 1 plus the index in herbs of each name of own, or 0 if herbs lacks the name
	written := 0
	var herbs, lists, shared []byte
	for _, list := range [][]Similar{f.SimilarEuclidean, f.SimilarJaccard} {
		lists = binary.AppendUvarint(lists, uint64(len(list)))
		for _, s := range list {
			lists = binary.AppendUvarint(lists, uint64(s.Formula))
			lists = appendValue(lists, s.Value)
			other := &d.Formulas[s.Formula]
			count := uint64(0)
			shared = shared[:0]
			for i, h := range own {
				if !other.hasHerb(h) {
					continue
				}
				if index[i] == 0 {
					name, err := render(h, 0)
					if err != nil {
						return nil, err
					}
					written++
					index[i] = written
					herbs = append(binary.AppendUvarint(herbs, uint64(len(name))), name...)
				}
				count++
				shared = binary.AppendUvarint(shared, uint64(index[i]-1))
			}
			lists = append(binary.AppendUvarint(lists, count), shared...)
		}
	}
	return append(append(binary.AppendUvarint(nil, uint64(written)), herbs...), lists...), nil
}

// appendValue appends the stored form of a value.
func appendValue(dst []byte, v float64) []byte {
	if k := math.Round(v * valueSteps); k >= 0 && k < 1<<32 && k/valueSteps == v && !math.Signbit(v) {
		return binary.AppendUvarint(dst, uint64(k)+1)
	}
	return binary.LittleEndian.AppendUint64(append(dst, 0), math.Float64bits(v))
}

// similarReader reads the bytes that packSimilar returned.
type similarReader struct {
	varint.Reader
	herbs     [][]byte  // JSON of the names of shared herbs
	summaries textArray // see similarsummary.go
}

// newSimilarReader returns a reader of the similar formulas of formula n. The reader has already
// read the herbs.
func newSimilarReader(t *Tx, n Num) similarReader {
	r := similarReader{Reader: varint.Reader{Rest: t.record(formulaSimilar, n)}, summaries: t.get(similarSummaries, keyAll)}
	if r.Rest == nil {
		r.Rest = []byte{0, 0, 0} // no herbs and two empty lists
	}
	buffers := t.buffers()
	r.herbs = buffers.herbs[:0]
	for range r.Count() {
		r.herbs = append(r.herbs, r.Take(r.Number()))
	}
	buffers.herbs = r.herbs
	return r
}

// appendValue reads a value and appends it as JSON.
func (r *similarReader) appendValue(dst []byte) []byte {
	if k := r.Number(); k > 0 {
		return appendSteps(dst, k-1)
	}
	b := r.Take(8)
	if b == nil {
		return dst
	}
	text, err := encode(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	if err != nil {
		r.Failed = true // NaN or an infinity, which JSON cannot express
	}
	return append(dst, text...)
}

// appendSteps appends k/[valueSteps] as strconv.FormatFloat would, but faster.
func appendSteps(dst []byte, k uint64) []byte {
	dst = strconv.AppendUint(dst, k/valueSteps, 10)
	rest := k % valueSteps
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	for step := uint64(valueSteps / 10); rest > 0; step /= 10 {
		dst = append(dst, '0'+byte(rest/step))
		rest %= step
	}
	return dst
}

// appendList reads the next list and appends it as JSON.
func (r *similarReader) appendList(out []byte, site string, show Parts) []byte {
	out = append(out, '[')
	for i := range r.Count() {
		text, _ := r.summaries.text(Num(r.Number()))
		s, ok := splitSimilarSummary(text)
		if r.Failed = r.Failed || !ok; r.Failed {
			return out
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = r.appendValue(append(append(out, s.before...), `,"value":`...))
		out = r.appendShared(append(out, `,"sharedHerbs":`...), show)
		out = s.appendAfter(out, site)
	}
	return append(out, ']')
}

// appendShared reads the shared herbs of a formula and appends their names, or
// null without [Composition].
func (r *similarReader) appendShared(out []byte, show Parts) []byte {
	count := r.Count()
	if show&Composition == 0 {
		for range count {
			r.Number()
		}
		return append(out, "null"...)
	}
	out = append(out, '[')
	for k := range count {
		if k > 0 {
			out = append(out, ',')
		}
		if at := r.Number(); at < uint64(len(r.herbs)) {
			out = append(out, r.herbs[at]...)
		}
	}
	return append(out, ']')
}
