package index

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/RoaringBitmap/roaring/v2"
)

// output writes a segment: it counts the bytes and adds them up to a checksum. After
// an error, which it keeps, it writes no more.
type output struct {
	to      io.Writer
	waiting []byte
	written uint64
	sum     uint32
	err     error
}

// waitingBytes is how many bytes are written at once.
const waitingBytes = 1 << 20

func newOutput(to io.Writer) *output {
	return &output{to: to, waiting: make([]byte, 0, waitingBytes+1<<16)}
}

// at is where the next byte comes to stand.
func (o *output) at() uint64 { return o.written + uint64(len(o.waiting)) }

func (o *output) bytes(b []byte) {
	o.waiting = append(o.waiting, b...)
	o.wrote()
}

func (o *output) uvarint(numbers ...uint64) {
	for _, n := range numbers {
		o.waiting = binary.AppendUvarint(o.waiting, n)
	}
	o.wrote()
}

func (o *output) uint16(n uint16) { o.waiting = binary.BigEndian.AppendUint16(o.waiting, n) }
func (o *output) uint32(n uint32) { o.waiting = binary.BigEndian.AppendUint32(o.waiting, n) }
func (o *output) uint64(n uint64) {
	o.waiting = binary.BigEndian.AppendUint64(o.waiting, n)
	o.wrote()
}

// postings writes the documents of a term, of which it says neither how frequent the
// term is in them nor where it stands.
func (o *output) postings(documents *roaring.Bitmap) {
	o.uvarint(0, 0, documents.GetSerializedSizeInBytes())
	if _, err := documents.WriteTo(waiter{o}); err != nil && o.err == nil {
		o.err = err
	}
}

// waiter is an output as a writer.
type waiter struct{ *output }

func (w waiter) Write(b []byte) (int, error) {
	w.bytes(b)
	return len(b), nil
}

// wrote writes what waits when there is enough of it.
func (o *output) wrote() {
	if len(o.waiting) >= waitingBytes {
		o.flush()
	}
}

func (o *output) flush() {
	if o.err == nil {
		_, o.err = o.to.Write(o.waiting)
	}
	o.sum = crc32.Update(o.sum, crc32.IEEETable, o.waiting)
	o.written += uint64(len(o.waiting))
	o.waiting = o.waiting[:0]
}

// finish writes what is left, and the checksum of all.
func (o *output) finish() error {
	o.flush()
	o.uint32(o.sum)
	o.flush()
	return o.err
}
