package file

import (
	"encoding/binary"
	"fmt"
)

// TextName says which text of a usage is meant.
type TextName int

// The texts of a usage. In Data.Names they stand behind each other, and before
// them where each of them ends: numbers of 16 bits that count from the first
// of these numbers on.
const (
	Name TextName = iota
	Author
	ID
	IPNI
	WFO
	Chinese
	NumTexts
)

const (
	endsSize = 2 * int(NumTexts)
	// maxText is the most bytes of one text, so that the ends fit 16 bits.
	maxText = (1<<16 - 1 - endsSize) / int(NumTexts)
)

// AppendUsageTexts appends the texts of a usage.
func AppendUsageTexts(dst []byte, texts [NumTexts]string) []byte {
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

// cutUsageText returns one of the texts that begin b.
func cutUsageText(b []byte, which TextName) string {
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
	for i := range int(NumTexts) {
		from := end
		if end = int(binary.LittleEndian.Uint16(b[2*i:])); end < from {
			return false
		}
	}
	return end == len(b)
}

// CheckTextSizes refuses texts that are too long for the file.
func CheckTextSizes(texts ...string) error {
	for _, s := range texts {
		if len(s) > maxText {
			return fmt.Errorf("%.40q… has %d bytes, more than %d", s, len(s), maxText)
		}
	}
	return nil
}

// AppendShared appends a text that rows share, behind its length.
func AppendShared(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// checkText checks that a whole shared text begins at n.
func (d *Data) checkText(n uint32) bool {
	if int64(n) >= int64(len(d.Shared)) {
		return false
	}
	b := d.Shared[n:]
	size, from := binary.Uvarint(b)
	return from > 0 && size <= uint64(len(b)-from)
}
