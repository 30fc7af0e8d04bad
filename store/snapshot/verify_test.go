package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bencao/store/snapshot"
)

// must ends the test if err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

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
		{"emptied", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "names.idx", func([]byte) []byte { return nil })
		}, []string{"names.idx has 0 bytes"}},
		{"longer", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "report.json", func([]byte) []byte { return []byte("{}") })
		}, []string{"report.json has 2 bytes, the manifest says 0"}},
		{"one bit", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "species.bleve/store/1.zap", func(b []byte) []byte { b[299_999] ^= 0x80; return b })
		}, []string{"species.bleve/store/1.zap is altered: CRC-32C"}},
		{"missing", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Remove(filepath.Join(dir, "names.idx")))
		}, []string{"names.idx is missing"}},
		{"last one missing", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Remove(filepath.Join(dir, "store.bolt")))
		}, []string{"store.bolt is missing"}},
		{"extra", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, filepath.Join(dir, "species.bleve"))()
			must(t, os.WriteFile(filepath.Join(dir, "species.bleve", ".1.zap.Xy12"), nil, 0o644))
		}, []string{"species.bleve/.1.zap.Xy12 is not in the manifest"}},
		{"extra at the end", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.WriteFile(filepath.Join(dir, "zzz"), nil, 0o644))
		}, []string{"zzz is not in the manifest"}},
		{"empty directory", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Mkdir(filepath.Join(dir, "papers.bleve"), 0o755))
		}, []string{"papers.bleve is an empty directory"}},
		{"empty directory at the end", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Mkdir(filepath.Join(dir, "zzz"), 0o755))
		}, []string{"zzz is an empty directory"}},
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
		{"swapped", func(t *testing.T, d snapshot.Dir, dir string) {
			defer writable(t, dir)()
			must(t, os.Rename(filepath.Join(dir, "names.idx"), filepath.Join(dir, "x")))
			must(t, os.Rename(filepath.Join(dir, "store.bolt"), filepath.Join(dir, "names.idx")))
			must(t, os.Rename(filepath.Join(dir, "x"), filepath.Join(dir, "store.bolt")))
		}, []string{"names.idx has 70001 bytes"}},
		{"of another build", func(t *testing.T, d snapshot.Dir, dir string) {
			damage(t, d, filepath.Base(dir), "store.bolt", func([]byte) []byte { return files("sunday!")["store.bolt"] })
		}, []string{"store.bolt is altered"}},
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

// TestDamageType checks that the error of a damaged snapshot is a Damage whose fields name the
// snapshot and the file.
func TestDamageType(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	damage(t, d, m.ID, "names.idx", func(b []byte) []byte { b[0]++; return b })
	_, err := d.OpenCurrent(t.Context())
	var dmg *snapshot.Damage
	if !errors.As(err, &dmg) || dmg.ID != m.ID || dmg.File != "names.idx" {
		t.Errorf("OpenCurrent: %v, want a Damage of names.idx in %s", err, m.ID)
	}
}

// TestDeepFindsForgery checks that SHA-256 detects a changed file that has the same CRC-32C.
func TestDeepFindsForgery(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	damage(t, d, m.ID, "names.idx", func(b []byte) []byte {
		b[100] ^= 1
		return forgeCRC(b, files("monday")["names.idx"])
	})
	if _, err := d.Verify(t.Context(), m.ID, snapshot.Quick); err != nil {
		t.Fatalf("the forged file must have the right CRC-32C: %v", err)
	}
	_, err := d.Verify(t.Context(), m.ID, snapshot.Deep)
	oneLine(t, err, "names.idx is altered: SHA-256")
	_, err = lock(t, d).Rollback(t.Context(), m.ID)
	oneLine(t, err, "names.idx is altered: SHA-256")
}

func TestEveryBitCounts(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	paths := []string{"CURRENT", "manifest.json"}
	for _, f := range m.Files {
		if f.Bytes > 0 {
			paths = append(paths, f.Path)
		}
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 60 * len(paths) {
		file := paths[i%len(paths)]
		name := filepath.Join(d.Path(), "snapshots", m.ID, file)
		if file == "CURRENT" {
			name = filepath.Join(d.Path(), file)
		}
		b, err := os.ReadFile(name)
		must(t, err)
		at, bit := rnd.IntN(len(b)), rnd.IntN(8)
		if i < len(paths) {
			at = len(b) - 1
		}
		b[at] ^= 1 << bit
		must(t, os.Chmod(name, 0o644))
		must(t, os.WriteFile(name, b, 0o644))
		s, err := d.OpenCurrent(t.Context())
		if err == nil {
			t.Errorf("opened with bit %d of byte %d of %s flipped: %s", bit, at, file, s.ID)
			must(t, s.Close())
		} else {
			oneLine(t, err, filepath.Base(file))
		}
		if file == "manifest.json" { // the id depends on its content, so Open finds the damage without CURRENT
			_, err := d.Open(t.Context(), m.ID)
			oneLine(t, err, "manifest.json")
		}
		b[at] ^= 1 << bit
		must(t, os.WriteFile(name, b, 0o644))
	}
	if got := currentName(t, d); got != "monday" {
		t.Errorf("after the repair, current is %q, want monday", got)
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
