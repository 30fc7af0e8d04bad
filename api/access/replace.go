package access

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// replace puts data in the place of the file at path in one step, so that a
// reader finds the old file or the new one, also after a power cut. The new
// one has the mode and the owner of the old, or is for its owner only if
// there was none. What edits that were killed have left behind goes: the caller
// holds the lock, so nobody is at work on it.
func replace(path string, data []byte) error {
	if err := durable.ClearBeside(path); err != nil {
		return fmt.Errorf("remove what an edit that was killed has left: %w", err)
	}
	if err := durable.WriteFile(path, data, durable.Options{Mode: 0o600, Keep: true}); err != nil {
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
	if stat, err := os.Stat(path); err == nil && system.Modes && stat.Mode().Perm()&0o020 != 0 {
		mode = 0o660 // who may write the one may lock the other, who reads it may not
	}
	f, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, mode)
	if err != nil {
		return nil, fmt.Errorf("lock access file: %w", err)
	}
	if err := f.Chmod(mode); err != nil && !errors.Is(err, os.ErrPermission) { // it may be another's
		return nil, errors.Join(fmt.Errorf("lock access file: %w", err), f.Close())
	}
	if err := system.Lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock access file: %s: %w", name, err), f.Close())
	}
	return f.Close, nil // closing unlocks
}
