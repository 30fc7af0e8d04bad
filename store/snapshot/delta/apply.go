package delta

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// chunkSize is the number of bytes processed at a time.
const chunkSize = 64 << 10

// Scratch is an empty file to which [Apply] writes the uncompressed old file.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// Apply makes the new file from the old file and a delta, and writes the new file to the writer to.
// size is the size of the new file in bytes. If the new file is compressed, Apply compresses it
// with this program's library. Another version of the library may produce other bytes, so the
// caller must check the result against a checksum.
func Apply(to io.Writer, old, delta *io.SectionReader, size int64, scratch Scratch) (err error) {
	h, at, err := readHeader(delta)
	switch {
	case err != nil:
		return err
	case h.old != old.Size():
		return broken("it is based on a file of %d bytes, not %d", h.old, old.Size())
	case h.new != size:
		return broken("it makes a file of %d bytes, not %d", h.new, size)
	}
	a := &applying{to: to, old: old, left: size}
	for i, n := range h.lengths {
		if a.streams[i], err = newReader(io.NewSectionReader(delta, at, n)); err != nil {
			return err
		}
		defer a.streams[i].Close()
		at += n
	}
	a.instructions = bufio.NewReaderSize(a.streams[instructions], chunkSize)
	if h.lengths[members] == 0 {
		return a.all()
	}
	if max(h.oldImage, h.newImage) > MaxFile {
		return broken("it unpacks to more than %d bytes", MaxFile)
	}
	oldLayout, newLayout, err := readLayouts(bufio.NewReaderSize(a.streams[members], chunkSize))
	if err != nil {
		return err
	}
	if err := oldLayout.unpack(scratch, old, h.oldImage); err != nil {
		return err
	}
	packed := &packing{to: to, layout: newLayout, left: size}
	a.to, a.old, a.left = packed, io.NewSectionReader(scratch, 0, h.oldImage), h.newImage
	if err := a.all(); err != nil {
		return err
	}
	return packed.end()
}

// applying is the state of [Apply].
type applying struct {
	to           io.Writer
	old          *io.SectionReader
	at           int64 // position in the old file
	left         int64 // bytes still to write
	streams      [streams]*zstd.Decoder
	instructions *bufio.Reader
	made, taken  [chunkSize]byte // buffers for bytes of the new and of the old file
}

// all executes the instructions.
func (a *applying) all() error {
	for a.left > 0 {
		if err := a.instruction(); err != nil {
			return err
		}
	}
	return nil
}

// instruction executes the next instruction.
func (a *applying) instruction() error {
	step, err := binary.ReadVarint(a.instructions)
	if err != nil {
		return streamError(err)
	}
	// The subtractions cannot overflow, since a.at is between 0 and the size of the old file.
	if step < -a.at || step > a.old.Size()-a.at {
		return broken("it reads outside the old file")
	}
	a.at += step
	added, err := a.length()
	if err != nil {
		return err
	}
	copied, err := a.length()
	switch {
	case err != nil:
		return err
	case added+copied == 0:
		return broken("an instruction has no output")
	case added > a.old.Size()-a.at:
		return broken("it reads after the end of the old file")
	}
	if err := a.add(added); err != nil {
		return err
	}
	return a.copy(copied)
}

// length reads a number of output bytes from an instruction and subtracts it from left.
func (a *applying) length() (int64, error) {
	n, err := binary.ReadUvarint(a.instructions)
	if err != nil {
		return 0, streamError(err)
	}
	if n > uint64(a.left) {
		return 0, broken("its output is longer than its header says")
	}
	a.left -= int64(n)
	return int64(n), nil
}

// add writes n bytes: the sums of the next n bytes of the old file and of the stream of
// differences.
func (a *applying) add(n int64) error {
	for n > 0 {
		k := min(n, chunkSize)
		if _, err := a.old.ReadAt(a.taken[:k], a.at); err != nil {
			return err
		}
		if _, err := io.ReadFull(a.streams[differences], a.made[:k]); err != nil {
			return streamError(err)
		}
		for i, b := range a.taken[:k] {
			a.made[i] += b
		}
		if _, err := a.to.Write(a.made[:k]); err != nil {
			return err
		}
		a.at, n = a.at+k, n-k
	}
	return nil
}

// copy writes the next n bytes of the stream of new bytes.
func (a *applying) copy(n int64) error {
	for n > 0 {
		k := min(n, chunkSize)
		if _, err := io.ReadFull(a.streams[literals], a.made[:k]); err != nil {
			return streamError(err)
		}
		if _, err := a.to.Write(a.made[:k]); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// streamError describes a stream that ends too early or is damaged.
func streamError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return broken("it ends too soon")
	}
	return broken("%v", err)
}
