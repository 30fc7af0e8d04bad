package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/store/snapshot"
)

// ProfileFile is the shape of a snapshot's sources and what the nights before
// it lost, for the gates of the nights after it.
const ProfileFile = "profile.json.gz"

// PackageFile is the data package in a snapshot.
const PackageFile = "package.zip"

// Options are what a night is compared with.
type Options struct {
	Limits Limits
	// Before is the last good snapshot's manifest, or nil.
	Before *snapshot.Manifest
	// Findings takes what gates close on, Log what the operator should know.
	Findings *finding.Log
	Log      *slog.Logger
	// Now is tonight: no record of a source was made later.
	Now time.Time
}

// New begins a night over the snapshots of a data directory.
func New(dir snapshot.Dir, o Options) *Checker {
	g := o.Limits.withDefaults()
	return &Checker{
		limits: g, log: o.Findings, logger: o.Log, data: dir.Path(), before: o.Before, ledger: &ledger{limits: g, log: o.Findings}, now: o.Now,
		profiles: map[string]*profile.Profile{}, touched: map[string]map[uint64]bool{},
		removed: map[string]map[uint16]bool{}, orphans: map[string]int{},
	}
}

// Remember loads what the last good snapshot says. If it can't be believed, an
// older one takes its place; of one that an earlier program made, the package
// that it keeps is looked at.
func (c *Checker) LoadPrevious(ctx context.Context, dir snapshot.Dir) error {
	if c.before == nil {
		return nil
	}
	candidates, err := c.candidates(dir)
	if err != nil {
		return err
	}
	c.previous = candidates
	for _, m := range candidates {
		var p past
		err := c.openVerified(m, ProfileFile, func(f *os.File) error {
			b, err := io.ReadAll(f)
			if err != nil {
				return err
			}
			return profile.Read(b, &p)
		})
		if err == nil {
			c.past, c.ledger.before = p, p.Nights
			return nil
		}
		c.logger.Warn("a snapshot's profile of its sources can't be read", "snapshot", m.ID, "error", err)
		if errors.Is(err, fs.ErrNotExist) {
			break // an earlier program made it, and those before it
		}
	}
	for _, m := range candidates {
		err := c.openVerified(m, PackageFile, func(f *os.File) error { return c.loadPackage(ctx, f.Name()) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			c.logger.Warn("the gates compare tonight with the package of a snapshot alone", "snapshot", m.ID)
			return nil
		}
		c.logger.Warn("a snapshot's package can't be read", "snapshot", m.ID, "error", err)
	}
	return nil
}

// kept opens a file of a snapshot, and makes sure first that it is the one
// that the manifest lists.
func (c *Checker) openVerified(m snapshot.Manifest, name string, read func(*os.File) error) (err error) {
	i := slices.IndexFunc(m.Files, func(f snapshot.File) bool { return f.Path == name })
	if i < 0 {
		return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	f, err := os.Open(filepath.Join(c.data, filepath.FromSlash(snapshot.FilePath(m.ID, name))))
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
func (c *Checker) loadPackage(ctx context.Context, path string) (err error) {
	src, err := archive.Open(path, archive.Limits{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	c.past.Profiles = map[string]*profile.Profile{}
	for _, f := range datapackage.Files(src, datapackage.Options{}) {
		s := shape{table: f.Table, file: f.Name, src: src, how: f.Shape}
		if err := s.scan(ctx); err != nil {
			return err
		}
		s.profile.Sorted = true
		c.past.Profiles[f.Table] = s.profile
	}
	return nil
}

// Write writes what the next night compares itself with into a folder. Created
// is the package's own date.
func (c *Checker) Write(folder, created string) error {
	p := past{Profiles: c.profiles, Created: created, Nights: c.ledger.history()}
	var out bytes.Buffer
	if err := profile.Write(&out, p); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, ProfileFile), out.Bytes(), 0o644)
}
