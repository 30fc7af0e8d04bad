// Package varint reads stored lists of unsigned varints and byte strings. Each byte string has its
// length before it. The package does not know what the values mean. Begin with [Reader].
package varint

import "encoding/binary"

// Reader reads from Rest. If the bytes are damaged, it sets Failed and returns only zero values
// from then on.
type Reader struct {
	Rest   []byte // bytes that are not read yet
	Failed bool
}

// Number reads a varint.
func (r *Reader) Number() uint64 {
	n, size := binary.Uvarint(r.Rest)
	if size <= 0 {
		r.Rest, r.Failed = nil, true
		return 0
	}
	r.Rest = r.Rest[size:]
	return n
}

// Take reads n bytes. It returns nil if fewer than n bytes are left.
func (r *Reader) Take(n uint64) []byte {
	if n > uint64(len(r.Rest)) {
		r.Rest, r.Failed = nil, true
		return nil
	}
	out := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return out
}

// Count reads the number of items that follow. Each item takes at least one byte. So if the number
// exceeds the number of bytes left, the data are damaged.
func (r *Reader) Count() int {
	n := r.Number()
	if n > uint64(len(r.Rest)) {
		r.Rest, r.Failed = nil, true
		return 0
	}
	return int(n)
}
