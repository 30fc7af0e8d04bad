package api

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bencao/api/cite"
	"bencao/mappings/patterns"
	"bencao/mappings/search"
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

// verdict tells how a search matched its query.
type verdict search.Hits

// header returns the value of X-Search.
func (v *verdict) header() string {
	out := v.match()
	for i, r := range v.Recognised {
		if i == 0 {
			out += "; recognised="
		} else {
			out += ","
		}
		out += recognisedAs(r.Field)
	}
	return out
}

// match returns the part of X-Search that tells how closely the names match the query.
func (v *verdict) match() string {
	switch {
	case v.Forgiven != "":
		return "forgiven; how=" + v.Forgiven
	case v.Part != "":
		return "part; where=" + v.Part
	case v.Group != "":
		return "exact; as=" + v.Group
	}
	return "exact"
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

// beginPage appends the JSON of a page up to its first item. endPage appends the rest.
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

// Paging selects a page of a list.
type Paging struct {
	Page     int32 `query:"page" min:"1" max:"2147483647" default:"1" doc:"Page, from 1. A page past the end is empty."`
	PageSize int32 `query:"pageSize" min:"1" max:"100" default:"20" doc:"Items per page, 1 to 100."`
}

// window returns the first and last position (exclusive) of the page's items in a list of total
// items.
func (p Paging) window(total int) (from, to int) {
	first := (int64(p.Page) - 1) * int64(p.PageSize)
	from = int(min(first, int64(total)))
	to = int(min(first+int64(p.PageSize), int64(total)))
	return from, to
}

// last returns the number of the last page with items, or 1 if there are none.
func (p Paging) last(total int) int64 {
	size := int64(p.PageSize)
	return max(1, (int64(total)+size-1)/size)
}

// appendLinks appends the entries of the header Link for the neighbouring pages. It calls at to
// append the address of a page.
func (p Paging) appendLinks(dst []byte, total int, at func(dst []byte, page int64) []byte) []byte {
	here, last := int64(p.Page), p.last(total)
	link := func(page int64, rel string) {
		dst = at(append(dst, '<'), page)
		dst = append(append(append(dst, `>; rel="`...), rel...), `", `...)
	}
	link(1, "first")
	link(last, "last")
	if here > 1 {
		link(min(here-1, last), "prev")
	}
	if here < last {
		link(here+1, "next")
	}
	return dst[:len(dst)-len(", ")]
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

// byteOrderMark at the start of a CSV file makes Excel read it as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes rows according to RFC 4180. A line of field names comes first unless opt.headless
// is set. A null becomes an empty field. A field that JSON may omit becomes a column only if the
// first row has that field.
func writeCSV[T any](out io.Writer, opt rowOptions, rows iter.Seq2[T, error]) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	columns := columnsOf(reflect.TypeFor[T](), nil, "")
	var record []string
	begun := false
	begin := func(first reflect.Value) error {
		begun = true
		columns = slices.DeleteFunc(columns, func(c csvColumn) bool { return c.mayLack && first.FieldByIndex(c.index).IsZero() })
		for _, c := range columns {
			record = append(record, c.name)
		}
		if opt.headless {
			return nil
		}
		return w.Write(record)
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		v := reflect.ValueOf(row)
		if !begun {
			if err := begin(v); err != nil {
				return err
			}
		}
		for i, c := range columns {
			if record[i], err = cell(v.FieldByIndex(c.index), c.of...); err != nil {
				return fmt.Errorf("field %s: %w", c.name, err)
			}
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	if !begun {
		if err := begin(reflect.Zero(reflect.TypeFor[T]())); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// csvColumn is a column of CSV.
type csvColumn struct {
	name    string
	index   []int
	of      []int // for a list of records: index of the field that is shown of each record
	mayLack bool
}

// columnsOf returns the columns of a type. A field x that is itself a record becomes one column per
// field of that record, such as xId and xName.
func columnsOf(t reflect.Type, at []int, before string) (out []csvColumn) {
	for f := range t.Fields() {
		c := csvColumn{name: jsonName(f), index: append(slices.Clone(at), f.Index...), mayLack: mayLack(f)}
		if before != "" {
			c.name = before + strings.ToUpper(c.name[:1]) + c.name[1:]
		}
		switch {
		case f.Anonymous:
			out = append(out, columnsOf(f.Type, c.index, before)...)
		case f.Type.Kind() == reflect.Struct && f.Type != timeType:
			out = append(out, columnsOf(f.Type, c.index, c.name)...)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			for _, of := range columnsOf(f.Type.Elem(), nil, c.name) {
				out = append(out, csvColumn{name: of.name, index: c.index, of: of.index})
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// cell formats a field of a row. It joins the items of a list by semicolons. If the items are
// records, it shows one field of each item. The index of that field is in of.
func cell(v reflect.Value, of ...int) (string, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", nil
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		return v.String(), nil
	case reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), nil
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), nil
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case reflect.Slice:
		texts := make([]string, v.Len())
		for i := range texts {
			var err error
			item := v.Index(i)
			if of != nil {
				item = item.FieldByIndex(of)
			}
			if texts[i], err = cell(item); err != nil {
				return "", err
			}
		}
		return strings.Join(texts, "; "), nil
	}
	return "", fmt.Errorf("a %s has no form in CSV", v.Type())
}

// mayLack reports whether JSON may omit a field.
func mayLack(f reflect.StructField) bool { return strings.Contains(f.Tag.Get("json"), ",omitempty") }

// jsonName returns the name of a field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
