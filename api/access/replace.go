package access

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// replace puts data in the place of the file at path in one step, so that a
// reader finds the old file or the new one, also after a power cut. The new
// one has the mode and the owner of the old, or is for its owner only if
// there was none.
func replace(path string, data []byte, old os.FileInfo) (err error) {
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	closed, renamed := false, false
	defer func() {
		if !closed {
			err = errors.Join(err, tmp.Close())
		}
		if !renamed {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if _, err := tmp.Write(data); err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	if old != nil {
		if err := keepOwner(tmp, old); err != nil {
			return fmt.Errorf("%s belongs to somebody else, and the server may not be able to read it if it changes hands; run this as its owner: %w", path, err)
		}
		if err := tmp.Chmod(old.Mode().Perm()); err != nil {
			return fmt.Errorf("write access file: %w", err)
		}
	}
	if err := tmp.Sync(); err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	closed = true
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	renamed = true
	if err := syncDir(dir); err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	return nil
}

// lock waits until no other edit of the file at path is under way. It locks a
// file beside it, since the file itself is replaced; that stays, because
// taking it away would let two edits hold two locks.
func lock(path string) (unlock func() error, err error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	mode := os.FileMode(0o600)
	if stat, err := os.Stat(path); err == nil {
		mode = stat.Mode().Perm() // who may edit the one may lock the other
	}
	f, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, mode)
	if err != nil {
		return nil, fmt.Errorf("lock access file: %w", err)
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock access file: %s: %w", name, err), f.Close())
	}
	return f.Close, nil // closing unlocks
}
