package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"bencao/internal/contents"
	"bencao/store/snapshot"
)

// build says which program this is.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Modified bool   `json:"modified"` // built from files that were not committed
	Go       string `json:"go"`
	// Format and Schema are those of the snapshots that it reads and writes.
	Format int    `json:"format"`
	Schema string `json:"schema"`
}

// thisBuild reads what the Go tool wrote into the program.
func thisBuild() build {
	b := build{Version: "devel", Go: runtime.Version(), Format: snapshot.Format, Schema: contents.Schema()}
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

// print writes the line of "bencao version" and "bencao --version".
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

// program is the name and version that manifests carry. Files that were not
// committed make no difference to it.
func (b build) program() string { return "bencao " + b.Version }
