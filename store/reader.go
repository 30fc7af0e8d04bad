package store

import "io"

// Reader renders a template piece by piece, for answers too long to hold in memory. The
// template must stay valid meanwhile.
type Reader struct {
	text   []byte
	insert string
	rest   Template
	site   string
	show   Parts
	after  string // inserted after rest
	rows   Rows   // rows after that
	length int
}

// reader returns a reader of the bytes that [Template.Append] appends.
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
