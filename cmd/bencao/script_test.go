package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/internal/test/leak"
	"bencao/internal/test/race"
	"bencao/internal/test/testkit"

	"github.com/rogpeppe/go-internal/testscript"
)

// must ends the test if there is an error.
var must = testkit.Must

func TestMain(m *testing.M) {
	testscript.Main(leak.Checked(m, removeSamples, removeScripts), map[string]func(){"bencao": main})
}

// oneByOne lists the scripts that run many builds, one after another, each in its own process. A
// test with the race detector skips them, because each build takes a dozen seconds with it and runs
// the same code. The other scripts, which run with it, also have builds, servers, mirrors and
// lists.
var oneByOne = []string{"doctor", "export", "gates", "index-broken", "night", "pull-back", "report", "usage", "verify"}

// TestScript runs each script in testdata/script/*.txtar. A script runs the program as a user does.
func TestScript(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts in testdata/script:", err)
	}
	files = slices.DeleteFunc(files, func(file string) bool {
		out := race.On && slices.Contains(oneByOne, strings.TrimSuffix(filepath.Base(file), ".txtar"))
		if out {
			t.Log("NOT TESTED with the race detector:", file)
		}
		return out
	})
	runScripts(t, testscript.Params{
		Files:               files,
		Cmds:                scriptCommands,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// scriptsDir returns the folder in which scripts run. The first call makes it.
var scriptsDir = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "scripts")
	return dir, errors.Join(err, os.Setenv("GOTMPDIR", dir)) // testscript reads this variable
})

// removeScripts removes that folder after all tests, as testscript leaves files behind when -run skips
// a script.
func removeScripts() error {
	dir, err := scriptsDir()
	return errors.Join(err, os.RemoveAll(dir))
}

// runScripts runs scripts beside the other parallel tests.
func runScripts(t *testing.T, p testscript.Params) {
	t.Helper()
	if _, err := scriptsDir(); err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	testscript.Run(t, p)
}
