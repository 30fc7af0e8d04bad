package indexer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/profile"
	"bencao/store/snapshot"
)

// ProfileFile is the shape of a snapshot's sources and what the nights before
// it lost, for the gates of the nights after it.
const ProfileFile = "profile.json.gz"

// past is what a snapshot says to the night after it.
type past struct {
	// Profiles are the shapes of its tables and checklists, and of what was
	// derived from them, by table.
	Profiles map[string]*profile.Profile `json:"profiles"`
	// Created is the package's own date.
	Created string `json:"created"`
	// Nights are this one and those before.
	Nights []night `json:"nights"`
}

// remember loads what the last good snapshot says. One that an earlier program
// made is looked at as far as it can be.
func (r *run) remember(ctx context.Context) error {
	if r.before == nil {
		return nil
	}
	b, err := r.kept(ProfileFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.opt.Log.Warn("the snapshot before holds no profile of its sources; the gates compare tonight with its package alone", "snapshot", r.before.ID)
		return r.rememberPackage(ctx)
	case err != nil:
		return fmt.Errorf("snapshot %s: %s: %w", r.before.ID, ProfileFile, err)
	}
	if err := profile.Read(b, &r.past); err != nil {
		return fmt.Errorf("snapshot %s: %s: %w", r.before.ID, ProfileFile, err)
	}
	r.ledger.before = r.past.Nights
	return nil
}

// kept reads a small file of the last good snapshot, and makes sure that it is
// the one that the manifest lists.
func (r *run) kept(name string) ([]byte, error) {
	i := slices.IndexFunc(r.before.Files, func(f snapshot.File) bool { return f.Path == name })
	if i < 0 {
		return nil, fs.ErrNotExist
	}
	b, err := os.ReadFile(r.keptPath(name))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != r.before.Files[i].SHA256 {
		return nil, errors.New("is not what the manifest lists; see \"bencao verify\"")
	}
	return b, nil
}

func (r *run) keptPath(name string) string {
	return filepath.Join(r.cfg.Data, filepath.FromSlash(snapshot.FilePath(r.before.ID, name)))
}

// rememberPackage takes the shapes of the package that the snapshot keeps.
// Its GUIDs and ids have been made and its rows sorted, so their places say
// nothing.
func (r *run) rememberPackage(ctx context.Context) (err error) {
	if !slices.ContainsFunc(r.before.Files, func(f snapshot.File) bool { return f.Path == PackageFile }) {
		return nil
	}
	src, err := archive.Open(r.keptPath(PackageFile), archive.Limits{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	r.past.Profiles = map[string]*profile.Profile{}
	for _, f := range datapackage.Files(src, datapackage.Options{}) {
		s := shape{table: f.Table, file: f.Name, src: src, how: f.Shape}
		if err := s.take(ctx); err != nil {
			return err
		}
		s.profile.Sorted = true
		r.past.Profiles[f.Table] = s.profile
	}
	return nil
}

// writePast writes what the next night compares itself with.
func (b *build) writePast() error {
	p := past{Profiles: b.profiles, Created: b.pkg.Created, Nights: b.ledger.history()}
	var out bytes.Buffer
	if err := profile.Write(&out, p); err != nil {
		return err
	}
	return os.WriteFile(b.path(ProfileFile), out.Bytes(), 0o644)
}
