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

// ProfileFile holds the profiles of a snapshot's sources and the losses of earlier builds, for the
// checks of later builds.
const ProfileFile = "profile.json.gz"

// PackageFile is the data package in a snapshot.
const PackageFile = "package.zip"

// Options describes the build to check and the snapshot to compare it with.
type Options struct {
	Limits Limits
	// Before is the manifest of the previous snapshot, or nil.
	Before *snapshot.Manifest
	// Findings receives refusals and warnings. Log receives problems with old snapshots.
	Findings *finding.Log
	Log      *slog.Logger
	// Now is the time of the build. Later dates in a source's records are ignored.
	Now time.Time
}

// New returns the checks of a build that is compared with the snapshots of a data directory.
func New(dir snapshot.Dir, o Options) *Checker {
	g := o.Limits.withDefaults()
	return &Checker{
		limits: g, log: o.Findings, logger: o.Log, data: dir.Path(), before: o.Before, ledger: &ledger{limits: g, log: o.Findings}, now: o.Now,
		profiles: map[string]*profile.Profile{}, touched: map[string]map[uint64]bool{},
		removed: map[string]map[uint16]bool{}, orphans: map[string]int{},
	}
}

// LoadPrevious loads the profile of the previous snapshot. If that profile is damaged, it loads the
// profile of the snapshot before the previous one. If all profiles are damaged, it profiles the
// package in a snapshot.
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
	}
	for _, m := range candidates {
		err := c.openVerified(m, PackageFile, func(f *os.File) error { return c.loadPackage(ctx, f.Name()) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			c.logger.Warn("the checks compare this build only with the package of a snapshot", "snapshot", m.ID)
			return nil
		}
		c.logger.Warn("a snapshot's package can't be read", "snapshot", m.ID, "error", err)
	}
	return nil
}

// openVerified opens a file of a snapshot after verifying it against the digest in the manifest.
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
		return fmt.Errorf("%s does not match the manifest; run \"bencao verify\"", name)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return read(f)
}

// loadPackage profiles the package in a snapshot. The GUIDs and ids in it are generated and the
// rows are sorted, so the line of a row says nothing about its line in the source.
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

// Write writes the profile for later builds to a folder. created is the date that the package
// states.
func (c *Checker) Write(folder, created string) error {
	p := past{Profiles: c.profiles, Created: created, Nights: c.ledger.history()}
	var out bytes.Buffer
	if err := profile.Write(&out, p); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, ProfileFile), out.Bytes(), 0o644)
}
