package snapshot

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// A signature lies beside its snapshot, snapshots/ID.sig, since the files in a
// snapshot are those of its manifest and no others. It is over the line that
// CURRENT has for the snapshot. So it goes with the snapshot when that is
// copied on, and a rollback needs no key.
const signatureSuffix = ".sig"

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

// signature is the content of the file.
func (k SigningKey) signature(p Pointer) []byte {
	return []byte(k.sign(forPointer, p.String()) + "\n")
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
