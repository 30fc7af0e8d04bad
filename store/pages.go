package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"

	"bencao/internal/background"
)

// bbolt follows the page numbers in a file without checking them. Therefore a file is
// checked before bbolt opens it. Without the check, TestDamagedPages panics on 192 damaged
// files, and a file whose pages form a circle ends the process with a stack overflow, which
// no recover catches.
//
// The format, with the size of each field in bytes and all numbers little-endian:
//
//	page      number 8, kind 2, count 2, further pages 4, elements, data
//	meta      after the head of pages 0 and 1: magic 4, version 4, size of a
//	          page 4, flags 4, root page 8, sequence 8, freelist 8, number of
//	          pages 8, transaction 8, FNV-1a hash of the fields before it 8
//	branch    elements of 16: offset 4, length of the key 4, page 8
//	leaf      elements of 16: flags 4, offset 4, length of the key 4 and of
//	          the value 4
//	bucket    a value of a leaf, with flag 1: root page 8, sequence 8; if the
//	          root page is 0, a leaf page follows in the value itself
//
// An offset counts from the start of its element.
const (
	pageHead    = 16
	elementSize = 16
	metaSize    = 64
	bucketHead  = 16

	kindBranch = 1
	kindLeaf   = 2
	kindMeta   = 4
	bucketFlag = 1

	boltMagic   = 0xED0CDAED
	boltVersion = 2
	maxDepth    = 64 // maximum depth of the tree; real files have a few levels, since each page has dozens of children
)

// ErrDamaged is the error for a file whose pages are inconsistent or whose contents cannot be read.
var ErrDamaged = errors.New("file is damaged")

// CheckPages checks that bbolt can read a file safely. Each page must store its own number and a
// known kind, have all its keys and values within its bytes, and have only one parent. Keys and
// values may still be damaged.
func CheckPages(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = checkPages(f)
	return errors.Join(err, f.Close())
}

