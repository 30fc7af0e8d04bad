package names_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
)

var update = flag.Bool("update", false, "rewrite the golden results in testdata/golden")

var showMisses = flag.Bool("misses", false, "log the misspelt names that were not found")

var allNames = flag.Bool("all-names", false, "ask for every name of the real checklists instead of a sample")

// verdict is the result of one judged case.
type verdict struct {
	input     string
	want, got string
	ok        bool
	skip      bool // the case is not judged, because the checklists of the test cannot answer it
}

// judge matches the name in a row of a judged file and compares the answer with the expected one.
type judge func(ix *names.Index, row map[string]string) verdict

// goldens lists the judged files. floor is the least share of right answers that passes; nobody may
// lower it.
var goldens = []struct {
	file  string
	floor float64
	judge judge
}{
	{"gnparser_plantlike", 0.98, judgeGnparser},
	{"gnparser_cultivars", 0.75, judgeGnparser},
	{"gbif_nameparser", 0.95, judgeGBIFParser},
	{"taxontools_parse", 1, judgeParts},
	{"wcvpmatch_parse", 0.9, judgeParts},
	{"rwcvp_unit", 1, judgeRWCVP},
	{"rwcvp_sanitise", 1, judgeSanitise},
	{"gnames_plants", 1, judgeGnames},
	{"wcvpmatch", 1, judgeWCVPMatch},
	{"taxastand", 0.75, judgeTaxastand},
	{"issue_cases", 0.95, judgeIssue},
	{"gbif_matching_plants", 0.95, judgeGBIFMatching},
	{"variant_collisions_wcvp", 1, judgeCollision},
	{"wcvp_extract_synonyms", 0.95, judgeExtract},
	{"col_author_equality", 0.95, judgeAuthors},
	{"taxontools_author_classes", 0.95, judgeAuthorClass},
	{"taxamatch_pairs", 0.9, judgePair},
	{"mdld_distances", 1, judgeDistance},
}

func TestGolden(t *testing.T) {
	dir := sharedDir(t)
	ix := sharedIndex(t)
	for _, g := range goldens {
		t.Run(g.file, func(t *testing.T) {
			var all []verdict
			for row := range judged(t, filepath.Join(dir, "golden", "names", g.file+".tsv")) {
				all = append(all, g.judge(ix, row))
			}
			checkGolden(t, g.file, g.floor, all)
		})
	}
}

// checkGolden compares the verdicts with a file of testdata/golden, which lists the wrong answers
// and the reason for each. With -update it rewrites the file and keeps the reasons.
func checkGolden(t *testing.T, name string, floor float64, all []verdict) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	old, err := os.ReadFile(file)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	reasons := make(map[string]string)
	for line := range strings.Lines(string(old)) {
		if head, reason, ok := strings.Cut(strings.TrimSpace(line), " — "); ok {
			reasons[head] = reason
		}
	}
	passed, judged := 0, 0
	var misses []string
	for _, v := range all {
		if v.skip {
			continue
		}
		judged++
		if v.ok {
			passed++
			continue
		}
		line := fmt.Sprintf("%s | want %s | got %s", strings.TrimSpace(v.input), orNothing(v.want), orNothing(v.got))
		if reasons[line] == "" && !*update {
			t.Errorf("new miss: %s", line)
		}
		misses = append(misses, line+" — "+reasons[line])
	}
	slices.Sort(misses)
	misses = slices.Compact(misses)
	text := fmt.Sprintf("%d of %d judged, %d not judged\n%s\n", passed, judged, len(all)-judged, strings.Join(misses, "\n"))
	if *update {
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	} else if text != string(old) {
		t.Errorf("%s has changed; run go test ./names -run Golden -update and look at the difference. Now:\n%s", file, text)
	}
	if share := float64(passed) / float64(max(judged, 1)); share < floor {
		t.Errorf("%d of %d are right, %.1f %%; the floor is %.1f %%", passed, judged, 100*share, 100*floor)
	}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// judged yields the rows of a judged file.
func judged(t *testing.T, file string) func(func(map[string]string) bool) {
	return func(yield func(map[string]string) bool) {
		f, err := os.Open(file)
		must(t, err)
		defer f.Close()
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<20)
		var head []string
		for sc.Scan() {
			cells := strings.Split(sc.Text(), "\t")
			if head == nil && strings.HasPrefix(cells[0], "#") {
				continue // skip a comment above the header
			}
			if head == nil {
				head = cells
				continue
			}
			row := make(map[string]string)
			for i, h := range head {
				if i < len(cells) {
					row[h] = cells[i]
				}
			}
			if !yield(row) {
				return
			}
		}
		must(t, sc.Err())
	}
}
