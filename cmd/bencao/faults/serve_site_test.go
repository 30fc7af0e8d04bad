//go:build linux

package faults_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
)

// site is a data folder with two snapshots, and an access file.
type site struct {
	data, access string
	// older and newer are the ids of the snapshots; newer is current.
	older, newer string
	// all is a key for all data that works from 127.0.0.1. Its limit is too high to matter.
	all string
}

// The number of plants shows which of the two snapshots a response comes from.
const (
	plantsOlder = 296
	plantsNewer = 297
)

// newSite returns a copy of the data folder [sampleData], with an access file of its own.
func newSite(t *testing.T) *site {
	t.Helper()
	faultsOnly(t)
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	s := &site{data: filepath.Join(dir, "data"), access: filepath.Join(dir, "access.toml")}
	must(t, os.CopyFS(s.data, os.DirFS(sampleData())))
	list, err := snapshot.At(s.data).List()
	must(t, err)
	if len(list) != 2 || !list[0].Current {
		t.Fatalf("the sample has the snapshots %+v; want two, with the newer one current", list)
	}
	s.newer, s.older = list[0].ID, list[1].ID
	s.all = s.openAll(t, "all")
	return s
}

// openAll makes a key with all scopes that works from this machine, and returns it.
func (s *site) openAll(t *testing.T, id string) string {
	t.Helper()
	return s.key(t, id, "--network", "127.0.0.0/8", "--rate", "1000000", "--scope", "species_prescriptions", "--scope", "plant_uses",
		"--scope", "prescriptions", "--scope", "prescription_composition", "--scope", "prescription_similarity")
}

// key makes a key with the id and flags, and returns it.
func (s *site) key(t *testing.T, id string, args ...string) string {
	t.Helper()
	return strings.TrimSpace(bencao(t, append([]string{"keys", "create", "--access", s.access, "--id", id}, args...)...))
}

// keys runs a subcommand of "bencao keys" on the site's access file.
func (s *site) keys(t *testing.T, args ...string) {
	t.Helper()
	bencao(t, append(append([]string{"keys"}, args...), "--access", s.access)...)
}

// rollback makes the snapshot id current.
func (s *site) rollback(t *testing.T, id string) {
	t.Helper()
	bencao(t, "rollback", "--data", s.data, id)
}

// path returns the path of a file of the snapshot id.
func (s *site) path(id, file string) string { return filepath.Join(s.data, "snapshots", id, file) }

// inUse reports whether a process uses the snapshot id.
func (s *site) inUse(t *testing.T, id string) bool {
	t.Helper()
	list, err := snapshot.At(s.data).List()
	must(t, err)
	for _, i := range list {
		if i.ID == id {
			return i.InUse
		}
	}
	t.Fatalf("there is no snapshot %s", id)
	return false
}

// bencao runs the program and returns its standard output. The test fails if the program fails.
func bencao(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(program(), args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("bencao %s: %v\n%s", strings.Join(args, " "), err, &problems)
	}
	return out.String()
}

// must ends the test if there is an error.
var must = testkit.Must
