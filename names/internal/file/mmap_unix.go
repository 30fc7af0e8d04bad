//go:build unix

package file

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file of the given size into memory, read-only.
func mapFile(f *os.File, size int64) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

func unmapFile(data []byte) error { return unix.Munmap(data) }

// forget lets the system free the memory pages of data. The system reads them again from the file
// when they are needed.
func forget(data []byte) error { return unix.Madvise(data, unix.MADV_DONTNEED) }
