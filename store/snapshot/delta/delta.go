// Package delta writes down how one file is made from another, so that whoever
// has the old one need not fetch the new one whole.
//
//	old, new ─Make─▶ delta        old, delta ─Apply─▶ new
//
// As in bsdiff (Percival, 2003) what lies between two places that match is
// written as the bytewise difference, where that is mostly zeros: pages that bear
// their number and tables of numbers that shift all change a little, everywhere.
// Instructions, differences and new bytes stand apart, each compressed (zstd).
// Of files that are compressed themselves, zip and gzip, it is the difference of
// what they unpack to, see [Apply].
//
// A delta comes from anybody. [Apply] reads any bytes: it returns an error or
// writes as many bytes as it was told to, in memory that does not grow with what
// they ask for. Whether these are the right ones it does not know: hold them
// against a checksum.
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
	// window is how far back compressed streams refer, at most: so much a reader
	// of each holds in memory.
	window = 8 << 20
	// MaxFile is the size of the largest file of which a delta is made, and of what
	// it unpacks to: [Make] holds both files.
	MaxFile = 1 << 30
)

// errFormat is returned for bytes that are no delta of the files at hand.
var errFormat = errors.New("is no delta of these files")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// The streams behind the header.
const (
	// instructions are, until the new file is whole: how far it is to a place in the
	// old file (varint), how many bytes are made of those there and differences, and
	// how many new ones follow (uvarints).
	instructions = iota
	differences
	literals
	// members say where files are compressed, see [layout]. A delta that has none
	// is of the files as they are; else it is of what they unpack to.
	members
	streams
)

// header is what a delta begins with.
type header struct {
	old, new           int64          // bytes of the files
	oldImage, newImage int64          // bytes of what they unpack to
	lengths            [streams]int64 // of the streams, compressed
}

// fields are all that stands in it.
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

// readHeader reads the header, and returns how long it is.
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

// newReader reads a stream.
func newReader(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
}

// newWriter writes one.
func newWriter(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
}
