package textfile

import (
	"fmt"
	"os"
	"path/filepath"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// Prepare returns an error if no file can be written at path. A job calls it at its start, so that
// a wrong path fails before the work and not after it. Prepare also removes the temporary files of
// a killed job. No other process may write the file at the same time.
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
