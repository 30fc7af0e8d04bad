package indexer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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

// remember loads what the last good snapshot says. If it can't be believed, an
// older one takes its place; of one that an earlier program made, the package
// that it keeps is looked at.
func (r *run) remember(ctx context.Context, dir snapshot.Dir) error {
	if r.before == nil {
		return nil
	}
	candidates := []snapshot.Manifest{*r.before}
	list, err := dir.List()
	if err != nil {
		return err
	}
	for _, info := range list {
		if info.Err == nil && info.Manifest.ID != r.before.ID {
			candidates = append(candidates, info.Manifest)
		}
	}
	for _, m := range candidates {
		var p past
		err := r.kept(m, ProfileFile, func(f *os.File) error {
			b, err := io.ReadAll(f)
			if err != nil {
				return err
			}
			return profile.Read(b, &p)
		})
		if err == nil {
			r.past, r.ledger.before = p, p.Nights
			return nil
		}
		r.opt.Log.Warn("a snapshot's profile of its sources can't be read", "snapshot", m.ID, "error", err)
		if errors.Is(err, fs.ErrNotExist) {
			break // an earlier program made it, and those before it
		}
	}
	for _, m := range candidates {
		err := r.kept(m, PackageFile, func(f *os.File) error { return r.rememberPackage(ctx, f.Name()) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			r.opt.Log.Warn("the gates compare tonight with the package of a snapshot alone", "snapshot", m.ID)
			return nil
		}
		r.opt.Log.Warn("a snapshot's package can't be read", "snapshot", m.ID, "error", err)
	}
	return nil
}

// kept opens a file of a snapshot, and makes sure first that it is the one
// that the manifest lists.
func (r *run) kept(m snapshot.Manifest, name string, read func(*os.File) error) (err error) {
	i := slices.IndexFunc(m.Files, func(f snapshot.File) bool { return f.Path == name })
	if i < 0 {
		return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	f, err := os.Open(filepath.Join(r.cfg.Data, filepath.FromSlash(snapshot.FilePath(m.ID, name))))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != m.Files[i].SHA256 {
		return fmt.Errorf("%s is not what the manifest lists; see \"bencao verify\"", name)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return read(f)
}

// rememberPackage takes the shapes of the package that a snapshot keeps. Its
// GUIDs and ids have been made and its rows sorted, so their places say
// nothing.
func (r *run) rememberPackage(ctx context.Context, path string) (err error) {
	src, err := archive.Open(path, archive.Limits{})
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
