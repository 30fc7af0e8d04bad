package delta

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// If the content of a deflate stream changes, the stream differs in every byte after the change. So
// zip and gzip files are compared uncompressed, and the mirror compresses the result again.
//
// The figures of docs/performance.md ("What a mirror fetches") justify this code. In a snapshot of
// 793 MiB with 1 % of the records changed, the deltas of package.zip and profile.json.gz take 0.5
// MiB. Without this code a mirror would fetch both files whole, 124 MiB. That would be 18 % of the
// snapshot instead of 2.7 %; the limit is 5 %. Writing both files uncompressed is no alternative:
// the snapshot would hold the text of the package a second time. It now has 1.39 times the text of
// the sources, and the limit is 1.6.

// layout lists the parts of a file that are compressed with deflate, in order.
type layout []part

// part is a compressed part of a file.
type part struct {
	before   int64  // number of bytes between the previous part and this part
	packed   int64  // compressed size
	unpacked int64  // uncompressed size
	level    int    // compression level
	content  []byte // uncompressed; set only by Make
}

// mostParts is the maximum number of parts of a file.
const mostParts = 10_000

// unpacked returns the compressed parts of a zip or gzip file, and none for other files.
func unpacked(file []byte) layout {
	var found layout
	end, sum := int64(0), 0
	for _, at := range append(inZip(file), inGzip(file)...) {
		if at.from < end || at.to < at.from || at.to > int64(len(file)) || len(found) == mostParts {
			continue
		}
		from := bytes.NewReader(file[at.from:at.to])
		content, err := io.ReadAll(io.LimitReader(flate.NewReader(from), int64(MaxFile-len(file)-sum)))
		if err != nil || len(content) == 0 || from.Len() > 0 {
			continue // the stream is damaged or ends before the part does
		}
		sum += len(content)
		found = append(found, part{before: at.from - end, packed: at.to - at.from, unpacked: int64(len(content)), content: content})
		end = at.to
	}
	return found
}

// span is the position of a part in a file.
type span struct{ from, to int64 }

// inZip returns the compressed parts of a zip file in order, and none for other files.
func inZip(file []byte) (spans []span) {
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil // it is another kind of file
	}
	for _, f := range z.File {
		if at, err := f.DataOffset(); err == nil && f.Method == zip.Deflate && f.CompressedSize64 <= uint64(len(file)) {
			spans = append(spans, span{at, at + int64(f.CompressedSize64)})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return spans
}

// inGzip returns the compressed part of a gzip file that has one member and a header of ten bytes.
// After this part come a checksum and the length (RFC 1952). Other files have none.
func inGzip(file []byte) []span {
	const head, foot = 10, 8
	if len(file) < head+foot || !bytes.HasPrefix(file, []byte{0x1f, 0x8b, 8, 0}) {
		return nil
	}
	return []span{{head, int64(len(file) - foot)}}
}

// repacked returns the parts that this program's library can compress to exactly the same bytes.
func repacked(file []byte) layout {
	var same layout
	at, kept := int64(0), int64(0) // ends of the previous part and of the last part in same
	for _, p := range unpacked(file) {
		begin := at + p.before
		at = begin + p.packed
		if p.level = levelOf(file[begin:at], p.content); p.level == 0 {
			continue
		}
		p.before, kept = begin-kept, at
		same = append(same, p)
	}
	return same
}

// levelOf returns the level at which the compressed content equals packed. It returns 0 if there is
// no such level.
func levelOf(packed, content []byte) int {
	for _, level := range []int{5, 1, 6, 9, 2, 3, 4, 7, 8} { // likely levels first: 5 for zip files, 1 the fastest, 6 the default, 9 the best
		if packsTo(packed, content, level) {
			return level
		}
	}
	return 0
}

// packsTo reports whether the content, compressed at a level, equals was, the expected bytes.
func packsTo(was, content []byte, level int) bool {
	w, err := flate.NewWriter(&comparing{was}, level)
	if err != nil {
		return false
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close()) == nil
}

var errOther = errors.New("other bytes")

// comparing is a writer that returns an error as soon as the bytes differ from the expected ones.
type comparing struct{ left []byte }

func (c *comparing) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(c.left, b) {
		return 0, errOther
	}
	c.left = c.left[len(b):]
	return len(b), nil
}

