package snapshot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// forget asks the system to drop what it caches of a durable file, so that the
// next read shows what the disk has.
func forget(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close())
}
