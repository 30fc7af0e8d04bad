package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"bencao/internal/test/fullsize"
)

// TestCommittedSample generates the sample again and compares it with the committed one. It needs
// the sources, which are not in the repository.
func TestCommittedSample(t *testing.T) {
	sources := fullsize.Path(t, "data/sample-sources")
	out := t.TempDir()
	var stderr bytes.Buffer
	if code := run([]string{"-out", out, sources}, &stderr); code != 0 {
		t.Fatalf("the command ended with %d: %s", code, stderr.String())
	}
	made, committed := files(t, out), files(t, filepath.Join("..", "..", "..", "indexer", "sample"))
	for name, want := range made {
		if got, has := committed[name]; !has {
			t.Errorf("%s is not committed; run bin/sample and commit the file", name)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the generated file; run bin/sample, read the change and commit the file", name)
		}
	}
	for name := range committed {
		if _, has := made[name]; !has {
			t.Errorf("%s is committed, but bin/sample does not write it; remove the file", name)
		}
	}
}

// files reads package/ and checklists/ below dir.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, top := range []string{"package", "checklists"} {
		err := filepath.WalkDir(filepath.Join(dir, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, path)
			all[name] = text
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestSplitUses(t *testing.T) {
	got := splitUses("Medicine and Food (whole plant), Rituals, Dye (root, bark).")
	want := []use{{"medicine and food", "whole plant"}, {"rituals", ""}, {"dye", "root, bark"}}
	if len(got) != len(want) {
		t.Fatalf("got %d uses %q, want %d", len(got), got, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("use %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func TestProcessing(t *testing.T) {
	for _, tt := range []struct{ note, dose, want string }{
		{"去皮，三两", "三两", "去皮"},
		{"三两", "三两", ""},
		{"一枚，炮，去皮，破八片", "一枚", "炮，去皮，破八片"},
		{"炙", "", "炙"},
	} {
		if got := processing(tt.note, tt.dose); got != tt.want {
			t.Errorf("processing(%q, %q) = %q, want %q", tt.note, tt.dose, got, tt.want)
		}
	}
}

func TestUsage(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(nil, &stderr); code != 2 || stderr.Len() == 0 {
		t.Errorf("without sources the command ended with %d and said %q; want 2 and a message", code, stderr.String())
	}
	if code := run([]string{"-out", t.TempDir(), t.TempDir()}, &stderr); code != 1 {
		t.Errorf("with an empty folder as sources the command ended with %d, want 1", code)
	}
}
