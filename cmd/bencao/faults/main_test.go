//go:build linux

package faults_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"bencao/indexer/sample"
	"bencao/internal/test/leak"
	"bencao/internal/test/testkit"
)

// place is the folder of this test run. It holds the program and the data folders that tests copy.
// TestMain sets it before any test.
var place string

func TestMain(m *testing.M) {
	if !withFaults() && os.Getenv("BENCAO_SOAK") != "1" {
		fmt.Println("SKIPPED: all fault tests; \"make faults\" runs them, BENCAO_FAULTS=1 with faults in a sixth of the system calls")
		return
	}
	os.Exit(prepared(m))
}

// prepared builds the program and the sample data, runs the tests, and removes the folder of the
// run.
func prepared(m *testing.M) (code int) {
	complain := func(err error) int {
		fmt.Fprintln(os.Stderr, "faults:", err)
		return 1
	}
	if err := clearKilled(); err != nil {
		return complain(err)
	}
	var err error
	if place, err = os.MkdirTemp("", placePrefix); err != nil {
		return complain(err)
	}
	mine, _, err := claim(place)
	if err != nil {
		return complain(err)
	}
	defer func() {
		if err := errors.Join(clear(place), mine.Close()); err != nil {
			code = complain(err)
		}
	}()
	if err := os.Unsetenv("GOGC"); err != nil { // the program's own value limits its memory
		return complain(err)
	}
	build := exec.Command("go", "build", "-o", program(), "bencao/cmd/bencao")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return complain(fmt.Errorf("build the program: %w\n%s", err, out))
	}
	if err := index(); err != nil {
		return complain(err)
	}
	return leak.Checked(m).Run()
}

// placePrefix is the beginning of the name of every run's folder, in the folder for temporary
// files.
const placePrefix = "bencao-faults-"

// claim locks the folder of a run. Closing the returned file releases the lock. If another run
// holds the lock, claim returns no file, and free is false.
func claim(dir string) (lock *os.File, free bool, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, true, nil
	}
	if err == syscall.EWOULDBLOCK {
		err = nil
	}
	return nil, false, errors.Join(err, f.Close())
}

// clearKilled removes the folders of earlier runs that did not remove them, because they were
// killed or timed out.
func clearKilled() error {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), placePrefix+"*"))
	if err != nil {
		return err
	}
	for _, dir := range left {
		info, err := os.Stat(dir)
		if err != nil || time.Since(info.ModTime()) < time.Hour {
			continue // another run has removed the folder just now, or has made it and will lock it
		}
		lock, free, err := claim(dir)
		if errors.Is(err, fs.ErrPermission) {
			continue // belongs to another user
		}
		if err != nil {
			return err
		}
		if free {
			if err := errors.Join(clear(dir), lock.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}

// program returns the path of the bencao program under test.
func program() string { return filepath.Join(place, "bencao") }

// sampleData returns the path of a data folder with two snapshots of the sample. Tests copy it.
func sampleData() string { return filepath.Join(place, "data") }

// The newer of the two snapshots has one plant more. In both, one species has so many uses that the
// list of them does not fit into the buffers of a connection. If a client does not read the list,
// the server cannot finish writing it.
const (
	manyUses = "05700faf-492a-5bea-b362-7cf169d48e37" // 牛膝
	useRows  = 16_000
	useBytes = 5 << 20 // size of the text of all uses; the response is larger
)

// index builds the two snapshots of [sampleData].
func index() error {
	pkg := filepath.Join(place, "package")
	if err := os.CopyFS(pkg, sample.Package()); err != nil {
		return err
	}
	checklist := filepath.Join(place, "wcvp")
	for _, c := range sample.Checklists() {
		if c.Name != "wcvp" {
			continue
		}
		if err := os.CopyFS(checklist, c.FS); err != nil {
			return err
		}
	}
	if err := addUses(pkg, "1", 10_000, useRows); err != nil {
		return err
	}
	for n := range 2 {
		if n > 0 {
			row := []string{"9999", "", "夜合", "", "Lirianthe coco", "(Lour.) N.H.Xia & C.Y.Wu", "species", "Magnoliaceae", "木兰科", "Lirianthe", "", ""}
			if err := appendCSV(filepath.Join(pkg, "species.csv"), [][]string{row}); err != nil {
				return err
			}
		}
		run := exec.Command(program(), "index", "--data", sampleData(), "--source", pkg, "--checklist", "wcvp="+checklist)
		if out, err := run.CombinedOutput(); err != nil {
			return fmt.Errorf("index the sample: %w\n%s", err, out)
		}
	}
	return nil
}

// addUses adds rows to the uses of the species with the entry id species. It numbers the rows from
// first. Their random text hardly compresses, so the list of uses does not fit into the buffers of
// a connection.
func addUses(pkg, species string, first, rows int) error {
	random := rand.New(rand.NewPCG(1, uint64(first)))
	var uses [][]string
	for i := range rows {
		text := make([]rune, 78)
		for i := range text {
			text[i] = '一' + random.Int32N('龥'-'一')
		}
		uses = append(uses, []string{
			fmt.Sprint(first + i), species, "folk", "", "medicine", "root", string(text), "", "CN", "", fmt.Sprintf("《本草》卷%d", i),
		})
	}
	return appendCSV(filepath.Join(pkg, "uses.csv"), uses)
}

// appendCSV adds rows to a CSV file.
func appendCSV(path string, rows [][]string) (err error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return csv.NewWriter(f).WriteAll(rows)
}

// clear removes a folder, even if it has read-only folders.
func clear(dir string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o755)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(dir))
}

