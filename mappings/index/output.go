package index

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/RoaringBitmap/roaring/v2"
)

// output writes a segment, counts its bytes and computes its checksum. After an error, it writes
// nothing more and keeps the error.
type output struct {
	file    io.Writer
	buffer  []byte
	written uint64
	sum     uint32
	err     error
}

// bufferSize is the number of bytes per write.
const bufferSize = 1 << 20

func newOutput(file io.Writer) *output {
	return &output{file: file, buffer: make([]byte, 0, bufferSize+1<<16)}
}

// at returns the offset of the next byte.
func (o *output) at() uint64 { return o.written + uint64(len(o.buffer)) }

func (o *output) bytes(b []byte) {
	o.buffer = append(o.buffer, b...)
	o.flushIfFull()
}

func (o *output) uvarint(numbers ...uint64) {
	for _, n := range numbers {
		o.buffer = binary.AppendUvarint(o.buffer, n)
	}
	o.flushIfFull()
}

func (o *output) uint16(n uint16) { o.buffer = binary.BigEndian.AppendUint16(o.buffer, n) }
func (o *output) uint32(n uint32) { o.buffer = binary.BigEndian.AppendUint32(o.buffer, n) }
func (o *output) uint64(n uint64) {
	o.buffer = binary.BigEndian.AppendUint64(o.buffer, n)
	o.flushIfFull()
}

// postings writes the documents of a term without frequencies and locations.
func (o *output) postings(documents *roaring.Bitmap) {
	o.uvarint(0, 0, documents.GetSerializedSizeInBytes())
	if _, err := documents.WriteTo(writer{o}); err != nil && o.err == nil {
		o.err = err
	}
}

// writer makes an output an io.Writer.
type writer struct{ *output }

func (w writer) Write(b []byte) (int, error) {
	w.bytes(b)
	return len(b), nil
}

// flushIfFull writes the buffer if it is full.
func (o *output) flushIfFull() {
	if len(o.buffer) >= bufferSize {
		o.flush()
	}
}

func (o *output) flush() {
	if o.err == nil {
		_, o.err = o.file.Write(o.buffer)
	}
	o.sum = crc32.Update(o.sum, crc32.IEEETable, o.buffer)
	o.written += uint64(len(o.buffer))
	o.buffer = o.buffer[:0]
}

// finish writes the rest of the buffer and the checksum of all bytes.
func (o *output) finish() error {
	o.flush()
	o.uint32(o.sum)
	o.flush()
	return o.err
}
