package store

import (
	"embed"
	"slices"

	"github.com/klauspost/compress/s2"
)

// packings lists the buckets whose answers are compressed with S2 and a dictionary. A compressed
// value is
//
//	the number of its dictionary, from 1; then the S2 block
//
// No uncompressed answer starts with a byte that is the number of a dictionary. S2 takes 0.5 µs to
// decompress one answer.
//
// The dictionaries are part of the program. They consist of answers of the embedded sample. Its
// field names and common phrases are also those of other data. A dictionary made from the data's own records would
// make the compressed values a tenth smaller. But each change of such a dictionary would change
// most values, and mirrors would have to fetch these values again.
//
// Answers longer than longestPacked are not compressed. They are sent from the file in chunks, so
// that a slow client takes no memory of the server.
var packings = [...]packing{
	newPacking(speciesSummaries), newPacking(speciesDetails), newPacking(speciesFloras), newPacking(speciesUses),
	newPacking(formulaSummaries), newPacking(formulaDetails), newPacking(herbDetails), newPacking(paperSummaries),
}

// packing is the dictionary of a bucket.
type packing struct {
	bucket     []byte
	dictionary *s2.Dict
}

//go:embed dictionary
var dictionaries embed.FS

func newPacking(bucket []byte) packing {
	text, err := dictionaries.ReadFile("dictionary/" + string(bucket))
	if err != nil {
		panic(err) // the files are embedded in the program
	}
	return packing{bucket, s2.MakeDict(text, text[:16])} // the first 16 bytes are the usual start of an answer
}

const (
	longestPacked = 64 << 10          // the longest answer that is compressed, in bytes
	bufferSize    = 2 * longestPacked // the minimum size of a buffer for decompressed answers
)

// dictionaryNumber returns the number of a bucket's dictionary, or 0 if its values are
// not compressed.
func dictionaryNumber(bucket []byte) byte {
	return byte(1 + slices.IndexFunc(packings[:], func(p packing) bool { return string(p.bucket) == string(bucket) }))
}

// packer compresses the answers of one bucket.
type packer struct {
	number byte   // number of the bucket's dictionary, or 0 if it has none
	buffer []byte // for compressed blocks; nil before the first answer
}

// pack compresses an answer. It returns the answer unchanged if the bucket has no dictionary, if
// the answer is too long, or if compression does not make it smaller. The result stays valid after
// the next call.
func (p *packer) pack(answer []byte) []byte {
	if p.number == 0 || len(answer) > longestPacked {
		return answer
	}
	if p.buffer == nil {
		p.buffer = make([]byte, s2.MaxEncodedLen(longestPacked))
	}
	block := packings[p.number-1].dictionary.EncodeBetter(p.buffer, answer)
	if 1+len(block) >= len(answer) {
		return answer
	}
	return append(append(make([]byte, 0, 1+len(block)), p.number), block...)
}

// isPacked reports whether a value is compressed.
func isPacked(value []byte) bool {
	return len(value) > 0 && 1 <= value[0] && int(value[0]) <= len(packings)
}

// unpack decompresses a packed value. It appends the answer to buffer and returns the longer buffer
// and the answer. If the answer does not fit into buffer, unpack puts it into a new buffer. least
// is the minimum size of a new buffer in bytes. ok is false if the value is damaged.
func unpack(buffer, packed []byte, least int) (rest []byte, answer Template, ok bool) {
	block := packed[1:]
	size, err := s2.DecodedLen(block)
	if err != nil || size > longestPacked {
		return buffer, nil, false
	}
	if cap(buffer)-len(buffer) < size {
		buffer = make([]byte, 0, max(size, least))
	}
	from := len(buffer)
	out, err := packings[packed[0]-1].dictionary.Decode(buffer[from:from:cap(buffer)], block)
	if err != nil {
		return buffer, nil, false
	}
	return buffer[:from+size], out[:size:size], true
}
