//go:build unix

package store

import (
	"errors"

	"golang.org/x/sys/unix"
)

// readSingly tells the system that pages of a mapping are read here and there, as bbolt
// does of its own: nobody needs those behind one that is read.
func readSingly(mapped []byte) error {
	if len(mapped) == 0 {
		return nil
	}
	if err := unix.Madvise(mapped, unix.MADV_RANDOM); err != nil && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	return nil
}
