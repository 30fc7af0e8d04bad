package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/race"
	"bencao/store/snapshot"
)

// parts lists the files that "bencao index" writes to a snapshot. The values are small sizes in
// bytes for the tests; some files end at a page boundary.
var parts = map[string]int{
	"findings.csv":                          60,
	"formulas.bleve/index_meta.json":        45,
	"formulas.bleve/store/000000000001.zap": 4096,
	"formulas.bleve/store/root.bolt":        8192,
	"names.idx":                             5001,
	"package.zip":                           3000,
	"papers.bleve/index_meta.json":          45,
	"papers.bleve/store/000000000001.zap":   4097,
	"papers.bleve/store/root.bolt":          8192,
	"report.json":                           700,
	"species.bleve/index_meta.json":         45,
	"species.bleve/store/000000000001.zap":  20_001,
	"species.bleve/store/root.bolt":         8192,
	"store.bolt":                            32_768,
}

// scene is a data directory with two snapshots that have all parts. The newer snapshot is current,
// and CHECKED confirms it.
type scene struct {
	dir          snapshot.Dir
	older, newer snapshot.Manifest
	starts       int // calls of refusedAs
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{dir: dataDir(t)}
	w, err := s.dir.Lock(snapshot.WriterOptions{})
	must(t, err)
	for n, m := range []*snapshot.Manifest{&s.older, &s.newer} {
		draft, err := w.Draft()
		must(t, err)
		for name, size := range parts {
			name = filepath.Join(draft.Path(), filepath.FromSlash(name))
			must(t, os.MkdirAll(filepath.Dir(name), 0o755))
			must(t, os.WriteFile(name, noise(rand.New(rand.NewPCG(uint64(n), uint64(size))), size), 0o644))
		}
		*m, err = draft.Publish(t.Context(), content(fmt.Sprint("build ", n)), func(string) error { return nil })
		must(t, err)
	}
	must(t, errors.Join(w.Confirm(), w.Close()))
	must(t, removable(filepath.Join(s.dir.Path(), "snapshots")))
	return s
}

