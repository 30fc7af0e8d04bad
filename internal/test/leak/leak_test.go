package leak_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"bencao/internal/test/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// run is a function that implements leak.Tests.
type run func() int

func (r run) Run() int { return r() }

// TestChecked checks that each kind of leak fails the tests, and that tests without a leak keep their
// exit code.
func TestChecked(t *testing.T) {
	end := make(chan struct{})
	ended := make(chan struct{})
	var open *os.File
	for _, tt := range []struct {
		name  string
		linux bool // only Linux detects this leak
		tests run
		want  int
	}{
		{"nothing", false, func() int { return 0 }, 0},
		{"failed tests", false, func() int { return 3 }, 3},
		{"a temporary file", false, func() int {
			if err := os.WriteFile(filepath.Join(os.TempDir(), "left"), nil, 0o600); err != nil {
				t.Error(err)
			}
			return 0
		}, 1},
		{"an open file", true, func() int {
			var err error
			if open, err = os.Open(os.Args[0]); err != nil {
				t.Error(err)
			}
			return 0
		}, 1},
		{"a goroutine", false, func() int {
			go func() {
				defer close(ended)
				<-end
			}()
			return 0
		}, 1},
	} {
		if tt.linux && runtime.GOOS != "linux" {
			t.Logf("NOT TESTED on %s: %s", runtime.GOOS, tt.name)
			continue
		}
		t.Setenv("TMPDIR", t.TempDir())
		if got := leak.Checked(tt.tests).Run(); got != tt.want {
			t.Errorf("%s: exit code %d, want %d", tt.name, got, tt.want)
		}
		if open != nil {
			if err := open.Close(); err != nil {
				t.Error(err)
			}
			open = nil
		}
	}
	close(end)
	<-ended
}
