package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"bencao/mappings"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

// dataFolder is the data folder, which must be there.
func (s *settings) dataFolder() (snapshot.Dir, error) {
	info, err := os.Stat(s.data)
	var e *fs.PathError
	switch {
	case errors.As(err, &e):
		return snapshot.Dir{}, fmt.Errorf("data folder %s: %w; \"bencao index\" makes it", s.data, e.Err)
	case err != nil:
		return snapshot.Dir{}, err
	case !info.IsDir():
		return snapshot.Dir{}, fmt.Errorf("data folder %s is no folder", s.data)
	}
	return snapshot.At(s.data), nil
}

// folder completes the settings and returns the data folder, which must be
// there.
func (s *settings) folder(cmd *cobra.Command) (snapshot.Dir, error) {
	if err := s.load(cmd, "data"); err != nil {
		return snapshot.Dir{}, err
	}
	return s.dataFolder()
}

// snapshot does so for a command about the snapshot that args names, or about
// the current one.
func (s *settings) snapshot(cmd *cobra.Command, args []string) (dir snapshot.Dir, id string, err error) {
	if dir, err = s.folder(cmd); err != nil {
		return dir, "", err
	}
	if len(args) == 1 {
		if !snapshot.ValidID(args[0]) {
			return dir, "", usagef("%q is no snapshot id; \"bencao snapshots\" lists them", args[0])
		}
		return dir, args[0], nil
	}
	p, err := dir.Current()
	return dir, p.ID, err
}

// readable refuses a snapshot whose indexes this program can't read.
func readable(m snapshot.Manifest) error {
	if err := sameSchema(m); err != nil {
		return fmt.Errorf("snapshot %s: %w; run \"bencao index\"", m.ID, err)
	}
	return nil
}

// sameSchema says that a snapshot was built for another program than this.
func sameSchema(m snapshot.Manifest) error {
	if have := mappings.Schema(); m.Schema != have {
		return fmt.Errorf("built with schema %s by %s, this program has %s", m.Schema, m.Program, have)
	}
	return nil
}
