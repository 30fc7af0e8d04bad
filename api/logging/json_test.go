package logging_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"testing"
	"time"

	"bencao/api/logging"
)

// sameLine wants a record to be the same line as slog's.
func sameLine(t *testing.T, r slog.Record) {
	t.Helper()
	var got, want bytes.Buffer
	if err := slog.NewJSONHandler(&want, nil).Handle(context.Background(), r.Clone()); err != nil {
		t.Fatal(err)
	}
	if err := logging.NewJSON(&got).Handle(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("the line is\n%swant\n%s", got.String(), want.String())
	}
	var attrs []slog.Attr
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	got.Reset()
	if err := logging.NewJSON(&got).Line(context.Background(), r.Time, r.Level, r.Message, attrs); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("the line without a record is\n%swant\n%s", got.String(), want.String())
	}
}

// TestJSONAsOfSlog holds lines with all kinds of values against those of slog.
func TestJSONAsOfSlog(t *testing.T) {
	now := time.Date(2026, 3, 1, 4, 5, 6, 789_000_000, time.FixedZone("", 8*3600))
	attrs := []slog.Attr{
		slog.String("plain", "203.0.113.9"), slog.String("empty", ""), slog.String("hanzi", "人参"),
		slog.String("quoted", `a "b" \ <c> & d`), slog.String("html", "<a> & b"), slog.String("control", "a\tb\nc\x7f"), slog.String("broken", "a\xffb"), slog.String("separator", "\u2028"),
		slog.String("", "no key"), slog.String(`k"ey`, "v"), slog.String("钥", "v"),
		slog.Int("int", -42), slog.Int64("big", math.MaxInt64), slog.Uint64("uint", math.MaxUint64), slog.Bool("bool", true),
		slog.Float64("ms", 0.123), slog.Float64("zero", 0), slog.Float64("minus", math.Copysign(0, -1)), slog.Float64("tiny", 1e-7),
		slog.Float64("small", 1e-6), slog.Float64("large", 1e20), slog.Float64("huge", 1e21), slog.Float64("inf", math.Inf(1)), slog.Float64("nan", math.NaN()),
		slog.Duration("took", time.Second), slog.Time("at", now), slog.Any("error", errors.New("broken")), slog.Any("nil", nil),
		slog.Any("list", []string{"a"}), slog.Group("group", slog.Int("a", 1)), slog.Group("none"), {},
	}
	for _, at := range []time.Time{now, now.UTC(), time.Now(), {}, time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)} {
		for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelError, slog.LevelWarn + 1} {
			for _, message := range []string{"request", "", `of "quotes"`} {
				for _, a := range attrs {
					r := slog.NewRecord(at, level, message, 0)
					r.AddAttrs(slog.String("before", "x"), a, slog.Int("after", 1))
					sameLine(t, r)
				}
			}
		}
	}
	r := slog.NewRecord(now, slog.LevelInfo, "all", 0)
	r.AddAttrs(attrs...)
	sameLine(t, r)
}

// TestJSONWith wants attributes and groups of a logger to be as slog writes them.
func TestJSONWith(t *testing.T) {
	var got, want bytes.Buffer
	say := func(h slog.Handler) {
		log := slog.New(h).With("a", 1).WithGroup("g").With("b", 2)
		r := slog.NewRecord(time.Unix(1, 0).UTC(), slog.LevelInfo, "m", 0)
		r.AddAttrs(slog.String("c", "d"))
		if err := log.Handler().Handle(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	say(logging.NewJSON(&got))
	say(slog.NewJSONHandler(&want, nil))
	if got.String() != want.String() {
		t.Errorf("the line is\n%swant\n%s", got.String(), want.String())
	}
	if h := logging.NewJSON(&got); h.Enabled(context.Background(), slog.LevelDebug) || !h.Enabled(context.Background(), slog.LevelInfo) {
		t.Error("levels are not those of slog")
	}
}

// FuzzJSON writes strings and numbers as slog does.
func FuzzJSON(f *testing.F) {
	f.Add("key", "value", 0.25, int64(7))
	f.Add("钥", "a\"\\\x00\x7f\u2028<>&", 1e-9, int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, key, value string, number float64, whole int64) {
		r := slog.NewRecord(time.Unix(whole%1e12, whole%1e9), slog.Level(whole%20), value, 0)
		r.AddAttrs(slog.String(key, value), slog.Float64("number", number), slog.Int64(key, whole))
		sameLine(t, r)
	})
}

// BenchmarkJSON writes the line of a request, by slog's handler and without a record.
func BenchmarkJSON(b *testing.B) {
	attrs := func() []slog.Attr {
		return []slog.Attr{slog.String("request", "2QZKX5GJ7VBTXG4ECBKQMX3K5Q"), slog.String("key", "mirror"), slog.String("client", "203.0.113.9"),
			slog.String("operation", "species.detail"), slog.Int("status", 200), slog.Float64("ms", 0.123), slog.Int64("bytes", 874),
			slog.String("snapshot", "20261123T114758Z-2b19e1")}
	}
	to, ctx := logging.NewJSON(io.Discard), context.Background()
	for name, write := range map[string]func() error{
		"slog": func() error {
			r := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
			r.AddAttrs(attrs()...)
			return to.Handle(ctx, r)
		},
		"plain": func() error { return to.Line(ctx, time.Now(), slog.LevelInfo, "request", attrs()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
