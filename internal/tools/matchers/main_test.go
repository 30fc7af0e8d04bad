package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// TestRun compares the two built-in matchers and a peer on a list with known results. The peer
// repeats each name.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	f, err := z.Create("wcvp_names.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write([]byte("plant_name_id|ipni_id|taxon_rank|taxon_status|family|taxon_name|taxon_authors|accepted_plant_name_id\n" +
		"1||Species|Accepted|Araliaceae|Panax ginseng|C.A.Mey.|1\n" +
		"2||Genus|Accepted|Araliaceae|Panax|L.|2\n" +
		"3||Species|Synonym|Araliaceae|Aralia ginseng|(C.A.Mey.) Baill.|1\n"))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	wcvp := write("wcvp.zip", archive.String(), 0o600)
	list := write("list.tsv", "# A comment.\ninput\texpected\n"+
		"Panax ginsen\tPanax ginseng\nAralia ginseng\tPanax ginseng\nRattus rattus\tnone\nPanax ginseng\tPanax pseudoginseng\nPanax\tg:Panax\n", 0o600)
	write("peers/echo", "#!/bin/sh\nsed 's/$/\\t1/'\n", 0o755)
	var out strings.Builder
	if err := run(t.Context(), []string{"-wcvp", wcvp, "-peers", filepath.Join(dir, "peers"), list}, &out); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		if cells := strings.Fields(line); len(cells) > 5 {
			got[cells[5]] = strings.Join(cells[:4], " ")
		}
	}
	for matcher, want := range map[string]string{"bencao": "4 0 1 1", "gnparser,": "3 1 1 1", "echo": "2 0 3 3"} {
		if got[matcher] != want {
			t.Errorf("%s has %q, want %q:\n%s", matcher, got[matcher], want, out.String())
		}
	}
	if err := run(t.Context(), []string{"-wcvp", wcvp, write("bad.tsv", "name alone\n", 0o600)}, &out); err == nil || !strings.Contains(err.Error(), "bad.tsv:1") {
		t.Errorf("a list without the column expected gives %v", err)
	}
}

// TestListsAreJudged checks that each line of the lists has a judgement.
func TestListsAreJudged(t *testing.T) {
	files, err := filepath.Glob("lists/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no lists: %v", err)
	}
	for _, file := range files {
		list, err := readList(file)
		if err != nil {
			t.Error(err)
		}
		for _, j := range list {
			if j.input == "" {
				t.Errorf("%s has a line without input", file)
			}
		}
	}
}
