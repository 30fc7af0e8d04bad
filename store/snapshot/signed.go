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

// A signature lies beside its snapshot, snapshots/ID.sig, since the files in a
// snapshot are those of its manifest and no others. It is over the line that
// CURRENT has for the snapshot. So it goes with the snapshot when that is
// copied on, and a rollback needs no key.
const signatureSuffix = ".sig"

func (d Dir) signature(id string) string { return d.snapshot(id) + signatureSuffix }

// CheckSignature checks the content of a snapshot's signature file, which is
// one line with its end.
func CheckSignature(keys []PublicKey, p Pointer, signature []byte) error {
	line, whole := strings.CutSuffix(string(signature), "\n")
	if !whole {
		return fmt.Errorf("snapshot %s: is cut off or empty and so %w", p.ID, ErrSignature)
	}
	if err := checkSignature(keys, forPointer, p.String(), line); err != nil {
		return fmt.Errorf("snapshot %s: %w", p.ID, err)
	}
	return nil
}

// Signature reads the signature of snapshot id. One that was not signed gives
// [fs.ErrNotExist].
func (d Dir) Signature(id string) ([]byte, error) {
	return readSmall(d.signature(id), maxSignature)
}

// Sign signs the current snapshot, unless the key has signed it before.
func (w *Writer) Sign(k SigningKey) error {
	p, err := w.dir.Current()
	if err != nil {
		return err
	}
	old, err := w.dir.Signature(p.ID)
	if err == nil && CheckSignature([]PublicKey{k.Public()}, p, old) == nil {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.putSignature(p.ID, k.signature(p))
}

// signature is the content of the file.
func (k SigningKey) signature(p Pointer) []byte {
	return []byte(k.sign(forPointer, p.String()) + "\n")
}

// putSignature makes the signature of a snapshot durable. Nil is none: then
// one that is there is taken away.
func (w *Writer) putSignature(id string, signature []byte) error {
	if signature == nil {
		return removeIfThere(w.dir.signature(id))
	}
	w.opt.Step("write signature")
	if err := durable.WriteFile(w.dir.signature(id), signature, durable.Options{Mode: 0o444}); err != nil {
		return fmt.Errorf("sign %s: %w", id, err)
	}
	return nil
}

// removeIfThere removes a file, which need not be there.
func removeIfThere(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.Remove(path)
}

// Checked is when a run last found that a snapshot is still that of its
// sources, and so did not build another. It is the content of CHECKED: one
// line with the id, the time, the signature if there is a key, and the CRC-32C
// of all that, since a bit more or less would make another time of it.
type Checked struct {
	// ID names the snapshot.
	ID string
	// At is when, in UTC and whole seconds.
	At time.Time

	signature string
}

// maxChecked bounds what is read of CHECKED.
const maxChecked = 512

// text is what is signed.
func (c Checked) text() string { return c.ID + " " + c.At.UTC().Format(time.RFC3339) }

// Encode is the content of CHECKED.
func (c Checked) Encode() []byte {
	line := c.text()
	if c.signature != "" {
		line += " " + c.signature
	}
	return fmt.Appendf(nil, "%s %08x\n", line, crc32.Checksum([]byte(line), castagnoli))
}

// ParseChecked reads the content of CHECKED. It takes only what
// [Checked.Encode] gives.
func ParseChecked(b []byte) (Checked, error) {
	fields := strings.Fields(string(b))
	if len(fields) < 3 || !ValidID(fields[0]) {
		return Checked{}, errors.New("is not a line with a snapshot's id, a time in UTC and a checksum")
	}
	at, err := time.Parse(time.RFC3339, fields[1])
	if err != nil {
		return Checked{}, errors.New("has no time in UTC after the snapshot's id")
	}
	c := Checked{ID: fields[0], At: at, signature: strings.Join(fields[2:len(fields)-1], " ")}
	if string(c.Encode()) != string(b) {
		return Checked{}, errors.New("is altered: its checksum is that of another line")
	}
	return c, nil
}

// CheckSignature checks that one of the keys has signed the line.
func (c Checked) CheckSignature(keys []PublicKey) error {
	if err := checkSignature(keys, forChecked, c.text(), c.signature); err != nil {
		return fmt.Errorf("%s %w", checkedName, err)
	}
	return nil
}

// Checked reads CHECKED. It returns [fs.ErrNotExist] if there is none.
func (d Dir) Checked() (Checked, error) {
	b, err := readSmall(d.checked(), maxChecked)
	if err != nil {
		return Checked{}, err
	}
	c, err := ParseChecked(b)
	if err != nil {
		return Checked{}, fmt.Errorf("%s: %w", d.checked(), err)
	}
	return c, nil
}

// Confirm writes that the current snapshot is now that of its sources, signed
// if the Writer has a key, and puts its expiry off.
func (w *Writer) Confirm() error {
	p, err := w.dir.Current()
	if err != nil {
		return err
	}
	c := Checked{ID: p.ID, At: w.opt.Now().UTC().Truncate(time.Second)}
	if k := w.opt.Key; k != nil {
		c.signature = k.sign(forChecked, c.text())
	}
	if err := w.PutChecked(c); err != nil {
		return err
	}
	return w.announce()
}

// PutChecked writes what a publisher has said.
func (w *Writer) PutChecked(c Checked) error {
	if old, err := readSmall(w.dir.checked(), maxChecked); err == nil && string(old) == string(c.Encode()) {
		return nil
	}
	return durable.WriteFile(w.dir.checked(), c.Encode(), durable.Options{})
}

// Fresh is when the snapshot was last known to be that of its sources: when it
// was built, or confirmed later. After a clock was set back, the time in the
// manifest may be one to come, and that in CHECKED is the true one.
func (d Dir) Fresh(m Manifest) time.Time {
	c, err := d.Checked()
	if err != nil || c.ID != m.ID {
		return m.Created // what can't be read confirms nothing
	}
	return c.At
}
