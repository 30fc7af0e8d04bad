package store

import (
	"fmt"
	"io"
)

// Rows is a list of answers. It is either stored as a whole or rendered from the summaries of
// several records. It is valid until its transaction is closed.
type Rows struct {
	whole  Template // nil if the list is rendered from nums
	tx     *Tx
	bucket []byte // the bucket of the summaries
	nums   []Num  // the numbers of the records
	buffer []byte // holds the last row read
	// damaged is true if the list exists but cannot be read.
	damaged bool
}

// Err returns an error that wraps [ErrDamaged] if the list cannot be read.
func (r Rows) Err() error {
	if r.damaged {
		return fmt.Errorf("a list of a record can't be unpacked: %w", ErrDamaged)
	}
	return nil
}

// Append renders the list and appends it to dst, as [Template.Append] does.
func (r Rows) Append(dst []byte, site string, show Parts) []byte {
	if r.whole != nil {
		return r.whole.Append(dst, site, show)
	}
	dst = append(dst, '[')
	for i := range r.nums {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.row(i).Append(dst, site, show)
	}
	return append(dst, ']')
}

// Reader returns a reader that renders the list in chunks.
func (r Rows) Reader(site string, show Parts) *Reader {
	if r.whole != nil {
		return r.whole.reader(site, show)
	}
	out := &Reader{site: site, show: show, length: len("[]") + max(0, len(r.nums)-1), rest: Template("[")}
	if len(r.nums) == 0 {
		out.rest = Template("[]")
	}
	for i := range r.nums {
		out.length += r.row(i).length(site, show)
	}
	out.rows = r
	return out
}

// row returns row i, which is valid until the next call. It reads only this row, since all rows
// together could take much memory.
func (r *Rows) row(i int) (row Template) {
	v := r.tx.record(r.bucket, r.nums[i])
	if !isPacked(v) {
		return v
	}
	r.buffer, row, _ = unpack(r.buffer[:0], v, 4<<10)
	return row // nil if the value is damaged
}

// next returns the next row and the text after it.
func (r *Rows) next() (row Template, after string) {
	row, r.nums = r.row(0), r.nums[1:]
	if len(r.nums) == 0 {
		return row, "]"
	}
	return row, ","
}

// Reader renders a template in chunks, for answers too long to hold in memory. The template must
// stay valid while it is read.
type Reader struct {
	text   []byte
	insert string
	rest   Template
	site   string
	show   Parts
	after  string // text that follows rest
	rows   Rows   // rows that follow after
	length int    // the total number of bytes
}

// reader returns a reader of the bytes that [Template.Append] would append.
func (t Template) reader(site string, show Parts) *Reader {
	return &Reader{rest: t, site: site, show: show, length: t.length(site, show)}
}

// Len returns the total number of bytes.
func (r *Reader) Len() int { return r.length }

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		switch {
		case len(r.text) > 0:
			k := copy(p[n:], r.text)
			r.text, n = r.text[k:], n+k
		case r.insert != "":
			k := copy(p[n:], r.insert)
			r.insert, n = r.insert[k:], n+k
		case len(r.rest) > 0:
			r.text, r.insert, r.rest = r.rest.next(r.site, r.show)
		case r.after != "":
			r.insert, r.after = r.after, ""
		case len(r.rows.nums) > 0:
			r.rest, r.after = r.rows.next()
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
	return n, nil
}
