package names

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// Texts that a reader returns lie in the mapped file: what outlives a match
// must be cloned.

// The texts of a usage. In secNames they stand behind each other, and before
// them where each of them ends: numbers of 16 bits that count from the first
// of these numbers on.
const (
	textName = iota
	textAuthor
	textID
	textIPNI
	textWFO
	textChinese
	usageTexts
)

const (
	endsSize = 2 * usageTexts
	// maxText is the most bytes of one text, so that the ends fit 16 bits.
	maxText = (1<<16 - 1 - endsSize) / usageTexts
)

// appendUsageTexts appends the texts of a usage.
func appendUsageTexts(dst []byte, texts [usageTexts]string) []byte {
	end := endsSize
	for _, s := range texts {
		end += len(s)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(end))
	}
	for _, s := range texts {
		dst = append(dst, s...)
	}
	return dst
}

// usageText returns one of the texts of a usage.
func (ix *Index) usageText(usage uint32, which int) string {
	return cutUsageText(ix.names[ix.usages[usage].Texts:], which)
}

// name returns the name of a usage.
func (ix *Index) name(usage uint32) string { return ix.usageText(usage, textName) }

func cutUsageText(b []byte, which int) string {
	from := endsSize
	if which > 0 {
		from = int(binary.LittleEndian.Uint16(b[2*which-2:]))
	}
	return asString(b[from:binary.LittleEndian.Uint16(b[2*which:])])
}

// checkUsageTexts checks that b is the texts of a usage and no more.
func checkUsageTexts(b []byte) bool {
	if len(b) < endsSize {
		return false
	}
	end := endsSize
	for i := range usageTexts {
		from := end
		if end = int(binary.LittleEndian.Uint16(b[2*i:])); end < from {
			return false
		}
	}
	return end == len(b)
}

// checkTextSizes refuses texts that are too long for the file.
func checkTextSizes(texts ...string) error {
	for _, s := range texts {
		if len(s) > maxText {
			return fmt.Errorf("%.40q… has %d bytes, more than %d", s, len(s), maxText)
		}
	}
	return nil
}

// appendText appends a text that rows share, behind its length.
func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// text returns the shared text that begins at n.
func (ix *Index) text(n uint32) string {
	b := ix.texts[n:]
	size, from := binary.Uvarint(b)
	return asString(b[from:][:size])
}

// checkText checks that a whole shared text begins at n.
func (ix *Index) checkText(n uint32) bool {
	if int64(n) >= int64(len(ix.texts)) {
		return false
	}
	b := ix.texts[n:]
	size, from := binary.Uvarint(b)
	return from > 0 && size <= uint64(len(b)-from)
}

func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
