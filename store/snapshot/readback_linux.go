package snapshot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// forget drops a synced file from the page cache, so that the next read comes from the disk.
func forget(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close())
}
