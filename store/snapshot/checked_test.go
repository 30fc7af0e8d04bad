package snapshot_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot"
)

func TestChecked(t *testing.T) {
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	if got := d.Fresh(m); !got.Equal(m.Created) {
		t.Errorf("Fresh is %s, want the time when it was built", got)
	}
	later := m.Created.Add(24 * time.Hour)
	w, err := d.Lock(snapshot.WriterOptions{Now: func() time.Time { return later }})
	must(t, err)
	must(t, errors.Join(w.Confirm(), w.Close()))
	if got := d.Fresh(m); !got.Equal(later) {
		t.Errorf("Fresh is %s, want the time when it was confirmed, %s", got, later)
	}
	// Confirming one snapshot does not confirm another.
	tuesday := mustBuild(t, d, "tuesday")
	if got := d.Fresh(tuesday); !got.Equal(tuesday.Created) {
		t.Errorf("Fresh of tuesday's snapshot is %s, want %s", got, tuesday.Created)
	}
}

func TestLockOwner(t *testing.T) {
	d := dataDir(t)
	mustBuild(t, d, "monday")
	if owner, err := d.LockOwner(); owner != "" || err != nil {
		t.Errorf("no process writes, but LockOwner returns %q, %v", owner, err)
	}
	kill := holding(t, d, "lock")
	if owner, err := d.LockOwner(); !strings.Contains(owner, "bencao index") || err != nil {
		t.Errorf("LockOwner returns %q, %v, want the process", owner, err)
	}
	kill()
	if owner, err := d.LockOwner(); owner != "" || err != nil {
		t.Errorf("the owner was killed, but LockOwner returns %q, %v", owner, err)
	}
}

// FuzzParseChecked parses arbitrary bytes. A line must be accepted only in the exact form in which
// it is written. No line may cause a panic.
func FuzzParseChecked(f *testing.F) {
	f.Add([]byte("20261120T021500Z-3f9a1c 2026-11-21T02:15:00Z d1058938\n"))
	f.Add([]byte("20261120T021500Z-3f9a1c 2026-11-21T02:15:00Z ed25519 0123456789abcdef AAAA fc2a7792\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := snapshot.ParseChecked(b)
		if err != nil {
			return
		}
		if again := c.Encode(); !bytes.Equal(again, b) {
			t.Errorf("%q is read as %+v, which is written as %q", b, c, again)
		}
	})
}
