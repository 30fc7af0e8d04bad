package snapshot

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"strings"
	"time"

	"bencao/internal/durable"
)

// Checked records that a nightly build found the sources of a snapshot unchanged, so that no new
// snapshot was needed. The file CHECKED holds the latest such record in one line: the id, the time
// and the CRC-32C of both.
type Checked struct {
	// ID names the snapshot.
	ID string
	// At is the time of the check, in UTC and whole seconds.
	At time.Time
}

// Encode returns the content of CHECKED.
func (c Checked) Encode() []byte {
	line := c.ID + " " + c.At.UTC().Format(time.RFC3339)
	return fmt.Appendf(nil, "%s %08x\n", line, crc32.Checksum([]byte(line), castagnoli))
}

// ParseChecked reads the content of CHECKED. It accepts only the output of [Checked.Encode].
func ParseChecked(b []byte) (Checked, error) {
	line, whole := strings.CutSuffix(string(b), "\n")
	fields := strings.Split(line, " ")
	if !whole || len(fields) != 3 || !ValidID(fields[0]) {
		return Checked{}, errors.New("is not a line with a snapshot's id, a time in UTC and a checksum")
	}
	at, err := time.Parse(time.RFC3339, fields[1])
	if err != nil || at.UTC().Format(time.RFC3339) != fields[1] {
		return Checked{}, errors.New("has no time in UTC after the snapshot's id")
	}
	text, sum := fields[0]+" "+fields[1], fields[2]
	if sum != fmt.Sprintf("%08x", crc32.Checksum([]byte(text), castagnoli)) {
		return Checked{}, errors.New("is altered: its checksum belongs to another line")
	}
	return Checked{ID: fields[0], At: at.UTC()}, nil
}

// Checked reads CHECKED. It returns [fs.ErrNotExist] if there is no such file.
func (d Dir) Checked() (Checked, error) {
	b, err := readSmall(d.checked(), MaxChecked)
	if err != nil {
		return Checked{}, err
	}
	c, err := ParseChecked(b)
	if err != nil {
		return Checked{}, fmt.Errorf("%s: %w", d.checked(), err)
	}
	return c, nil
}

// Fresh returns the last time at which the snapshot was known to agree with its sources. This is
// the time in CHECKED if a nightly build confirmed the snapshot. Otherwise, it is the time when the
// snapshot was built. The time in CHECKED counts even if it is earlier, since a wrong clock may
// have put a time in the future into the manifest.
func (d Dir) Fresh(m Manifest) time.Time {
	c, err := d.Checked()
	if err != nil || c.ID != m.ID {
		return m.Created // without a readable CHECKED, nothing confirms the snapshot
	}
	return c.At
}

// Confirm records that the current snapshot still agrees with its sources, and announces the
// snapshot to mirrors again.
func (w *Writer) Confirm() error {
	p, err := w.dir.Current()
	if err != nil {
		return err
	}
	if err := w.PutChecked(Checked{ID: p.ID, At: w.opt.Now().UTC().Truncate(time.Second)}); err != nil {
		return err
	}
	return w.Announce()
}

// PutChecked writes and syncs CHECKED, unless it already has this content.
func (w *Writer) PutChecked(c Checked) error {
	if old, err := readSmall(w.dir.checked(), MaxChecked); err == nil && string(old) == string(c.Encode()) {
		return nil
	}
	return durable.WriteFile(w.dir.checked(), c.Encode(), durable.Options{})
}

// Announce tells mirrors which snapshot is current. It is needed after [Writer.Rollback], for
// mirrors that follow a root of trust. Other mirrors read CURRENT.
func (w *Writer) Announce() error {
	p, err := w.dir.Current()
	if err != nil {
		return err
	}
	if w.opt.Announce == nil {
		return nil
	}
	return w.opt.Announce(p)
}

// Withdrawn reports whether snapshot id is newer than the current snapshot and the publisher has
// rolled back from it. Such a snapshot will not become current, so a client should not wait for it.
//
// The modification time of CURRENT is the time when the publisher last chose a snapshot, on mirrors
// too ([Writer.SetChosen]). A publisher builds a snapshot first and writes CURRENT afterwards. So
// if CURRENT is newer than snapshot id and names another snapshot, the publisher has rolled back.
// On a mirror that does not have snapshot id yet, CURRENT is older than id.
func Withdrawn(d Dir, id string, now time.Time) bool {
	current, err := d.Current()
	if err != nil || current.ID >= id {
		return false
	}
	info, err := os.Lstat(d.current())
	if err != nil {
		return false
	}
	chosen := info.ModTime().Truncate(time.Second)
	built, err := stampTime(id)
	// If CURRENT has a time in the future, a clock was wrong, so this time proves nothing.
	return err == nil && chosen.After(built) && !fromFuture(chosen, now)
}

// removeIfThere removes a file if it exists.
func removeIfThere(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.Remove(path)
}
