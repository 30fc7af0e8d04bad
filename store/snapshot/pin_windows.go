package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bencao/internal/system"
)

// openLockable opens the file on which processes take the locks of a snapshot. Windows cannot lock
// a directory, so this file is the manifest, which every process that opens the snapshot reads
// first. If there is no manifest, no process can open the snapshot; then openLockable opens the
// directory.
func openLockable(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, manifestName), os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Open(dir)
	}
	return f, err
}

// lockHeld locks a file that [openLockable] returned, unless it is a directory. share selects a
// shared lock.
func lockHeld(f *os.File, share bool) error {
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return err
	}
	return system.TryLock(f, share)
}

// moveAway renames a snapshot's directory. Windows refuses that while a file in the directory is
// open, so moveAway first closes held, which releases the lock. If another process then opens the
// snapshot, the rename fails.
func moveAway(held *os.File, dir, to string) error {
	if err := held.Close(); err != nil {
		return err
	}
	err := system.Rename(dir, to)
	if system.Busy(err) {
		return fmt.Errorf("%w: %w", errInUse, err)
	}
	return err
}
