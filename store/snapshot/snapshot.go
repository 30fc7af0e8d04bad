package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Snapshot is a verified snapshot that can't be pruned until it is closed.
type Snapshot struct {
	// Pointer names the snapshot and its manifest.
	Pointer
	// Manifest describes the content.
	Manifest Manifest

	path string
	pin  *os.File // protects the snapshot from removal while it is open; see the function pin
}

// Open verifies snapshot id at depth [Quick] and protects it from removal.
func (d Dir) Open(ctx context.Context, id string) (*Snapshot, error) {
	return d.open(ctx, Pointer{ID: id}, Quick)
}

// OpenCurrent verifies the snapshot that CURRENT names at depth [Quick] and protects it from
// removal. If that fails, it does not open another snapshot instead, as [Follower.Start] does.
func (d Dir) OpenCurrent(ctx context.Context) (*Snapshot, error) {
	p, err := d.Current()
	if err != nil {
		return nil, err
	}
	return d.open(ctx, p, Quick)
}

func (d Dir) open(ctx context.Context, p Pointer, depth Depth) (*Snapshot, error) {
	if !ValidID(p.ID) {
		return nil, fmt.Errorf("%q is not a snapshot id; \"bencao snapshots\" lists them", p.ID)
	}
	dir := d.snapshot(p.ID)
	held, err := pin(ctx, dir, p.ID)
	if errors.Is(err, fs.ErrNotExist) && p.Digest != "" {
		return nil, fmt.Errorf("CURRENT: %w", err)
	}
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Pointer: p, path: dir, pin: held}
	if s.Manifest, err = readManifest(dir, p); err == nil {
		err = verify(ctx, dir, s.Manifest, depth)
	}
	if err == nil && p.Digest == "" {
		s.Digest, err = digest(s.Manifest)
	}
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return s, nil
}

// Path returns the path of the snapshot's directory, or of a file in it.
func (s *Snapshot) Path(elem ...string) string {
	return filepath.Join(append([]string{s.path}, elem...)...)
}

// Close allows the snapshot to be pruned. Do not call it while files of the snapshot are mapped
// into memory.
func (s *Snapshot) Close() error { return s.pin.Close() }

// Published returns the manifest of the current snapshot, so that the next build can compare its
// content with it. It checks the manifest but not the files. It returns [ErrNone] before the first
// publication.
func (d Dir) Published() (Manifest, error) {
	p, err := d.Current()
	if err != nil {
		return Manifest{}, err
	}
	return readManifest(d.snapshot(p.ID), p)
}

// Verify checks the files of snapshot id against its manifest. If the snapshot is current, the
// manifest must also match CURRENT.
func (d Dir) Verify(ctx context.Context, id string, depth Depth) (Manifest, error) {
	p := Pointer{ID: id}
	if current, err := d.Current(); err == nil && current.ID == id {
		p = current
	}
	s, err := d.open(ctx, p, depth)
	if err != nil {
		return Manifest{}, err
	}
	return s.Manifest, s.Close()
}
