package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

// dataFolder returns the data folder. It fails if the folder does not exist.
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

// folder loads the settings and returns the data folder. It fails if the folder does not exist.
func (s *settings) folder(cmd *cobra.Command) (snapshot.Dir, error) {
	if err := s.load(cmd, "data"); err != nil {
		return snapshot.Dir{}, err
	}
	return s.dataFolder()
}

// snapshot loads the settings and returns the data folder and the id of a snapshot. The id is
// args[0] if there is an argument, otherwise the id of the current snapshot.
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

// writerOptions returns options to lock dir for a command that makes a snapshot current. The writer
// then signs the current snapshot for mirrors. purpose names the command in messages.
func (s *settings) writerOptions(dir snapshot.Dir, purpose string) (snapshot.WriterOptions, error) {
	p, err := s.publisher()
	return snapshot.WriterOptions{
		Purpose: purpose, Existing: true,
		Announce: func(at snapshot.Pointer) error { return p.Announce(dir, at) },
	}, err
}

// publisher returns a publisher with the signing keys in the folder --trust-keys.
func (s *settings) publisher() (trust.Publisher, error) {
	p, err := trust.ReadPublisher(s.trustKeys, s.data, s.public)
	if err != nil {
		return p, fmt.Errorf("trust-keys: %w", err)
	}
	p.Expires = s.trustExpires
	return p, nil
}

// keyFolder returns the folder with the keys that sign for mirrors.
func (s *settings) keyFolder() string { return cmp.Or(s.trustKeys, trust.KeyFolder(s.data)) }

// readRoot reads a root of trust from a file.
func readRoot(name string) (*trust.Root, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	root, err := trust.ParseRoot(b)
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	return root, nil
}

// demoData returns the data folder of "bencao demo". cache is the user's cache folder.
func demoData(cache string) string { return filepath.Join(cache, "bencao", "demo") }

// write calls change with the write lock of the data folder.
func (s *settings) write(cmd *cobra.Command, dir snapshot.Dir, change func(*snapshot.Writer) error) (err error) {
	w, err := dir.Lock(snapshot.WriterOptions{Purpose: cmd.CommandPath(), Existing: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return change(w)
}

// pinnedLine describes the pinned snapshots among all and what they take, or is "" if there is none.
func pinnedLine(all []snapshot.Info) string {
	var names []string
	var bytes int64
	for _, i := range all {
		if i.Pin != nil {
			names = append(names, strings.TrimSpace(i.ID+" "+i.Pin.Label))
			bytes += i.Manifest.Bytes()
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("pinned snapshots take %s: %s", size(bytes), strings.Join(names, ", "))
}
