package names_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/cases"
	"bencao/names"
	"bencao/names/internal/answer"
)

var showCells = flag.Bool("cells", false, "log every cell that is not answered as expected")

// TestCells matches the cells in the files of testdata with all checklists. Of the 200 cells in
// cells-fresh.txt, 193 were right when they were first matched.
func TestCells(t *testing.T) {
	ix := sharedIndex(t)
	for _, corpus := range []struct {
		file  string
		floor float64
	}{{"cells.txt", 0.98}, {"cells-fresh.txt", 0.97}, {"lists.txt", 0.98}} {
		wrong, all := 0, cases.Read(t, filepath.Join("testdata", corpus.file))
		for _, c := range all {
			if got, ok := judgeCell(t, ix, c.In, c.Want); !ok {
				wrong++
				if *showCells {
					t.Logf("%s: %s\n got %s\nwant %s", c.Place, c.In, got, c.Want)
				}
			}
		}
		t.Logf("%s: %d of %d cells are right", corpus.file, len(all)-wrong, len(all))
		if share := float64(len(all)-wrong) / float64(len(all)); share < corpus.floor {
			t.Errorf("%s: %.1f %% are right, the floor is %.0f %%; -cells shows the others", corpus.file, 100*share, 100*corpus.floor)
		}
	}
}

// TestCellsOfOthers matches the judged cells of the shared data.
func TestCellsOfOthers(t *testing.T) {
	file := filepath.Join(sharedDir(t), "golden", "names", "cells-dev.tsv")
	ix := sharedIndex(t)
	f, err := os.Open(file)
	if err != nil {
		t.Skip("SKIPPED, NOT PASSED: ", err)
	}
	defer f.Close()
	wrong, all := 0, 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		cells := strings.Split(sc.Text(), "\t")
		if len(cells) != 3 || strings.HasPrefix(cells[0], "#") {
			continue
		}
		all++
		if got, ok := judgeCell(t, ix, cells[1], ownWords(cells[2])); !ok {
			wrong++
			if *showCells {
				t.Logf("%s: %s\n got %s\nwant %s", cells[0], cells[1], got, cells[2])
			}
		}
	}
	must(t, sc.Err())
	t.Logf("%d of %d cells are right", all-wrong, all)
	if share := float64(all-wrong) / float64(all); share < 0.92 {
		t.Errorf("%.1f %% are right, the floor is 92 %%; -cells shows the others", 100*share)
	}
}

// ownWords converts an expected answer of cells-dev.tsv to the format of cells.txt.
func ownWords(want string) string {
	kind, name, _ := strings.Cut(want, ":")
	switch {
	case strings.HasPrefix(want, "="):
		return want[1:]
	case kind == "g":
		return "genus " + name
	case kind == "amb":
		return strings.ReplaceAll(name, "|", "; ")
	case strings.HasPrefix(kind, "<"):
		return "below " + name
	}
	return want
}

// judgeCell matches a cell. got is the answer in the format of cells.txt; ok reports whether it
// equals want.
func judgeCell(t *testing.T, ix *names.Index, cell, want string) (got string, ok bool) {
	t.Helper()
	r, err := ix.Match(names.Query{Name: cell, Limit: 10})
	if err != nil {
		return err.Error(), want == "none"
	}
	for _, e := range r.Results {
		got += fmt.Sprintf("%s > %s %s %.2f %s; ", e.MatchedName, e.AcceptedName, e.MatchType, e.Score, strings.Join(e.Flags, " "))
	}
	got += "unread " + string(r.Unread)
	want, unread, said := strings.Cut(want, " | ")
	if said && string(r.Unread) != unread {
		return got, false
	}
	kind, name, _ := strings.Cut(want, " ")
	switch {
	case want == "none":
		return got, len(r.Results) == 0 || onlyGenus(r.Results[0])
	case len(r.Results) == 0:
		return got, kind == "below"
	case strings.Contains(want, "; "):
		return got, offersAll(r.Results, strings.Split(want, "; "))
	case kind == "genus":
		return got, onlyGenus(r.Results[0]) && resolvesTo(r.Results[0], name)
	case kind == "take":
		return got, r.Results[0].Score >= names.ScoreTake && resolvesTo(r.Results[0], name)
	case kind == "species":
		return got, r.Results[0].Score <= 0.40 && resolvesTo(r.Results[0], name)
	case kind == "below":
		return got, r.Results[0].Score < 0.7 || !resolvesTo(r.Results[0], name)
	}
	return got, resolvesTo(r.Results[0], want)
}

func onlyGenus(e names.Entry) bool {
	return e.Score <= 0.25 && !strings.Contains(strings.TrimPrefix(string(e.MatchedName), "× "), " ")
}

// resolvesTo reports whether the matched or an accepted name of an entry is the given name, apart
// from hybrid signs.
func resolvesTo(e names.Entry, name string) bool {
	plain := func(s string) string { return strings.ReplaceAll(s, "× ", "") }
	return plain(string(e.MatchedName)) == plain(name) || plain(string(e.AcceptedName)) == plain(name) || plain(string(e.AcceptedNameColChina)) == plain(name)
}

// offersAll reports whether the results include the wanted names in their order and are all
// ambiguous.
func offersAll(results []names.Entry, wanted []string) bool {
	at := 0
	for _, e := range results {
		if at < len(wanted) && resolvesTo(e, wanted[at]) {
			at++
		}
		if !e.Flags.Has(answer.Ambiguous) {
			return false
		}
	}
	return at == len(wanted)
}
