package indexer_test

import (
	"errors"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/test/mutant"
)

// erode builds from ever more damaged sources. It returns the number of the build that is refused,
// with the refusal, or 0 if the given number of builds are published.
func erode(t *testing.T, good mutant.Sources, e mutant.Erosion, builds int) (int, string) {
	t.Helper()
	s := good
	cfg := sourcesConfig(t, s)
	mustRun(t, cfg)
	for n := 1; n <= builds; n++ {
		s = e.Next(s, n)
		cfg = sourcesOf(cfg, s)
		_, err := indexer.Run(t.Context(), cfg, indexer.Options{})
		var refusal *indexer.RefusedError
		if errors.As(err, &refusal) {
			return n, err.Error()
		}
		if err != nil {
			t.Fatalf("build %d: %v", n, err)
		}
	}
	return 0, ""
}

// sourcesWith returns the sample's sources with the tables that an erosion needs. Formulas and their
// tables are left out if they can, because they take most of a build.
func sourcesWith(tb testing.TB, e mutant.Erosion) mutant.Sources {
	tb.Helper()
	s := sampleSources(tb)
	file := path.Base(path.Dir(e.Name)) + ".csv" // source/table/column/kind
	if p := strings.Split(e.Name, "/"); len(p) == 4 {
		file = p[1] + ".csv"
	}
	if strings.HasPrefix(file, "formula") || file == "herb_species.csv" || os.Getenv("BENCAO_SOURCES") == "full" {
		return goodSources(tb)
	}
	tables := []string{"species.csv", "papers.csv"}
	if file != "species.csv" && file != "papers.csv" && strings.HasPrefix(e.Name, "package/") {
		tables = append(tables, file)
	}
	var err error
	if s.Package, err = mutant.Load(only(tb, sample.Package(), tables...)); err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestKnownErosions repeats damage that is small in each build. Each series must be refused at the
// latest by the build that stands here, in the words of the check that knows the damage. The series
// begins with build 1, after a good build.
func TestKnownErosions(t *testing.T) {
	oneByOne(t)
	latest := map[string]struct {
		build int
		says  string
	}{
		"wcvp/wcvp_names/accepted-to-random":      {4, "species are in another family than in the previous snapshot: "},
		"package/formula_ingredients/dose/copies": {1, "cells took the value of the row above"},
		"package/formula_ingredients/herb/甘草":     {1, `cells became "甘草"`},
		"package/herb_species/species_id/random":  {7, "rows have another species_id than in the previous snapshot"},
		"package/formulas/indications/without-不":  {6, "filled cells have another value"},
		"package/species/author/L.":               {6, "filled cells have another value"},
		"package/species/chinese_name/random":     {6, "filled cells have another value"},
		"package/synonyms/name/cuts":              {6, "filled cells have another value"},
		"package/papers/title/copies":             {5, "cells took the value of the row above"},
		"wcvp/wcvp_names/taxon_authors/random":    {6, "filled cells have another value"},
	}
	all := mutant.KnownErosions()
	if len(all) != len(latest) {
		t.Fatalf("there are %d erosions; want %d", len(all), len(latest))
	}
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			want := latest[e.Name]
			n, says := erode(t, sourcesWith(t, e), e, want.build)
			t.Logf("build %d: %s", n, says)
			if n == 0 || !strings.Contains(says, want.says) || want.build > 1 && !strings.Contains(says, "this sums up with the earlier builds") && !strings.Contains(says, "another family") {
				t.Errorf("build %d is refused: %s\nwant a refusal of build %d or an earlier one that says %q", n, says, want.build, want.says)
			}
		})
	}
}

// TestChangesOfAChecklistBack changes cells of a checklist in one build and changes them back in a
// later one, again and again. The sum over the builds must not refuse that.
func TestChangesOfAChecklistBack(t *testing.T) {
	oneByOne(t)
	all := mutant.KnownErosions()
	e := all[slices.IndexFunc(all, func(e mutant.Erosion) bool { return e.Name == "wcvp/wcvp_names/taxon_authors/random" })]
	good := sourcesWith(t, e)
	changed := e.Next(good, 1)
	cfg := sourcesConfig(t, good)
	mustRun(t, cfg)
	for n, s := range []mutant.Sources{changed, changed, good, good, changed, good, changed, good, changed} {
		cfg = sourcesOf(cfg, s)
		cfg.Rebuild = true
		if _, err := indexer.Run(t.Context(), cfg, indexer.Options{}); err != nil {
			t.Fatalf("build %d: %v", n+1, err)
		}
	}
}

// TestColumnsErode damages 3 % of a column in each build: by copies of the row above, by one value,
// by values of other rows, and by cuts. All but a few columns with few different values must be
// refused within ten builds. BENCAO_EROSIONS=n tries each nth column and kind, and any other value
// tries those whose name contains it. BENCAO_SOURCES=full uses the full-size sources.
func TestColumnsErode(t *testing.T) {
	oneByOne(t)
	every, named := 97, ""
	if testing.Short() {
		every = 397
	}
	if want := os.Getenv("BENCAO_EROSIONS"); want != "" {
		var err error
		if every, err = strconv.Atoi(want); err != nil || every < 1 {
			every, named = 1, want
		}
	}
	for i, e := range mutant.Erosions(goodSources(t)) {
		if i%every != 0 || !strings.Contains(e.Name, named) {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			if n, says := erode(t, sourcesWith(t, e), e, 10); n == 0 {
				t.Error("ten builds are published")
			} else {
				t.Logf("build %d: %s", n, firstLine(errors.New(says)))
			}
		})
	}
}
