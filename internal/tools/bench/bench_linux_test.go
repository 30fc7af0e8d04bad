package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/leak"
)

// TestMain lets the test binary also run as the baseline server that "http" starts, and as the
// process that a test kills.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && commands[os.Args[1]] != nil {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	leak.Main(m)
}

// TestHarness runs all measurements at scale 1/1000. It checks that all figures exist, not their
// values.
func TestHarness(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds the program; without -short it runs")
	}
	var out, errs bytes.Buffer
	folder, bencao := t.TempDir(), program(t)
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, args := range [][]string{
		{"data", "-scale", "0.001", "-out", at("sources")},
		{"build", "-program", bencao, "-sources", at("sources"), "-data", at("data"), "-out", at("build")},
		{"http", "-program", bencao, "-data", at("data"), "-each", "20ms", "-out", at("http")},
	} {
		if code := run(args, nil, &out, &errs); code != 0 {
			t.Fatalf("%q: exit %d: %s", args, code, errs.String())
		}
	}
	asked, err := readResult(at("http"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		cpu, ok := asked.figure(k.name, "CPU µs")
		floor, okFloor := asked.figure(k.name, "floor µs")
		if !ok || !okFloor || cpu <= 0 || floor <= 0 {
			t.Errorf("%s: CPU %v, floor %v; want both", k.name, cpu, floor)
		}
	}
	night, err := readResult(at("build"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ row, column string }{
		{"night", "CPU s"}, {"night", "peak MiB"}, {"unchanged night", "wall s"}, {"snapshot", "MiB"}, {"file store.bolt", "MiB"},
		{"ready, cold", "wall s"}, {"ready, warm", "wall s"}, {"resident after all kinds", "peak MiB"},
	} {
		if f, ok := night.figure(want.row, want.column); !ok || f <= 0 {
			t.Errorf("%s, %s: %v, want a figure", want.row, want.column, f)
		}
	}
	table, err := os.ReadFile(at("http.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "| detail |"; !strings.Contains(string(table), want) {
		t.Errorf("http.md lacks %q:\n%s", want, table)
	}
}

func readResult(path string) (*result, error) {
	b, err := os.ReadFile(path + ".json")
	if err != nil {
		return nil, err
	}
	r := &result{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s.json: %w", path, err)
	}
	return r, nil
}

// figure returns the figure of a row and a column. It returns false if it was not measured.
func (r *result) figure(name, column string) (float64, bool) {
	for _, row := range r.Rows {
		for i, c := range r.Columns {
			if row.Name == name && c == column && row.Figures[i] != nil {
				return *row.Figures[i], true
			}
		}
	}
	return 0, false
}

// program builds the program to be measured and returns its path.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bencao")
	if out, err := exec.Command("go", "build", "-C", "../../..", "-o", path, "./cmd/bencao").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func TestPinyinAsTyped(t *testing.T) {
	if got := pinyinOf(record{Pinyin: "Nǚ zhēn lǜ"}); got != "nvzhenlv" {
		t.Errorf("pinyin as it is typed is %q, want nvzhenlv", got)
	}
}
