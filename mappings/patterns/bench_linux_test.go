package patterns_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"bencao/mappings/patterns"
	"bencao/store"
)

// spent returns the processor time that this process has used.
func spent(b *testing.B) time.Duration {
	var r syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkPatterns reports the processor time of each question. The limits are 30 ms with the
// full-size data and 150 ms with 100,000 formulas.
func BenchmarkPatterns(b *testing.B) {
	d := fullData(b)
	for _, size := range []struct {
		name string
		data *store.Data
	}{{"full", d}, {"100000", grown(d, 100_000)}} {
		e := open(b, size.data)
		ctx := context.Background()
		for _, side := range []patterns.Side{patterns.Often, patterns.Seldom, patterns.Both} {
			b.Run(size.name+"/pairs/"+string(side), func(b *testing.B) {
				defer cpu(b)()
				for b.Loop() {
					p, err := e.Pairs(ctx, patterns.Question{Names: patterns.Written, MinFormulas: patterns.Automatic, Side: side})
					must(b, err)
					p.Page(0, 100)
					b.ReportMetric(float64(p.MinFormulas), "least")
				}
			})
		}
		b.Run(size.name+"/herbs", func(b *testing.B) {
			defer cpu(b)()
			all := population(size.data, func(f *store.Formula) bool { return f.Dynasty == "清" })
			for b.Loop() {
				if _, err := e.Herbs(ctx, patterns.Question{Names: patterns.Written, Formulas: all}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(size.name+"/sets", func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				s, err := e.Sets(ctx, patterns.Question{Names: patterns.Written, MinFormulas: patterns.Automatic})
				must(b, err)
				b.ReportMetric(float64(len(s.Rows)), "sets")
				b.ReportMetric(float64(s.MinFormulas), "least")
			}
		})
		for _, least := range []int{1, 2, 10} {
			b.Run(fmt.Sprintf("%s/sets/refused/%d", size.name, least), func(b *testing.B) {
				defer cpu(b)()
				for b.Loop() {
					if _, err := e.Sets(ctx, patterns.Question{Names: patterns.Written, MinFormulas: least}); err == nil {
						b.Fatal("the question is not refused")
					}
				}
			})
		}
		b.Run(size.name+"/pairs/refused", func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				if _, err := e.Pairs(ctx, patterns.Question{Names: patterns.Written, MinFormulas: 1}); err == nil {
					b.Fatal("the question is not refused")
				}
			}
		})
		b.Run(size.name+"/open", func(b *testing.B) {
			defer cpu(b)()
			built := patterns.Build(size.data)
			for b.Loop() {
				if _, err := patterns.Open(func(key string) []byte { return built[key] }); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(size.name+"/build", func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				patterns.Build(size.data)
			}
		})
	}
}

// cpu measures the processor time of an iteration. The returned function reports it.
func cpu(b *testing.B) func() {
	before := spent(b)
	return func() { b.ReportMetric(float64((spent(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op") }
}
