// Package delta computes the difference between two files. With a delta, a client that has the old
// file need not fetch the whole new file.
//
//	old, new ─Make─▶ delta        old, delta ─Apply─▶ new
//
// The algorithm is bsdiff (Percival, 2003). A stretch of the new file that resembles a stretch of
// the old file is written as the difference of each byte; most differences are zero. This suits
// database pages with page numbers and tables of shifted offsets, where a few bytes change
// everywhere. Instructions, differences and new bytes are separate streams, each compressed with
// zstd. Zip and gzip files are compared uncompressed, see packed.go.
//
// A delta is untrusted input. [Apply] either returns an error or writes exactly the number of bytes
// that the caller asked for. Its memory does not depend on the delta. It cannot know whether the
// bytes are right, so the caller must compare them with a checksum.
package delta

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// magic is the start of a delta. The digit in it is the version of the format.
const magic = "bc-delta1\n"

const (
	// window is the maximum distance in bytes of a back reference in a compressed stream. It bounds
	// the memory for reading the stream.
	window = 8 << 20
	// MaxFile is the maximum size in bytes of a file, compressed or uncompressed: [Make] holds both
	// files in memory.
	MaxFile = 1 << 30
)

// errFormat is the error for a delta that is damaged or does not match the files.
var errFormat = errors.New("is not a delta between these files")

// broken returns an errFormat with a reason.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// The streams follow the header in this order.
const (
	// An instruction has three numbers: the distance to the next position in the old file (a
	// varint), the number of bytes from there to which differences are added, and the number of new
	// bytes after them (uvarints). Instructions follow each other until the new file is complete.
	instructions = iota
	differences
	literals // the new bytes
	// members lists the compressed parts of both files, see [layout]. If the stream is present, the
	// delta applies to the uncompressed contents, otherwise to the files themselves.
	members
	streams // the number of streams
)

// header is the start of a delta.
type header struct {
	old, new           int64          // sizes of the files
	oldImage, newImage int64          // sizes of the uncompressed contents
	lengths            [streams]int64 // compressed sizes of the streams
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
		return h, 0, broken("it does not start like a delta")
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
		return h, 0, broken("the lengths of its streams do not add up to its size")
	}
	return h, int64(at), nil
}

// newReader returns a decoder for a stream.
func newReader(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
}

// newWriter returns an encoder for a stream.
func newWriter(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
}
