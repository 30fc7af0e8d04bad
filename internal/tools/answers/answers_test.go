package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answerFile writes lines as a file of answers and returns its path.
func answerFile(t *testing.T, lines ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "answers.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompare(t *testing.T) {
	old := answerFile(t, "/a\t200\tone", "/b\t200\ttwo", "/c\t200\tthree")
	for _, tt := range []struct {
		what  string
		lines []string
		code  int
		says  string
	}{
		{"the same", []string{"/a\t200\tone", "/b\t200\ttwo", "/c\t200\tthree"}, 0, "0 differ, 0 were asked of the older only"},
		{"fewer questions", []string{"/b\t200\ttwo"}, 0, "0 differ, 2 were asked of the older only"},
		{"another body", []string{"/a\t200\tone", "/b\t200\ttwu"}, 1, "/b\n  - 200\ttwo\n  + 200\ttwu\n"},
		{"another status", []string{"/c\t404\tthree"}, 1, "1 differ"},
		{"another deck", []string{"/d\t200\tfour"}, 2, "ask both with the same deck"},
		{"another order", []string{"/b\t200\ttwo", "/a\t200\tone"}, 2, "ask both with the same deck"},
	} {
		var out bytes.Buffer
		code := run([]string{"compare", old, answerFile(t, tt.lines...)}, &out, &out)
		if code != tt.code || !strings.Contains(out.String(), tt.says) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", tt.what, code, out.String(), tt.code, tt.says)
		}
	}
}

// TestCut checks that a truncated file is an error and is not read as a shorter file.
func TestCut(t *testing.T) {
	old := answerFile(t, "/a\t200\tone", "/b\t200\ttwo")
	whole, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.gz")
	if err := os.WriteFile(cut, whole[:len(whole)-12], 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := run([]string{"compare", old, cut}, &out, &out); code != 2 {
		t.Errorf("exit code %d for a truncated file, want 2; the output is %q", code, out.String())
	}
}

// TestDeck checks that the deck contains the corpora of the repository and lists missing inputs.
func TestDeck(t *testing.T) {
	d := newDeck("../../..", t.TempDir(), 1000)
	if err := d.deal(""); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(d.questions, "\n")
	for _, want := range []string{
		"/api/v1/names/match?explain=true&name=P.+ginseng\n",
		"/api/v1/species?page=1&pageSize=20&q=%E4%BA%BA%E5%8F%82\n",
		"/api/v1/formulas?dynasty=%E5%AE%8B&page=2&pageSize=20&q=%E6%A1%82%E6%9E%9D%E6%B1%A4\n",
		"/api/v1/papers?page=1&pageSize=100&q=ginseng+pharmacology",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the deck has no %q", want)
		}
	}
	if len(d.missing) == 0 {
		t.Error("the full-size data are missing, but the deck lists no missing inputs")
	}
}
