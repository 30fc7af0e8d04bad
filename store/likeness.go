package store

import (
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
	rest    []byte
	failed  bool
	room    *room // of its herbs and heads
	all     shelf // heads of all formulas
	touched byte  // a sum of bytes, which nobody needs: whoever adds them up has fetched them
}

// cacheLine is how many bytes a processor fetches at a time.
const cacheLine = 64

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
		return appendSteps(dst, k-1)
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

// appendSteps appends k of the [valueSteps] that one has, as strconv writes the quotient.
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

// heads finds the heads of the list that comes next. Each lies somewhere else, and a processor
// fetches many from memory at a time if it has nothing to do between.
func (l *likeness) heads(out [][]byte) [][]byte {
	ahead := *l
	for range ahead.count() {
		text, _ := l.all.text(Num(ahead.number()))
		out = append(out, text)
		if ahead.number() == 0 {
			ahead.take(8)
		}
		for range ahead.count() {
			ahead.number()
		}
	}
	for _, text := range out {
		for i := 0; i < len(text); i += cacheLine {
			l.touched += text[i]
		}
	}
	return out
}

// appendDetail renders the detail of a formula of the bytes that rest, behind dst: with its links,
// and the lists of similar formulas in the places that formulaDetail marks. It returns nil if the
// bytes are damaged.
func appendDetail(t *Tx, dst []byte, rest Template, n Num, site string, show Parts) []byte {
	links := shelvesOf(t)
	var l likeness
	for {
		at := firstMark(rest)
		dst = append(dst, rest[:at]...)
		if at == len(rest) {
			return dst
		}
		rest = rest[at:]
		size := 1
		switch mark := rest[0]; {
		case mark == markSite:
			dst = append(dst, site...)
		case isLink(mark):
			var link Template
			if link, size = links.at(rest); link == nil {
				return nil
			}
			dst = link.Append(dst, site, show)
		case mark == markSimilarity && show&Similarity != 0: // there is nothing in it
			if l.rest == nil {
				l = likenessOf(t, n)
			}
			if dst = l.list(dst, site, show); l.failed {
				return nil
			}
		case mark == markSimilarity, mark == markComposition && show&Composition == 0:
			dst, size = append(dst, "null"...), partEnd(rest)
		}
		rest = rest[size:]
	}
}

// likenessOf begins to read the lists of similar formulas of a formula.
func likenessOf(t *Tx, n Num) likeness {
	l := likeness{rest: t.record(formulaLikeness, n), room: t.needRoom(), all: t.get(formulaHeads, keyAll)}
	if l.rest == nil {
		l.rest = []byte{0, 0, 0} // no herbs, no lists
	}
	herbs := l.room.herbs[:0]
	for range l.count() {
		herbs = append(herbs, l.take(l.number()))
	}
	l.room.herbs = herbs
	return l
}

// list writes the list that comes next.
func (l *likeness) list(out []byte, site string, show Parts) []byte {
	heads := l.heads(l.room.heads[:0])
	l.room.heads = heads
	out = append(out, '[')
	for i := range l.count() {
		l.number() // its head is found
		h, ok := splitHead(heads[i])
		l.failed = l.failed || !ok
		if l.failed {
			return out
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = l.value(append(append(out, h.begin...), `,"value":`...))
		out = append(out, `,"sharedHerbs":`...)
		out = l.shared(out, l.room.herbs, show)
		out = h.end(out, site)
	}
	return append(out, ']')
}

// shared reads which herbs are shared, and writes their names if they are to be shown.
func (l *likeness) shared(out []byte, herbs [][]byte, show Parts) []byte {
	count := l.count()
	if show&Composition == 0 {
		for range count {
			l.number()
		}
		return append(out, "null"...)
	}
	out = append(out, '[')
	for k := range count {
		if k > 0 {
			out = append(out, ',')
		}
		if at := l.number(); at < uint64(len(herbs)) {
			out = append(out, herbs[at]...)
		}
	}
	return append(out, ']')
}
