// Package delta computes the difference between two files, so that a client with the old file need not
// fetch the whole new one.
//
//	old, new ─Make─▶ delta        old, delta ─Apply─▶ new
//
// The algorithm is that of bsdiff (Percival, 2003): bytes between two matches are written as their
// difference, which is mostly zeros. It suits database pages with page numbers and tables of shifted
// offsets, where a few bytes change everywhere. Instructions, differences and new bytes are separate
// streams, each compressed with zstd. For zip and gzip files the delta is computed of their
// uncompressed contents, see packed.go.
//
// A delta is untrusted input. [Apply] returns an error or writes as many bytes as the caller asked for,
// in memory that does not depend on the delta. It does not know whether these bytes are right: compare
// them with a checksum.
package delta

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// magic begins a delta; its last byte but one is the version of the format.
const magic = "bc-delta1\n"

const (
	// window is the largest distance of a reference in a compressed stream, and so the memory of
	// its reader.
	window = 8 << 20
	// MaxFile is the largest size of a file, compressed or uncompressed: [Make] holds both files in
	// memory.
	MaxFile = 1 << 30
)

// errFormat is returned for a delta that does not fit the files.
var errFormat = errors.New("is no delta of these files")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// The streams after the header.
const (
	// instructions repeat until the new file is complete: the distance to a place in the old file
	// (varint), the number of bytes to add to those there, and the number of new bytes after them
	// (uvarints).
	instructions = iota
	differences
	literals
	// members holds the compressed parts of both files, see [layout]. Without it the delta is
	// computed of the files themselves, else of their uncompressed contents.
	members
	streams
)

// header is the beginning of a delta.
type header struct {
	old, new           int64          // bytes of the files
	oldImage, newImage int64          // bytes of the uncompressed contents
	lengths            [streams]int64 // of the streams, compressed
}

// fields returns the fields in the order in which they are written.
func (h *header) fields() []*int64 {
	all := []*int64{&h.old, &h.new, &h.oldImage, &h.newImage}
	for i := range h.lengths {
		all = append(all, &h.lengths[i])
	}
	return all
}

func (h *header) encode() []byte {
	b := []byte(magic)
	for _, n := range h.fields() {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	return b
}

// readHeader reads the header and returns its length.
func readHeader(delta *io.SectionReader) (h header, n int64, err error) {
	b := make([]byte, len(magic)+len(h.fields())*binary.MaxVarintLen64)
	got, err := delta.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		return h, 0, err
	}
	b = b[:got]
	if got < len(magic) || string(b[:len(magic)]) != magic {
		return h, 0, broken("it does not begin as one")
	}
	at := len(magic)
	for _, to := range h.fields() {
		v, size := binary.Uvarint(b[at:])
		if size <= 0 || v > 1<<40 {
			return h, 0, broken("its header is cut off")
		}
		at += size
		*to = int64(v)
	}
	whole := int64(at)
	for _, n := range h.lengths {
		whole += n
	}
	if whole != delta.Size() {
		return h, 0, broken("its streams have another length than it")
	}
	return h, int64(at), nil
}

// newReader returns a reader of a stream.
func newReader(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
}

// newWriter returns a writer of a stream.
func newWriter(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
}
