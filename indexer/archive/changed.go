package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrChanged is returned for a source that is no longer what was opened.
var ErrChanged = errors.New("changed while it was read; run again when it is whole")

// Changed returns [ErrChanged] if a file of the source was written, replaced
// or removed since the source was opened, or its folder replaced. Files that
// were added don't matter: nobody has seen them.
func (a *Archive) Changed() error {
	for _, n := range a.watched {
		now, err := n.look()
		if err != nil {
			return fmt.Errorf("source %s: %s: %w: %w", a.name, n.name, ErrChanged, err)
		}
		same := n.was.IsDir() || now.Size() == n.was.Size() && now.ModTime().Equal(n.was.ModTime())
		if !same || replaced(n.was, now) {
			return fmt.Errorf("source %s: %s: %w", a.name, n.name, ErrChanged)
		}
	}
	return nil
}

// watched is a file or folder on the disk and how it was.
type watched struct {
	name string
	was  fs.FileInfo
	look func() (fs.FileInfo, error)
}

func (a *Archive) watch(name string, was fs.FileInfo, look func() (fs.FileInfo, error)) {
	a.watched = append(a.watched, watched{name, was, look})
}

// replaced tells that another file has the name now. A file system in memory
// can't tell, and does not change.
func replaced(was, now fs.FileInfo) bool { return was.Sys() != nil && !os.SameFile(was, now) }
