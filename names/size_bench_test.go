//go:build unix

package names_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bencao/names"
)

// publishedSize is the number of names in the published WCVP.
const publishedSize = 1_400_000

// BenchmarkPublishedSize builds an index with as many names as the published WCVP, the other
// checklists and the database have together. It reports time and memory. The published WCVP is
// imitated: the names of the shared WCVP are completed with names generated from its genera,
// epithets and authors. Three quarters of the generated names are synonyms.
func BenchmarkPublishedSize(b *testing.B) {
	dir := sharedDir(b)
	if testing.Short() {
		b.Skip("SKIPPED, NOT PASSED: building the index takes too long for -short")
	}
	file := filepath.Join(b.TempDir(), "published.idx")
	var asked queries
	start := cpuTime(b)
	for b.Loop() {
		build := names.NewBuilder()
		must(b, addShared(build, dir))
		more, err := addGenerated(build, dir)
		must(b, err)
		must(b, build.WriteFile(file))
		asked = makeQueries(more, func(s sample) string { return s.name + " " + s.author })
	}
	b.ReportMetric((cpuTime(b)-start).Seconds()/float64(b.N), "build-CPU-s")
	var u unix.Rusage
	must(b, unix.Getrusage(unix.RUSAGE_SELF, &u))
	b.ReportMetric(float64(u.Maxrss)/1024, "peak-MiB")
	st, err := os.Stat(file)
	must(b, err)
	b.ReportMetric(float64(st.Size())/(1<<20), "file-MiB")

	opened := time.Now()
	ix, err := names.Open(file)
	must(b, err)
	b.ReportMetric(float64(time.Since(opened).Microseconds())/1000, "open-ms")
	defer ix.Close()
	start = cpuTime(b)
	for i := range len(asked.ends) - 1 {
		if _, err := ix.Match(names.Query{Name: asked.text[asked.ends[i]:asked.ends[i+1]]}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(asked.ends)-1)/(cpuTime(b)-start).Seconds(), "names/CPU-s")
	if mapped, err := residentOf("published.idx"); err == nil {
		b.ReportMetric(float64(mapped)/1024, "resident-MiB")
	}
}

// addGenerated adds generated names as a separate checklist, up to the size of the published WCVP,
// and returns them.
func addGenerated(b *names.Builder, dir string) ([]sample, error) {
	known := make(map[string]bool)
	var genera, epithets, authors, accepted []string
	err := eachRow(filepath.Join(dir, "data", "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		known[strings.Clone(r["taxon_name"])] = true
		if r["species"] != "" && r["genus_hybrid"] == "" && r["taxon_authors"] != "" {
			genera = append(genera, strings.Clone(r["genus"]))
			epithets = append(epithets, strings.Clone(r["species"]))
			authors = append(authors, strings.Clone(r["taxon_authors"]))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(14, 1))
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	c := b.Checklist(names.Checklist{Source: "made", Name: "made", Version: "test"})
	var all []sample
	for id := 1; len(known) < publishedSize; id++ {
		s := sample{name: pick(genera) + " " + pick(epithets), author: pick(authors)}
		if known[s.name] {
			continue
		}
		known[s.name] = true
		all = append(all, s)
		u := names.Usage{ID: strconv.Itoa(id), Name: s.name, Author: s.author, Rank: "species", Status: names.Accepted}
		if len(accepted) > 0 && rng.IntN(4) > 0 {
			u.Status, u.AcceptedID = names.Synonym, pick(accepted)
		} else {
			u.AcceptedID = u.ID
			accepted = append(accepted, u.ID)
		}
		if err := c.Add(u); err != nil {
			return nil, err
		}
	}
	return all, nil
}
