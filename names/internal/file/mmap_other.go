//go:build !unix

package file

import (
	"io"
	"os"
)

// mapFile reads a file of the given size into memory.
func mapFile(f *os.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	return data, err
}

func unmapFile([]byte) error { return nil }

// forget does nothing, since the data are not mapped.
func forget([]byte) error { return nil }
