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
	line, ok := appendPlain((*room)[:0], r)
	*room = line[:0]
	if !ok {
		return j.JSONHandler.Handle(ctx, r)
	}
	_, err := j.w.Write(line)
	return err
}

// appendPlain appends the line of a record. It reports false if not all of it is plain.
func appendPlain(b []byte, r slog.Record) (line []byte, ok bool) {
	if y := r.Time.Year(); r.Time.IsZero() || y < 0 || y > 9999 {
		return b, false
	}
	b = append(b, `{"`+slog.TimeKey+`":"`...)
	b = r.Time.Round(0).AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","`+slog.LevelKey+`":"`...)
	b = append(b, r.Level.String()...)
	b = append(b, `","`+slog.MessageKey+`":`...)
	b, ok = null.AppendPlain(b, r.Message)
	r.Attrs(func(a slog.Attr) bool {
		if !ok {
			return false
		}
		if b, ok = null.AppendPlain(append(b, ','), a.Key); !ok {
			return false
		}
		b, ok = appendValue(append(b, ':'), a.Value)
		return ok
	})
	return append(b, "}\n"...), ok
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
