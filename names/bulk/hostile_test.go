package bulk_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/internal/test/hostile"
	"bencao/internal/test/race"
	"bencao/names"
	"bencao/names/bulk"
)

// mostLive is the maximum growth of the live heap during a run, in bytes. The list itself does not
// count.
const mostLive = 64 << 20

// TestHostileLists runs lists of every kind that package hostile generates, each to the end or with
// an interruption. A run must not use more memory than mostLive, and must not leave a goroutine, a
// file descriptor or a temporary file.
//
// BENCAO_HOSTILE is the number of lists of each kind, such as 10000 in the project's nightly tests.
// If it is not set, there is one list of each kind. With the race detector, the test takes every
// seventh kind.
func TestHostileLists(t *testing.T) {
	each := uint64(1)
	if text := os.Getenv("BENCAO_HOSTILE"); text != "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			t.Fatalf("BENCAO_HOSTILE is %q; give a number of lists", text)
		}
		each = n
	}
	// The Go runtime opens two descriptors of its own with the first pipe.
	r, w, err := os.Pipe()
	must(t, errors.Join(err, r.Close(), w.Close()))
	for i, k := range hostile.Kinds() {
		if race.On && i%7 != 0 {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			for seed := range each {
				list := k.Make(seed)
				before := allocated()
				tryHostile(t, list, seed, seed == 0)
				if seed > 0 && allocated()-before > mostLive { // with fewer bytes allocated in total, the live heap cannot have grown more than mostLive
					tryHostile(t, list, seed, true)
				}
				if t.Failed() {
					t.Fatalf("with the list of seed %d", seed)
				}
			}
		})
	}
}

// errTired is the error of a writer that fails on purpose.
var errTired = errors.New("no more is wanted")

// tired is a writer that accepts a number of bytes and then fails.
type tired struct {
	left int
	end  func() error
}

func (w *tired) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, w.end()
	}
	return len(b), nil
}

// allocated returns the number of bytes that the program has allocated since its start.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// tryHostile runs a list. The seed determines the options and the interruption. If watched is true,
// tryHostile measures the live heap, which takes most of its time.
func tryHostile(t *testing.T, list []byte, seed uint64, watched bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(len(list))))
	temp := t.TempDir()
	opt := bulk.Options{TempDir: temp, CacheSize: 1000}
	if r.IntN(2) == 0 {
		opt.Format, opt.Given, opt.MaxColumns = bulk.JSONLines, true, 200
	}
	opt.Plain, opt.All, opt.Excel = r.IntN(8) == 0, r.IntN(2) == 0, r.IntN(2) == 0
	var in io.Reader = bytes.NewReader(list)
	if r.IntN(4) > 0 {
		in = io.MultiReader(in) // a reader that cannot seek, like an upload
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &tired{left: 1 << 40}
	switch r.IntN(4) {
	case 0:
		out = &tired{left: r.IntN(100_000), end: func() error { return errTired }}
	case 1:
		out = &tired{left: r.IntN(100_000), end: func() error { cancel(); return nil }}
	}
	match := func(_ context.Context, queries []names.Query) ([]bulk.Answer, error) {
		if r.IntN(1<<20) == 0 {
			return nil, errTired
		}
		return make([]bulk.Answer, len(queries)), nil
	}
	opt.Workers = 1 // the matcher uses r, which is not safe for concurrent use

	goroutines, open := runtime.NumGoroutine(), descriptors(t)
	live := func() uint64 { return 0 }
	if watched {
		live = watch()
	}
	_, err := bulk.Run(ctx, match, in, out, opt)
	if peak := live(); peak > mostLive {
		t.Errorf("%d MiB of memory were alive, want at most %d", peak>>20, mostLive>>20)
	}
	if err != nil && (len(err.Error()) > 10_000 || !utf8.ValidString(err.Error())) {
		t.Errorf("the error has %d bytes or is no text: %.200q", len(err.Error()), err)
	}
	for runtime.NumGoroutine() > goroutines { // the last goroutines are about to end
		runtime.Gosched()
	}
	if n := descriptors(t); n > open {
		t.Errorf("%d descriptors are open, %d were before", n, open)
	}
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left (%v): %s", err, strings.Join(left, ", "))
	}
}

// watch measures the live heap until stop is called. stop returns the largest growth in bytes.
// watch collects garbage before each measurement, since the heap between collections includes
// garbage. Memory that is allocated during a collection counts as live until the next collection,
// so only a growth that was measured five times counts.
func watch() (stop func() uint64) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	measure := func() uint64 {
		runtime.GC()
		metrics.Read(live)
		return live[0].Value.Uint64()
	}
	before := measure()
	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most, last := before, make([]uint64, 5)
		for i := 0; ; i++ {
			select {
			case <-done:
				peak <- most - before
				return
			default:
				last[i%len(last)] = measure()
				most = max(most, slices.Min(last))
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-peak
	}
}

// descriptors returns the number of open file descriptors, on systems that report this number.
func descriptors(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	files, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(files)
}
