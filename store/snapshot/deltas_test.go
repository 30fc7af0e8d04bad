package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/race"
	"bencao/store/snapshot"
	"bencao/store/snapshot/delta"
)

// deltas returns the paths of the existing deltas. It checks that each delta whose old file still
// exists turns it into the new file.
func deltas(t *testing.T, d snapshot.Dir) (names []string) {
	t.Helper()
	where := map[string]string{} // paths by SHA-256
	for _, id := range ids(t, d) {
		m, err := d.Verify(t.Context(), id, snapshot.Deep)
		must(t, err)
		for _, f := range m.Files {
			where[f.SHA256] = filepath.Join(d.Path(), snapshot.FilePath(id, f.Path))
		}
	}
	all, err := snapshot.Deltas(d)
	must(t, err)
	for _, x := range all {
		b, err := os.ReadFile(filepath.Join(d.Path(), x.Path()))
		must(t, err)
		names = append(names, x.Path())
		old, err := os.ReadFile(where[x.Old])
		if err != nil {
			continue // the snapshot with the old file was removed
		}
		info, err := os.Stat(where[x.New])
		must(t, err)
		sum := sha256.New()
		err = delta.Apply(sum, section(old), section(b), info.Size(), &scratchBuffer{})
		if got := hex.EncodeToString(sum.Sum(nil)); err != nil || got != x.New || int64(len(b)) != x.Bytes {
			t.Errorf("%s makes a file with SHA-256 %s (%v)", x.Path(), got, err)
		}
	}
	slices.Sort(names)
	return names
}

// scratchBuffer is a [delta.Scratch] in memory.
type scratchBuffer struct{ bytes.Buffer }

func (r *scratchBuffer) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(r.Bytes()).ReadAt(b, at)
}

func section(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

// makeDeltas makes the deltas to the current snapshot. If log is given, the steps of the run must
// be the texts of log that are not empty.
func makeDeltas(t *testing.T, d snapshot.Dir, from int, log ...string) snapshot.DeltaReport {
	t.Helper()
	var steps []string
	w, err := d.Lock(snapshot.WriterOptions{Step: func(step string) { steps = append(steps, step) }})
	must(t, err)
	r, err := w.MakeDeltas(t.Context(), from)
	must(t, err)
	must(t, w.Close())
	if log != nil && !slices.Equal(steps, slices.DeleteFunc(log, func(s string) bool { return s == "" })) {
		t.Errorf("the steps are %q, want %q", steps, log)
	}
	return r
}

func TestMakeDeltas(t *testing.T) {
	d := dataDir(t)
	a := mustBuild(t, d, "a")
	if r := makeDeltas(t, d, 2); len(r.Deltas) != 0 {
		t.Errorf("deltas of the first snapshot: %+v, want none", r)
	}
	b := mustBuild(t, d, "b")
	mustBuild(t, d, "c")
	r := makeDeltas(t, d, 2, slices.Repeat([]string{"write delta"}, 4)...)
	if !slices.Equal(r.From, []string{b.ID, a.ID}) || len(r.Deltas) != 4 {
		t.Errorf("deltas of the third snapshot: %+v, want two files from each of %s and %s", r, b.ID, a.ID)
	}
	for _, row := range r.Deltas {
		if row.Delta == 0 || row.Delta > 300 || row.There {
			t.Errorf("the delta of a changed byte: %+v, want a new delta of 1 to 300 bytes", row)
		}
	}
	four := deltas(t, d)
	if len(four) != 4 {
		t.Errorf("there are %q, want four", four)
	}
	// A second run writes nothing.
	for _, row := range makeDeltas(t, d, 2, "").Deltas {
		if !row.There {
			t.Errorf("an existing delta is made again: %+v", row)
		}
	}
	// Deltas remain as long as the snapshot whose files they produce.
	mustBuild(t, d, "d")
	w := lock(t, d)
	removed, err := w.Prune(2)
	must(t, err)
	if now := deltas(t, d); len(removed) != 2 || !slices.Equal(now, four) {
		t.Errorf("after removing %q there are %q, want all", removed, now)
	}
	_, err = w.Prune(1)
	must(t, err)
	if now := deltas(t, d); now != nil {
		t.Errorf("there are %q, want none", now)
	}
}

// TestDeltasOfOtherSettings checks that no delta is made from a snapshot with other settings. A
// delta contains parts of both files, and users of the new snapshot may not be allowed to see the
// old snapshot.
func TestDeltasOfOtherSettings(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "a")
	w, err := d.Lock(snapshot.WriterOptions{})
	must(t, err)
	draft, err := w.Draft()
	must(t, err)
	must(t, fill(draft.Path(), "b"))
	public := content("b")
	public.Settings = map[string]string{"withheld": "uses"}
	_, err = draft.Publish(t.Context(), public, func(string) error { return nil })
	must(t, err)
	must(t, w.Close())
	if r := makeDeltas(t, d, 2); len(r.From) != 0 || len(r.Deltas) != 0 {
		t.Errorf("deltas from a complete to a public snapshot: %+v, want none", r)
	}
}

