package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"
)

// build identifies the program.
type build struct {
	Version  string
	Revision string
	Modified bool // built from files that were not committed
	Go       string
	// Format and Schema belong to the snapshots that the program reads and writes.
	Format int
	Schema string
}

// thisBuild returns the build information that the Go tool stored in the program.
func thisBuild() build {
	b := build{Version: "devel", Go: runtime.Version(), Format: snapshot.Format, Schema: snapshotfiles.Schema()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// print writes the line of "bencao --version".
func (b build) print(w io.Writer) error {
	commit := "commit unknown"
	if b.Revision != "" {
		commit = "commit " + b.Revision
	}
	if b.Modified {
		commit += " with changes"
	}
	_, err := fmt.Fprintf(w, "bencao %s, %s, %s, snapshot format %d, schema %s\n", b.Version, commit, b.Go, b.Format, b.Schema)
	return err
}

// program returns the program's name and version, as manifests store them. It does not show
// uncommitted changes.
func (b build) program() string { return "bencao " + b.Version }
