package names_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
)

// TestEverydayNames checks everyday names that no checklist has. Each must resolve to its plant,
// with a lower score than the plant's own name.
func TestEverydayNames(t *testing.T) {
	ix := hinted(t)
	for name, want := range map[string]string{"水稻": "Oryza sativa", "イネ": "Oryza sativa", "벼": "Oryza sativa", "ｲﾈ": "Oryza sativa"} {
		r := match(ix, name, "")
		if len(r.Results) == 0 || string(r.Results[0].AcceptedName) != want || r.Results[0].Score >= 0.9 {
			t.Errorf("%s: %s, want %s below 0.9", name, render(r), want)
		}
	}
	for _, name := range []string{"オウレンx", "ハ", "가"} {
		if r := match(ix, name, ""); len(r.Results) > 0 {
			t.Errorf("%s: %s, want nothing", name, render(r))
		}
	}
}

// TestEverydayNamesOfSeveral checks that the plant which an everyday name means first is the first answer,
// and the others follow.
func TestEverydayNamesOfSeveral(t *testing.T) {
	ix := sharedIndex(t)
	for name, want := range map[string]string{"ニンジン": "Panax ginseng", "オウレン": "Coptis japonica", "황기": "Astragalus mongholicus"} {
		r := match(ix, name, "")
		if len(r.Results) < 2 || string(r.Results[0].MatchedName) != want {
			t.Errorf("%s: %s, want %s first of several", name, render(r), want)
		}
	}
}

// TestChineseNamesOfPapers matches Chinese names that papers use. At least 82 % of the answers must
// be right, and no wrong answer to an everyday name may score 0.9 or more.
func TestChineseNamesOfPapers(t *testing.T) {
	ix := sharedIndex(t)
	right, rows := 0, 0
	for row := range judged(t, filepath.Join(sharedDir(t), "golden", "names-3", "zh-aliases.tsv")) {
		rows++
		r := match(ix, row["input"], "")
		fits := func(e names.Entry) bool {
			return slices.ContainsFunc(strings.Split(row["expected"], "|"), func(w string) bool {
				return string(e.AcceptedName) == w || string(e.MatchedName) == w
			})
		}
		first := r.Results[:min(3, len(r.Results))]
		switch {
		case row["expected"] == "none" && len(first) == 0, slices.ContainsFunc(first, fits):
			right++
		default:
			t.Logf("%s: %s, want %s", row["input"], render(r), row["expected"])
		}
		if len(first) > 0 && first[0].Score >= 0.9 && !fits(first[0]) && row["kind"] == "zh alias" {
			t.Errorf("%s: false at 0.9 or more: %s, want %s", row["input"], render(r), row["expected"])
		}
	}
	t.Logf("%d of %d Chinese names of papers are right", right, rows)
	if right*100 < rows*82 {
		t.Errorf("%d of %d Chinese names of papers are right, want 82 %%", right, rows)
	}
}
