package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"bencao/internal/system"
)

// errInUse is the error for a snapshot that cannot be removed, because a process has it open. It is
// also the error on a file system without locks, where open snapshots cannot be recognised.
var errInUse = errors.New("snapshot is in use")

// pin and lockExclusive wait pinPause between attempts to take a lock. The waits are short, since
// other processes hold the exclusive lock of a snapshot only while they rename it.
const (
	pinTries  = 20
	pinPause  = 25 * time.Millisecond
	lockTries = 4
)

// pin protects a snapshot from removal until the returned file is closed. It takes a shared lock,
// which needs no write permission, works on a read-only disk, and ends with the process.
func pin(ctx context.Context, dir, id string) (*os.File, error) {
	f, err := openHeld(dir, id)
	if err != nil {
		return nil, err
	}
	for range pinTries {
		err = system.TryLock(f, true)
		if !errors.Is(err, system.ErrLocked) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(pinPause):
		}
	}
	// A failed lock is no error in two cases. Some network file systems can't lock a directory:
	// Prune removes nothing there, so reading without a lock is safe. And a user who can read the
	// directory can also keep it locked: this must not prevent other users from reading.
	if err != nil && !errors.Is(err, system.ErrNoLocks) && !errors.Is(err, system.ErrLocked) {
		return nil, errors.Join(fmt.Errorf("snapshot %s: lock directory: %w", id, err), f.Close())
	}
	// The directory may have been renamed between open and lock.
	held, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	there, err := os.Lstat(f.Name())
	if err == nil && !os.SameFile(held, there) {
		err = fmt.Errorf("snapshot %s was replaced while it was opened", id)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// inUse reports whether a process protects the snapshot in dir from removal.
func inUse(dir, id string) (bool, error) {
	f, err := seize(dir, id)
	if errors.Is(err, errInUse) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, f.Close()
}

// seize takes the exclusive lock of a snapshot. The caller must release it soon, since programs
// that open the snapshot wait for it. If another process holds a lock, seize returns [errInUse].
func seize(dir, id string) (*os.File, error) {
	f, err := openHeld(dir, id)
	if err != nil {
		return nil, err
	}
	err = system.TryLock(f, false)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, system.ErrLocked):
		err = errInUse
	case errors.Is(err, system.ErrNoLocks):
		err = fmt.Errorf("%w, or the file system does not support locks: %w", errInUse, err)
	}
	return nil, errors.Join(err, f.Close())
}

// openHeld opens the directory of a snapshot, on which processes take its locks.
func openHeld(dir, id string) (*os.File, error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, notThere(id)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("snapshot %s: %s is not a directory", id, dir)
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notThere(id)
	}
	return f, err
}

func notThere(id string) error {
	return fmt.Errorf("snapshot %s is not there: %w; \"bencao snapshots\" lists those that are", id, fs.ErrNotExist)
}

// lockMode is the file mode of LOCK.
const lockMode = 0o600
