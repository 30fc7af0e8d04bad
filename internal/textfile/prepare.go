package textfile

import (
	"fmt"
	"os"
	"path/filepath"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// Prepare looks whether a file can be written at path, so that a job finds out
// before its work and not after it, and clears away what a job that was killed
// left there. Nobody else may write the file meanwhile.
func Prepare(path string) error {
	folder := filepath.Dir(path)
	err := system.Writable(folder)
	if err == nil {
		err = durable.ClearBeside(path)
	}
	if err != nil {
		return fmt.Errorf("metrics file %s: %s: %w; make the folder, and let this user write there", path, folder, err)
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return fmt.Errorf("metrics file %s: it is a folder; give a file in it", path)
	}
	return nil
}
