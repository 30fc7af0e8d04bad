package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"bencao/internal/durable"
)

// HeldName is the name of the file in the data directory that keeps a withdrawn snapshot from being
// built again, and maxHeld its largest size in bytes.
const (
	HeldName = "HELD"
	maxHeld  = 64 << 10
)

// Hold keeps nightly builds from publishing the sources of a withdrawn snapshot again.
type Hold struct {
	// Snapshot is the withdrawn snapshot.
	Snapshot string `json:"snapshot"`
	// Since is when it was withdrawn, in UTC and whole seconds.
	Since time.Time `json:"since"`
	// Sources are the SHA-256 of the sources of the snapshot, in their order.
	Sources []string `json:"sources"`
}

// Holds reports whether h is about these sources.
func (h *Hold) Holds(sources []Source) bool {
	return h != nil && slices.Equal(h.Sources, digests(sources))
}

func digests(sources []Source) []string {
	out := make([]string, len(sources))
	for i, s := range sources {
		out[i] = s.SHA256
	}
	return out
}

func (d Dir) held() string { return filepath.Join(d.path, HeldName) }

// Held returns the hold of the directory, or nil if there is none.
func (d Dir) Held() (*Hold, error) {
	b, err := readSmall(d.held(), maxHeld)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var h Hold
	if err := json.Unmarshal(b, &h); err != nil || !ValidID(h.Snapshot) || len(h.Sources) == 0 {
		return nil, fmt.Errorf("%s is damaged: it names no snapshot with its sources; run \"bencao rollback --release\", or \"bencao rollback --hold\" again", d.held())
	}
	return &h, nil
}

// Hold keeps builds from publishing the sources of m again, until [Writer.Release].
func (w *Writer) Hold(m Manifest) error {
	b, err := json.Marshal(Hold{Snapshot: m.ID, Since: w.opt.Now().UTC().Truncate(time.Second), Sources: digests(m.Sources)})
	if err != nil {
		return fmt.Errorf("hold: %w", err)
	}
	return durable.WriteFile(w.dir.held(), append(b, '\n'), durable.Options{})
}

// Release ends a hold, if there is one.
func (w *Writer) Release() error {
	if err := removeIfThere(w.dir.held()); err != nil {
		return err
	}
	return durable.SyncDir(w.dir.path)
}
