//go:build unix

package snapshot

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"bencao/internal/system"
)

// openLockable opens the file on which processes take the locks of a snapshot: its directory.
func openLockable(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|openFlags, 0)
	if errors.Is(err, unix.ENOTDIR) || system.IsLink(err) {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	return f, err
}

// lockHeld locks a file that [openLockable] returned. share selects a shared lock.
func lockHeld(f *os.File, share bool) error { return system.TryLock(f, share) }

// moveAway renames a snapshot's directory while the lock on held is still taken, and then closes
// held.
func moveAway(held *os.File, dir, to string) error {
	return errors.Join(os.Rename(dir, to), held.Close())
}
