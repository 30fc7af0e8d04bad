package snapshot_test

import (
	"os"
	"path/filepath"
	"testing"

	"bencao/store/snapshot"
)

// BenchmarkVerify verifies a snapshot of four files of 128 MB, which the system has in its cache as
// after a copy.
func BenchmarkVerify(b *testing.B) {
	d := dataDir(b)
	w, err := d.Lock(snapshot.WriterOptions{})
	must(b, err)
	draft, err := w.Draft()
	must(b, err)
	const size = 128 << 20
	for _, name := range []string{"a", "b", "c", "d"} {
		must(b, os.WriteFile(filepath.Join(draft.Path(), name), make([]byte, size), 0o644))
	}
	m, err := draft.Publish(b.Context(), content("monday"), accept)
	must(b, err)
	must(b, w.Close())
	for name, depth := range map[string]snapshot.Depth{"quick": snapshot.Quick, "deep": snapshot.Deep} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(4 * size)
			for b.Loop() {
				_, err := d.Verify(b.Context(), m.ID, depth)
				must(b, err)
			}
		})
	}
}
