package file

import "encoding/binary"

// AppendShared appends a shared text, preceded by its length.
func AppendShared(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// Word returns the rank or family with the number n.
func (d *Data) Word(n uint16) string { return d.SharedText(d.Words[n]) }

// SharedText returns the shared text at position n.
func (d *Data) SharedText(n uint32) string {
	b := d.Shared[n:]
	size, from := binary.Uvarint(b)
	return asString(b[from:][:size])
}
