package file

import (
	"encoding/binary"
	"fmt"
)

// Texts holds the texts of a usage.
type Texts struct{ Name, Author, Chinese, ID, IPNI, WFO string }

func (t *Texts) all() [numTexts]string {
	return [numTexts]string{Name: t.Name, Author: t.Author, ID: t.ID, IPNI: t.IPNI, Chinese: t.Chinese, WFO: t.WFO}
}

// TextName identifies a text of a usage.
type TextName int

// The texts of a usage that are stored unpacked.
const (
	Name    TextName = 0
	Author  TextName = 1
	Chinese TextName = 4
)

// IDName identifies an identifier of a usage.
type IDName int

// The identifiers of a usage, which are packed (packed.go).
const (
	ID   IDName = 2
	IPNI IDName = 3
	WFO  IDName = 5

	numTexts = 6
)

// For each usage, Data.Names holds a head and then the texts, one after the other. A head has one
// byte for each text. The byte is the size of the text; packedBit is set in it if the text is
// packed. If the text equals that of the previous usage, which has the same key, the byte is
// sameText and the text is not stored.
//
// Most usages have only the first four texts. Their head is short: it has four bytes, and shortBit
// is set in the first. This bit is free there, since a name is never packed. If the size of a text
// does not fit into its byte, the head is long: the byte longHead and then six sizes of 16 bits.
// After a long head, all texts are stored in full, and none is packed.
const (
	shortHeadSize = 4
	headSize      = numTexts
	longHeadSize  = 1 + 2*numTexts

	sizeBits  = 1<<7 - 1
	sameText  = sizeBits // in a head, instead of a size: the text equals that of the previous usage
	packedBit = 1 << 7
	shortBit  = packedBit // in the first byte of a head: the head is short
	longHead  = shortBit  // the first byte of a long head; no short head starts like this, because the size 0 would mean an empty name
	// maxText is the maximum size of a text in bytes, so that sizes fit into 16 bits.
	maxText = 10_000
)

// AppendTexts appends the texts of a usage. before holds the texts of the previous usage of the
// same key. It is nil for the first usage.
func AppendTexts(dst []byte, texts Texts, before *Texts) []byte {
	var other [numTexts]string
	if before != nil {
		other = before.all()
	}
	all := texts.all()
	head, size := len(dst), headSize
	if texts.Name != "" && texts.Chinese == "" && texts.WFO == "" {
		size = shortHeadSize
	}
	dst = append(dst, make([]byte, size)...)
	for i, s := range all[:size] {
		if s != "" && s == other[i] {
			dst[head+i] = sameText
			continue
		}
		from, packed := len(dst), byte(0)
		switch TextName(i) {
		case Name, Author, Chinese:
			dst = append(dst, s...)
		default:
			dst, packed = appendPacked(dst, s)
		}
		size := len(dst) - from
		if size >= sameText {
			return appendLong(dst[:head], all)
		}
		dst[head+i] = byte(size) | packed
	}
	if size == shortHeadSize {
		dst[head] |= shortBit
	}
	return dst
}

// sizeOfHead returns the size of the head at the beginning of b, which must not be a long head.
func sizeOfHead(b []byte) int {
	if b[0]&shortBit != 0 {
		return shortHeadSize
	}
	return headSize
}

// appendLong appends texts with a long head.
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

// sizeOf returns the size of a stored text. c is the byte of the text in a head.
func sizeOf(c byte) int {
	if c&sizeBits == sameText {
		return 0
	}
	return int(c & sizeBits)
}

// cutLong returns text i of a usage. b starts with the usage's long head.
func cutLong(b []byte, i int) []byte {
	from, size := longHeadSize, 0
	for j := range i + 1 {
		from += size
		size = int(binary.LittleEndian.Uint16(b[1+2*j:]))
	}
	return b[from:][:size]
}

// checkTexts reports whether b consists of exactly the texts of one usage. first is true for the
// first usage of a key.
func checkTexts(b []byte, first bool) bool {
	if len(b) == 0 {
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
	end := sizeOfHead(b)
	if len(b) < end {
		return false
	}
	for _, c := range b[:end] {
		if c&sizeBits == sameText && first {
			return false
		}
		end += sizeOf(c)
	}
	return end == len(b)
}

// CheckTextSizes returns an error if a text is too long for the file.
func CheckTextSizes(texts ...string) error {
	for _, s := range texts {
		if len(s) > maxText {
			return fmt.Errorf("%.40q… has %d bytes, more than %d", s, len(s), maxText)
		}
	}
	return nil
}
