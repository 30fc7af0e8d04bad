package file

import (
	"encoding/binary"
	"fmt"
)

// Texts are the texts of a usage.
type Texts struct{ Name, Author, Chinese, ID, IPNI, WFO string }

func (t *Texts) all() [numTexts]string {
	return [numTexts]string{t.Name, t.Author, t.Chinese, t.ID, t.IPNI, t.WFO}
}

// TextName says which text of a usage is meant.
type TextName int

// The texts of a usage that stand in the file as they are.
const (
	Name TextName = iota
	Author
	Chinese
)

// IDName says which identifier of a usage is meant.
type IDName int

// The identifiers of a usage, which are packed, see packed.go.
const (
	ID IDName = iota + IDName(Chinese) + 1
	IPNI
	WFO
	numTexts = iota + int(Chinese) + 1
)

// In Data.Names stands for each usage a head of a byte for each text, and then
// the texts behind each other. The byte is the text's size, with a bit for a
// packed one, or says that the text is the same as that of the usage before,
// which has the same key. Long texts are seldom: they make a long head, a mark
// and the sizes as numbers of 16 bits, of texts that are all there and as they
// are.
const (
	headSize     = numTexts
	longHeadSize = 1 + 2*numTexts

	sizeBits  = 1<<7 - 1
	sameText  = sizeBits // in place of a size
	packedBit = 1 << 7
	longHead  = packedBit | sameText // in place of the first byte
	// maxText is the most bytes of one text, so that sizes fit 16 bits.
	maxText = 10_000
)

// AppendTexts appends the texts of a usage, behind those of another one of its
// key, or of none.
func AppendTexts(dst []byte, texts Texts, before *Texts) []byte {
	var other [numTexts]string
	if before != nil {
		other = before.all()
	}
	all := texts.all()
	head := len(dst)
	dst = append(dst, make([]byte, headSize)...)
	for i, s := range all {
		if s != "" && s == other[i] {
			dst[head+i] = sameText
			continue
		}
		from, packed := len(dst), byte(0)
		if i >= int(ID) {
			dst, packed = appendPacked(dst, s)
		} else {
			dst = append(dst, s...)
		}
		size := len(dst) - from
		if size >= sameText {
			return appendLong(dst[:head], all)
		}
		dst[head+i] = byte(size) | packed
	}
	return dst
}

// appendLong appends texts behind a long head.
func appendLong(dst []byte, all [numTexts]string) []byte {
	dst = append(dst, longHead)
	for _, s := range all {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(len(s)))
	}
	for _, s := range all {
		dst = append(dst, s...)
	}
	return dst
}

// sizeOf is the size that a byte of a head gives.
func sizeOf(c byte) int {
	if c&sizeBits == sameText {
		return 0
	}
	return int(c & sizeBits)
}

// cutLong returns text i behind the long head that begins b.
func cutLong(b []byte, i int) []byte {
	from, size := longHeadSize, 0
	for j := range i + 1 {
		from += size
		size = int(binary.LittleEndian.Uint16(b[1+2*j:]))
	}
	return b[from:][:size]
}

// checkTexts checks that b is the texts of a usage and no more; first says that
// none is before it.
func checkTexts(b []byte, first bool) bool {
	if len(b) < headSize {
		return false
	}
	if b[0] == longHead {
		if len(b) < longHeadSize {
			return false
		}
		end := longHeadSize
		for i := range numTexts {
			end += int(binary.LittleEndian.Uint16(b[1+2*i:]))
		}
		return end == len(b)
	}
	end := headSize
	for _, c := range b[:headSize] {
		if c == longHead || c == sameText && first {
			return false
		}
		end += sizeOf(c)
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
