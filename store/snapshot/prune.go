package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/internal/durable"
)

// Rollback makes snapshot id current again. It first verifies every byte of the snapshot. It also
// repairs a damaged CURRENT.
func (w *Writer) Rollback(ctx context.Context, id string) (Manifest, error) {
	s, err := w.dir.open(ctx, Pointer{ID: id}, Deep)
	if err != nil {
		return Manifest{}, err
	}
	chosen, err := w.stamp() // later than the newest snapshot, so that Withdrawn recognises the rollback
	if err != nil {
		chosen = w.opt.Now()
	}
	return s.Manifest, errors.Join(w.setCurrent(s.Pointer, chosen), s.Close())
}

// Prune removes old snapshots and leftovers of crashed runs, and returns the ids of the snapshots
// that it removed. It keeps
//
//   - the newest keep snapshots, not counting snapshots with a damaged manifest,
//   - the current snapshot,
//   - the pinned snapshots,
//   - the snapshots in spare, such as the snapshot that mirrors still copy,
//   - the snapshots that a process has open.
//
// While CURRENT or PINNED is damaged, Prune removes nothing, since any snapshot may be needed.
func (w *Writer) Prune(keep int, spare ...string) ([]string, error) {
	if keep < 1 {
		return nil, fmt.Errorf("prune: can't keep %d snapshots; keep at least 1", keep)
	}
	current, err := w.dir.Current()
	if err != nil && !errors.Is(err, ErrNone) {
		return nil, fmt.Errorf("prune: %w", err)
	}
	pins, err := w.dir.Pins()
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	for _, p := range pins {
		spare = append(spare, p.ID)
	}
	var removed []string
	var errs []error
	if w.draft == nil {
		errs = append(errs, w.clean(""))
	}
	list, err := w.dir.List()
	if err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	for _, info := range list {
		if keep > 0 || info.ID == current.ID || slices.Contains(spare, info.ID) {
			if info.Err == nil {
				keep--
			}
			continue
		}
		err := w.remove(info.ID)
		if errors.Is(err, errInUse) {
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("prune %s: %w", info.ID, err))
			continue
		}
		removed = append(removed, info.ID)
	}
	return removed, errors.Join(errs...)
}

// cleanOwn removes the leftovers of crashed runs, except spare, before a new snapshot is made. It
// ignores leftovers that it cannot remove because they belong to other users.
// [Writer.Prune] reports them later.
func (w *Writer) cleanOwn(spare string) error {
	if err := w.clean(spare); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// clean removes drafts, copies and half-removed snapshots of crashed runs, except the entry named
// spare. This process holds the lock, so no other process uses them.
func (w *Writer) clean(spare string) error {
	entries, err := os.ReadDir(w.dir.snapshots())
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(w.dir.snapshots(), name)
		switch {
		case name == spare:
		case isLeftover(name):
			errs = append(errs, removeTree(path))
		}
	}
	errs = append(errs, durable.ClearDir(w.dir.snapshots()), durable.ClearDir(w.dir.path))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove the leftovers of an earlier run: %w", err)
	}
	return nil
}

// isLeftover reports whether name is that of a draft, a copy or a half-removed snapshot.
func isLeftover(name string) bool {
	return strings.HasPrefix(name, draftPrefix) || strings.HasPrefix(name, copyPrefix) || strings.HasPrefix(name, trashPrefix)
}

// remove removes a snapshot. It first renames the directory in one step, so that a half-removed
// directory never has the name of a snapshot.
func (w *Writer) remove(id string) error {
	dir, trash := w.dir.snapshot(id), w.dir.snapshot(trashPrefix+id)
	held, err := seize(dir, id)
	if err != nil {
		return err
	}
	// If the directory belongs to another user, unprotect fails and the snapshot stays complete.
	if err := unprotect(dir); err != nil {
		return errors.Join(err, held.Close())
	}
	w.opt.Step("rename " + id)
	if err := errors.Join(os.Rename(dir, trash), held.Close()); err != nil {
		return err
	}
	w.opt.Step("remove " + id)
	return removeTree(trash)
}

// removeTree removes a directory that may contain read-only directories.
func removeTree(dir string) error { return errors.Join(unprotect(dir), os.RemoveAll(dir)) }

// unprotect makes a directory and its subdirectories writable for their owner.
func unprotect(dir string) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return os.Chmod(name, 0o755)
	})
}
