package logging

import (
	"context"
	"io"
	"log/slog"
	"math"
	"strconv"
	"sync"
	"time"

	"bencao/internal/null"
)

// JSON is a handler that writes what [slog.JSONHandler] without options does, in half the
// time if a record has none but plain values: a service logs each request. Whatever else
// there is goes to the one of slog.
type JSON struct {
	*slog.JSONHandler
	w    io.Writer
	room *sync.Pool // of *[]byte
}

// NewJSON returns a handler that writes a line at a time to w, whose Write must be safe
// for use by many goroutines.
func NewJSON(w io.Writer) *JSON {
	return &JSON{slog.NewJSONHandler(w, nil), w, &sync.Pool{New: func() any { return new([]byte) }}}
}

// Handle writes a record.
func (j *JSON) Handle(ctx context.Context, r slog.Record) error {
	room := j.room.Get().(*[]byte)
	defer j.room.Put(room)
	line, ok := appendHead((*room)[:0], r.Time, r.Level, r.Message)
	r.Attrs(func(a slog.Attr) bool {
		line, ok = appendAttr(line, ok, a)
		return ok
	})
	*room = line[:0]
	if !ok {
		return j.JSONHandler.Handle(ctx, r)
	}
	return j.write(line)
}

// Line writes what Handle does of a record with these, without the record.
func (j *JSON) Line(ctx context.Context, at time.Time, level slog.Level, message string, attrs []slog.Attr) error {
	room := j.room.Get().(*[]byte)
	defer j.room.Put(room)
	line, ok := appendHead((*room)[:0], at, level, message)
	for _, a := range attrs {
		line, ok = appendAttr(line, ok, a)
	}
	*room = line[:0]
	if !ok {
		r := slog.NewRecord(at, level, message, 0)
		r.AddAttrs(attrs...)
		return j.JSONHandler.Handle(ctx, r)
	}
	return j.write(line)
}

// write ends a line and writes it.
func (j *JSON) write(line []byte) error {
	_, err := j.w.Write(append(line, "}\n"...))
	return err
}

// appendHead begins a line. It reports false if not all of it is plain.
func appendHead(b []byte, at time.Time, level slog.Level, message string) (line []byte, ok bool) {
	if y := at.Year(); at.IsZero() || y < 0 || y > 9999 {
		return b, false
	}
	b = append(b, `{"`+slog.TimeKey+`":"`...)
	b = at.Round(0).AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","`+slog.LevelKey+`":"`...)
	b = append(b, level.String()...)
	b = append(b, `","`+slog.MessageKey+`":`...)
	return null.AppendPlain(b, message)
}

// appendAttr goes on with an attribute, unless something before it was not plain.
func appendAttr(b []byte, ok bool, a slog.Attr) ([]byte, bool) {
	if !ok {
		return b, false
	}
	if b, ok = null.AppendPlain(append(b, ','), a.Key); !ok {
		return b, false
	}
	return appendValue(append(b, ':'), a.Value)
}

// appendValue appends a value, or reports false if it is not plain.
func appendValue(b []byte, v slog.Value) (_ []byte, ok bool) {
	switch v.Kind() {
	case slog.KindString:
		return null.AppendPlain(b, v.String())
	case slog.KindInt64:
		return strconv.AppendInt(b, v.Int64(), 10), true
	case slog.KindBool:
		return strconv.AppendBool(b, v.Bool()), true
	case slog.KindFloat64:
		f := v.Float64()
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return b, false
		}
		return null.AppendNumber(b, f), true
	}
	return b, false
}
