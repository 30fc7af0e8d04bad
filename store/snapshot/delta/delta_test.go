package delta_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bencao/internal/testkit"
	"bencao/store/snapshot/delta"
)

// apply applies d to old and expects a file of size bytes.
func apply(old, d []byte, size int) ([]byte, error) {
	var b bytes.Buffer
	err := delta.Apply(&b, section(old), section(d), int64(size), &scratchBuffer{})
	return b.Bytes(), err
}

// scratchBuffer is a [delta.Scratch] in memory.
type scratchBuffer struct{ bytes.Buffer }

func (r *scratchBuffer) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(r.Bytes()).ReadAt(b, at)
}

func section(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

// made makes the delta from old to new, checks that it produces new, and returns it.
func made(t testing.TB, old, new []byte) []byte {
	t.Helper()
	var d bytes.Buffer
	if err := delta.Make(&d, old, new); err != nil {
		t.Fatalf("Make: %v", err)
	}
	got, err := apply(old, d.Bytes(), len(new))
	if err != nil || !bytes.Equal(got, new) {
		t.Fatalf("Apply gives %d bytes (%v), want the %d of the new file", len(got), err, len(new))
	}
	return d.Bytes()
}

// isFormat reports whether an error concerns the bytes of the delta and not the disk.
func isFormat(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "is not a delta between these files: ")
}

func noise(rnd *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// TestMake changes a file in the ways in which files of a snapshot change. Each delta must be
// small.
func TestMake(t *testing.T) {
	rnd := random(1)
	text := noise(rnd, 1<<20)
	pages := slices.Clone(text)
	offsets := make([]byte, 1<<20)
	for i, at := 0, uint32(0); i < len(offsets); i += 4 {
		at += 20 + rnd.Uint32N(40)
		binary.LittleEndian.PutUint32(offsets[i:], at)
	}
	tests := []struct {
		name     string
		old, new []byte
		most     int // maximum size of the delta
	}{
		{"nothing", nil, nil, 100},
		{"a first file", nil, text[:1000], 1200},
		{"an empty file", text, nil, 100},
		{"the same", text, text, 200},
		{"a byte", text, changed(text, func(b []byte) []byte { b[777_777]++; return b }), 300},
		{"the beginning", text, changed(text, func(b []byte) []byte { b[0]++; return b }), 300},
		{"some bytes in", text, changed(text, func(b []byte) []byte { return slices.Insert(b, 500_001, noise(rnd, 99)...) }), 400},
		{"some bytes out", text, changed(text, func(b []byte) []byte { return slices.Delete(b, 500_001, 500_100) }), 300},
		{"two parts exchanged", text, slices.Concat(text[400_003:], text[:400_003]), 300},
		{"twice", text, slices.Concat(text, text), 400},
		{"half", text, text[300_000:800_001], 300},
		{"pages with another number", pages, changed(pages, func(b []byte) []byte {
			for i := 0; i < len(b); i += 4096 {
				binary.LittleEndian.PutUint64(b[i:], binary.LittleEndian.Uint64(b[i:])+1)
			}
			return b
		}), 2000},
		{"a table that shifts", offsets, changed(offsets, func(b []byte) []byte {
			for i := 0; i < len(b); i += 4 {
				binary.LittleEndian.PutUint32(b[i:], binary.LittleEndian.Uint32(b[i:])+17)
			}
			return b
		}), 40_000},
		{"a table that shifts, and moves by a few bytes now and then", offsets, changed(offsets, func(b []byte) []byte {
			var moved []byte
			for i := 0; i < len(b); i += 4 {
				if i%4000 == 0 {
					moved = append(moved, byte(i), 1, 2)
				}
				moved = binary.LittleEndian.AppendUint32(moved, binary.LittleEndian.Uint32(b[i:])+17)
			}
			return moved
		}), 220_000},
		{"another file", text, noise(random(2), 1<<20), 1<<20 + 1000},
		{"zeros", make([]byte, 1<<20), make([]byte, 1<<20+5), 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := made(t, tt.old, tt.new); len(d) > tt.most {
				t.Errorf("the delta has %d bytes, want at most %d", len(d), tt.most)
			}
		})
	}
}