// faultsOnly skips the test unless BENCAO_FAULTS is set.
func faultsOnly(t *testing.T) {
	t.Helper()
	if !withFaults() {
		t.Skip("SKIPPED: BENCAO_FAULTS=1, or \"make faults\", runs it")
	}
}

// withFaults reports whether fault tests run: BENCAO_FAULTS is 1 or all.
func withFaults() bool { return os.Getenv("BENCAO_FAULTS") == "1" || everyCall() }

// everyCall reports whether tests inject a fault into every system call of a command, not only into
// every sixth. That takes six times as long.
func everyCall() bool { return os.Getenv("BENCAO_FAULTS") == "all" }

// several returns how often a test repeats what it does: all times if [everyCall] is true, otherwise
// a few times.
func several(all, few int) int {
	if everyCall() {
		return all
	}
	return few
}

// chosen yields the numbers of the system calls that get a fault. Calls are numbered from 1 to n,
// and met describes them. chosen yields 1 and every oneOf-th number after it. If oneOf is 1 and
// [everyCall] is false, it yields every sixth number. It always yields the call that changes
// CURRENT and the call after it.
func chosen(n int, met []string, oneOf int) iter.Seq[int] {
	if oneOf == 1 && !everyCall() {
		oneOf = 6
	}
	change := slices.IndexFunc(met, switches) + 1 // 0 if no call changes CURRENT
	return func(yield func(int) bool) {
		for at := 1; at <= n; at++ {
			if ((at-1)%oneOf == 0 || change > 0 && (at == change || at == change+1)) && !yield(at) {
				return
			}
		}
	}
}

// lacking skips the test because this machine lacks what. With CI=true it fails the test instead.
func lacking(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is needed for this test and must be installed when CI is true", what)
	}
	t.Skipf("SKIPPED: %s is needed for this test", what)
}

// tool returns the path of a program that the test needs. It skips the test if there is no such
// program.
func tool(t *testing.T, name string) string {
	t.Helper()
	for _, p := range []string{name, "/usr/sbin/" + name, "/sbin/" + name} {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	lacking(t, name)
	return ""
}

// patience is the longest time that a test waits for something.
const patience = testkit.Patience

// until waits until fulfilled returns true. what describes the condition, for the error message.
func until(t testing.TB, what string, fulfilled func() bool) {
	t.Helper()
	testkit.WaitFor(t, patience, what, fulfilled)
}
