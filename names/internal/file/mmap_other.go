//go:build !unix

package file

import (
	"io"
	"os"
)

// mapFile reads the file into memory where it cannot be mapped.
func mapFile(f *os.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, size), data)
	return data, err
}

func unmapFile([]byte) error { return nil }

func forget([]byte) error { return nil }
