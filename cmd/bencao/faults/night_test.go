//go:build linux

package faults_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bencao/indexer/sample"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// harm describes a fault that the tracer injects into one system call of a run.
type harm struct {
	calls []uint64      // numbers of the system calls that the tracer counts
	under string        // the tracer counts only calls on files whose path starts with under
	at    int           // number of the call that gets the fault, among the counted calls of all threads, from 1; 0 means none
	do    func()        // runs before the call, which then proceeds
	err   syscall.Errno // the call fails with this error and does nothing; if 0, the process is killed before the call
	short bool          // the call must be a write, and writes only half of its bytes
}

// ending is the result of a run with a [harm].
type ending struct {
	met  []string // descriptions of the counted calls, such as "rename to /data/CURRENT"
	hit  string   // description of the call that got the fault; "" if the run ended before that call
	code int      // exit code, or -1 if the process was killed
	said string   // all output
}

// build is a nightly build that a test is about to run: Wednesday's. Its data folder holds the
// snapshots that Monday's and Tuesday's builds published.
type build struct {
	data, metrics string // paths of the data folder, and of the metrics file, which is in another folder
	flags         []string
}

// addedPlants are two plants that make the snapshots differ. Monday's sources have neither,
// Tuesday's have the first, and Wednesday's have both.
var addedPlants = [][]string{
	{"9998", "", "夜合", "", "Lirianthe coco", "(Lour.) N.H.Xia & C.Y.Wu", "species", "Magnoliaceae", "木兰科", "Lirianthe", "", ""},
	{"9999", "", "黄山木兰", "", "Yulania cylindrica", "(E.H.Wilson) D.L.Fu", "species", "Magnoliaceae", "木兰科", "Yulania", "", ""},
}

// buildSources prepares the sources of the three days, and a data folder with the snapshots of
// Monday and Tuesday. It runs once for all tests and returns the folder that holds everything. To
// save time, the tables of papers and formulas are empty and most plants are left out; a build
// writes the same files anyway.
var buildSources = sync.OnceValues(func() (root string, err error) {
	root = filepath.Join(place, "builds")
	for _, c := range sample.Checklists() {
		if c.Name == "wcvp" {
			err = os.CopyFS(filepath.Join(root, "wcvp"), c.FS)
		}
	}
	for n, day := range []string{"monday", "tuesday", "wednesday"} {
		pkg := filepath.Join(root, day)
		err = errors.Join(err, os.CopyFS(pkg, sample.Package()), fewPlants(pkg), appendCSV(filepath.Join(pkg, "species.csv"), addedPlants[:n]))
		for _, table := range []string{"papers", "species_papers", "formulas", "formula_ingredients", "formula_codes", "herb_species"} {
			err = errors.Join(err, onlyHeader(filepath.Join(pkg, table+".csv")))
		}
	}
	if err != nil {
		return root, err
	}
	if out, err := exec.Command(program(), "trust", "init", "--data", filepath.Join(root, "data")).CombinedOutput(); err != nil {
		return root, errors.Join(err, errors.New(string(out)))
	}
	for _, day := range []string{"monday", "tuesday"} {
		run := exec.Command(program(), "index", "--data", filepath.Join(root, "data"), "--source", filepath.Join(root, day),
			"--checklist", "wcvp="+filepath.Join(root, "wcvp"), "--metrics-file", filepath.Join(root, "before.prom"))
		if out, err := run.CombinedOutput(); err != nil {
			return root, errors.Join(err, errors.New(string(out)))
		}
	}
	return root, nil
})

