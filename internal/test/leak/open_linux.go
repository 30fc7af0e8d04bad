package leak

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openFiles returns the open files of this process by descriptor. The Go runtime opens some files
// once and keeps them open; openFiles omits these.
func openFiles() (map[string]string, error) {
	const folder = "/proc/self/fd"
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	open := map[string]string{}
	for _, e := range entries {
		file, err := os.Readlink(filepath.Join(folder, e.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist): // the descriptor by which ReadDir read the folder
		case err != nil:
			return nil, err
		case strings.HasPrefix(file, "anon_inode:"), strings.HasPrefix(file, "/sys/fs/cgroup/"), file == "/dev/null":
		default:
			open[e.Name()] = file
		}
	}
	return open, nil
}
