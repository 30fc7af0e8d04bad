package bucket_test

import (
	"path/filepath"
	"testing"

	"bencao/store/snapshot/bucket"
)

// TestPushDeltas pushes the deltas to a second and a third snapshot. A mirror must use the deltas.
// A push that removes a snapshot must also remove the deltas to its files.
func TestPushDeltas(t *testing.T) {
	s := newStore(t)
	d, to := dataDir(t), dataDir(t)
	nightly(t, d, "build 1")
	s.push(t, d, bucket.PushOptions{})
	if _, err := s.pull(t, to); err != nil {
		t.Fatal(err)
	}
	nightly(t, d, "build 2")
	size := deltas(t, d)
	if r := s.push(t, d, bucket.PushOptions{}); r.Deltas != size || size == 0 || r.Sent != 200_000+size {
		t.Errorf("pushed with deltas of %d bytes: %+v", size, r)
	}
	if r := s.push(t, d, bucket.PushOptions{}); r.Sent != 0 || r.There != r.Bytes {
		t.Errorf("pushed again: %+v", r)
	}
	if r, err := s.pull(t, to); err != nil || r.Made != 200_000 || r.Fetched != size {
		t.Errorf("pull: %+v, %v; want store.bolt made from deltas of %d bytes", r, err, size)
	}
	s.shows(t, pointer(t, d).ID)

	// The deltas are made after the push, so the next push sends them.
	nightly(t, d, "build 3")
	s.push(t, d, bucket.PushOptions{Keep: 2})
	deltas(t, d)
	if r := s.push(t, d, bucket.PushOptions{Keep: 2}); r.Sent != r.Deltas || r.Deltas == 0 || r.Outcome != "unchanged" {
		t.Errorf("deltas made after the push: %+v", r)
	}
	there := func() []string {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(s.folder, "data", "deltas", "*", "*"))
		must(t, err)
		return all
	}
	if n := len(there()); n != 3 {
		t.Errorf("the bucket has %d deltas, want one to the second snapshot and two to the third: %q", n, there())
	}
	s.push(t, d, bucket.PushOptions{Keep: 1})
	if n := len(there()); n != 2 {
		t.Errorf("after pruning the bucket has the deltas %q, want the two to the third snapshot", there())
	}
}
