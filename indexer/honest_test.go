package indexer_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/test/mutant"
)

// TestHonestBuildsAreNotRefused simulates a curator who adds, corrects and removes 0.5 to 3 % of
// the records every day, for twelve days, or thirty with BENCAO_MUTANTS=all. Every build must be
// published. BENCAO_SEEDS is the number of curators, one by default; BENCAO_SOURCES=full uses the
// full-size sources.
func TestHonestBuildsAreNotRefused(t *testing.T) {
	oneByOne(t)
	seeds, builds := uint64(1), 12
	switch {
	case os.Getenv("BENCAO_MUTANTS") == "all":
		builds = 30
	case testing.Short():
		builds = 4
	}
	if n := os.Getenv("BENCAO_SEEDS"); n != "" {
		var err error
		if seeds, err = strconv.ParseUint(n, 10, 64); err != nil {
			t.Fatal("BENCAO_SEEDS:", err)
		}
	}
	good := goodSources(t)
	for seed := range seeds {
		curator := mutant.NewCurator(good, seed)
		cfg := sourcesConfig(t, curator.Next())
		mustRun(t, cfg)
		for n := 2; n <= builds; n++ {
			cfg = sourcesOf(cfg, curator.Next())
			report, err := indexer.Run(t.Context(), cfg, indexer.Options{})
			if err != nil {
				t.Errorf("seed %d, build %d: %s: %v", seed, n, report.Outcome, err)
			}
			t.Logf("seed %d, build %d: %s, %d differences reported", seed, n, report.Outcome, len(report.Noticed))
		}
	}
}

// TestBigRevision simulates a curator who revises all tables at once. The build must be refused.
// With the flags that the refusal names, it must be published.
func TestBigRevision(t *testing.T) {
	oneByOne(t)
	curator := mutant.NewCurator(sampleSources(t), 7)
	cfg := sourcesConfig(t, curator.Next())
	mustRun(t, cfg)
	cfg = sourcesOf(cfg, curator.Next())
	mustRun(t, cfg)
	cfg = sourcesOf(cfg, curator.Revise())
	closed := refused(t, cfg)
	for _, flag := range closed.Flags {
		kind, table, _ := strings.Cut(strings.TrimPrefix(flag, "--allow "), "=")
		if kind != "changes" && kind != "growth" || !cfg.Limits.Allow(kind, table) {
			t.Errorf("the revision needs %s; want no more than changes and growth", flag)
		}
	}
	mustRun(t, cfg)
	cfg.Limits = indexer.Limits{}
	cfg.Rebuild = true
	mustRun(t, cfg)
}

// column returns a function that edits the cells of a column of the sample. It skips rows with line
// breaks.
func column(name string, edit func(cell string, i int) string) func(lines []string) []string {
	return func(lines []string) []string {
		at := slices.Index(strings.Split(strings.TrimSpace(lines[0]), ","), name)
		for i := 1; i < len(lines); i++ {
			cells, err := csv.NewReader(strings.NewReader(lines[i])).Read()
			if err != nil || len(cells) <= at {
				continue
			}
			cells[at] = edit(cells[at], i)
			var out strings.Builder
			w := csv.NewWriter(&out)
			_ = w.Write(cells) // writing to a strings.Builder does not fail
			w.Flush()
			lines[i] = out.String()
		}
		return lines
	}
}

// TestHonestEdits checks that larger edits of a curator are not refused. The curator removes
// records together with all rows that refer to them, removes recent additions, and empties cells.
func TestHonestEdits(t *testing.T) {
	oneByOne(t)
	withdrawn := map[string]bool{"5": true, "41": true, "87": true, "113": true, "154": true, "199": true, "222": true, "232": true, "261": true}
	of := func(column int) func(lines []string) []string {
		return func(lines []string) []string {
			return slices.DeleteFunc(lines, func(line string) bool {
				c := strings.Split(line, ",")
				return column < len(c) && withdrawn[c[column]]
			})
		}
	}
	good := sampleSources(t)
	for name, files := range map[string]map[string]func(lines []string) []string{
		"nine species with all that leads to them": {
			"species.csv": of(0), "synonyms.csv": of(1), "aliases.csv": of(0), "flora.csv": of(1), "uses.csv": of(1), "species_papers.csv": of(0), "herb_species.csv": of(1),
		},
		"the last three papers, which nothing cites": {
			"papers.csv": func(lines []string) []string { return lines[:len(lines)-3] },
			"species_papers.csv": func(lines []string) []string {
				papers, err := fs.ReadFile(sample.Package(), "papers.csv")
				must(t, err)
				all := strings.Split(strings.TrimSpace(string(papers)), "\n")
				return slices.DeleteFunc(lines, func(line string) bool {
					return slices.ContainsFunc(all[len(all)-3:], func(p string) bool {
						id, _, _ := strings.Cut(p, ",")
						return strings.HasSuffix(strings.TrimSpace(line), ","+id)
					})
				})
			},
		},
		"DOIs as links": {"papers.csv": column("doi", func(doi string, _ int) string { return "https://doi.org/" + doi })},
		"GUIDs in another case": {
			"species.csv":  column("guid", func(guid string, _ int) string { return "{" + strings.ToUpper(guid) + "}" }),
			"formulas.csv": column("guid", func(guid string, _ int) string { return strings.ToUpper(guid) }),
		},
		"a column filled for the first time": {
			"species.csv": column("url", func(_ string, i int) string { return fmt.Sprintf("https://plants.example.org/%d", i) }),
			"papers.csv":  column("pubmed_id", func(was string, i int) string { return cmp.Or(was, fmt.Sprint(3_000_000+i)) }),
		},
		"nine pinyin left empty": {
			"species.csv": func(lines []string) []string {
				for i := range 9 {
					lines[1+i*31] = cells(lines[1+i*31], map[int]string{3: ""})
				}
				return lines
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := sourcesConfig(t, good)
			mustRun(t, cfg)
			pkg := fstest.MapFS{}
			for file, edit := range files {
				pkg[file] = edited(t, file, edit)[file]
			}
			for file, same := range edited(t, "", nil) {
				if pkg[file] == nil {
					pkg[file] = same
				}
			}
			cfg.Package.FS = pkg
			mustRun(t, cfg)
		})
	}
}
