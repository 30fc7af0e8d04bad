package store

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// compressed are the buckets whose answers rest compressed (zstd), each with a
// dictionary of what its answers have in common. Summaries are not among them, of
// which a page has twenty, nor what is asked for most and takes little room. An
// answer longer than longestPacked rests as it is: it is sent from the file a piece
// at a time, so that who reads it slowly costs no memory.
var compressed = [][]byte{speciesFloras, speciesUses, formulaDetails, herbDetails}

const (
	slots         = 32       // of a dictionary
	slotSize      = 2 << 10  // bytes
	longestPacked = 64 << 10 // bytes of an answer
	roomSize      = 2 * longestPacked
	// mostUnpacked is what the reader lets damaged bytes ask for: more than an answer
	// and its dictionary need.
	mostUnpacked = 1 << 20
)

// dictionaryKey is where the dictionary of a bucket is in the meta bucket.
func dictionaryKey(bucket []byte) []byte { return append([]byte("dictionary "), bucket...) }

// dictionaryID is the number that compressed answers name their dictionary by, 0
// for a bucket that is not compressed.
func dictionaryID(bucket []byte) uint32 {
	for i, b := range compressed {
		if &b[0] == &bucket[0] {
			return uint32(i + 1)
		}
	}
	return 0
}

// frame begins what is compressed (RFC 8878); no answer begins so.
var frame = []byte{0x28, 0xb5, 0x2f, 0xfd}

// packAnswer compresses an answer, unless it is long or e is nil.
func packAnswer(e *zstd.Encoder, answer []byte) []byte {
	if e == nil || len(answer) > longestPacked {
		return answer
	}
	return e.EncodeAll(answer, nil)
}

// newEncoder compresses answers of a bucket.
func newEncoder(bucket, dictionary []byte) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderDictRaw(dictionaryID(bucket), dictionary), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
}

// newDecoder reads the dictionaries of the store's file.
func newDecoder(t *Tx) (*zstd.Decoder, error) {
	opt := []zstd.DOption{zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithDecoderMaxMemory(mostUnpacked)}
	for _, bucket := range compressed {
		dictionary := t.get(bucketMeta, dictionaryKey(bucket))
		if len(dictionary) == 0 {
			return nil, fmt.Errorf("%w: it lacks the dictionary of %s", ErrDamaged, bucket)
		}
		opt = append(opt, zstd.WithDecoderDictRaw(dictionaryID(bucket), append([]byte(nil), dictionary...)))
	}
	d, err := zstd.NewReader(nil, opt...)
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	return d, nil
}

// unpack returns the answer that a value holds, valid until the transaction is
// closed; nil if its bytes are no answer.
func (t *Tx) unpack(value []byte) Template {
	if !bytes.HasPrefix(value, frame) {
		return value
	}
	room := t.needRoom()
	if cap(room.unpacked)-len(room.unpacked) < longestPacked {
		room.unpacked = make([]byte, 0, roomSize)
	}
	from := len(room.unpacked)
	// The decoder counts what is there already as part of the answer.
	out, err := t.store.decoder.DecodeAll(value, room.unpacked[from:from])
	if err != nil || len(out) > longestPacked {
		return nil // damaged: as if it were not there
	}
	room.unpacked = room.unpacked[:from+len(out)]
	return out[:len(out):len(out)]
}
