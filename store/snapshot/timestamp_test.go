package snapshot_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
)

// at is a Writer whose clock stands still.
func at(t *testing.T, d snapshot.Dir, now time.Time, key *snapshot.SigningKey) *snapshot.Writer {
	t.Helper()
	w, err := d.Lock(snapshot.WriterOptions{Key: key, Expires: 24 * time.Hour, Now: func() time.Time { return now }})
	must(t, err)
	return w
}

// The version rises with every publication, confirmation and rollback, also
// when the clock goes back or the folder is lost, and the expiry is put off.
func TestTimestamp(t *testing.T) {
	d, key := dataDir(t), newKey(t)
	if _, err := d.Timestamp(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first night: %v", err)
	}
	monday := mustBuild(t, d, "monday")
	first, err := d.Timestamp()
	must(t, err)
	if first.ID != monday.ID || first.Signed() || !first.Expires.After(time.Now().Add(13*24*time.Hour)) {
		t.Errorf("%+v, want monday, unsigned, for two weeks", first)
	}
	now := time.Now().UTC().Truncate(time.Second)
	last := first.Version
	rises := func(why, id string, now time.Time) snapshot.Timestamp {
		t.Helper()
		got, err := d.Timestamp()
		must(t, err)
		current, err := d.Current()
		must(t, err)
		if got.Version <= last || got.ID != id || got.Pointer != current || !got.Expires.Equal(now.Add(24*time.Hour)) {
			t.Errorf("%s: %+v, want %s, a version over %d, for a day from %s", why, got, id, last, now)
		}
		last = got.Version
		return got
	}
	for _, shift := range []time.Duration{0, -48 * time.Hour, 48 * time.Hour, 0} {
		w := at(t, d, now.Add(shift), &key)
		must(t, errors.Join(w.Confirm(), w.Close()))
		must(t, rises("confirmed", monday.ID, now.Add(shift)).CheckSignature([]snapshot.PublicKey{newKey(t).Public(), key.Public()}))
	}
	tuesday := mustBuild(t, d, "tuesday")
	got, err := d.Timestamp()
	must(t, err)
	if got.ID != tuesday.ID || got.Version <= last {
		t.Errorf("%+v, want tuesday and a version over %d", got, last)
	}
	last = got.Version
	if err := got.CheckSignature([]snapshot.PublicKey{key.Public()}); !errors.Is(err, snapshot.ErrSignature) {
		t.Errorf("a timestamp that nobody signed: %v", err)
	}
	w := at(t, d, now, &key)
	if _, err := w.Rollback(t.Context(), monday.ID); err != nil {
		t.Fatal(err)
	}
	must(t, errors.Join(w.Announce(), w.Close()))
	rises("rolled back", monday.ID, now)

	// Without the key mirrors stay, and what they are told of is not removed.
	w = at(t, d, now, nil)
	if _, err := w.Rollback(t.Context(), tuesday.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Announce(); !errors.Is(err, snapshot.ErrNoKey) {
		t.Errorf("announced without the key: %v", err)
	}
	if removed, err := w.Prune(1); len(removed) > 0 || err != nil {
		t.Errorf("pruned %q, %v; want that monday stays, which mirrors are told of", removed, err)
	}
	must(t, w.Close())

	// A folder that is lost and made anew goes on.
	must(t, os.Remove(filepath.Join(d.Path(), "timestamp.json")))
	w = at(t, d, now.Add(96*time.Hour), &key)
	must(t, errors.Join(w.Confirm(), w.Close()))
	rises("begun anew", tuesday.ID, now.Add(96*time.Hour))
}

// On a mirror the timestamp is the publisher's, and a rollback leaves it.
func TestTimestampOfPublisher(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	told, err := d.Timestamp()
	must(t, err)
	w := at(t, d, time.Now(), nil)
	must(t, w.Remember(snapshot.Seen{Version: told.Version, ID: m.ID}))
	if err := w.Announce(); !errors.Is(err, snapshot.ErrOfPublisher) {
		t.Errorf("a mirror speaks for its publisher: %v", err)
	}
	// Who has nights of its own is a publisher again, and goes on from there.
	must(t, w.Remember(snapshot.Seen{Version: told.Version + 1<<40, ID: m.ID}))
	must(t, errors.Join(w.Confirm(), w.Close()))
	if now, err := d.Timestamp(); err != nil || now.Version != told.Version+1<<40+1 {
		t.Errorf("version %d (%v), want the one after what was seen", now.Version, err)
	}
}

func TestTimestampRefused(t *testing.T) {
	d, key := dataDir(t), newKey(t)
	mustBuild(t, d, "monday")
	w := at(t, d, time.Now(), &key)
	must(t, errors.Join(w.Confirm(), w.Close()))
	whole, err := os.ReadFile(filepath.Join(d.Path(), "timestamp.json"))
	must(t, err)
	for n := range whole {
		if got, err := snapshot.ParseTimestamp(whole[:n]); err == nil && got.CheckSignature([]snapshot.PublicKey{key.Public()}) == nil && n < len(whole)-1 {
			t.Errorf("cut off after %d of %d bytes, it is taken", n, len(whole))
		}
		bad := bytes.Clone(whole)
		bad[n] ^= 1
		if got, err := snapshot.ParseTimestamp(bad); err == nil && got.CheckSignature([]snapshot.PublicKey{key.Public()}) == nil {
			t.Errorf("byte %d altered, it is taken: %s", n, bad)
		}
	}
	for _, text := range []string{"", "null", "{}", `{"signed":{}}`, "<html>", strings.Repeat(" ", 1<<20)} {
		if _, err := snapshot.ParseTimestamp([]byte(text)); err == nil {
			t.Errorf("%.40q is taken for a timestamp", text)
		}
	}
}

// What is read is written to the byte, names one snapshot, and nothing passes
// that the key has not signed.
func FuzzParseTimestamp(f *testing.F) {
	f.Add([]byte(`{"crc32c":"d2c37a7e","signatures":[{"keyid":"0123456789abcdef","sig":"00"}],"signed":{"_type":"timestamp","expires":"2026-12-04T02:15:00Z","meta":{"snapshots/20261120T021500Z-3f9a1c/manifest.json":{"hashes":{"sha256":"` + strings.Repeat("ab", 32) + `"}}},"spec_version":"1.0.31","version":1}}` + "\n"))
	key := newKey(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := snapshot.ParseTimestamp(b)
		if err != nil {
			return
		}
		if !bytes.Equal(got.Encode(), b) || got.Version < 1 || !snapshot.ValidID(got.ID) || len(got.Digest) != 64 {
			t.Errorf("%q is read as %+v", b, got)
		}
		if err := got.CheckSignature([]snapshot.PublicKey{key.Public()}); !errors.Is(err, snapshot.ErrSignature) {
			t.Errorf("%q passes as signed: %v", b, err)
		}
	})
}

func FuzzParseSeen(f *testing.F) {
	f.Add([]byte("1795140900 20261120T021500Z-3f9a1c 4be2d0c1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := snapshot.ParseSeen(b)
		if err != nil {
			return
		}
		if !snapshot.ValidID(s.ID) || !bytes.HasSuffix(b, []byte("\n")) {
			t.Errorf("%q is read as %+v", b, s)
		}
	})
}
