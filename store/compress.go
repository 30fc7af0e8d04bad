package store

import (
	"embed"
	"slices"

	"github.com/klauspost/compress/s2"
)

// The answers of some buckets rest compressed, a packed value is
//
//	number of its dictionary, from 1; a block of S2 made with it
//
// No answer begins with such a byte. S2 copies whole bytes and no bits, so that an answer of a
// page is unpacked in 0.5 µs. The dictionaries come with the program and hold answers of the
// embedded sample: field names, and what texts of the field have in common. If they were made
// of the night's own records, one that changes would change most values of its bucket, and all
// of them would be fetched by mirrors.
//
// An answer longer than longestPacked rests as it is: it is sent from the file a piece
// at a time, so that who reads it slowly costs no memory.
var packings = [...]packing{
	newPacking(speciesSummaries), newPacking(speciesDetails), newPacking(speciesFloras), newPacking(speciesUses),
	newPacking(formulaSummaries), newPacking(formulaDetails), newPacking(herbDetails), newPacking(paperSummaries),
}

// packing is a dictionary, and the bucket that it is of.
type packing struct {
	bucket     []byte
	dictionary *s2.Dict
}

//go:embed dictionary
var dictionaries embed.FS

func newPacking(bucket []byte) packing {
	text, err := dictionaries.ReadFile("dictionary/" + string(bucket))
	if err != nil {
		panic(err) // it is part of the program
	}
	return packing{bucket, s2.MakeDict(text, text[:16])} // an answer begins as the others do
}

const (
	longestPacked = 64 << 10 // bytes of an answer
	bufferSize    = 2 * longestPacked
)

// dictionaryNumber is the number of a bucket's dictionary, 0 for a bucket that is not
// compressed.
func dictionaryNumber(bucket []byte) byte {
	return byte(1 + slices.IndexFunc(packings[:], func(p packing) bool { return string(p.bucket) == string(bucket) }))
}

// packer compresses the answers of a bucket, one after the other.
type packer struct {
	number byte   // of the bucket's dictionary, 0 for none
	room   []byte // where an answer is compressed, nil until it is needed
}

// pack compresses an answer, unless the bucket has no dictionary, or the answer is long, or
// does not become shorter. What it returns may be kept.
func (p *packer) pack(answer []byte) []byte {
	if p.number == 0 || len(answer) > longestPacked {
		return answer
	}
	if p.room == nil {
		p.room = make([]byte, s2.MaxEncodedLen(longestPacked))
	}
	block := packings[p.number-1].dictionary.EncodeBetter(p.room, answer)
	if 1+len(block) >= len(answer) {
		return answer
	}
	return append(append(make([]byte, 0, 1+len(block)), p.number), block...)
}

// isPacked says whether a value is no answer, but a compressed one.
func isPacked(value []byte) bool {
	return len(value) > 0 && 1 <= value[0] && int(value[0]) <= len(packings)
}

// unpack appends the answer of a packed value to room and returns it alone. It is not ok
// if the bytes are no answer. If the room is too small, another is made of least bytes
// or more.
func unpack(room, packed []byte, least int) (roomAfter []byte, answer Template, ok bool) {
	block := packed[1:]
	size, err := s2.DecodedLen(block)
	if err != nil || size > longestPacked {
		return room, nil, false
	}
	if cap(room)-len(room) < size {
		room = make([]byte, 0, max(size, least))
	}
	from := len(room)
	out, err := packings[packed[0]-1].dictionary.Decode(room[from:from:cap(room)], block)
	if err != nil {
		return room, nil, false
	}
	return room[:from+size], out[:size:size], true
}
