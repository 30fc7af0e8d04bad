package snapshot_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/internal/system"
	"bencao/store/snapshot"
)

func newKey(t testing.TB) snapshot.SigningKey {
	t.Helper()
	key, err := snapshot.NewSigningKey()
	must(t, err)
	return key
}

func TestSigned(t *testing.T) {
	d, key, other := dataDir(t), newKey(t), newKey(t)
	m, err := build(d, "monday", snapshot.WriterOptions{Key: &key})
	must(t, err)
	at, err := d.Current()
	must(t, err)
	signature, err := d.Signature(m.ID)
	must(t, err)
	if err := snapshot.CheckSignature([]snapshot.PublicKey{other.Public(), key.Public()}, at, signature); err != nil {
		t.Errorf("the publisher's own signature: %v", err)
	}
	forged := at
	forged.Digest = strings.Repeat("0", 64)
	for why, err := range map[string]error{
		"another key":      snapshot.CheckSignature([]snapshot.PublicKey{other.Public()}, at, signature),
		"another manifest": snapshot.CheckSignature([]snapshot.PublicKey{key.Public()}, forged, signature),
		"no signature":     snapshot.CheckSignature([]snapshot.PublicKey{key.Public()}, at, nil),
		"no key":           snapshot.CheckSignature(nil, at, signature),
	} {
		if !errors.Is(err, snapshot.ErrSignature) {
			t.Errorf("%s: %v, want ErrSignature", why, err)
		}
	}

	// A second key signs what is there; the signature goes with the snapshot.
	w, err := d.Lock(snapshot.WriterOptions{})
	must(t, err)
	must(t, w.Sign(other))
	signature, err = d.Signature(m.ID)
	must(t, err)
	must(t, snapshot.CheckSignature([]snapshot.PublicKey{other.Public()}, at, signature))
	must(t, w.Close())
	mustBuild(t, d, "tuesday")
	stray := filepath.Join(d.Path(), "snapshots", "20200101T000000Z-abcdef.sig")
	must(t, os.WriteFile(stray, nil, 0o644))
	w, err = d.Lock(snapshot.WriterOptions{})
	must(t, err)
	_, err = w.Prune(1)
	must(t, errors.Join(err, w.Close()))
	left, err := filepath.Glob(filepath.Join(d.Path(), "snapshots", "*.sig"))
	if err != nil || left != nil {
		t.Errorf("signatures of snapshots that are gone: %q, %v", left, err)
	}
}

func TestSigningKeyKeepsItsSecret(t *testing.T) {
	key, file := newKey(t), filepath.Join(t.TempDir(), "sign.key")
	must(t, key.WriteFile(file))
	if err := key.WriteFile(file); !errors.Is(err, os.ErrExist) {
		t.Errorf("a key was replaced: %v", err)
	}
	text, err := os.ReadFile(file)
	must(t, err)
	_, secret, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if got := fmt.Sprintf(form, key); strings.Contains(got, secret) || got != "signing key "+key.Public().ID() {
			t.Errorf("%s prints %s, want the key's id alone", form, got)
		}
	}
	again, err := snapshot.ReadSigningKey(file)
	if err != nil || again.Public().String() != key.Public().String() {
		t.Errorf("read back %v, %v", again, err)
	}
	must(t, os.Chmod(file, 0o640))
	if _, err := snapshot.ReadSigningKey(file); system.Modes && (err == nil || !strings.Contains(err.Error(), "may be read by others")) {
		t.Errorf("a key that the group may read: %v", err)
	}
	if _, err := snapshot.ReadPublicKeys(file); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a signing key as a public one: %v, want an error without the secret", err)
	}
}

