package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/store"
)

// must ends the test if there is an error.
var must = testkit.Must

// TestHistory writes more versions of the data than a file of changes keeps. One paper is added,
// changed, removed and added again. Every file must list the right change since each older version.
func TestHistory(t *testing.T) {
	const versions = 40
	states := map[int]string{1: "Came", 3: "Changed", 5: "", 7: "Again"} // the paper's new title by version; "" removes the paper
	titles := make([]string, versions)                                   // the paper's title in each version
	for n := 1; n < versions; n++ {
		titles[n] = titles[n-1]
		if title, ok := states[n]; ok {
			titles[n] = title
		}
	}
	dir := t.TempDir()
	write := func(n int) *store.Store {
		d := &store.Data{Papers: []store.Paper{{PaperSummary: store.PaperSummary{ID: "steady", Title: "Steady"}}}}
		if titles[n] != "" {
			d.Papers = append(d.Papers, store.Paper{PaperSummary: store.PaperSummary{ID: "p", Title: store.Text(titles[n])}, Num: 1})
		}
		path := filepath.Join(dir, fmt.Sprint(n, ".bolt"))
		must(t, store.Write(context.Background(), path, d, nil))
		s, err := store.Open(path)
		must(t, err)
		return s
	}
	then := write(0)
	var changes *store.Changes
	for n := 1; n < versions; n++ {
		now := write(n)
		path := filepath.Join(dir, fmt.Sprint("changes", n))
		must(t, writeChanges(path, fmt.Sprint(n-1), then, now, changes))
		must(t, errors.Join(then.Close(), changes.Close()))
		var err error
		if changes, err = store.OpenChanges(path); err != nil {
			t.Fatal(err)
		}
		then = now
		known := changes.Versions()
		if want := min(n, 30); len(known) != want || known[0] != fmt.Sprint(n-1) {
			t.Errorf("version %d has the changes since versions %v, want the %d versions before it", n, known, want)
		}
		for age, since := range known {
			was, want := n-1-age, ""
			changed := false
			for m := was + 1; m <= n; m++ {
				changed = changed || titles[m] != titles[m-1]
			}
			switch {
			case !changed:
			case titles[n] == "":
				want = "removed"
			case titles[was] == "":
				want = "added"
			default:
				want = "changed"
			}
			list, err := changes.List(since, store.TablePapers, 0, changes.Count(since, store.TablePapers))
			must(t, err)
			got := ""
			if len(list) > 0 {
				got = list[0].What
			}
			if got != want || len(list) > 1 {
				t.Errorf("changes of version %d since %s: %+v, want %q", n, since, list, want)
			}
			if want != "" && want != "removed" && string(list[0].Name) != titles[n] {
				t.Errorf("changes of version %d since %s: the paper's name is %q, want %q", n, since, list[0].Name, titles[n])
			}
		}
	}
	must(t, errors.Join(then.Close(), changes.Close()))
}

// writeChanges writes the file of changes between two stores, as a nightly build does.
func writeChanges(path, before string, then, now *store.Store, older *store.Changes) error {
	a, err := then.Begin()
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := now.Begin()
	if err != nil {
		return err
	}
	defer b.Close()
	diffs := map[store.Table]store.Diff{}
	for _, t := range []store.Table{store.TableSpecies, store.TableFormulas, store.TablePapers, store.TableHerbs} {
		diffs[t] = store.Compare(t, a, b)
	}
	return store.WriteChanges(path, before, diffs, a, b, older)
}

// TestNoChanges checks that a snapshot without a file of changes lists no older versions.
func TestNoChanges(t *testing.T) {
	c, err := store.OpenChanges(filepath.Join(t.TempDir(), store.ChangesName))
	must(t, err)
	list, err := c.List("x", store.TableSpecies, 0, 1)
	if len(c.Versions()) != 0 || c.Count("x", store.TableSpecies) != 0 || len(list) != 0 || err != nil || c.Close() != nil {
		t.Errorf("without a file: versions %v, list %v, %v", c.Versions(), list, err)
	}
}
