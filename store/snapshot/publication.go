package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"slices"
)

// Publication holds the files that a publisher serves at one moment: snapshots, and the pointer
// files that name them for mirrors. Every byte of the snapshots is verified, and they cannot be
// pruned until Close.
type Publication struct {
	// Current is the content of CURRENT.
	Current Pointer
	// Snapshots are the current snapshot, and other snapshots that mirrors still copy.
	Snapshots []*Snapshot
	// Pointers are CURRENT and CHECKED.
	Pointers []PointerFile
}

// PointerFile is a small file that tells mirrors which snapshot to copy.
type PointerFile struct {
	// Name is the path relative to the data directory, with slashes.
	Name    string
	Content []byte
}

// Publication opens the current snapshot and other snapshots, to copy them to a bucket. also names
// the other snapshots.
func (d Dir) Publication(ctx context.Context, also ...Pointer) (_ *Publication, err error) {
	p := &Publication{}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if p.Current, err = d.Current(); err != nil {
		return p, err
	}
	for i, at := range append([]Pointer{p.Current}, also...) {
		if i > 0 && slices.ContainsFunc(p.Snapshots, func(s *Snapshot) bool { return s.ID == at.ID }) {
			continue
		}
		s, err := d.open(ctx, at, Deep)
		if err != nil {
			return p, err
		}
		p.Snapshots = append(p.Snapshots, s)
	}
	p.Pointers = append(p.Pointers, PointerFile{currentName, []byte(p.Current.String() + "\n")})
	checked, err := readSmall(d.checked(), maxChecked)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	p.Pointers = append(p.Pointers, PointerFile{checkedName, checked})
	return p, err
}

// Close closes the snapshots.
func (p *Publication) Close() error {
	var errs []error
	for _, s := range p.Snapshots {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
