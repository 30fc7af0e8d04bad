package names_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
)

// TestCalibration measures, for each kind of answer, the share of right ones
// and compares it with the score that such an answer carries. The table is
// in docs/name-matching.md; testdata/calibration.txt is its source.
func TestCalibration(t *testing.T) {
	ix := sharedIndex(t)
	dir := sharedDir(t)
	var c calibration

	// Every name of a few genera, the accepted ones and those that botanists
	// gave as synonyms: is the accepted name right?
	genera := make(map[string]bool)
	for row := range judged(t, filepath.Join(dir, "golden", "names", "wcvp_extract_synonyms.tsv")) {
		if row["expected_accepted"] == "" || !holds(ix, row["input"]) {
			continue
		}
		genus, _, _ := strings.Cut(row["input"], " ")
		genera[genus] = true
		for _, author := range []string{row["input_authors"], ""} {
			r := match(ix, row["input"], author)
			if len(r.Results) == 0 || r.Results[0].AcceptedName == "" {
				continue
			}
			c.add(r.Results[0], string(r.Results[0].AcceptedName) == row["expected_accepted"])
		}
	}
	all, err := pool()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if genus, _, _ := strings.Cut(s.name, " "); !genera[genus] {
			continue
		}
		for _, author := range []string{s.author, ""} {
			if r := match(ix, s.name, author); len(r.Results) > 0 {
				c.add(r.Results[0], string(r.Results[0].AcceptedName) == s.name)
			}
		}
	}
	// Names of the checklist, misspelt: is the name right?

	rng := rand.New(rand.NewPCG(8, 8))
	for i, s := range samples(t, 12_000, 21) {
		edits, author := 1+i%2, ""
		if i%4 > 1 {
			author = s.author
		}
		name := misspell(rng, s.name, edits)
		if name == s.name || holds(ix, name) {
			continue
		}
		r := match(ix, name, author)
		if len(r.Results) > 0 {
			c.add(r.Results[0], string(r.Results[0].MatchedName) == s.name)
		}
	}
	got := c.String()
	file := filepath.Join("testdata", "calibration.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the measured shares have changed; run go test ./names -run Calibration -update, and bring docs/name-matching.md up to date. Now:\n%s", got)
	}
	doc, err := os.ReadFile(filepath.Join("..", "docs", "name-matching.md"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(string(doc), strings.TrimSpace(line)) {
			t.Errorf("docs/name-matching.md lacks the row %q", strings.TrimSpace(line))
		}
	}
	// A score may promise less than was measured, not more. Homonyms are
	// asked for once each here; people ask for the accepted one more often.
	// Of higherRank no species is right.
	for _, k := range c.kinds {
		if k.n >= 100 && !strings.Contains(k.name, "homonym") && !strings.HasPrefix(k.name, names.MatchHigherRank) && float64(k.right)/float64(k.n) < k.score/float64(k.n)-0.05 {
			t.Errorf("%s: the mean score %.2f promises more than the %.3f measured", k.name, k.score/float64(k.n), float64(k.right)/float64(k.n))
		}
	}
}

// calibration counts right answers by kind.
type calibration struct{ kinds []*kindCount }

type kindCount struct {
	name     string
	n, right int
	score    float64
}

func (c *calibration) add(e names.Entry, right bool) {
	name := e.MatchType
	if e.MatchType == names.MatchFuzzy {
		name += fmt.Sprintf(", %d edits", e.EditDistance)
		if e.EditDistance == 1 {
			name = "fuzzy, 1 edit"
		}
	}
	for _, f := range e.Flags {
		if f == names.FlagHomonym && e.AuthorMatch == names.AuthorNotGiven && e.MatchType == names.MatchExact {
			name += ", homonym"
			if e.TaxonStatus == "accepted" {
				name += ", the accepted one"
			}
		}
	}
	name += ", author " + e.AuthorMatch
	var k *kindCount
	for _, o := range c.kinds {
		if o.name == name {
			k = o
		}
	}
	if k == nil {
		k = &kindCount{name: name}
		c.kinds = append(c.kinds, k)
	}
	k.n++
	k.score += e.Score
	if right {
		k.right++
	}
}

// String is the table's rows, in the order of their names.
func (c *calibration) String() string {
	var rows []string
	for _, k := range c.kinds {
		if k.n < 20 {
			continue
		}
		rows = append(rows, fmt.Sprintf("| %s | %d | %.3f | %.2f |\n", k.name, k.n, float64(k.right)/float64(k.n), k.score/float64(k.n)))
	}
	slices.Sort(rows)
	return strings.Join(rows, "")
}
