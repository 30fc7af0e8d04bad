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
	for i, n := range r.nums {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.tx.record(r.bucket, n).Append(dst, site, show)
	}
	return append(dst, ']')
}

// Reader renders the list a piece at a time.
func (r Rows) Reader(site string, show Parts) *Reader {
	if r.whole != nil {
		return r.whole.reader(site, show)
	}
	out := &Reader{site: site, show: show, rows: r, length: len("[]") + max(0, len(r.nums)-1), rest: Template("[")}
	if len(r.nums) == 0 {
		out.rest = Template("[]")
	}
	for _, n := range r.nums {
		out.length += r.tx.record(r.bucket, n).length(site, show)
	}
	return out
}

// next takes the next row, and what follows it.
func (r *Rows) next() (row Template, after string) {
	row, r.nums = r.tx.record(r.bucket, r.nums[0]), r.nums[1:]
	if len(r.nums) == 0 {
		return row, "]"
	}
	return row, ","
}
