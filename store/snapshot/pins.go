package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bencao/internal/durable"
)

// PinnedName is the name of the file in the data directory that lists the pinned snapshots, and
// maxPinned its largest size in bytes.
const (
	PinnedName = "PINNED"
	maxPinned  = 64 << 10
)

// Pin is a snapshot that [Writer.Prune] keeps until it is unpinned. The file PINNED has one line for
// each: the id, and after a space the label if there is one.
type Pin struct {
	// ID names the snapshot.
	ID string
	// Label is a name of the operator's own, such as paper-2026, or empty.
	Label string
}

// label matches the labels of pins. None has the form of an id.
var label = regexp.MustCompile(`^[\pL\pN][\pL\pN._-]{0,63}$`)

// CheckLabel returns an error unless text can be the label of a pin.
func CheckLabel(text string) error {
	if !label.MatchString(text) || ValidID(text) {
		return fmt.Errorf("%q is no label: use up to 64 letters, digits, dots, underscores and hyphens, such as paper-2026, and no snapshot id", text)
	}
	return nil
}

func (d Dir) pinned() string { return filepath.Join(d.path, PinnedName) }

// Pins returns the pinned snapshots, oldest first. A snapshot in the list may be missing or damaged.
func (d Dir) Pins() ([]Pin, error) {
	b, err := readSmall(d.pinned(), maxPinned)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	pins, err := parsePins(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; correct the line, or delete the file and pin again", d.pinned(), err)
	}
	return pins, nil
}

// parsePins reads the content of PINNED.
func parsePins(b []byte) ([]Pin, error) {
	text, whole := strings.CutSuffix(string(b), "\n")
	if !whole && len(b) > 0 {
		return nil, errors.New("does not end with a line feed: the file is cut off")
	}
	var pins []Pin
	names := map[string]bool{"": true}
	for i, line := range strings.Split(text, "\n") {
		if line == "" && text == "" {
			break
		}
		id, name, named := strings.Cut(line, " ")
		switch {
		case !ValidID(id):
			return nil, fmt.Errorf("line %d does not begin with a snapshot id such as %s-3f9a1c", i+1, stampForm)
		case named && CheckLabel(name) != nil:
			return nil, fmt.Errorf("line %d: %w", i+1, CheckLabel(name))
		case names[id] || named && names[name]:
			return nil, fmt.Errorf("line %d repeats the id or the label of another line", i+1)
		}
		names[id], names[name] = true, true
		pins = append(pins, Pin{id, name})
	}
	return pins, nil
}

// Pin keeps snapshot id until it is unpinned, under a label that may be empty. It first verifies
// every byte of the snapshot. If the snapshot is pinned already, it gets the new label.
func (w *Writer) Pin(ctx context.Context, id, label string) error {
	if label != "" {
		if err := CheckLabel(label); err != nil {
			return err
		}
	}
	pins, err := w.dir.Pins()
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(pins, func(p Pin) bool { return label != "" && p.Label == label && p.ID != id }); i >= 0 {
		return fmt.Errorf("the label %s belongs to snapshot %s; unpin it first, or choose another label", label, pins[i].ID)
	}
	if _, err := w.dir.Verify(ctx, id, Deep); err != nil {
		return err
	}
	pins = slices.DeleteFunc(pins, func(p Pin) bool { return p.ID == id })
	return w.writePins(append(pins, Pin{id, label}))
}

// Unpin removes the pin with an id or a label, and returns it. The snapshot stays until it is
// pruned.
func (w *Writer) Unpin(name string) (Pin, error) {
	pins, err := w.dir.Pins()
	if err != nil {
		return Pin{}, err
	}
	i := slices.IndexFunc(pins, func(p Pin) bool { return p.ID == name || name != "" && p.Label == name })
	if i < 0 {
		return Pin{}, fmt.Errorf("no snapshot is pinned as %q; \"bencao snapshots\" lists the pins", name)
	}
	p := pins[i]
	return p, w.writePins(slices.Delete(pins, i, i+1))
}

func (w *Writer) writePins(pins []Pin) error {
	slices.SortFunc(pins, func(a, b Pin) int { return strings.Compare(a.ID, b.ID) })
	var b strings.Builder
	for _, p := range pins {
		b.WriteString(strings.TrimRight(p.ID+" "+p.Label, " ") + "\n")
	}
	return durable.WriteFile(w.dir.pinned(), []byte(b.String()), durable.Options{})
}
