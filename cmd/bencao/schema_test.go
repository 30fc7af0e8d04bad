package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/store/snapshot"
)

// TestAnotherSchema makes a data folder with a snapshot of another schema. Every command that reads
// the indexes must refuse it in one line that says what to do.
func TestAnotherSchema(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	w, err := snapshot.At(data).Lock(snapshot.WriterOptions{})
	must(t, err)
	draft, err := w.Draft()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(draft.Path(), "store.bolt"), []byte("of another form"), 0o644))
	m, err := draft.Publish(t.Context(), snapshot.Content{Program: "bencao v0.1", Schema: "51aa"}, func(string) error { return nil })
	must(t, err)
	must(t, w.Close())
	t.Cleanup(func() {
		if err := os.Chmod(filepath.Join(data, "snapshots", m.ID), 0o755); err != nil {
			t.Error(err)
		}
	})
	list := filepath.Join(t.TempDir(), "list.txt")
	must(t, os.WriteFile(list, []byte("Panax ginseng\n"), 0o644))
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"search", "species", "人参"}, `run "bencao index"`},
		{[]string{"match", list}, `run "bencao index"`},
		{[]string{"verify"}, `run "bencao index"`},
		{[]string{"rollback", m.ID}, "roll back with the program that built it"},
	} {
		var stdout, stderr strings.Builder
		code := run(append(tt.args, "--data", data), strings.NewReader(""), &stdout, &stderr)
		said := stderr.String()
		if code != exitFailed || strings.Count(said, m.ID) != 1 || strings.Count(said, "\n") != 1 ||
			!strings.Contains(said, "built with schema 51aa by bencao v0.1, this program has ") || !strings.Contains(said, tt.says) {
			t.Errorf("bencao %q ended with %d and %q, want %d and one line with both schemas and %q", tt.args, code, said, exitFailed, tt.says)
		}
	}
}
