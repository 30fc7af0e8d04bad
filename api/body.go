package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"sync"

	"bencao/api/cite"
	"bencao/mappings/patterns"
	"bencao/store"
)

// Answers are rendered when a snapshot is built, so handlers copy bytes and encode nothing. The
// types below carry these bytes. Their type parameter is the Go type of the JSON. The OpenAPI
// document and the CSV writer need that type.

// answer is the result of a handler: [One], [List] or [Page].
type answer interface {
	// shape describes the form of the answer's JSON.
	shape() shape
	// length returns the length of the answer's JSON in bytes.
	length() int
	// writeJSON and writeRows write the answer. They must not be called after release.
	writeJSON(w io.Writer) error
	writeRows(w io.Writer, form format, opt rowOptions) error
	release()
}

// shape is the form of an answer's JSON: one item, a list of items, or a page of items.
type shape struct {
	item  reflect.Type
	lists bool // an array of items
	pages bool // an object with page, pageSize, total and items
	// beside is the struct type of the further members of a page, besides page, pageSize, total and
	// items. It is nil if there are none.
	beside reflect.Type
}

// buffer holds JSON while it is assembled and sent. It is pooled.
type buffer struct {
	b []byte
}

func newBuffer(pool *sync.Pool) *buffer {
	if buf, ok := pool.Get().(*buffer); ok {
		buf.b = buf.b[:0]
		return buf
	}
	return &buffer{b: make([]byte, 0, 16<<10)}
}

// One is an answer with a single T.
type One[T any] struct{ body }

// List is an answer with a JSON array of T of any length. The array is never complete in memory. It
// is rendered from the store while it is sent, in a transaction that remains open until release.
type List[T any] struct{ list }

// Page is an answer with one page of a long list of T.
type Page[T any] struct {
	body
	at Paging
	// total is the number of items on all pages.
	total int
	// search tells how the search matched, or is nil if the page is no search result.
	search *verdict
}

// body is an answer's JSON in a pooled buffer.
type body struct {
	*buffer
	pool *sync.Pool
}

func (b body) length() int { return len(b.b) }

func (b body) writeJSON(w io.Writer) error {
	_, err := w.Write(b.b)
	return err
}

// release returns the buffer to the pool, unless it is very large.
func (b body) release() {
	if b.buffer != nil && cap(b.b) <= 1<<20 {
		b.pool.Put(b.buffer)
	}
}

func (One[T]) shape() shape  { return shape{item: reflect.TypeFor[T]()} }
func (List[T]) shape() shape { return shape{item: reflect.TypeFor[T](), lists: true} }
func (Page[T]) shape() shape { return shape{item: reflect.TypeFor[T](), pages: true} }

func (p Page[T]) verdict() *verdict { return p.search }

func (o One[T]) writeRows(w io.Writer, form format, opt rowOptions) error {
	var row T
	if err := json.Unmarshal(o.b, &row); err != nil {
		return err
	}
	return writeRows(w, form, opt, func(yield func(T, error) bool) { yield(row, nil) })
}

func (l List[T]) writeRows(w io.Writer, form format, opt rowOptions) error {
	return writeRows(w, form, opt, rowsOf[T](json.NewDecoder(l.rows.Reader(l.site, 0))))
}

func (p Page[T]) writeRows(w io.Writer, form format, opt rowOptions) error {
	var page struct {
		Items []T `json:"items"`
	}
	if err := json.Unmarshal(p.b, &page); err != nil {
		return err
	}
	return writeRows(w, form, opt, func(yield func(T, error) bool) {
		for _, row := range page.Items {
			if !yield(row, nil) {
				return
			}
		}
	})
}

// list renders the JSON array of a [List] from an open transaction.
type list struct {
	tx   *store.Tx
	rows store.Rows // the elements of the array
	site string
}

func (l list) release() {
	if l.tx != nil {
		l.tx.Close()
	}
}

func (l list) length() int { return l.rows.Reader(l.site, 0).Len() }

func (l list) writeJSON(w io.Writer) error {
	piece := pieces.Get().(*[pieceSize]byte)
	defer pieces.Put(piece)
	// CopyBuffer would use ReadFrom and WriteTo if it saw them, and so bypass w, which waits for a
	// turn before each write (see [resuming]). The wrappers hide these methods.
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{l.rows.Reader(l.site, 0)}, piece[:])
	return err
}

// pieceSize is the number of bytes of a long answer that are rendered at a time.
const pieceSize = 32 << 10

// pieces pools buffers of pieceSize bytes.
var pieces = sync.Pool{New: func() any { return new([pieceSize]byte) }}

// rowsOf decodes the elements of an array.
func rowsOf[T any](array *json.Decoder) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		_, err := array.Token() // the opening bracket
		for err == nil && array.More() {
			var row T
			if err = array.Decode(&row); err == nil && !yield(row, nil) {
				return
			}
		}
		if err == nil {
			_, err = array.Token()
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

// encode renders as JSON a value that the store has not rendered.
func encode[T any](pool *sync.Pool, v T) (One[T], error) {
	buf := newBuffer(pool)
	w := bytes.NewBuffer(buf.b)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return One[T]{}, err
	}
	buf.b = bytes.TrimSuffix(w.Bytes(), []byte("\n"))
	return One[T]{body{buf, pool}}, nil
}

// writeRows writes rows as CSV, NDJSON or references.
func writeRows[T any](w io.Writer, form format, opt rowOptions, rows iter.Seq2[T, error]) error {
	switch form {
	case formatCSV:
		return writeCSV(w, opt, rows)
	case formatLines:
		return writeLines(w, rows)
	}
	if pairs, ok := any(rows).(iter.Seq2[patterns.Pair, error]); ok && form == formatGraphML {
		return writeGraphML(w, pairs)
	}
	f, ok := cite.FormOf(form.word())
	if !ok {
		return fmt.Errorf("rows have no form %s", form)
	}
	var all []cite.Reference
	for row, err := range rows {
		if err != nil {
			return err
		}
		r, err := reference(row)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	return f.Write(w, all)
}

// reference returns the citation of a row that is a paper.
func reference(row any) (cite.Reference, error) {
	switch p := row.(type) {
	case store.PaperSummary:
		return cite.Paper(&p), nil
	case store.PaperDetail:
		s := p.PaperSummary
		return cite.Paper(&s), nil
	}
	return cite.Reference{}, fmt.Errorf("a %T is no paper", row)
}
