package main

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/leak"
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
	folder := filepath.Join(t.TempDir(), "results")
	if code := run([]string{"growth", "-program", program(t), "-folder", folder, "-scales", "0.0005,0.001", "-each", "20ms"}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	asked, err := readResult(filepath.Join(folder, "0.001", "http"))
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
	night, err := readResult(filepath.Join(folder, "0.001", "build"))
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
	table, err := os.ReadFile(filepath.Join(folder, "growth.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| night, CPU s |", "| detail, CPU µs |", "exponent"} {
		if !strings.Contains(string(table), want) {
			t.Errorf("growth.md lacks %q:\n%s", want, table)
		}
	}
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

func TestSlope(t *testing.T) {
	var x, y []float64
	for _, n := range []float64{1, 10, 100} {
		x, y = append(x, math.Log(n)), append(y, math.Log(3*math.Pow(n, 1.5)))
	}
	if got := slope(x, y); math.Abs(got-1.5) > 1e-9 {
		t.Errorf("the exponent of 3·n^1.5 is %v, want 1.5", got)
	}
}

func TestPinyinAsTyped(t *testing.T) {
	if got := pinyinOf(record{Pinyin: "Nǚ zhēn lǜ"}); got != "nvzhenlv" {
		t.Errorf("pinyin as it is typed is %q, want nvzhenlv", got)
	}
}
