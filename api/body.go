package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// Answers were rendered when the snapshot was built, so a handler copies
// bytes and encodes nothing. The types below carry those bytes and, for the
// OpenAPI document and for CSV, the type that they are the JSON of.

// answer is what a handler returns: [One], [List] or [Page].
type answer interface {
	// rendered returns the JSON, which is valid until release.
	rendered() []byte
	release()
	// shape is the form of the JSON.
	shape() shape
	// csv returns the rows as CSV.
	csv() ([]byte, error)
}

// shape is the form of an answer's JSON: one item, a list or a page of items.
type shape struct {
	item  reflect.Type
	lists bool // an array of items
	pages bool // an object with page, pageSize, total and items
}

// buffer is JSON being put together. It goes back to the pool when it was sent.
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

// One is one T.
type One[T any] struct{ body }

// List is all T of something as a JSON array.
type List[T any] struct{ body }

// Page is one page of a long list of T.
type Page[T any] struct {
	body
	at Paging
	// total is the number of items on all pages.
	total int
}

// body is an answer's JSON in a buffer from a pool.
type body struct {
	*buffer
	pool *sync.Pool
}

func (b body) rendered() []byte { return b.b }

// release gives the buffer back; very large ones are left to the collector.
func (b body) release() {
	if b.buffer != nil && cap(b.b) <= 1<<20 {
		b.pool.Put(b.buffer)
	}
}

func (One[T]) shape() shape  { return shape{item: reflect.TypeFor[T]()} }
func (List[T]) shape() shape { return shape{item: reflect.TypeFor[T](), lists: true} }
func (Page[T]) shape() shape { return shape{item: reflect.TypeFor[T](), pages: true} }

func (o One[T]) csv() ([]byte, error) {
	return nil, fmt.Errorf("one %s has no rows", o.shape().item)
}

func (l List[T]) csv() ([]byte, error) {
	var rows []T
	if err := json.Unmarshal(l.b, &rows); err != nil {
		return nil, err
	}
	return writeCSV(rows)
}

func (p Page[T]) csv() ([]byte, error) {
	var page struct {
		Items []T `json:"items"`
	}
	if err := json.Unmarshal(p.b, &page); err != nil {
		return nil, err
	}
	return writeCSV(page.Items)
}

// encode makes an answer of a value that was not rendered before.
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

// beginPage writes a page up to its first item, endPage what follows the last.
func beginPage(dst []byte, at Paging, total int) []byte {
	dst = append(dst, `{"page":`...)
	dst = strconv.AppendInt(dst, int64(at.Page), 10)
	dst = append(dst, `,"pageSize":`...)
	dst = strconv.AppendInt(dst, int64(at.PageSize), 10)
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, int64(total), 10)
	return append(dst, `,"items":[`...)
}

func endPage(dst []byte) []byte { return append(dst, "]}"...) }