// TestDeltasOfDamage checks that no delta is made from or to a damaged snapshot.
func TestDeltasOfDamage(t *testing.T) {
	d := dataDir(t)
	a, b := mustBuild(t, d, "a"), mustBuild(t, d, "b")
	c := mustBuild(t, d, "c")
	spoil := func(id string) {
		t.Helper()
		file := filepath.Join(d.Path(), snapshot.FilePath(id, "store.bolt"))
		content, err := os.ReadFile(file)
		must(t, err)
		content[5000]++
		must(t, os.Chmod(file, 0o644))
		must(t, os.WriteFile(file, content, 0o644))
	}
	spoil(b.ID)
	if r := makeDeltas(t, d, 2); !slices.Equal(r.From, []string{a.ID}) || len(r.Deltas) != 2 {
		t.Errorf("deltas %+v, want only the deltas from %s", r, a.ID)
	}
	spoil(c.ID)
	w := lock(t, d)
	_, err := w.MakeDeltas(t.Context(), 2)
	oneLine(t, err, c.ID, "store.bolt is altered")
}

// TestDeltaNotWorthIt checks that a delta that would save too little is stored as an empty file, so
// that it is not made or requested again.
func TestDeltaNotWorthIt(t *testing.T) {
	d := dataDir(t)
	publish := func(seed byte) {
		t.Helper()
		w, err := d.Lock(snapshot.WriterOptions{})
		must(t, err)
		defer func() { must(t, w.Close()) }()
		draft, err := w.Draft()
		must(t, err)
		hash := sha256.Sum256([]byte{seed})
		var noise []byte
		for len(noise) < 100_000 {
			hash = sha256.Sum256(hash[:])
			noise = append(noise, hash[:]...)
		}
		must(t, os.WriteFile(filepath.Join(draft.Path(), "store.bolt"), noise, 0o644))
		_, err = draft.Publish(t.Context(), content(fmt.Sprint("build ", seed)), func(string) error { return nil })
		must(t, err)
	}
	publish(1)
	publish(2)
	r := makeDeltas(t, d, 2, "write delta")
	if len(r.Deltas) != 1 || r.Deltas[0].Delta != 0 {
		t.Errorf("delta between unrelated files: %+v, want an empty delta", r)
	}
	if r = makeDeltas(t, d, 2, ""); !r.Deltas[0].There {
		t.Errorf("the empty delta is made again: %+v", r)
	}
}

// afterDeltas checks the data directory after a run was killed. The existing deltas must be right.
// The next run must make the missing deltas and leave no temporary file.
func afterDeltas(t *testing.T, d snapshot.Dir) {
	t.Helper()
	deltas(t, d)
	if got := currentName(t, d); got != "c" {
		t.Errorf("current is %q, want c", got)
	}
	makeDeltas(t, d, 2)
	if now := deltas(t, d); len(now) != 4 {
		t.Errorf("the next run leaves %q, want four", now)
	}
	must(t, filepath.WalkDir(filepath.Join(d.Path(), "deltas"), func(name string, e os.DirEntry, err error) error {
		if strings.Contains(e.Name(), ".") {
			t.Errorf("left behind %s", name)
		}
		return err
	}))
}

func TestDeltasKilledAtEachStep(t *testing.T) {
	for n := 1; ; n++ {
		d := dataDir(t)
		for _, name := range []string{"a", "b", "c"} {
			mustBuild(t, d, name)
		}
		killed := wasKilled(t, child(t, d, "delta", n).Run())
		afterDeltas(t, d)
		if !killed {
			if n != 5 {
				t.Errorf("%d kills, want a kill before each of four deltas", n-1)
			}
			return
		}
	}
}

func TestDeltasKilledAtEachCall(t *testing.T) {
	all := []string{"fsync", "/^rename", "/^mkdir", "write"}
	if race.On {
		all = all[:2]
	}
	for _, calls := range all {
		t.Run(calls, func(t *testing.T) {
			kills := 0
			for n := 1; n < tooMany; n++ {
				d := dataDir(t)
				for _, name := range []string{"a", "b", "c"} {
					mustBuild(t, d, name)
				}
				_, err := traced(t, d, fmt.Sprintf("%s:signal=SIGKILL:when=%d", calls, n), "delta", 0)
				afterDeltas(t, d)
				if !wasKilled(t, err) {
					break
				}
				kills++
			}
			if kills == 0 || kills == tooMany-1 {
				t.Errorf("%d runs were killed at a call of %s, want some, and then a run that is not killed", kills, calls)
			}
		})
	}
}
