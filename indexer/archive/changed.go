package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrChanged is returned for a source that has changed since it was opened.
var ErrChanged = errors.New("changed while it was read; run again when the file is complete")

// Changed returns [ErrChanged] if a file of the source was written, replaced or removed after the
// source was opened, or if its folder was replaced. Files that were added later do not matter,
// since the source was read without them.
func (a *Archive) Changed() error {
	for _, n := range a.watched {
		now, err := n.look()
		if err != nil {
			return fmt.Errorf("source %s: %s: %w: %w", a.name, n.name, ErrChanged, err)
		}
		same := n.was.IsDir() || now.Size() == n.was.Size() && now.ModTime().Equal(n.was.ModTime())
		if !same || isReplaced(n.was, now) {
			return fmt.Errorf("source %s: %s: %w", a.name, n.name, ErrChanged)
		}
	}
	return nil
}

// watched is the state of a file or folder when the source was opened.
type watched struct {
	name string
	was  fs.FileInfo
	look func() (fs.FileInfo, error)
}

func (a *Archive) watch(name string, was fs.FileInfo, look func() (fs.FileInfo, error)) {
	a.watched = append(a.watched, watched{name, was, look})
}

// isReplaced reports whether the file at a path was replaced by another one. was describes the file
// that was there when the source was opened, and now describes the present file. isReplaced returns
// false for file systems in memory, which do not change.
func isReplaced(was, now fs.FileInfo) bool { return was.Sys() != nil && !os.SameFile(was, now) }
