// Package leak fails tests that leak a goroutine, an open file or a temporary file. Packages that
// start goroutines or open files call [Main] from the TestMain of their tests. Programs must not
// import it.
package leak

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.uber.org/goleak"
)

// Tests are the tests of a package. [*testing.M] implements this interface.
type Tests interface {
	// Run runs the tests and returns the exit code.
	Run() int
}

// Main runs the tests of a package, calls the given functions, looks for leaks and exits. These
// functions can close fixtures that several tests share.
func Main(m Tests, after ...func() error) {
	os.Exit(Checked(m, after...).Run())
}

// Checked returns tests that also look for leaks. If m passes but leaks, their exit code is 1.
// Checked is meant for a TestMain that runs the tests itself.
func Checked(m Tests, after ...func() error) Tests { return checked{m, after} }

type checked struct {
	tests Tests
	after []func() error
}

// Run runs the tests in a temporary directory of their own and checks for leaks.
func (c checked) Run() int {
	if fuzzing() {
		return c.tests.Run() // not checked, because the fuzzer kills its workers
	}
	temp, err := os.MkdirTemp("", "bencao-test-")
	if err != nil {
		return failed(err)
	}
	if err := os.Chmod(temp, 0o755); err != nil { // some tests run programs as a different user
		return failed(err)
	}
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		if err := os.Setenv(name, temp); err != nil {
			return failed(err)
		}
	}
	before, err := openFiles()
	if err != nil {
		return failed(err)
	}
	code := c.tests.Run()
	var errs []error
	for _, f := range c.after {
		errs = append(errs, f())
	}
	if code == 0 {
		errs = append(errs, goroutines(), descriptors(before), files(temp))
	}
	errs = append(errs, os.RemoveAll(temp))
	if err := errors.Join(errs...); err != nil {
		return failed(err)
	}
	return code
}

// fuzzing reports whether this process is a fuzzer or one of its workers.
func fuzzing() bool {
	return slices.ContainsFunc(os.Args, func(arg string) bool {
		return strings.HasPrefix(arg, "-test.fuzz=") && arg != "-test.fuzz=" || strings.HasPrefix(arg, "-test.fuzzworker")
	})
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "FAIL: the tests leak:", err)
	return 1
}

// goroutines returns an error that lists the goroutines that still run. It ignores the analysis
// workers of Bleve, which start with the program and never end.
func goroutines() error {
	http.DefaultClient.CloseIdleConnections()
	return goleak.Find(goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

// descriptors returns an error that lists the files that are open now but were not open before.
func descriptors(before map[string]string) error {
	now, err := openFiles()
	if err != nil {
		return err
	}
	var errs []error
	for number, file := range now {
		if before[number] != file {
			errs = append(errs, fmt.Errorf("descriptor %s is open: %s", number, file))
		}
	}
	return errors.Join(errs...)
}

// files returns an error that lists the files in a temporary directory.
func files(temp string) error {
	var errs []error
	err := filepath.WalkDir(temp, func(path string, _ fs.DirEntry, err error) error {
		if path != temp && len(errs) < 10 {
			errs = append(errs, fmt.Errorf("temporary file %s", path))
		}
		return err
	})
	return errors.Join(append(errs, err)...)
}
