//go:build unix

package names_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bencao/names"
)

// cpuTime returns the processor time that the process has used so far.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u unix.Rusage
	must(tb, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// queries holds the names of a benchmark in one string. The garbage collector then has no pointers
// to follow, and consecutive names are close together in memory.
type queries struct {
	text string
	ends []int
}

func makeQueries(list []sample, write func(s sample) string) queries {
	var text strings.Builder
	q := queries{ends: []int{0}}
	for _, s := range list {
		text.WriteString(strings.TrimSpace(write(s)))
		q.ends = append(q.ends, text.Len())
	}
	q.text = text.String()
	return q
}

// bench matches all names of q in a loop. It reports the number of names matched per second of
// processor time.
func (q queries) bench(b *testing.B, ix *names.Index) {
	b.Helper()
	b.ReportAllocs()
	runtime.GC()
	start, n := cpuTime(b), 0
	for b.Loop() {
		i := n % (len(q.ends) - 1)
		if _, err := ix.Match(names.Query{Name: q.text[q.ends[i]:q.ends[i+1]]}); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(n)/(cpuTime(b)-start).Seconds(), "names/CPU-s")
}

// everyName returns all names of WCVP, accepted or not, in a random order. In a random order,
// lookups rarely find their data in the processor's caches.
func everyName(b *testing.B) []sample {
	b.Helper()
	var all []sample
	err := eachRow(filepath.Join(sharedDir(b), "data", "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		all = append(all, sample{name: strings.Clone(r["taxon_name"]), author: strings.Clone(r["taxon_authors"])})
		return nil
	})
	must(b, err)
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func BenchmarkMatch(b *testing.B) {
	ix := sharedIndex(b)
	rng := rand.New(rand.NewPCG(1, 2))
	every := func() []sample { return everyName(b) }
	some := func() []sample { return samples(b, 20_000, 3) }
	for _, bb := range []struct {
		name  string
		names func() []sample
		write func(s sample) string
	}{
		{"exact", every, func(s sample) string { return s.name }},
		{"exact+author", every, func(s sample) string { return s.name + " " + s.author }},
		{"oneTypo", some, func(s sample) string { return misspell(rng, s.name, 1) }},
		{"twoTypos", some, func(s sample) string { return misspell(rng, s.name, 2) }},
		{"oneTypo+author", some, func(s sample) string { return misspell(rng, s.name, 1) + " " + s.author }},
		{"messy", some, func(s sample) string { return messy(rng, s) }},
		{"cells", some, func(s sample) string { return inCell(rng, s) }},
		{"notAName", some, func(s sample) string { return "collected near " + strings.ToLower(s.author) + " 1923" }},
	} {
		q := makeQueries(bb.names(), bb.write)
		b.Run(bb.name, func(b *testing.B) { q.bench(b, ix) })
	}
}

// messy returns the name of s written as on labels and in tables.
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

// inCell returns the name of s written as in the cells of tables, with other words around it.
func inCell(rng *rand.Rand, s sample) string {
	genus, rest, _ := strings.Cut(s.name, " ")
	switch rng.IntN(10) {
	case 0:
		return "Det. K. H. Rechinger 1962: " + s.name + " " + s.author
	case 1:
		return "No. 1234 " + s.name + " " + s.author + ", fl. white, alt. 1200 m"
	case 2:
		return s.name + " " + strings.ToLower(s.author)
	case 3:
		return "Rosales Rosaceae " + s.name + " " + s.author
	case 4:
		return s.name + " / Quercus robur L."
	case 5:
		return s.name + "; " + genus[:1] + ". " + rest + " and Acer palmatum"
	case 6:
		return s.name + " " + s.author + " in fruit"
	case 7:
		return "은행나무 " + s.name + " " + s.author
	case 8:
		return "Common name (" + s.name + " " + s.author + ")"
	}
	return s.name + " " + s.author + " cut down yesterday"
}

// BenchmarkOpen reports how long opening a names file takes, and the size of the file.
func BenchmarkOpen(b *testing.B) {
	sharedIndex(b)
	file := filepath.Join(realIndex.dir, "names.idx")
	for b.Loop() {
		ix, err := names.Open(file)
		must(b, err)
		must(b, ix.Close())
	}
	st, err := os.Stat(file)
	must(b, err)
	b.ReportMetric(float64(st.Size())/(1<<20), "file-MiB")
}

// BenchmarkMemory reports the resident memory of the mapped names file after lookups in all parts
// of the file.
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
