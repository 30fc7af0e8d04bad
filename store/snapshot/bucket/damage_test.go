package bucket_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bencao/store/snapshot"
	"bencao/store/snapshot/bucket"
)

// TestDamagedBucket damages files in the bucket. A mirror must refuse a damaged snapshot, and the
// next push must repair the bucket.
func TestDamagedBucket(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	m := nightly(t, d, "only")
	s.push(t, d, bucket.PushOptions{})
	at := func(file string) string { return filepath.Join(s.folder, "data", "snapshots", m.ID, file) }
	for _, tt := range []struct {
		name  string
		again bool // the repair needs Again, because the object's metadata still has the right hash
		harm  func() error
	}{
		{"altered", true, func() error { return altered(at("store.bolt"), 1000) }},
		{"truncated", false, func() error { return os.Truncate(at("store.bolt"), 1000) }},
		{"removed", false, func() error { return os.Remove(at("store.bolt")) }},
		{"manifest altered", false, func() error { return altered(at(snapshot.ManifestName), 100) }},
		{"CURRENT garbled", false, func() error { return altered(filepath.Join(s.folder, "data", "CURRENT"), 3) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must(t, tt.harm())
			to := dataDir(t)
			_, err := s.pull(t, to)
			if _, noneErr := to.Current(); err == nil && tt.name != "CURRENT garbled" || err != nil && !errors.Is(noneErr, snapshot.ErrNone) {
				t.Errorf("a mirror accepts the damaged snapshot: %v, %v", err, noneErr)
			}
			s.push(t, d, bucket.PushOptions{Again: tt.again})
			s.shows(t, m.ID)
		})
	}
}

// altered flips a bit of the byte at an offset of a file.
func altered(file string, at int64) (err error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= 1
	_, err = f.WriteAt(b[:], at)
	return err
}
