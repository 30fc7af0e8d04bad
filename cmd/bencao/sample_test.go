package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/test/testkit"

	"github.com/rogpeppe/go-internal/testscript"
)

// samples holds data folders with the indexed sample, by the checklists that were indexed with it.
// Each folder is built once per test process. Tests get copies.
var samples struct {
	sync.Mutex
	dirs map[string]func() (string, error)
}

// demoSample, in place of checklists, means the sample as "bencao demo" indexes it.
const demoSample = "demo"

// copySample copies a data folder with a snapshot of the sample to the new folder to. The sample
// was indexed with the checklists, such as "wcvp", or with [demoSample].
func copySample(to string, checklists ...string) error {
	samples.Lock()
	key := strings.Join(checklists, " ")
	if samples.dirs == nil {
		samples.dirs = map[string]func() (string, error){}
	}
	if samples.dirs[key] == nil {
		samples.dirs[key] = sync.OnceValues(func() (string, error) { return buildSample(checklists) })
	}
	build := samples.dirs[key]
	samples.Unlock()
	from, err := build()
	if err != nil {
		return err
	}
	return testkit.CopyFolder(from, to)
}

func buildSample(checklists []string) (string, error) {
	dir, err := os.MkdirTemp("", "sample")
	if err != nil {
		return "", err
	}
	cfg := indexer.Config{
		Data: filepath.Join(dir, "data"), Package: indexer.Input{Path: "sample/package", FS: sample.Package()}, Program: thisBuild().program(),
	}
	if slices.Equal(checklists, []string{demoSample}) {
		cfg, checklists = sampleConfig(cfg.Data), nil
	}
	for _, name := range checklists {
		list, err := fs.Sub(sample.FS(), path.Join("checklists", name))
		if err != nil {
			return dir, err
		}
		cfg.Checklists = append(cfg.Checklists, indexer.Input{Key: name, Path: name, FS: list})
	}
	_, err = indexer.Run(context.Background(), cfg, indexer.Options{})
	return cfg.Data, err
}

// removeSamples removes the folders in samples after all tests.
func removeSamples() error {
	var errs []error
	for _, dir := range samples.dirs {
		if data, err := dir(); err == nil {
			clearAway(filepath.Dir(data))
		} else {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// clearAway removes a folder with snapshots, whose folders are read-only.
func clearAway(folder string) {
	_ = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
	_ = os.RemoveAll(folder)
}

// scriptSample writes the sample data inside the program to a folder:
//
//	sample FOLDER
func scriptSample(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sample FOLDER")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), sample.FS()))
}

// scriptIndexed makes a data folder with the sample, indexed with some of its checklists:
//
//	indexed FOLDER CHECKLIST…
func scriptIndexed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: indexed FOLDER CHECKLIST…")
	}
	ts.Check(copySample(ts.MkAbs(args[0]), args[1:]...))
}