// Secrets come as symbolic links where they are mounted into a container.
func TestKeysBehindLinks(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	secret, public := filepath.Join(dir, "..data", "sign.key"), filepath.Join(dir, "..data", "publisher.pub")
	must(t, os.Mkdir(filepath.Dir(secret), 0o700))
	must(t, key.WriteFile(secret))
	must(t, os.WriteFile(public, []byte(key.Public().String()+"\n"), 0o644))
	for _, file := range []string{secret, public} {
		must(t, os.Symlink(file, filepath.Join(dir, filepath.Base(file))))
	}
	link := filepath.Join(dir, "sign.key")
	got, err := snapshot.ReadSigningKey(link)
	if err != nil || got.Public().ID() != key.Public().ID() {
		t.Errorf("a signing key behind a link: %v, %v", got, err)
	}
	keys, err := snapshot.ReadPublicKeys(filepath.Join(dir, "publisher.pub"))
	if err != nil || len(keys) != 1 || keys[0].ID() != key.Public().ID() {
		t.Errorf("a public key behind a link: %v, %v", keys, err)
	}
	must(t, os.Chmod(secret, 0o640))
	if _, err := snapshot.ReadSigningKey(link); err == nil || !strings.Contains(err.Error(), "may be read by others") {
		t.Errorf("a link to a key that the group may read: %v", err)
	}
	must(t, errors.Join(os.Remove(secret), os.Mkdir(secret, 0o700)))
	if _, err := snapshot.ReadSigningKey(link); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link to a folder: %v", err)
	}
}

func TestChecked(t *testing.T) {
	d, key := dataDir(t), newKey(t)
	m := mustBuild(t, d, "monday")
	if got := d.Fresh(m); !got.Equal(m.Created) {
		t.Errorf("fresh at %s, want when it was built", got)
	}
	later := m.Created.Add(24 * time.Hour)
	w, err := d.Lock(snapshot.WriterOptions{Key: &key, Now: func() time.Time { return later }})
	must(t, err)
	must(t, errors.Join(w.Confirm(), w.Close()))
	if got := d.Fresh(m); !got.Equal(later) {
		t.Errorf("fresh at %s, want when it was confirmed, %s", got, later)
	}
	c, err := d.Checked()
	must(t, err)
	must(t, c.CheckSignature([]snapshot.PublicKey{key.Public()}))
	c.At = later.Add(time.Hour)
	if err := c.CheckSignature([]snapshot.PublicKey{key.Public()}); !errors.Is(err, snapshot.ErrSignature) {
		t.Errorf("a later time under the same signature: %v", err)
	}
	// What was confirmed of one snapshot says nothing of another.
	tuesday := mustBuild(t, d, "tuesday")
	if got := d.Fresh(tuesday); !got.Equal(tuesday.Created) {
		t.Errorf("tuesday is fresh at %s, want %s", got, tuesday.Created)
	}
}

func TestHolder(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "monday")
	if who, err := d.Holder(); who != "" || err != nil {
		t.Errorf("nobody writes, but Holder says %q, %v", who, err)
	}
	kill := holding(t, d, "lock")
	if who, err := d.Holder(); !strings.Contains(who, "bencao index") || err != nil {
		t.Errorf("Holder says %q, %v, want the process", who, err)
	}
	kill()
	if who, err := d.Holder(); who != "" || err != nil {
		t.Errorf("the holder was killed, but Holder says %q, %v", who, err)
	}
}

// A line is taken only as it is written, and never panics.
func FuzzParseChecked(f *testing.F) {
	f.Add([]byte("20261120T021500Z-3f9a1c 2026-11-21T02:15:00Z d1058938\n"))
	f.Add([]byte("20261120T021500Z-3f9a1c 2026-11-21T02:15:00Z ed25519 0123456789abcdef AAAA fc2a7792\n"))
	key := newKey(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := snapshot.ParseChecked(b)
		if err != nil {
			return
		}
		if got := c.Encode(); string(got) != string(b) {
			t.Errorf("%q is read as %q", b, got)
		}
		if err := c.CheckSignature([]snapshot.PublicKey{key.Public()}); err == nil {
			t.Errorf("%q bears a signature of a key that has signed nothing", b)
		}
	})
}

// Nothing but what the key signed passes.
func FuzzCheckSignature(f *testing.F) {
	key := newKey(f)
	at := snapshot.Pointer{ID: "20261120T021500Z-3f9a1c", Digest: strings.Repeat("ab", 32)}
	f.Add([]byte("ed25519 " + key.Public().ID() + " " + strings.Repeat("A", 86) + "==\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := snapshot.CheckSignature([]snapshot.PublicKey{key.Public()}, at, b); !errors.Is(err, snapshot.ErrSignature) {
			t.Errorf("%q passes as a signature: %v", b, err)
		}
	})
}
