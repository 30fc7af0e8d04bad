package durable

import (
	"errors"
	"fmt"
	"slices"

	"bencao/internal/system"
)

// full is a disk-full error with the resource that ran out.
type full struct {
	err  error
	what string
}

func (f *full) Error() string { return f.err.Error() + ": " + f.what }
func (f *full) Unwrap() error { return f.err }

// Explain adds to a disk-full error of dir the resource that ran out: bytes or inodes.
func Explain(dir string, err error) error {
	var known *full
	if !NoRoom(err) || errors.As(err, &known) {
		return err
	}
	room, statErr := system.RoomOf(dir)
	if statErr == nil && room.Files > 0 && room.FilesLeft == 0 {
		return &full{err, fmt.Sprintf("the disk of %s has %d bytes free, but no inodes: it holds %d files and can't hold one more; remove files, however small", dir, room.Free, room.Files)}
	}
	return err
}

// NoRoom reports whether an error is that of a full disk or quota.
func NoRoom(err error) bool {
	return slices.ContainsFunc(system.Full, func(full error) bool { return errors.Is(err, full) })
}
