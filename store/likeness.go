package store

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// Lists of similar formulas rest as numbers, and are rendered when they are asked
// for: rendered ones would be most of the store. All numbers are varints.
//
//	herbs    how many, then the JSON of each name with its length before it
//	lists    the Euclidean, then the Jaccard: how many, then of each formula its
//	         number, its value, and how many herbs are shared with the place of
//	         each in herbs
//
// A value is its ten thousands plus 1, or 0 and the eight bytes of the number.

const valueSteps = 1e4

// likeness reads what packLikeness made. What is damaged reads as nothing.
type likeness struct {
	rest   []byte
	failed bool
}

func (l *likeness) number() uint64 {
	n, size := binary.Uvarint(l.rest)
	if size <= 0 {
		l.rest, l.failed = nil, true
		return 0
	}
	l.rest = l.rest[size:]
	return n
}

func (l *likeness) take(n uint64) []byte {
	if n > uint64(len(l.rest)) {
		l.rest, l.failed = nil, true
		return nil
	}
	out := l.rest[:n]
	l.rest = l.rest[n:]
	return out
}

// count reads how many there are of what takes a byte each at least.
func (l *likeness) count() int {
	n := l.number()
	if n > uint64(len(l.rest)) {
		l.rest, l.failed = nil, true
		return 0
	}
	return int(n)
}

// value reads a value and writes it as JSON.
func (l *likeness) value(dst []byte) []byte {
	if k := l.number(); k > 0 {
		return strconv.AppendFloat(dst, float64(k-1)/valueSteps, 'f', -1, 64)
	}
	b := l.take(8)
	if b == nil {
		return dst
	}
	text, err := encode(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	if err != nil {
		l.failed = true // no number that JSON has
	}
	return append(dst, text...)
}

// withLikeness fills the lists of similar formulas into a detail, in the places
// that formulaDetail marks. It returns nil if they are damaged.
func (t *Tx) withLikeness(detail Template, n Num) Template {
	if !bytes.Contains(detail, []byte{markSimilarity, endSimilarity}) {
		return detail // withheld: null for everybody
	}
	l := &likeness{rest: t.record(formulaLikeness, n)}
	if l.rest == nil {
		l.rest = []byte{0, 0, 0} // no herbs, no lists
	}
	room := t.needRoom()
	herbs := room.herbs[:0]
	for range l.count() {
		herbs = append(herbs, l.take(l.number()))
	}
	room.herbs = herbs
	all := shelf(t.get(formulaHeads, keyAll))
	before := len(room.rendered)
	out := room.rendered
	for range 2 {
		head, tail, _ := bytes.Cut(detail, []byte{markSimilarity, endSimilarity})
		out = append(append(out, head...), markSimilarity)
		out = append(similarList(out, all, l, herbs), endSimilarity)
		detail = tail
	}
	out = append(out, detail...)
	room.rendered = out
	if l.failed {
		return nil
	}
	return out[before:len(out):len(out)]
}

func similarList(out []byte, all shelf, l *likeness, herbs [][]byte) []byte {
	out = append(out, '[')
	for i := range l.count() {
		if i > 0 {
			out = append(out, ',')
		}
		h, ok := headOf(all, Num(l.number()))
		if !ok {
			l.failed = true
			return out
		}
		out = l.value(append(h.begin(out), `,"value":`...))
		out = append(out, `,"sharedHerbs":`...)
		out = append(out, markComposition, '[')
		for k := range l.count() {
			if k > 0 {
				out = append(out, ',')
			}
			if at := l.number(); at < uint64(len(herbs)) {
				out = append(out, herbs[at]...)
			}
		}
		out = h.end(append(out, ']', endComposition), formulaPages)
	}
	return append(out, ']')
}

// formulaPages is the address of formulas' own pages in a [Template].
var formulaPages = string(byte(markSite)) + "/formulas/"