// checkPages checks a file and returns its pages with the leaves of its buckets.
func checkPages(f *os.File) (*pages, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p := &pages{file: f, size: info.Size(), leaves: map[string]*leaves{}}
	root, err := p.meta()
	if err == nil {
		p.seen = make([]bool, p.count)
		err = p.visit(root, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; copy the snapshot again or rebuild it", err)
	}
	return p, nil
}

// pages reads and checks the pages of a file.
type pages struct {
	file     io.ReaderAt
	size     int64  // size of the file in bytes
	pageSize int64  // in bytes
	count    uint64 // number of pages, including free ones
	seen     []bool
	leaves   map[string]*leaves // leaves of the buckets, except nested ones, by name
	current  *leaves            // leaves of the bucket that is being checked; nil outside buckets

	window   []byte // the bytes of the last read
	windowAt int64  // the offset of window in the file
}

// readAhead is the minimum number of bytes per read.
const readAhead = background.Piece

func damagedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// meta checks both meta pages and returns the root page in the newer meta page. Both are valid in a
// file that was closed properly.
func (p *pages) meta() (root uint64, err error) {
	first, err := p.metaAt(0)
	if err != nil {
		return 0, err
	}
	p.pageSize = int64(binary.LittleEndian.Uint32(first[8:]))
	if p.pageSize < 1024 || p.pageSize > 1<<16 || p.pageSize&(p.pageSize-1) != 0 {
		return 0, damagedf("it has pages of %d bytes", p.pageSize)
	}
	last, err := p.metaAt(1)
	if err != nil {
		return 0, err
	}
	if binary.LittleEndian.Uint32(last[8:]) != uint32(p.pageSize) {
		return 0, damagedf("its pages are of two sizes")
	}
	if binary.LittleEndian.Uint64(first[48:]) > binary.LittleEndian.Uint64(last[48:]) {
		last = first
	}
	p.count = binary.LittleEndian.Uint64(last[40:])
	if p.count > uint64(p.size/p.pageSize) {
		return 0, damagedf("it has %d pages instead of %d", p.size/p.pageSize, p.count)
	}
	return binary.LittleEndian.Uint64(last[16:]), nil
}

// metaAt checks meta page n and returns its fields.
func (p *pages) metaAt(n int64) ([]byte, error) {
	b := make([]byte, pageHead+metaSize)
	if _, err := p.file.ReadAt(b, n*p.pageSize); err != nil {
		return nil, damagedf("meta page %d can't be read: %v", n, err)
	}
	m := b[pageHead:]
	sum := fnv.New64a()
	sum.Write(m[:56]) // a hash never returns an error
	if binary.LittleEndian.Uint16(b[8:]) != kindMeta || binary.LittleEndian.Uint32(m) != boltMagic ||
		binary.LittleEndian.Uint32(m[4:]) != boltVersion || binary.LittleEndian.Uint64(m[56:]) != sum.Sum64() {
		return nil, damagedf("meta page %d is altered", n)
	}
	return m, nil
}

// visit checks page n and its descendants.
func (p *pages) visit(n uint64, depth int) error {
	if n < 2 || n >= p.count || depth > maxDepth {
		return damagedf("a page links to page %d of %d", n, p.count)
	}
	if p.seen[n] {
		return damagedf("two pages link to page %d", n)
	}
	p.seen[n] = true
	at := int64(n) * p.pageSize
	page, err := p.read(at, p.pageSize)
	if err != nil {
		return damagedf("page %d can't be read: %v", n, err)
	}
	if got := binary.LittleEndian.Uint64(page); got != n {
		return damagedf("page %d has the number %d", n, got)
	}
	more := uint64(binary.LittleEndian.Uint32(page[12:]))
	if more >= p.count-n {
		return damagedf("page %d has %d further pages of %d", n, more, p.count)
	}
	if more > 0 {
		if page, err = p.read(at, (1+int64(more))*p.pageSize); err != nil {
			return damagedf("page %d can't be read: %v", n, err)
		}
	}
	switch kind := binary.LittleEndian.Uint16(page[8:]); kind {
	case kindBranch:
		return p.branch(n, page, depth)
	case kindLeaf:
		return p.leaf(n, page, depth)
	default:
		return damagedf("page %d has the unknown kind %d", n, kind)
	}
}

// read returns size bytes of the file, and at is the offset of the first. The bytes are valid until
// the next call. Since most pages are visited in ascending order, it reads more bytes than needed
// and keeps them in window.
func (p *pages) read(at, size int64) ([]byte, error) {
	from := at - p.windowAt
	if from < 0 || from+size > int64(len(p.window)) {
		background.Yield()
		p.window = slices.Grow(p.window[:0], int(max(size, readAhead)))
		p.window = p.window[:max(size, readAhead)]
		n, err := p.file.ReadAt(p.window, at)
		p.window, p.windowAt = p.window[:n], at
		if int64(n) < size {
			return nil, err
		}
		from = 0
	}
	return p.window[from : from+size], nil
}

// branch checks a branch page and its descendants.
func (p *pages) branch(n uint64, page []byte, depth int) error {
	elements, err := elementsOf(n, page)
	if err != nil {
		return err
	}
	if len(elements) == 0 {
		return damagedf("branch page %d is empty", n)
	}
	var below []uint64
	for i, at := 0, int64(pageHead); i < len(elements); i, at = i+elementSize, at+elementSize {
		e := elements[i:]
		if _, err := within(n, page, at, binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:]), 0); err != nil {
			return err
		}
		below = append(below, binary.LittleEndian.Uint64(e[8:]))
	}
	for _, b := range below {
		if err := p.visit(b, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// leaf checks a leaf page and the buckets in it.
func (p *pages) leaf(n uint64, page []byte, depth int) error {
	elements, err := elementsOf(n, page)
	if err != nil {
		return err
	}
	type bucket struct{ name, value []byte }
	var buckets []bucket
	for i, at := 0, int64(pageHead); i < len(elements); i, at = i+elementSize, at+elementSize {
		e := elements[i:]
		value, err := within(n, page, at, binary.LittleEndian.Uint32(e[4:]), binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:]))
		if err != nil {
			return err
		}
		if binary.LittleEndian.Uint32(e)&bucketFlag != 0 {
			name, _ := element(page, i/elementSize)
			buckets = append(buckets, bucket{bytes.Clone(name), bytes.Clone(value)})
		}
	}
	if p.current != nil {
		p.current.add(n, page)
		p.current.unused = p.current.unused || len(buckets) > 0
	}
	for _, b := range buckets {
		parent := p.current
		p.current = new(leaves)
		if parent == nil {
			p.leaves[string(b.name)] = p.current
		}
		if err := p.bucket(n, b.value, depth); err != nil {
			return err
		}
		p.current = parent
	}
	return nil
}

// bucket checks a bucket that is stored as value b in page n.
func (p *pages) bucket(n uint64, b []byte, depth int) error {
	if len(b) < bucketHead {
		return damagedf("page %d has a bucket of %d bytes", n, len(b))
	}
	if root := binary.LittleEndian.Uint64(b); root != 0 {
		return p.visit(root, depth+1)
	}
	page := b[bucketHead:]
	if len(page) < pageHead || binary.LittleEndian.Uint16(page[8:]) != kindLeaf || depth > maxDepth {
		return damagedf("page %d has a bucket without a page", n)
	}
	p.current.unused = true
	return p.leaf(n, page, depth+1)
}

// elementsOf returns the bytes of the elements of page n.
func elementsOf(n uint64, page []byte) ([]byte, error) {
	count := int(binary.LittleEndian.Uint16(page[10:]))
	if pageHead+elementSize*count > len(page) {
		return nil, damagedf("page %d has %d keys", n, count)
	}
	return page[pageHead : pageHead+elementSize*count], nil
}

// within returns the value of an element of page n. at is the offset of the element in the page.
// within returns an error if the key or the value is not within the page.
func within(n uint64, page []byte, at int64, offset, key, size uint32) ([]byte, error) {
	value := at + int64(offset) + int64(key)
	end := value + int64(size)
	if end > int64(len(page)) {
		return nil, damagedf("a key in page %d ends at byte %d of %d", n, end, len(page))
	}
	return page[value:end], nil
}
