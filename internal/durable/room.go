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

// Explain adds to err that the disk of dir has no more inodes, if err is a disk-full error with
// that cause. It returns any other error unchanged.
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

// NoRoom reports whether an error means that the disk or a quota is full.
func NoRoom(err error) bool {
	return slices.ContainsFunc(system.Full, func(full error) bool { return errors.Is(err, full) })
}