// image returns the file with its parts uncompressed.
func (l layout) image(file []byte) []byte {
	if len(l) == 0 {
		return file
	}
	var b []byte
	at := int64(0)
	for _, p := range l {
		b = append(append(b, file[at:at+p.before]...), p.content...)
		at += p.before + p.packed
	}
	return append(b, file[at:]...)
}

// encodeLayouts encodes the layouts of the old and the new file.
func encodeLayouts(old, new layout) (b []byte) {
	for _, l := range []layout{old, new} {
		b = binary.AppendUvarint(b, uint64(len(l)))
		for _, p := range l {
			for _, n := range []int64{p.before, p.packed, p.unpacked, int64(p.level)} {
				b = binary.AppendUvarint(b, uint64(n))
			}
		}
	}
	return b
}

func readLayouts(r *bufio.Reader) (old, new layout, err error) {
	for _, l := range []*layout{&old, &new} {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, nil, streamError(err)
		}
		if n > mostParts {
			return nil, nil, broken("it has more than %d parts", mostParts)
		}
		for range n {
			var p part
			var level int64
			for _, to := range []*int64{&p.before, &p.packed, &p.unpacked, &level} {
				v, err := binary.ReadUvarint(r)
				if err != nil {
					return nil, nil, streamError(err)
				}
				if v > MaxFile {
					return nil, nil, broken("a part has more than %d bytes", MaxFile)
				}
				*to = int64(v)
			}
			if p.level = int(level); p.level > flate.BestCompression {
				return nil, nil, broken("a part has level %d", level)
			}
			*l = append(*l, p)
		}
	}
	return old, new, nil
}

// unpack writes the image of a file. size is the size of the image.
func (l layout) unpack(to io.Writer, file *io.SectionReader, size int64) error {
	at := int64(0)
	take := func(n int64, unpack bool, want int64) error {
		if n > file.Size()-at || want > size {
			return broken("its parts do not match the old file")
		}
		var from io.Reader = io.NewSectionReader(file, at, n)
		if unpack {
			from = flate.NewReader(bufio.NewReader(from))
		}
		at, size = at+n, size-want
		got, err := io.CopyN(to, from, want)
		var corrupt flate.CorruptInputError
		if got < want && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt)) {
			return broken("its parts do not match the old file")
		}
		return err
	}
	for _, p := range l {
		if err := take(p.before, false, p.before); err != nil {
			return err
		}
		if err := take(p.packed, true, p.unpacked); err != nil {
			return err
		}
	}
	if rest := file.Size() - at; rest != size {
		return broken("its parts do not match the old file")
	}
	return take(file.Size()-at, false, size)
}

// packing is a writer that receives the image of a file. It compresses the parts in the image and
// writes the file.
type packing struct {
	to     io.Writer
	layout layout
	left   int64 // bytes of the file still to write
	inPart *flate.Writer
}

// Write implements [io.Writer].
func (p *packing) Write(b []byte) (n int, err error) {
	for len(b) > 0 {
		k := int64(len(b))
		to := io.Writer((*passing)(p))
		if len(p.layout) > 0 {
			now := &p.layout[0]
			left := &now.before
			if now.before == 0 {
				if p.inPart == nil {
					if p.inPart, err = flate.NewWriter(to, now.level); err != nil {
						return n, err
					}
				}
				to, left = p.inPart, &now.unpacked
			}
			k = min(k, *left)
			*left -= k
		}
		if _, err := to.Write(b[:k]); err != nil {
			return n, err
		}
		if err := p.close(); err != nil {
			return n, err
		}
		b, n = b[k:], n+int(k)
	}
	return n, nil
}

// close ends the current part if it is complete.
func (p *packing) close() error {
	if p.inPart == nil || p.layout[0].unpacked > 0 {
		return nil
	}
	err := p.inPart.Close()
	p.inPart, p.layout = nil, p.layout[1:]
	return err
}

// end returns an error if the file is not complete.
func (p *packing) end() error {
	if p.left > 0 || len(p.layout) > 0 {
		return broken("its output does not have the parts that its header says")
	}
	return nil
}

// passing is a packing whose Write writes bytes of the finished file and counts them.
type passing packing

func (p *passing) Write(b []byte) (int, error) {
	if p.left -= int64(len(b)); p.left < 0 {
		return 0, broken("its output is longer than its header says")
	}
	return p.to.Write(b)
}
