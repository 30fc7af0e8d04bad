//go:build unix

package access

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A stamp identifies a state of a file. It changes whenever the file is replaced or written to. A
// new file has another inode number. A write changes the file's change time (ctime), which no
// program can set.
type stamp struct {
	device, inode    uint64
	size             int64
	written, altered unix.Timespec // written is mtime, the time of the last change of the content; altered is ctime, the time of the last change of content, name, mode or times
}

// stampOf returns the stamp of an open file.
func stampOf(f *os.File) (stamp, error) {
	var s unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &s); err != nil {
		return stamp{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return newStamp(&s), nil
}

// stampAt returns the stamp of the file at path.
func stampAt(path string) (stamp, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return stamp{}, fmt.Errorf("%s: %w", path, err)
	}
	return newStamp(&s), nil
}

func newStamp(s *unix.Stat_t) stamp {
	return stamp{uint64(s.Dev), s.Ino, s.Size, s.Mtim, s.Ctim}
}

// changed returns the time at which the file was last written to or replaced.
func (s stamp) changed() time.Time {
	written, altered := time.Unix(s.written.Unix()), time.Unix(s.altered.Unix())
	if written.After(altered) {
		return written
	}
	return altered
}
