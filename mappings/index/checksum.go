package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// checkSegments compares the segment files with their checksums. Bleve does not verify checksums.
// If a stored length is damaged, Bleve may allocate so much memory that the process ends.
func checkSegments(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "store", "*.zap"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := checkSegment(f); err != nil {
			return err
		}
	}
	return nil
}

// checkSegment compares the CRC-32 of a file with its last four bytes, which are big-endian.
func checkSegment(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	in, sum := bufio.NewReaderSize(f, 1<<20), crc32.NewIEEE()
	var end [crc32.Size]byte
	if _, err := io.CopyN(sum, in, max(0, info.Size()-crc32.Size)); err != nil {
		return err
	}
	_, err = io.ReadFull(in, end[:])
	if short := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !short {
		return err
	}
	if err != nil || binary.BigEndian.Uint32(end[:]) != sum.Sum32() {
		return fmt.Errorf("%s is damaged; copy the snapshot again or rebuild it", filepath.Base(path))
	}
	return nil
}
