//go:build unix

package names_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bencao/names"
)

// cpuTime is the processor time that the process has used.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchNames matches names over and over and reports names per second of
// processor time.
func benchNames(b *testing.B, ix *names.Index, queries []names.Query) {
	b.Helper()
	b.ReportAllocs()
	start, n := cpuTime(b), 0
	for b.Loop() {
		if _, err := ix.Match(queries[n%len(queries)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(n)/(cpuTime(b)-start).Seconds(), "names/CPU-s")
}

func BenchmarkMatch(b *testing.B) {
	ix := sharedIndex(b)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, bb := range []struct {
		name string
		make func(s sample) string
	}{
		{"exact", func(s sample) string { return s.name }},
		{"exact+author", func(s sample) string { return s.name + " " + s.author }},
		{"oneTypo", func(s sample) string { return misspell(rng, s.name, 1) }},
		{"twoTypos", func(s sample) string { return misspell(rng, s.name, 2) }},
		{"oneTypo+author", func(s sample) string { return misspell(rng, s.name, 1) + " " + s.author }},
		{"messy", func(s sample) string { return messy(rng, s) }},
		{"notAName", func(s sample) string { return "collected near " + strings.ToLower(s.author) + " 1923" }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			queries := make([]names.Query, 20_000)
			for i, s := range samples(b, len(queries), 3) {
				queries[i].Name = strings.TrimSpace(bb.make(s))
			}
			benchNames(b, ix, queries)
		})
	}
}

// messy writes a name as labels and tables have it.
func messy(rng *rand.Rand, s sample) string {
	genus, rest, _ := strings.Cut(s.name, " ")
	switch rng.IntN(7) {
	case 0:
		return strings.ToUpper(s.name + " " + s.author)
	case 1:
		return "<i>" + s.name + "</i>&nbsp;" + s.author + ", 1899 [nom. cons.]"
	case 2:
		return genus + " cf. " + rest + " " + s.author
	case 3:
		return strings.ReplaceAll(s.name, " ", "_")
	case 4:
		return strings.ToLower(s.name) + " (" + s.author + ") sensu auct. non L."
	case 5:
		return genus + "  " + rest + "\u00a0" + s.author + " var. " + rest
	}
	return genus + " (" + genus + ") " + rest + " " + s.author + " 'Nana' 12?"
}

// BenchmarkOpen reports how long opening takes and how much memory the names
// hold after a hundred thousand look-ups.
func BenchmarkOpen(b *testing.B) {
	sharedIndex(b)
	file := filepath.Join(realIndex.dir, "names.idx")
	for b.Loop() {
		ix, err := names.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		if err := ix.Close(); err != nil {
			b.Fatal(err)
		}
	}
	st, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(st.Size())/(1<<20), "file-MiB")
}

// BenchmarkMemory reports the resident memory of the mapped file after look-ups
// all over it.
func BenchmarkMemory(b *testing.B) {
	ix := sharedIndex(b)
	rng := rand.New(rand.NewPCG(5, 6))
	list := samples(b, 200_000, 9)
	for b.Loop() {
		for i, s := range list {
			name := s.name
			if i%4 == 0 {
				name = misspell(rng, name, 2)
			}
			if _, err := ix.Match(names.Query{Name: name}); err != nil {
				b.Fatal(err)
			}
		}
	}
	mapped, err := residentOf("names.idx")
	if err != nil {
		b.Skip(err)
	}
	b.ReportMetric(float64(mapped)/1024, "resident-MiB")
}

// residentOf returns the resident memory, in KiB, of the mappings of a file.
func residentOf(name string) (int, error) {
	data, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return 0, err
	}
	total, inside := 0, false
	sc := bufio.NewScanner(bytes.NewReader(data))
	for sc.Scan() {
		line := sc.Text()
		if strings.Contains(line, "-") && strings.Contains(line, " r") {
			inside = strings.HasSuffix(line, name)
		}
		var kb int
		if inside {
			if _, err := fmt.Sscanf(line, "Rss: %d kB", &kb); err == nil {
				total += kb
			}
		}
	}
	return total, sc.Err()
}