// fewPlants keeps only the first [plantsMonday] plants of a package, and the rows of other tables
// about these plants.
func fewPlants(pkg string) error {
	kept := map[string]bool{}
	return errors.Join(
		keepRows(filepath.Join(pkg, "species.csv"), "entry_id", func(id string) bool {
			kept[id] = kept[id] || len(kept) < plantsMonday
			return kept[id]
		}),
		keepRows(filepath.Join(pkg, "aliases.csv"), "species_id", func(id string) bool { return kept[id] }),
		keepRows(filepath.Join(pkg, "flora.csv"), "species_id", func(id string) bool { return kept[id] }),
		keepRows(filepath.Join(pkg, "synonyms.csv"), "species_id", func(id string) bool { return kept[id] }),
		keepRows(filepath.Join(pkg, "uses.csv"), "species_id", func(id string) bool { return kept[id] }))
}

// keepRows removes the rows for which keep returns false. keep gets the row's value in column.
func keepRows(path, column string, keep func(string) bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return err
	}
	at := slices.Index(rows[0], column)
	if at < 0 {
		return fmt.Errorf("%s has no column %s", path, column)
	}
	body := slices.DeleteFunc(rows[1:], func(row []string) bool { return !keep(row[at]) })
	var out bytes.Buffer
	err = csv.NewWriter(&out).WriteAll(append(rows[:1], body...))
	return errors.Join(err, os.WriteFile(path, out.Bytes(), 0o644))
}

// onlyHeader removes all rows of a table except the header.
func onlyHeader(path string) error {
	b, err := os.ReadFile(path)
	header, _, _ := strings.Cut(string(b), "\n")
	return errors.Join(err, os.WriteFile(path, []byte(header+"\n"), 0o644))
}

// newBuild returns Wednesday's build with new folders, before it runs.
func newBuild(t *testing.T) *build {
	t.Helper()
	dir := t.TempDir()
	n := buildIn(t, filepath.Join(dir, "data"), filepath.Join(dir, "metrics"))
	t.Cleanup(func() { must(t, clear(dir)) })
	return n
}

// buildIn is [newBuild] with the given data folder and folder of the metrics file.
func buildIn(t *testing.T, data, metrics string) *build {
	t.Helper()
	faultsOnly(t)
	root, err := buildSources()
	must(t, err)
	must(t, os.MkdirAll(metrics, 0o755))
	n := &build{data: data, metrics: filepath.Join(metrics, "bencao.prom")}
	must(t, copyLinked(filepath.Join(root, "data"), data))
	b, err := os.ReadFile(filepath.Join(root, "before.prom"))
	must(t, errors.Join(err, os.WriteFile(n.metrics, b, 0o644)))
	n.flags = []string{
		"index", "--data", data, "--keep", "2", "--log", "json", "--metrics-file", n.metrics,
		"--trust-keys", filepath.Join(root, "data.keys"), "--checklist", "wcvp=" + filepath.Join(root, "wcvp"), "--source", filepath.Join(root, "wednesday"),
	}
	return n
}

// copyLinked copies a data folder. It links the files of snapshots instead of copying them, if it
// can, because they never change.
func copyLinked(from, to string) error {
	var dirs []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			if strings.Count(rel, string(filepath.Separator)) > 0 {
				dirs = append(dirs, target)
			}
			return os.MkdirAll(target, 0o755)
		}
		if len(dirs) > 0 && os.Link(path, target) == nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(target, b, info.Mode().Perm()))
	})
	for _, d := range slices.Backward(dirs) {
		err = errors.Join(err, os.Chmod(d, 0o555))
	}
	return err
}

// run runs "bencao index" on Wednesday's sources, with additional flags. It returns the exit code
// and all output.
func (n *build) run(t *testing.T, flags ...string) (code int, said string) {
	t.Helper()
	return n.runBy(t, nil, flags...)
}

