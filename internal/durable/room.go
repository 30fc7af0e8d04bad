package durable

import (
	"errors"
	"fmt"
)

// full is an error of a disk that has no room, with what there is none of.
type full struct {
	err  error
	what string
}

func (f *full) Error() string { return f.err.Error() + ": " + f.what }
func (f *full) Unwrap() error { return f.err }

// Explain adds to the error of a disk that is full what it has none of: a disk
// may have gigabytes left and no room for one more file. Any other error is
// returned as it is.
func Explain(dir string, err error) error {
	var known *full
	if !noRoom(err) || errors.As(err, &known) {
		return err
	}
	free, files, left, statErr := room(dir)
	if statErr == nil && files > 0 && left == 0 {
		return &full{err, fmt.Sprintf("the disk of %s has %d bytes free, but no inodes: it holds %d files and can't hold one more; remove files, however small", dir, free, files)}
	}
	return err
}
