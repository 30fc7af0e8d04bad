package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Peers have as many results as the program where the question is the very same.
// Those that are not installed are passed over.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds the program; without -short it runs")
	}
	dir := t.TempDir()
	sources, path := filepath.Join(dir, "sources"), filepath.Join(dir, "peers")
	var out bytes.Buffer
	if code := run([]string{"data", "-scale", "0.001", "-out", sources}, nil, &out, &out); code != 0 {
		t.Fatalf("exit %d: %s", code, out.String())
	}
	// A night that was killed has left a draft, and no snapshot.
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(filepath.Join(data, "snapshots", ".tmp-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{"peers", "-program", program(t), "-sources", sources, "-data", data, "-out", path, "-each", "1ms", "-rounds", "1"}
	if code := run(args, nil, &out, &out); code != 0 {
		t.Fatalf("exit %d: %s", code, out.String())
	}
	r, err := readResult(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Peers) != 1+len(peers) || r.Peers[0].CPU <= 0 {
		t.Fatalf("the result has %+v, want ours and all %d peers, here or missing", r.Peers, len(peers))
	}
	for _, p := range r.Peers[1:] {
		t.Run(p.Name, func(t *testing.T) {
			if p.Missing != "" {
				if p.Name == "SQLite" && os.Getenv("CI") != "" {
					t.Fatalf("in CI it must be there: %s", p.Missing)
				}
				t.Skipf("SKIPPED: %s", p.Missing)
			}
			for _, kind := range []string{"detail", "formula detail", "exact name", "PubMed id", "DOI", "formula name"} {
				results, _ := r.figure(kind, "results")
				same, ok := r.figure(kind, p.Name+" same %")
				if !ok || same != 100 || results == 0 {
					t.Errorf("%s: %.1f results on the average, as many of %s for %.0f %% of the questions; want some, and all", kind, results, p.Name, same)
				}
			}
			if cpu, _ := r.figure("detail", p.Name+" µs"); cpu <= 0 || p.Bytes <= 0 {
				t.Errorf("a detail took %v µs, the data %v bytes; want both", cpu, p.Bytes)
			}
		})
	}
}

// Without any peer nothing is begun.
func TestPeersMissing(t *testing.T) {
	var out bytes.Buffer
	code := run([]string{"peers", "-python", "/none/python3", "-sources", "none", "-data", "none", "-out", "none"}, nil, &out, &out)
	if want := "apt install python3 python3-xapian postgresql-15"; code != 2 || !strings.Contains(out.String(), want) {
		t.Errorf("exit %d, %q; want 2 and %q", code, out.String(), want)
	}
}
