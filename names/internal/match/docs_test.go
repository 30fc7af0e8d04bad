package match

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/names/internal/answer"
	"bencao/names/internal/build"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
)

// must ends the test if there is an error.
var must = testkit.Must

// TestOneName takes three names through the stages that the package comment lists: a name in
// another spelling, a typing error, and a name with homonyms. It compares the values after each
// stage with testdata/stages.txt.
func TestOneName(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "stages.txt"))
	must(t, err)
	ix := fewNames(t)
	var got []string
	for _, text := range []string{"Salvia miltiorhiza Bge.", "Polygonum multiflorm Thunb.", "Citrus aurantium"} {
		got = append(got, stageByStage(ix, text))
	}
	if got := strings.Join(got, "\n"); got != string(want) {
		t.Errorf("testdata/stages.txt should be:\n%s", got)
	}
}

// fewNames returns an index with a few names of WCVP.
func fewNames(t *testing.T) *Index {
	t.Helper()
	b := build.New()
	wcvp := b.Checklist(checklist.Checklist{Source: checklist.SourceWCVP, Name: "WCVP", Version: "13"})
	for _, u := range []checklist.Usage{
		{ID: "183206", Name: "Salvia miltiorrhiza", Author: "Bunge", Status: checklist.Accepted},
		{ID: "2425429", Name: "Reynoutria multiflora", Author: "(Thunb.) Moldenke", Status: checklist.Accepted},
		{ID: "2565190", AcceptedID: "2425429", Name: "Polygonum multiflorum", Author: "Thunb.", Status: checklist.Synonym},
		{ID: "2723957", Name: "Citrus × aurantium", Author: "L.", Status: checklist.Accepted},
		{ID: "2724150", Name: "Citrus japonica", Author: "Thunb.", Status: checklist.Accepted},
		{ID: "2723959", AcceptedID: "2724150", Name: "Citrus aurantium", Author: "Engl.", Status: checklist.Synonym},
	} {
		must(t, wcvp.Add(u))
	}
	path := filepath.Join(t.TempDir(), "names.idx")
	must(t, b.WriteFile(path))
	ix, err := Open(path)
	must(t, err)
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// stageByStage returns the values that the matching of text gives after each stage.
func stageByStage(ix *Index, text string) string {
	var out strings.Builder
	stage := func(name string, lines ...string) {
		for _, line := range lines {
			fmt.Fprintf(&out, "%-9s %s\n", name, line)
			name = ""
		}
	}
	stage("text", text)
	q := question{view: view{File: ix.file}, query: answer.Query{Limit: answer.DefaultLimit}, steps: newSteps(true), buf: newBuffers(ix.file)}

	n := q.buf.parser.Parse(text)
	by := ""
	if n.Author != "" {
		by = ", author " + n.Author
	}
	stage("parse", fmt.Sprintf("%s%s; key %s", n.Canonical, by, n.Keys[0].Text))

	c := &q.buf.cited
	c.Set(n.Author)
	s := q.lookUp(n, c)
	stage("look up", q.steps.list...)
	for _, c := range s.candidates {
		stage("", fmt.Sprintf("→ %s %s: %s, edits %d, author %s%s", q.Name(c.usage), q.Text(c.usage, file.Author), c.like, c.edits, c.author, listed(c.flags)))
	}

	name := "weigh"
	all := q.weigh(n, c, s)
	for _, c := range all {
		var reasons []string
		for _, p := range c.why.parts {
			reasons = append(reasons, fmt.Sprintf("%+.2f %s", p.Value, p.Reason))
		}
		stage(name, fmt.Sprintf("%.2f %s: %s", c.score, q.Text(c.usage, file.Author), strings.Join(reasons, ", ")))
		name = ""
	}

	name = "answer"
	for i, e := range q.answer(result{candidates: all}).Results {
		stage(name, fmt.Sprintf("%s > %s %s, WCVP %s; %s %.2f, via %s%s", e.MatchedName, e.AcceptedName, e.AcceptedAuthor, e.WCVPID,
			e.MatchType, e.Score, q.via(&all[i].candidate), listed(all[i].flags)))
		name = ""
	}
	return out.String()
}

func listed(f answer.Flags) string {
	if f == 0 {
		return ""
	}
	return "; " + strings.Join(f.Words(), ", ")
}
