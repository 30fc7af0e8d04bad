package check

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/store/snapshot"
)

// LedgerFile holds the counts of a snapshot's sources and the sums of the checks, for the checks of
// later builds.
const LedgerFile = "checks.json.gz"

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
		touched: map[string]map[string]bool{}, left: map[string][][]uint64{},
	}
}

// LoadPrevious loads what the previous snapshot keeps for this build. If that file is damaged, it
// loads the file of the snapshot before the previous one.
func (c *Checker) LoadPrevious(dir snapshot.Dir) error {
	if c.before == nil {
		return nil
	}
	c.previous = []snapshot.Manifest{*c.before}
	list, err := dir.List()
	if err != nil {
		return err
	}
	for _, info := range list {
		if info.Err == nil && info.Manifest.ID != c.before.ID {
			c.previous = append(c.previous, info.Manifest)
		}
	}
	for _, m := range c.previous {
		var p past
		err := c.openVerified(m, LedgerFile, func(f *os.File) error {
			z, err := gzip.NewReader(f)
			if err != nil {
				return err
			}
			return json.NewDecoder(io.LimitReader(z, maxLedger)).Decode(&p)
		})
		if err == nil {
			c.past, c.ledger.before = p, p.Sums
			return nil
		}
		c.logger.Warn("the counts that a snapshot keeps for the checks can't be read", "snapshot", m.ID, "error", err)
	}
	return nil
}

// maxLedger is the maximum uncompressed size in bytes of a [LedgerFile].
const maxLedger = 1 << 30

// openPackage opens the package of the newest snapshot whose package is readable. It calls read with
// it, or else with nil. Errors of read are returned, except those of reading the package itself,
// which have the type unreadable.
func (c *Checker) openPackage(read func(*archive.Archive) error) error {
	for _, m := range c.previous {
		err := c.openVerified(m, PackageFile, func(f *os.File) (err error) {
			src, err := archive.Open(f.Name(), archive.Limits{})
			if err != nil {
				return unreadable{err}
			}
			defer func() { err = errors.Join(err, src.Close()) }()
			return read(src)
		})
		var old unreadable
		if !errors.As(err, &old) {
			return err
		}
		c.logger.Warn("the rows can't be compared with a snapshot's package", "snapshot", m.ID, "error", err)
	}
	return read(nil)
}

// unreadable is an error from reading a file of an old snapshot.
type unreadable struct{ error }

func (e unreadable) Unwrap() error { return e.error }

// openVerified opens a file of a snapshot after verifying it against the digest in the manifest.
func (c *Checker) openVerified(m snapshot.Manifest, name string, read func(*os.File) error) (err error) {
	i := slices.IndexFunc(m.Files, func(f snapshot.File) bool { return f.Path == name })
	if i < 0 {
		return unreadable{fmt.Errorf("%s: %w", name, fs.ErrNotExist)}
	}
	f, err := os.Open(filepath.Join(c.data, filepath.FromSlash(snapshot.FilePath(m.ID, name))))
	if err != nil {
		return unreadable{err}
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return unreadable{err}
	}
	if hex.EncodeToString(sum.Sum(nil)) != m.Files[i].SHA256 {
		return unreadable{fmt.Errorf("%s does not match the manifest; run \"bencao verify\"", name)}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return unreadable{err}
	}
	return read(f)
}

// profiles returns the profiles of this build's files, by the name of their table.
func (c *Checker) profiles() map[string]*profile.Profile {
	out := map[string]*profile.Profile{}
	for _, f := range c.files {
		if f.profile != nil {
			out[f.table] = f.profile
		}
	}
	return out
}

// Write writes what later builds need to a folder. created is the date that the package states.
func (c *Checker) Write(folder, created string) error {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := errors.Join(json.NewEncoder(z).Encode(past{Files: c.profiles(), Created: created, Sums: c.ledger.sums(), Left: c.left}), z.Close()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, LedgerFile), out.Bytes(), 0o644)
}
