package snapshot_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
)

// must ends the test if there is an error.
var must = testkit.Must

// writable makes a published directory writable until restore is called.
func writable(t testing.TB, dir string) (restore func()) {
	t.Helper()
	must(t, os.Chmod(dir, 0o755))
	return func() { must(t, os.Chmod(dir, 0o555)) }
}

// damage changes a file of a published snapshot, as a faulty copy would.
func damage(t testing.TB, d snapshot.Dir, id, file string, change func([]byte) []byte) {
	t.Helper()
	name := filepath.Join(d.Path(), "snapshots", id, file)
	b, err := os.ReadFile(name)
	must(t, err)
	defer writable(t, filepath.Dir(name))()
	must(t, os.Remove(name))
	must(t, os.WriteFile(name, change(bytes.Clone(b)), 0o444))
}

func TestDamageIsRefused(t *testing.T) {
	tests := []struct {
		name string
		harm func(t *testing.T, d snapshot.Dir, dir string)
		want []string
	}{
		{"truncated", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "store.bolt", func(b []byte) []byte { return b[:len(b)-1] })
		}, []string{"store.bolt has 70000 bytes, the manifest says 70001"}},
		{"one bit", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "species.bleve/store/1.zap", func(b []byte) []byte { b[299_999] ^= 0x80; return b })
		}, []string{"species.bleve/store/1.zap is altered: CRC-32C"}},
		{"missing", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Remove(filepath.Join(dir, "names.idx")))
		}, []string{"names.idx is missing"}},
		{"extra", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, filepath.Join(dir, "species.bleve"))()
			must(t, os.WriteFile(filepath.Join(dir, "species.bleve", ".1.zap.Xy12"), nil, 0o644))
		}, []string{"species.bleve/.1.zap.Xy12 is not in the manifest"}},
		{"empty directory", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Mkdir(filepath.Join(dir, "papers.bleve"), 0o755))
		}, []string{"papers.bleve is an empty directory"}},
		{"symbolic link", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			elsewhere := filepath.Join(t.TempDir(), "names.idx")
			must(t, os.Rename(filepath.Join(dir, "names.idx"), elsewhere))
			must(t, os.Symlink(elsewhere, filepath.Join(dir, "names.idx")))
		}, []string{"names.idx is a symbolic link"}},
		{"linked directory", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Chmod(filepath.Join(dir, "species.bleve"), 0o755))
			elsewhere := filepath.Join(d.Path(), "species.bleve")
			must(t, os.Rename(filepath.Join(dir, "species.bleve"), elsewhere))
			must(t, os.Symlink(elsewhere, filepath.Join(dir, "species.bleve")))
		}, []string{"species.bleve is a symbolic link"}},
		{"pipe", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Remove(filepath.Join(dir, "names.idx")))
			makePipe(t, filepath.Join(dir, "names.idx"))
		}, []string{"names.idx is not a regular file"}},
		{"no manifest", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Remove(filepath.Join(dir, "manifest.json")))
		}, []string{"manifest.json is missing"}},
		{"manifest of another build", func(t *testing.T, d snapshot.Dir, dir string) {
			other := mustBuild(t, d, "sunday!")
			b, err := os.ReadFile(filepath.Join(d.Path(), "snapshots", other.ID, "manifest.json"))
			must(t, err)
			damage(t, d, filepath.Base(dir), "manifest.json", func([]byte) []byte { return b })
		}, []string{"manifest.json is the manifest of snapshot"}},
		{"edited manifest", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "manifest.json", func(b []byte) []byte {
				return bytes.Replace(b, []byte(`"species": 3`), []byte(`"species": 4`), 1)
			})
		}, []string{"manifest.json is altered: its content gives id"}},
		{"newer format", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "manifest.json", func(b []byte) []byte {
				return bytes.Replace(b, []byte(`"format": 1`), []byte(`"format": 2, "new": true`), 1)
			})
		}, []string{"manifest.json has format 2", "needs a newer bencao"}},
		{"the directory is a link", func(t *testing.T, d snapshot.Dir, dir string) {
			must(t, os.Rename(dir, dir+"x"))
			must(t, os.Symlink(dir+"x", dir))
		}, []string{"is not a directory"}},
		{"the directory is gone", func(t *testing.T, d snapshot.Dir, dir string) {
			must(t, os.Rename(dir, dir+"x"))
		}, []string{"is not there", "bencao snapshots"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := dataDir(t)
			m := mustBuild(t, d, "monday")
			tt.harm(t, d, filepath.Join(d.Path(), "snapshots", m.ID))
			_, err := d.Open(t.Context(), m.ID)
			oneLine(t, err, append(tt.want, m.ID)...)
			for _, depth := range []snapshot.Depth{snapshot.Quick, snapshot.Deep} {
				_, err = d.Verify(t.Context(), m.ID, depth)
				oneLine(t, err, tt.want...)
			}
			w := lock(t, d)
			_, err = w.Rollback(t.Context(), m.ID)
			oneLine(t, err, tt.want...)
		})
	}
}

func TestBadCurrent(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	current := filepath.Join(d.Path(), "CURRENT")
	good, err := os.ReadFile(current)
	must(t, err)
	for name, content := range map[string]string{
		"empty":      "",
		"cut off":    string(good[:30]),
		"no end":     string(good[:len(good)-1]),
		"two lines":  string(good) + string(good),
		"windows":    string(good[:len(good)-1]) + "\r\n",
		"upwards":    "../../etc/passwd " + string(good[24:]),
		"other hash": m.ID + " " + fmt.Sprintf("%064d", 0) + "\n",
		"long":       string(bytes.Repeat(good, 1000)),
		"zeros":      string(make([]byte, len(good))),
	} {
		must(t, os.WriteFile(current, []byte(content), 0o644))
		if s, err := d.OpenCurrent(t.Context()); err == nil {
			t.Errorf("%s: opened %s", name, s.ID)
			must(t, s.Close())
		} else {
			oneLine(t, err, "CURRENT")
		}
	}
	must(t, os.Remove(current))
	must(t, os.Symlink(filepath.Join("snapshots", m.ID, "manifest.json"), current))
	_, err = d.OpenCurrent(t.Context())
	oneLine(t, err, "CURRENT", "symbolic link")

	// Roll back, as the error messages advise.
	w := lock(t, d)
	_, err = w.Rollback(t.Context(), m.ID)
	must(t, err)
	if got := currentName(t, d); got != "monday" {
		t.Errorf("after rollback, current is %q, want monday", got)
	}
}
