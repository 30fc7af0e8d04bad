package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// misdate copies the current snapshot under an id with another time, as a program with a wrong
// clock would name it. It makes the copy current and returns its id.
func misdate(t *testing.T, d snapshot.Dir, created time.Time) (id string) {
	t.Helper()
	m, err := d.Published()
	must(t, err)
	from := filepath.Join(d.Path(), "snapshots", m.ID)
	m.Created = created
	m.ID = created.Format("20060102T150405Z")
	b, err := m.Encode()
	must(t, err)
	sum := sha256.Sum256(b)
	m.ID += "-" + hex.EncodeToString(sum[:3])
	b, err = m.Encode()
	must(t, err)
	to := filepath.Join(d.Path(), "snapshots", m.ID)
	must(t, os.CopyFS(to, os.DirFS(from)))
	name := filepath.Join(to, "manifest.json")
	must(t, errors.Join(os.Chmod(name, 0o644), os.WriteFile(name, b, 0o644)))
	sum = sha256.Sum256(b)
	must(t, os.WriteFile(filepath.Join(d.Path(), "CURRENT"), fmt.Appendln(nil, snapshot.Pointer{ID: m.ID, Digest: hex.EncodeToString(sum[:])}), 0o644))
	if _, err := d.Verify(t.Context(), m.ID, snapshot.Deep); err != nil {
		t.Fatalf("the misdated snapshot is incomplete: %v", err)
	}
	return m.ID
}

// TestMisdated makes a snapshot current whose id has an impossible time, such as the end of the
// year 9999. Later builds must succeed. The snapshot must count as the oldest and must be pruned
// first.
func TestMisdated(t *testing.T) {
	for _, created := range []time.Time{
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		d := dataDir(t)
		monday := mustBuild(t, d, "monday")
		odd := misdate(t, d, created)
		var said bytes.Buffer
		tuesday, err := build(d, "tuesday", snapshot.WriterOptions{Log: slog.New(slog.NewTextHandler(&said, nil))})
		if err != nil {
			t.Fatalf("the build after %s: %v", odd, err)
		}
		if tuesday.ID <= monday.ID {
			t.Errorf("after %s comes %s", monday.ID, tuesday.ID)
		}
		if text := said.String(); !strings.Contains(text, odd) || !strings.Contains(text, "an impossible time") || !strings.Contains(text, "bencao prune") {
			t.Errorf("the build logs %q, want a warning about %s that names \"bencao prune\"", text, odd)
		}
		if got, want := ids(t, d), []string{tuesday.ID, monday.ID, odd}; !slices.Equal(got, want) {
			t.Errorf("newest first: %q, want %q", got, want)
		}
		list, err := d.List()
		if err != nil || list[0].Misdated || !list[2].Misdated {
			t.Errorf("List %+v, %v; want only the last misdated", list, err)
		}
		if removed, err := lock(t, d).Prune(2); err != nil || !slices.Equal(removed, []string{odd}) {
			t.Errorf("pruned %q, %v; want %s", removed, err, odd)
		}
	}
}

// TestWildClock checks that a build refuses to publish while the clock shows an impossible year.
func TestWildClock(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "monday")
	_, err := build(d, "tuesday", snapshot.WriterOptions{Now: func() time.Time { return time.Date(9500, 1, 1, 0, 0, 0, 0, time.UTC) }})
	oneLine(t, err, "the clock of this machine shows", "9500-01-01")
	if got := currentName(t, d); got != "monday" {
		t.Errorf("current is %q, want monday", got)
	}
}
