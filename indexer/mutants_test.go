package indexer_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/test/fullsize"
	"bencao/internal/test/mutant"
	"bencao/internal/test/race"
)

// survivorsFile lists the mutants of the sample that no check refuses. Each line has a pattern of
// path.Match for the names of mutants, and the reason why these mutants look like honest edits.
const survivorsFile = "testdata/survivors.txt"

// TestMutantsAreRefused builds from mutants, which are damaged versions of the sample's sources,
// each after a good build. At least 97 % of the mutants must be refused. The others must be in
// survivorsFile. The test tries every 61st mutant, or three mutants under the race detector.
// BENCAO_MUTANTS=all tries all mutants, BENCAO_MUTANTS=1/11 tries every eleventh, and any other
// value tries the mutants whose name contains it. BENCAO_SOURCES=full uses the full-size sources.
func TestMutantsAreRefused(t *testing.T) {
	want := os.Getenv("BENCAO_MUTANTS")
	switch {
	case want != "":
	case race.On:
		want = "1/1009"
	case testing.Short():
		want = "1/101"
	default:
		want = "1/61"
	}
	reasons := readSurvivors(t)
	good := goodSources(t)
	every, share := strings.CutPrefix(want, "1/")
	n := 1
	if share {
		var err error
		if n, err = strconv.Atoi(every); err != nil || n < 1 {
			t.Fatalf("BENCAO_MUTANTS is %q; want a share such as 1/11", want)
		}
	}
	var chosen []mutant.Mutant
	for i, m := range mutant.All(good) {
		if want == "all" || share && (i%n == 0 || m.Table == "" && !race.On) || strings.Contains(m.Name(), want) {
			chosen = append(chosen, m)
		}
	}
	tried, lived := tryMutants(t, good, chosen)
	if tried == 0 {
		t.Fatal("no mutant was tried")
	}
	t.Logf("%d mutants, %d refused (%.1f %%)", tried, tried-len(lived), 100*float64(tried-len(lived))/float64(tried))
	for _, name := range lived {
		if i := slices.IndexFunc(reasons, func(s survivor) bool { return s.matches(name) }); i < 0 {
			t.Errorf("%s is published, and %s has no reason for it", name, survivorsFile)
		}
	}
	if share := float64(len(lived)) / float64(tried); share > 0.03 && tried > 100 {
		t.Errorf("%.1f %% of the mutants are published; at most 5 %% may be", 100*share)
	}
}

// tryMutants builds from each mutant after a build of good sources. It returns the number of
// mutants that were tried, and the names of those that would be published.
func tryMutants(t *testing.T, good mutant.Sources, all []mutant.Mutant) (tried int, lived []string) {
	queue := make(chan mutant.Mutant)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		cfg := sourcesConfig(t, good)
		mustRun(t, cfg)
		wg.Go(func() {
			for m := range queue {
				s, ok := m.Sources()
				if !ok {
					continue
				}
				bad := sourcesOf(cfg, s)
				bad.DryRun = true // a dry run makes the same checks, and the good snapshot stays current
				report, err := indexer.Run(t.Context(), bad, indexer.Options{})
				published := err == nil || errors.Is(err, indexer.ErrRejects)
				if published && report.Outcome != indexer.DryRun {
					t.Errorf("%s: outcome %s without an error", m.Name(), report.Outcome)
				}
				mu.Lock()
				tried++
				if published {
					lived = append(lived, m.Name())
				}
				mu.Unlock()
				if testing.Verbose() {
					t.Logf("%s: %s", m.Name(), firstLine(err))
				}
			}
		})
	}
	for _, m := range all {
		queue <- m
	}
	close(queue)
	wg.Wait()
	slices.Sort(lived)
	return tried, lived
}

func firstLine(err error) string {
	if err == nil {
		return "PUBLISHED"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line[:min(len(line), 300)]
}

// goodSources returns the sample's sources, or the full-size ones if BENCAO_SOURCES=full.
func goodSources(tb testing.TB) mutant.Sources {
	tb.Helper()
	if os.Getenv("BENCAO_SOURCES") != "full" {
		return sampleSources(tb)
	}
	open := func(name string) mutant.Folder {
		z, err := zip.OpenReader(fullsize.Path(tb, "data/"+name))
		must(tb, err)
		f, err := mutant.Load(z)
		if err := errors.Join(err, z.Close()); err != nil {
			tb.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		return f
	}
	return mutant.Sources{Package: open("china-plants.zip"), Checklists: []mutant.Checklist{
		{Key: "wcvp", Folder: open("wcvp.zip")},
		{Key: "wfo", Folder: open("wfo-dwca.zip")},
		{Key: "col-china", Folder: open("col-china.zip")},
	}}
}

// sampleSources returns the sources of the embedded sample.
func sampleSources(tb testing.TB) mutant.Sources {
	tb.Helper()
	var s mutant.Sources
	var err error
	if s.Package, err = mutant.Load(sample.Package()); err != nil {
		tb.Fatal(err)
	}
	for _, c := range sample.Checklists() {
		f, err := mutant.Load(c.FS)
		if err != nil {
			tb.Fatal(fmt.Errorf("%s: %w", c.Name, err))
		}
		s.Checklists = append(s.Checklists, mutant.Checklist{Key: c.Name, Folder: f})
	}
	return s
}

// sourcesConfig returns a configuration that builds s into a new data directory.
func sourcesConfig(tb testing.TB, s mutant.Sources) indexer.Config {
	return sourcesOf(indexer.Config{Data: path.Join(tb.TempDir(), "data"), Program: "bencao test"}, s)
}

// sourcesOf returns cfg with other sources.
func sourcesOf(cfg indexer.Config, s mutant.Sources) indexer.Config {
	cfg.Package = indexer.Input{Path: "package", FS: s.Package.FS()}
	cfg.Checklists = nil
	for _, c := range s.Checklists {
		cfg.Checklists = append(cfg.Checklists, indexer.Input{Key: c.Key, Path: c.Key, FS: c.Folder.FS()})
	}
	return cfg
}

// survivor is a line of survivorsFile.
type survivor struct{ pattern, reason string }

func (s survivor) matches(name string) bool {
	ok, err := path.Match(s.pattern, name)
	return err == nil && ok
}

// readSurvivors reads survivorsFile. Each line has a pattern, two spaces and a reason.
func readSurvivors(tb testing.TB) []survivor {
	tb.Helper()
	b, err := os.ReadFile(survivorsFile)
	must(tb, err)
	var all []survivor
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, reason, found := strings.Cut(line, "  ")
		if _, err := path.Match(pattern, ""); err != nil || !found {
			tb.Fatalf("%s: %q is no pattern with a reason after two spaces", survivorsFile, line)
		}
		all = append(all, survivor{pattern, strings.TrimSpace(reason)})
	}
	return all
}