// zipped packs files in the same way as the package of a snapshot.
func zipped(t testing.TB, files ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, content := range files {
		f, err := z.Create(fmt.Sprint(i, ".csv"))
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gzipped compresses content at a level.
func gzipped(t testing.TB, content []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err == nil {
		_, err = z.Write(content)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// words returns a text that compresses well.
func words(rnd *rand.Rand, n int) []byte {
	b := make([]byte, 0, n)
	for len(b) < n {
		b = fmt.Appendf(b, "row %d, word %d\n", len(b), rnd.Uint32())
	}
	return b
}

// TestMakeOfPacked makes deltas between compressed files. All compressed bytes after the first
// change differ, but the delta must be small.
func TestMakeOfPacked(t *testing.T) {
	rnd := random(3)
	one, two := words(rnd, 300_000), words(rnd, 200_000)
	other := slices.Insert(slices.Clone(one), 30_003, []byte("a new row\n")...)
	mixed := append(slices.Clone(zipped(t, one, two)), gzipped(t, two, 1)...)
	tests := []struct {
		name     string
		old, new []byte
		most     int
	}{
		{"zip", zipped(t, one, nil, two), zipped(t, other, nil, two), 1000},
		{"zip with another file", zipped(t, one), zipped(t, other, one[:1000], nil), 1500},
		{"gzip, fast", gzipped(t, one, 1), gzipped(t, other, 1), 700},
		{"gzip, best", gzipped(t, one, 9), gzipped(t, other, 9), 700},
		{"gzip at another level", gzipped(t, one, 1), gzipped(t, other, 6), 700},
		{"a file that was not compressed", one, gzipped(t, other, 6), 700},
		{"a file that is no longer compressed", gzipped(t, one, 6), other, 200_000},
		{"an empty gzip", gzipped(t, nil, 6), gzipped(t, nil, 6), 200},
		{"bytes after a gzip", append(gzipped(t, one, 6), "end"...), append(gzipped(t, one, 6), "End"...), 300},
		{"a zip that is cut off", zipped(t, one, two)[:100_000], zipped(t, one, two)[:100_001], 300},
		{"a gzip after a zip", mixed, mixed, 500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := made(t, tt.old, tt.new); len(d) > tt.most {
				t.Errorf("the delta has %d bytes, want at most %d", len(d), tt.most)
			}
		})
	}
}

func changed(b []byte, how func([]byte) []byte) []byte { return how(slices.Clone(b)) }

// TestMakeApply changes files at random. Each delta must produce the new file.
func TestMakeApply(t *testing.T) {
	for seed := range uint64(300) {
		rnd := random(seed)
		old := noise(rnd, rnd.IntN(5000))
		if seed%3 == 0 { // only two byte values, so many places match by chance
			for i := range old {
				old[i] &= 1
			}
		}
		new := slices.Clone(old)
		for range rnd.IntN(20) {
			at := rnd.IntN(len(new) + 1)
			end := at + rnd.IntN(min(400, len(new)-at)+1)
			switch rnd.IntN(5) {
			case 0:
				new = slices.Delete(new, at, end)
			case 1:
				new = slices.Insert(new, at, noise(rnd, rnd.IntN(300))...)
			case 2:
				new = slices.Insert(new, rnd.IntN(at+1), slices.Clone(new[at:end])...)
			case 3:
				for i := at; i < end; i += 1 + rnd.IntN(9) {
					new[i] += byte(rnd.UintN(3))
				}
			case 4:
				new = append(new, old[min(at, len(old)):min(end, len(old))]...)
			}
		}
		made(t, old, new)
	}
}

// TestApplyRefuses applies deltas that are damaged or belong to other files. Apply must return an
// error, and must never write more bytes than the new file has.
func TestApplyRefuses(t *testing.T) {
	rnd := random(1)
	old := noise(rnd, 10_000)
	refuses(t, old, slices.Insert(slices.Clone(old), 5000, noise(rnd, 500)...))
	text := words(rnd, 10_000)
	refuses(t, gzipped(t, text, 6), gzipped(t, slices.Insert(text, 5000, []byte("something new")...), 6))
}

func refuses(t *testing.T, old, new []byte) {
	t.Helper()
	good := made(t, old, new)
	type refused struct {
		name   string
		old, d []byte
		size   int
	}
	tests := []refused{
		{name: "empty", old: old, d: nil, size: len(new)},
		{name: "a page", old: old, d: []byte("<html>Please log in</html>"), size: len(new)},
		{name: "another old file", old: old[1:], d: good, size: len(new)},
		{name: "a new file that is shorter", old: old, d: good, size: len(new) - 1},
		{name: "a new file that is longer", old: old, d: good, size: len(new) + 1},
		{name: "a byte after the delta", old: old, d: append(slices.Clone(good), 0), size: len(new)},
	}
	for i := range good {
		tests = append(tests, refused{fmt.Sprint("cut off at ", i), old, good[:i], len(new)})
	}
	for _, tt := range tests {
		got, err := apply(tt.old, tt.d, tt.size)
		if !isFormat(err) || len(got) > tt.size {
			t.Errorf("%s: %d bytes and the error %v, want an error that it is no delta", tt.name, len(got), err)
		}
	}
	// With one bit flipped, Apply may succeed; then only the file's checksum detects the damage.
	for i := range len(good) * 8 {
		d := slices.Clone(good)
		d[i/8] ^= 1 << (i % 8)
		if got, err := apply(old, d, len(new)); len(got) > len(new) || err == nil && len(got) != len(new) || err != nil && !isFormat(err) {
			t.Errorf("bit %d flipped: %d bytes and %v", i, len(got), err)
		}
	}
}

// TestApplyErrors applies a delta with a full disk and with an old file that cannot be read to its
// end. The error must not be reported as an error of the delta.
func TestApplyErrors(t *testing.T) {
	old := noise(random(1), 10_000)
	d := made(t, old, old)
	if err := delta.Apply(full{}, section(old), section(d), int64(len(old)), &scratchBuffer{}); !errors.Is(err, errFull) || isFormat(err) {
		t.Errorf("a full disk: %v", err)
	}
	short := io.NewSectionReader(bytes.NewReader(old[:5000]), 0, int64(len(old)))
	if err := delta.Apply(io.Discard, short, section(d), int64(len(old)), &scratchBuffer{}); err == nil || isFormat(err) {
		t.Errorf("an old file that is cut off: %v", err)
	}
}

var errFull = errors.New("no space left on device")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// FuzzApply applies arbitrary bytes as a delta. Apply must return an error or write the requested
// number of bytes.
func FuzzApply(f *testing.F) {
	old := noise(random(1), 2000)
	for _, new := range [][]byte{nil, old, old[100:], slices.Concat(old[1000:], old)} {
		f.Add(old, made(f, old, new), len(new))
	}
	text := words(random(2), 2000)
	old = gzipped(f, text, 5)
	for _, new := range [][]byte{old, gzipped(f, text[:500], 1), zipped(f, text, text[1000:])} {
		f.Add(old, made(f, old, new), len(new))
	}
	f.Fuzz(func(t *testing.T, old, d []byte, size int) {
		size = min(max(size, 0), 1<<20)
		var got []byte
		var err error
		testkit.LimitAlloc(t, testkit.MaxAlloc(len(old)+len(d)+size), func() { got, err = apply(old, d, size) })
		if len(got) > size || err == nil && len(got) != size {
			t.Errorf("%d bytes of %d, %v", len(got), size, err)
		}
	})
}

// FuzzMake makes and applies deltas of arbitrary files.
func FuzzMake(f *testing.F) {
	b := noise(random(1), 300)
	f.Add(b, b[100:])
	f.Add(b[:200], slices.Concat(b[50:], b))
	f.Add(gzipped(f, b, 5), zipped(f, b, b[:50]))
	f.Fuzz(func(t *testing.T, old, new []byte) { made(t, old, new) })
}

// TestBombs applies deltas that expand to far more than their size: by their streams, or by the
// compressed parts of the files. Apply must not take more memory than a limit that depends on the
// sizes of the files and the delta.
func TestBombs(t *testing.T) {
	old := noise(random(1), 2000)
	for name, new := range map[string][]byte{"zeros": make([]byte, 8<<20), "the old file again and again": bytes.Repeat(old, 4000)} {
		d := made(t, old, new)
		for _, size := range []int{0, 1000, len(new)} {
			var got []byte
			testkit.LimitAlloc(t, testkit.MaxAlloc(len(old)+len(d)+size), func() { got, _ = apply(old, d, size) })
			if len(got) > size {
				t.Errorf("%s: Apply writes %d bytes, want at most %d", name, len(got), size)
			}
		}
	}
	packed := gzipped(t, make([]byte, 32<<20), 9) // 32 KiB
	d := made(t, packed, gzipped(t, make([]byte, 31<<20), 9))
	if len(d) > 64<<10 {
		t.Fatalf("the delta has %d bytes", len(d))
	}
	// Scratch files are usually on disk. Here the scratch is in memory and grows by doubling.
	testkit.LimitAlloc(t, testkit.MaxAlloc(len(packed)+len(d))+8*(32<<20), func() { _, _ = apply(packed, d, len(packed)) })
}
