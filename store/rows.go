package store

import "fmt"

// Rows are a list of answers that is put together while it is read: whole, as it
// rests in the store, or of the summaries of some records. It is valid until its
// transaction is closed.
type Rows struct {
	whole  Template
	tx     *Tx
	bucket []byte
	nums   []Num
	room   []byte // where the row rests that was read last
	// damaged tells that the list is there, but can't be read.
	damaged bool
}

// Err is an error that wraps [ErrDamaged] if the list can't be read.
func (r Rows) Err() error {
	if r.damaged {
		return fmt.Errorf("a list of a record can't be unpacked: %w", ErrDamaged)
	}
	return nil
}

// Append renders the list behind dst, as [Template.Append] does.
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

// Reader renders the list a piece at a time.
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

// row returns a row, which is there until another is asked for: the rows of a list
// are read one after the other, and all at once they could be many.
func (r *Rows) row(i int) (row Template) {
	v := r.tx.record(r.bucket, r.nums[i])
	if !isPacked(v) {
		return v
	}
	r.room, row, _ = unpack(r.room[:0], v, 4<<10)
	return row // nil if it is damaged
}

// next takes the next row, and what follows it.
func (r *Rows) next() (row Template, after string) {
	row, r.nums = r.row(0), r.nums[1:]
	if len(r.nums) == 0 {
		return row, "]"
	}
	return row, ","
}
