package file

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"
)

// The names file has a header, a table of sections and the sections. All numbers are little-endian.
// Each section begins at a multiple of sectionAlign.
//
//	0   8  magic
//	8   4  format version
//	12  4  number of sections
//	16  8  size of the file
//	24  …  for each section its offset and its length, eight bytes each
//
// The file has no checksum of its own. The manifest of the snapshot has one, and it is verified
// before the file is opened.
const (
	magic        = "BENCAONX"
	headerSize   = 24
	sectionAlign = 64 // the size of a cache line
)

// Format is the version of the format. It must be increased with every change of the layout. Open
// rejects files of other versions.
const Format = 16

// writeFile writes the sections to a new file at path.
func writeFile(path string, data [][]byte) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()

	head := make([]byte, headerSize+16*len(data))
	off := uint64(len(head))
	for i, s := range data {
		off = (off + sectionAlign - 1) &^ (sectionAlign - 1)
		binary.LittleEndian.PutUint64(head[headerSize+16*i:], off)
		binary.LittleEndian.PutUint64(head[headerSize+16*i+8:], uint64(len(s)))
		off += uint64(len(s))
	}
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], Format)
	binary.LittleEndian.PutUint32(head[12:], uint32(len(data)))
	binary.LittleEndian.PutUint64(head[16:], off)

	buf := bufio.NewWriterSize(f, 1<<20)
	w := &padWriter{w: buf}
	w.write(head)
	for _, s := range data {
		w.pad()
		w.write(s)
	}
	if w.err != nil {
		return w.err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	return f.Sync()
}

// padWriter counts the bytes that it writes. After an error, it ignores all further writes.
type padWriter struct {
	w   io.Writer
	n   int
	err error
}

func (w *padWriter) write(p []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(p)
		w.n += len(p)
	}
}

func (w *padWriter) pad() {
	var zero [sectionAlign]byte
	w.write(zero[:-w.n&(sectionAlign-1)])
}

// checkHeader reads the header. It returns an error if the file is incomplete or has another format.
func checkHeader(r io.Reader, size int64) error {
	head := make([]byte, headerSize)
	if size < headerSize+int64(16*numSections) {
		return fmt.Errorf("%w: it has %d bytes only; build it again", ErrDamaged, size)
	}
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	if string(head[:8]) != magic {
		return fmt.Errorf("%w: it does not begin like one; build it again", ErrDamaged)
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != Format {
		return fmt.Errorf("names file has format %d, this program reads %d; run \"bencao index\" with this program", v, Format)
	}
	if n := binary.LittleEndian.Uint32(head[12:]); int(n) != numSections {
		return fmt.Errorf("%w: it has %d sections instead of %d; build it again", ErrDamaged, n, numSections)
	}
	if n := binary.LittleEndian.Uint64(head[16:]); n != uint64(size) {
		return fmt.Errorf("%w: it has %d bytes instead of %d; copy or build it again", ErrDamaged, size, n)
	}
	return nil
}

// splitFile returns the sections of a file in memory.
func splitFile(file []byte) (data [numSections][]byte, err error) {
	for i := range data {
		off := binary.LittleEndian.Uint64(file[headerSize+16*i:])
		n := binary.LittleEndian.Uint64(file[headerSize+16*i+8:])
		if off%sectionAlign != 0 || off > uint64(len(file)) || n > uint64(len(file))-off {
			return data, fmt.Errorf("%w: section %d does not lie within it; build it again", ErrDamaged, i)
		}
		data[i] = file[off : off+n]
	}
	return data, nil
}

// section is a part of the file: an array of numbers or of rows of numbers.
type section interface {
	// bytes returns the section as stored, without copying.
	bytes() []byte
	// view makes the section a view of part, without copying.
	view(part []byte) error
}

// rows is a section that is an array of rows, each of which consists of numbers.
type rows[T any] []T

func (r *rows[T]) bytes() []byte {
	if len(*r) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*r))), len(*r)*int(unsafe.Sizeof((*r)[0])))
}

func (r *rows[T]) view(part []byte) error {
	var row T
	size := int(unsafe.Sizeof(row))
	if len(part)%size != 0 {
		return fmt.Errorf("%w: a section of %d bytes holds rows of %d; build it again", ErrDamaged, len(part), size)
	}
	if len(part) > 0 {
		*r = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(part))), len(part)/size)
	}
	return nil
}

// checkByteOrder returns an error on big-endian machines. There, a view of the file would have the
// bytes of each number in reverse order.
func checkByteOrder() error {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return errors.New("names files need a little-endian machine")
	}
	return nil
}
