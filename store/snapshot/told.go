package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"bencao/internal/durable"
)

func (d Dir) signature(id string) string { return d.snapshot(id) + signatureSuffix }

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

// KeepSignature writes the signature of a snapshot that came from elsewhere,
// unless it is there already. Nil does nothing.
func (w *Writer) KeepSignature(id string, signature []byte) error {
	if old, err := w.dir.Signature(id); signature == nil || err == nil && string(old) == string(signature) {
		return nil
	}
	return w.putSignature(id, signature)
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

// removeIfThere removes a file, which need not be there.
func removeIfThere(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.Remove(path)
}
