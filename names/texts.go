package names

import (
	"encoding/binary"
	"unsafe"
)

// Texts stand in the file behind their lengths. Those that a reader returns
// lie in the mapped file: what outlives a match must be cloned.

// usageTexts are the texts of a usage, in the order in which they stand in
// secNames.
type usageTexts struct {
	name, author, id, ipni, wfo, chinese, hybridFormula string
}

const usageTextCount = 7

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// cutText takes the first text off b, which skipText has seen.
func cutText(b []byte) (text string, rest []byte) {
	n, from := uint64(b[0]), uint64(1)
	if n >= 0x80 {
		size := 0
		n, size = binary.Uvarint(b)
		from = uint64(size)
	}
	text = unsafe.String(unsafe.SliceData(b[from:from+n]), n)
	return text, b[from+n:]
}

// skipText returns what follows the first text of b, or false if none stands
// there whole.
func skipText(b []byte) ([]byte, bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, false
	}
	return b[size+int(n):], true
}

// text returns the shared text that begins at n.
func (ix *Index) text(n uint32) string {
	s, _ := cutText(ix.texts[n:])
	return s
}

// textsOf returns the texts of a usage.
func (ix *Index) textsOf(usage uint32) (t usageTexts) {
	b := ix.names[ix.usages[usage].Texts:ix.usages[usage+1].Texts]
	t.name, b = cutText(b)
	t.author, b = cutText(b)
	t.id, b = cutText(b)
	t.ipni, b = cutText(b)
	t.wfo, b = cutText(b)
	t.chinese, b = cutText(b)
	t.hybridFormula, _ = cutText(b)
	return t
}

// name returns the name of a usage.
func (ix *Index) name(usage uint32) string {
	s, _ := cutText(ix.names[ix.usages[usage].Texts:])
	return s
}

// author returns the author of a usage.
func (ix *Index) author(usage uint32) string {
	_, b := cutText(ix.names[ix.usages[usage].Texts:])
	s, _ := cutText(b)
	return s
}
