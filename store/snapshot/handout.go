package snapshot

import (
	"context"
	"errors"
	"io/fs"
)

// Handout is what a publisher hands out at one moment: snapshots, checked to
// the last byte and held until Close, and the small files that lead to them.
type Handout struct {
	// Current is what CURRENT says.
	Current Pointer
	// Timestamp is that of the publisher, nil if it has none.
	Timestamp *Timestamp
	// Snapshots are the current one, and that of which mirrors are told if it
	// is another.
	Snapshots []Handed
	// Leads are the files beside the snapshots, in the order in which they must
	// change so that whoever reads meanwhile finds what they name.
	Leads []Lead
}

// Handed is a snapshot of a [Handout].
type Handed struct {
	*Snapshot
	// Signature is the content of its signature file, nil if it has none.
	Signature []byte
}

// Lead is a small file in the data directory.
type Lead struct {
	// Name is relative to the data directory.
	Name    string
	Content []byte
}

// Handout reads and holds what the data directory hands out.
func (d Dir) Handout(ctx context.Context) (_ *Handout, err error) {
	h := &Handout{}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if h.Current, err = d.Current(); err != nil {
		return h, err
	}
	at := []Pointer{h.Current}
	t, err := d.Timestamp()
	switch {
	case err == nil:
		h.Timestamp = &t
		if t.ID != h.Current.ID {
			at = append(at, t.Pointer)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return h, err
	}
	for _, p := range at {
		s, err := d.open(ctx, p, Deep)
		if err != nil {
			return h, err
		}
		h.Snapshots = append(h.Snapshots, Handed{Snapshot: s})
		signature, err := readSmall(d.signature(p.ID), maxSignature)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return h, err
		}
		h.Snapshots[len(h.Snapshots)-1].Signature = signature
	}
	h.Leads = append(h.Leads, Lead{currentName, []byte(h.Current.String() + "\n")})
	checked, err := readSmall(d.checked(), maxChecked)
	switch {
	case err == nil:
		h.Leads = append(h.Leads, Lead{checkedName, checked})
	case !errors.Is(err, fs.ErrNotExist):
		return h, err
	}
	if h.Timestamp != nil {
		h.Leads = append(h.Leads, Lead{timestampName, h.Timestamp.Encode()})
	}
	return h, nil
}

// Close lets the snapshots go.
func (h *Handout) Close() error {
	var errs []error
	for _, s := range h.Snapshots {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