// runBy is [build.run], but calls prepare before it starts the process, for instance to change the
// user.
func (n *build) runBy(t *testing.T, prepare func(*exec.Cmd), flags ...string) (code int, said string) {
	t.Helper()
	cmd := exec.Command(program(), append(slices.Clone(n.flags), flags...)...)
	if prepare != nil {
		prepare(cmd)
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// The number of plants in a snapshot shows which build published it.
const (
	plantsMonday = 40 + iota
	plantsTuesday
	plantsWednesday
)

// serves checks that every snapshot is complete, that the pointer for mirrors names one of them,
// and that a search in the current snapshot finds the right plants. It returns the number of plants
// in the current snapshot.
func (n *build) serves(t *testing.T) (plants int) {
	t.Helper()
	d := snapshot.At(n.data)
	p, err := d.Current()
	must(t, err)
	list, err := d.List()
	must(t, err)
	for _, i := range list {
		m, err := d.Verify(t.Context(), i.ID, snapshot.Deep)
		if err != nil {
			t.Errorf("a broken snapshot has an id: %v", err)
		}
		if i.ID == p.ID {
			plants = m.Tables["species"]
		}
	}
	// A build that was killed before it signed leaves a signed pointer to the previous snapshot.
	if announced, err := trust.Announced(d); err != nil && !errors.Is(err, fs.ErrNotExist) ||
		err == nil && !slices.ContainsFunc(list, func(i snapshot.Info) bool { return i.ID == announced.ID }) {
		t.Errorf("mirrors are pointed to %s, want one of %v: %v", announced.ID, list, err)
	}
	want := 0
	if plants == plantsWednesday {
		want = 1
	}
	last := addedPlants[1]
	if got := strings.Count(bencao(t, "search", "--data", n.data, "species", last[4]), last[2]); got != want {
		t.Errorf("with %d plants, a search for %s finds it %d times, want %d", plants, last[4], got, want)
	}
	return plants
}

// wholeFiles checks that the report, the findings and the metrics are complete files.
func (n *build) wholeFiles(t *testing.T) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(n.data, "last-report.json"))
	if err != nil || !json.Valid(b) {
		t.Errorf("last-report.json is incomplete: %v\n%s", err, b)
	}
	f, err := os.Open(filepath.Join(n.data, "last-findings.csv"))
	must(t, err)
	defer f.Close()
	if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) == 0 {
		t.Errorf("last-findings.csv is incomplete: %v, %q", err, rows)
	}
	b, err = os.ReadFile(n.metrics)
	if err != nil || !regexp.MustCompile(`(?s)bencao_index_last_success_timestamp_seconds \d+\n.*bencao_index_snapshot_bytes \d+\n$`).Match(b) {
		t.Errorf("the metrics are incomplete: %v\n%s", err, b)
	}
}

// tidy checks that the data folder and the folder of the metrics have no temporary files, and that
// there are at most two snapshots.
func (n *build) tidy(t *testing.T) {
	t.Helper()
	for _, folder := range []string{n.data, filepath.Join(n.data, "snapshots"), filepath.Dir(n.metrics)} {
		entries, err := os.ReadDir(folder)
		must(t, err)
		ids := 0
		for _, e := range entries {
			switch {
			case snapshot.ValidID(e.Name()):
				ids++
			case !slices.Contains([]string{"LOCK", "CURRENT", "CHECKED", "tuf", "last-report.json", "last-findings.csv", "last-pull.json", "snapshots", "bencao.prom"}, e.Name()):
				t.Errorf("the temporary file %s is left", filepath.Join(folder, e.Name()))
			}
		}
		if ids > 2 {
			t.Errorf("%d snapshots are in %s, want at most 2", ids, folder)
		}
	}
}

// recovers runs the nightly build again. It must succeed and leave no temporary files.
func (n *build) recovers(t *testing.T) {
	t.Helper()
	if code, said := n.run(t); code != 0 {
		t.Errorf("the next run ended with %d, want 0:\n%s", code, said)
	}
	if got := n.serves(t); got != plantsWednesday {
		t.Errorf("after the next run, %d plants, want the new snapshot's %d", got, plantsWednesday)
	}
	n.wholeFiles(t)
	n.tidy(t)
}
