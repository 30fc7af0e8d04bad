package delta

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// piece is how many bytes are made at a time.
const piece = 64 << 10

// Room is where [Apply] unpacks an old file that is compressed: an empty file.
type Room interface {
	io.Writer
	io.ReaderAt
}

// Apply writes to a writer the file of the given size that a delta makes of the
// old one. If the file is compressed, its bytes are those of this program's
// library, which another version of it may pack otherwise: [Make] holds that they
// are those of the file, and whoever applies the delta must do so too.
func Apply(to io.Writer, old, delta *io.SectionReader, size int64, room Room) (err error) {
	h, at, err := readHeader(delta)
	switch {
	case err != nil:
		return err
	case h.old != old.Size():
		return broken("it is of a file of %d bytes, not %d", h.old, old.Size())
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
	a.instructions = bufio.NewReaderSize(a.streams[instructions], piece)
	if h.lengths[members] == 0 {
		return a.all()
	}
	if max(h.oldImage, h.newImage) > MaxFile {
		return broken("it unpacks to more than %d bytes", MaxFile)
	}
	oldLayout, newLayout, err := readLayouts(bufio.NewReaderSize(a.streams[members], piece))
	if err != nil {
		return err
	}
	if err := oldLayout.unpack(room, old, h.oldImage); err != nil {
		return err
	}
	packed := &packing{to: to, layout: newLayout, left: size}
	a.to, a.old, a.left = packed, io.NewSectionReader(room, 0, h.oldImage), h.newImage
	if err := a.all(); err != nil {
		return err
	}
	return packed.end()
}

// applying is a file being made.
type applying struct {
	to           io.Writer
	old          *io.SectionReader
	at           int64 // in the old file
	left         int64 // bytes that are to be written
	streams      [streams]*zstd.Decoder
	instructions *bufio.Reader
	made, taken  [piece]byte
}

// all follows the instructions.
func (a *applying) all() error {
	for a.left > 0 {
		if err := a.instruction(); err != nil {
			return err
		}
	}
	return nil
}

// instruction follows one.
func (a *applying) instruction() error {
	step, err := binary.ReadVarint(a.instructions)
	if err != nil {
		return streamError(err)
	}
	// Neither side can overflow: both are at most the size of a file.
	if step < -a.at || step > a.old.Size()-a.at {
		return broken("it goes where the old file is not")
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
		return broken("an instruction makes nothing")
	case added > a.old.Size()-a.at:
		return broken("it takes what is behind the end of the old file")
	}
	if err := a.add(added); err != nil {
		return err
	}
	return a.copy(copied)
}

// length reads how many bytes are to be made.
func (a *applying) length() (int64, error) {
	n, err := binary.ReadUvarint(a.instructions)
	if err != nil {
		return 0, streamError(err)
	}
	if n > uint64(a.left) {
		return 0, broken("it makes more bytes than it says")
	}
	a.left -= int64(n)
	return int64(n), nil
}

// add makes bytes of old ones and differences.
func (a *applying) add(n int64) error {
	for n > 0 {
		k := min(n, piece)
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

// copy passes new bytes on.
func (a *applying) copy(n int64) error {
	for n > 0 {
		k := min(n, piece)
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

// streamError says what a stream that can't be read on means.
func streamError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return broken("it ends too soon")
	}
	return broken("%v", err)
}
