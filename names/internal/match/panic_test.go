package match

import (
	"path/filepath"
	"testing"

	"bencao/names/internal/answer"
	"bencao/names/internal/build"
	"bencao/names/internal/checklist"
)

// TestPanic checks that a panic during one match does not change the score of the next name that is
// matched.
func TestPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.idx")
	b := build.New()
	if err := b.Record(checklist.Record{
		EntryID: 1, GUID: "1", ChineseName: "人参", Pinyin: "rén shēn",
		ScientificName: "Panax ginseng", Author: "C.A.Mey.", Rank: "species",
	}); err != nil {
		t.Fatal(err)
	}
	must(t, b.WriteFile(path))
	ix, err := Open(path)
	must(t, err)
	defer ix.Close()
	score := func(name string) float64 {
		t.Helper()
		r, err := ix.Match(answer.Query{Name: name})
		if err != nil || len(r.Results) != 1 {
			t.Fatalf("%s: %d results, error %v; want one result", name, len(r.Results), err)
		}
		return r.Results[0].Score
	}
	before := score("ren shen")
	if got := score("人参 Xqzwklerty vbnmasdfgh"); got != labelUnconfirmed {
		t.Fatalf("beside an unknown Latin name the Chinese one scores %.2f, want %.2f", got, labelUnconfirmed)
	}
	for _, name := range []string{"人参 Xqzwklerty vbnmasdfgh", "ren shen", "Panax ginseng", "Panax ginsen", "人参"} {
		panics(t, ix, name)
		if after := score("ren shen"); after != before {
			t.Errorf("after a panic at %q, ren shen scores %.2f, before %.2f", name, after, before)
		}
	}
}

// panics matches a name without the versions of the checklists, so that writing the answer panics.
// Afterwards it restores the versions.
func panics(t *testing.T, ix *Index, name string) {
	t.Helper()
	versions := ix.file.Versions
	defer func() {
		ix.file.Versions = versions
		if recover() == nil {
			t.Errorf("%s: no panic without the versions of the checklists", name)
		}
	}()
	ix.file.Versions = nil
	if _, err := ix.Match(answer.Query{Name: name}); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}