func noise(rnd *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

// path returns the path of a part of the newer snapshot.
func (s *scene) path(part string) string {
	return filepath.Join(s.dir.Path(), "snapshots", s.newer.ID, filepath.FromSlash(part))
}

// allParts returns the names of the parts and of the manifest, sorted.
func allParts() []string {
	all := []string{"manifest.json"}
	for name := range parts {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// damages are ways to change the content of a part. do returns the changed content.
var damages = []struct {
	name string
	do   func(rnd *rand.Rand, b []byte) []byte
}{
	{"bits", func(rnd *rand.Rand, b []byte) []byte {
		for range 1 + rnd.IntN(1<<rnd.IntN(8)) {
			b[rnd.IntN(len(b))] ^= 1 << rnd.IntN(8)
		}
		return b
	}},
	{"cut off", func(rnd *rand.Rand, b []byte) []byte {
		switch n := rnd.IntN(len(b)); rnd.IntN(4) {
		case 0:
			return b[:n&^4095] // at a page boundary; may be empty
		case 1:
			return b[:n&^511]
		default:
			return b[:n]
		}
	}},
	{"zeros", func(rnd *rand.Rand, b []byte) []byte { // as if some pages were never written
		at := rnd.IntN(len(b)) &^ 511
		clear(b[at:min(len(b), at+512<<rnd.IntN(5))])
		return b
	}},
	{"longer", func(rnd *rand.Rand, b []byte) []byte {
		if rnd.IntN(2) == 0 {
			return append(b, make([]byte, 1+rnd.IntN(9000))...)
		}
		return append(b, noise(rnd, 1+rnd.IntN(9000))...)
	}},
}

// seeds returns the number of times that each kind of damage is tried on each part. It is smaller
// with -short or the race detector.
func seeds() int {
	if testing.Short() || race.On {
		return 10
	}
	return 100
}

// TestEveryPartDamaged damages the content of each part in each way, with many seeds. The snapshot
// must be refused.
func TestEveryPartDamaged(t *testing.T) {
	s := newScene(t)
	for _, part := range allParts() {
		good, err := os.ReadFile(s.path(part))
		must(t, err)
		for _, damage := range damages {
			for seed := range seeds() {
				bad := damage.do(rand.New(rand.NewPCG(uint64(seed), 5)), bytes.Clone(good))
				if bytes.Equal(bad, good) {
					continue // nothing changed, for example because the same bit was flipped twice
				}
				must(t, overwrite(s.path(part), bad))
				s.refused(t, fmt.Sprintf("%s: %s, seed %d", part, damage.name, seed), part)
			}
		}
		must(t, overwrite(s.path(part), good))
	}
	s.whole(t)
}

// TestEveryPartForged gives each part other content with the CRC-32C of the manifest, so that only
// SHA-256 detects the change.
func TestEveryPartForged(t *testing.T) {
	s := newScene(t)
	w := lock(t, s.dir)
	for part := range parts {
		good, err := os.ReadFile(s.path(part))
		must(t, err)
		for seed := range seeds() {
			rnd := rand.New(rand.NewPCG(uint64(seed), 6))
			bad := bytes.Clone(good)
			bad[rnd.IntN(len(bad)-4)] ^= 1 << rnd.IntN(8)
			must(t, overwrite(s.path(part), forgeCRC(bad, good)))
			if _, err := s.dir.Verify(t.Context(), s.newer.ID, snapshot.Quick); err != nil {
				t.Fatalf("%s: the forged file must have the right CRC-32C: %v", part, err)
			}
			_, err := s.dir.Verify(t.Context(), s.newer.ID, snapshot.Deep)
			oneLine(t, err, part+" is altered: SHA-256")
		}
		_, err = w.Rollback(t.Context(), s.newer.ID)
		oneLine(t, err, part+" is altered: SHA-256")
		must(t, overwrite(s.path(part), good))
	}
	s.whole(t)
}

// TestEveryPartMissing removes each part, and random sets of parts. The snapshot must be refused.
func TestEveryPartMissing(t *testing.T) {
	s := newScene(t)
	all := allParts()
	var sets [][]string
	for _, part := range all {
		sets = append(sets, []string{part})
	}
	for seed := range seeds() {
		rnd := rand.New(rand.NewPCG(uint64(seed), 7))
		rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		sets = append(sets, slices.Clone(all[:1+rnd.IntN(len(all))]))
	}
	for _, gone := range sets {
		for _, part := range gone {
			must(t, os.Rename(s.path(part), s.aside(part)))
		}
		s.refused(t, fmt.Sprintf("%q are missing", gone), append(gone, dirsOf(gone)...)...)
		for _, part := range gone {
			must(t, os.Rename(s.aside(part), s.path(part)))
		}
	}
	s.whole(t)
}

// TestEveryPartSwapped replaces each part by the same part of the older snapshot. It also swaps the
// part with other parts of its snapshot. The snapshot must be refused.
func TestEveryPartSwapped(t *testing.T) {
	s := newScene(t)
	for _, part := range allParts() {
		good, err := os.ReadFile(s.path(part))
		must(t, err)
		older, err := os.ReadFile(filepath.Join(s.dir.Path(), "snapshots", s.older.ID, filepath.FromSlash(part)))
		must(t, err)
		must(t, overwrite(s.path(part), older))
		s.refused(t, part+" of the older snapshot", part)
		must(t, overwrite(s.path(part), good))
		for seed := range seeds() {
			all := allParts()
			other := all[rand.New(rand.NewPCG(uint64(seed), 8)).IntN(len(all))]
			if s.same(t, part, other) {
				continue
			}
			must(t, s.exchange(part, other))
			s.refused(t, fmt.Sprintf("%s exchanged with %s", part, other), part, other)
			must(t, s.exchange(part, other))
		}
	}
	s.whole(t)
}

// exchange swaps two parts.
func (s *scene) exchange(a, b string) error {
	return errors.Join(os.Rename(s.path(a), s.aside(a)), os.Rename(s.path(b), s.path(a)), os.Rename(s.aside(a), s.path(b)))
}

// same reports whether two parts have the same content.
func (s *scene) same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(s.path(a))
	must(t, err)
	y, err := os.ReadFile(s.path(b))
	must(t, err)
	return bytes.Equal(x, y)
}

// aside returns the path to which a removed part is moved.
func (s *scene) aside(part string) string {
	return filepath.Join(s.dir.Path(), "aside-"+strings.ReplaceAll(part, "/", "-"))
}

// dirsOf returns the directories that contain the files.
func dirsOf(files []string) []string {
	var dirs []string
	for _, f := range files {
		for d := filepath.ToSlash(filepath.Dir(f)); d != "."; d = filepath.ToSlash(filepath.Dir(d)) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// refused checks that opening and verifying a damaged snapshot both fail, and that the error names
// one of the damaged files.
func (s *scene) refused(t *testing.T, what string, blamed ...string) {
	t.Helper()
	err := s.refusedAs(t, what, s.newer.ID)
	var damage *snapshot.Damage
	if !errors.As(err, &damage) || damage.ID != s.newer.ID || !slices.Contains(blamed, damage.File) {
		t.Errorf("%s: error %v, want a Damage of one of %q", what, err, blamed)
	}
	if _, err := s.dir.Verify(t.Context(), s.newer.ID, snapshot.Deep); err == nil {
		t.Errorf("%s: verify finds nothing", what)
	}
}

// refusedAs checks that the current snapshot cannot be opened, and that the error contains says.
// Every tenth call also starts a server, which must serve another snapshot. A start in every call
// would be slow.
func (s *scene) refusedAs(t *testing.T, what, says string) error {
	t.Helper()
	open, err := s.dir.OpenCurrent(t.Context())
	if err == nil {
		t.Errorf("%s: opened", what)
		must(t, open.Close())
		return nil
	}
	oneLine(t, err, says)
	if s.starts++; s.starts%10 != 1 {
		return err
	}
	var taken string
	f := snapshot.NewFollower(s.dir, func(_ context.Context, got *snapshot.Snapshot) error {
		taken = got.ID
		return got.Close()
	}, snapshot.FollowOptions{})
	fallback := s.older.ID
	if says == "CURRENT" {
		fallback = s.newer.ID // the newest complete snapshot
	}
	if err := f.Start(t.Context()); err != nil || taken != fallback {
		t.Errorf("%s: a server starts on %q (%v), want %s", what, taken, err, fallback)
	}
	if why := f.Status().Err; why == nil || !strings.Contains(why.Error(), "serving "+fallback+" instead") {
		t.Errorf("%s: the server's status is %v, want that it serves another snapshot", what, why)
	}
	return err
}

// whole checks that the newer snapshot is current again and can be opened.
func (s *scene) whole(t *testing.T) {
	t.Helper()
	open, err := s.dir.OpenCurrent(t.Context())
	if err != nil || open.ID != s.newer.ID {
		t.Fatalf("the repaired snapshot does not open: %v", err)
	}
	must(t, open.Close())
}

// overwrite replaces the content of a file in place. It does not truncate the file first, because
// after a truncation some file systems write new content to the disk at once.
func overwrite(name string, b []byte) error {
	if err := os.Chmod(name, 0o644); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, 0)
	return errors.Join(err, f.Truncate(int64(len(b))), f.Close())
}
