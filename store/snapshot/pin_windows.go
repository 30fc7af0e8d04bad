package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bencao/internal/system"
)

// openLockable opens what of a snapshot is locked. A directory can't be, so it
// is the manifest, which whoever opens a snapshot reads first. Without one
// there is only the directory to open, and nobody to lock out.
func openLockable(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, manifestName), os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Open(dir)
	}
	return f, err
}

// lockHeld locks what [openLockable] has opened.
func lockHeld(f *os.File, share bool) error {
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return err
	}
	return system.TryLock(f, share)
}

// moveAway renames a snapshot's directory. Nobody can while a file in it is
// open, so the lock has to go first; whoever opens the snapshot between the two
// has files open, and the rename fails.
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
