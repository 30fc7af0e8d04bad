package archive_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/indexer/archive"
)

func TestChanged(t *testing.T) {
	write := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) }
	for _, tt := range []struct {
		name string
		do   func(source string) error // source is a folder with a.csv and b.csv
		says string                    // "" if Changed must return nil
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"a file is added", func(s string) error { return write(filepath.Join(s, "c.csv"), "c") }, ""},
		{"a file grows", func(s string) error { return write(filepath.Join(s, "a.csv"), "aa") }, "a.csv"},
		{"a file is written again", func(s string) error { return os.Chtimes(filepath.Join(s, "b.csv"), time.Now(), time.Now()) }, "b.csv"},
		{"a file is replaced by its like", func(s string) error {
			old := filepath.Join(s, "b.csv")
			info, err := os.Stat(old)
			return errors.Join(err, write(s+"b", "b"), os.Chtimes(s+"b", info.ModTime(), info.ModTime()), os.Rename(s+"b", old))
		}, "b.csv"},
		{"a file is removed", func(s string) error { return os.Remove(filepath.Join(s, "a.csv")) }, "a.csv"},
		{"the folder is replaced", func(s string) error { return errors.Join(os.Rename(s, s+"-"), os.Mkdir(s, 0o755)) }, "."},
	} {
		source := filepath.Join(t.TempDir(), "source")
		err := errors.Join(os.Mkdir(source, 0o755), write(filepath.Join(source, "a.csv"), "a"), write(filepath.Join(source, "b.csv"), "b"))
		yesterday := time.Now().AddDate(0, 0, -1)
		err = errors.Join(err, os.Chtimes(filepath.Join(source, "b.csv"), yesterday, yesterday))
		must(t, err)
		a := open(t, source)
		must(t, tt.do(source))
		err = a.Changed()
		if tt.says == "" && err != nil {
			t.Errorf("%s: %v, want no change", tt.name, err)
		}
		if tt.says != "" && (!errors.Is(err, archive.ErrChanged) || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: %v, want ErrChanged and a message that names %s", tt.name, err, tt.says)
		}
	}
}
