package check

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/profile"

	"golang.org/x/sync/errgroup"
)

// shape is a file of this build's sources, with its profile.
type shape struct {
	// table is the name of a table of the package, such as species, or a name for a file of a
	// checklist. The first file of the checklist wcvp has the name checklist:wcvp. A further file
	// has a name such as checklist:wcvp/File.
	table, file string
	src         *archive.Archive
	how         profile.Table
	bytes       *int64
	hash        string

	profile      *profile.Profile
	hashMismatch string // empty if the digest is right
	ending       profile.Ending
}

// shapes lists the files that the build will read as tables.
func (c *Checker) shapes() []*shape {
	var all []*shape
	for _, s := range c.sources {
		if s.Key == Package {
			for _, f := range datapackage.Files(s.Archive, datapackage.Options{Columns: s.Columns, Exclude: s.Exclude}) {
				all = append(all, &shape{table: f.Table, file: f.Name, src: s.Archive, how: f.Shape, bytes: f.Bytes, hash: f.Hash})
			}
		}
		for i, f := range s.Files {
			table := s.Key
			if i > 0 {
				table += "/" + strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
			}
			all = append(all, &shape{table: table, file: f.Name, src: s.Archive, how: f.Table})
		}
	}
	return all
}

// Sources profiles all sources and runs the checks that need only these profiles. So bad sources
// are refused before anything is built.
func (c *Checker) Sources(ctx context.Context, sources []Source) error {
	c.sources = sources
	all := c.shapes()
	g, scanning := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	unread := make([]error, len(all))
	for i, s := range all {
		g.Go(func() error {
			s.how.LatestDay = c.now.UTC().Format(time.DateOnly)
			unread[i] = s.scan(scanning)
			return scanning.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := c.checkComplete(all); err != nil {
		return err
	}
	if err := errors.Join(append(unread, unreadable(all))...); err != nil {
		// Only record the error: the reader of the rows reports the same problem with a hint.
		c.readErr = err
		return nil
	}
	for _, s := range all {
		c.profiles[s.table] = s.profile
	}
	moved, err := c.movements(ctx, all)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.readErr = err
		return nil
	}
	c.compareSources()
	c.compareSets(all)
	for _, m := range moved {
		c.ledger.judgeMovedGUIDs(m)
	}
	for _, m := range moved {
		c.ledger.judgeMoves(m)
	}
	for _, s := range all {
		c.compareShape(s)
	}
	return c.ledger.err()
}

// unreadable returns an error if the package lacks the table species, or if a table lacks a column
// that it must have.
func unreadable(all []*shape) error {
	for _, t := range datapackage.Schema() {
		i := slices.IndexFunc(all, func(s *shape) bool { return s.table == t.Name })
		if i < 0 {
			if t.Name == "species" {
				return errors.New("the package has no species")
			}
			continue
		}
		for _, c := range t.Columns {
			if (c.Required || c.Present) && all[i].profile != nil && !all[i].profile.Has(c.Name) {
				return fmt.Errorf("%s has no column %s", t.Name, c.Name)
			}
		}
	}
	return nil
}

// scan profiles the file. It also verifies the file's digest if the package states one.
func (s *shape) scan(ctx context.Context) (err error) {
	f, err := s.src.Open(s.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var in io.Reader = f
	name, sum := digestOf(s.hash)
	if sum != nil {
		in = io.TeeReader(f, sum)
	}
	s.profile, s.ending, err = profile.Scan(ctx, in, s.how)
	if sum == nil {
		return err
	}
	if _, rest := io.Copy(io.Discard, in); rest != nil {
		return errors.Join(err, rest)
	}
	if got := name + ":" + hex.EncodeToString(sum.Sum(nil)); !strings.EqualFold(got, s.hash) && !strings.EqualFold(got, name+":"+s.hash) {
		s.hashMismatch = fmt.Sprintf("datapackage.json states the digest %s, the file has %s", s.hash, got)
	}
	return err
}

// digestOf returns the hash function of a digest in Frictionless notation: the algorithm in the
// prefix, or MD5 without a prefix. It returns nil for an unknown algorithm.
func digestOf(digest string) (string, hash.Hash) {
	name, _, named := strings.Cut(strings.ToLower(digest), ":")
	switch {
	case digest == "":
		return "", nil
	case !named || name == "md5":
		return "md5", md5.New()
	case name == "sha1":
		return name, sha1.New()
	case name == "sha256":
		return name, sha256.New()
	case name == "sha512":
		return name, sha512.New()
	}
	return "", nil
}

// mismatch describes how a file differs from its description in the package. It returns "" if the
// file does not differ.
func (s *shape) mismatch() string {
	if size := s.src.Size(s.file); s.bytes != nil && *s.bytes != size {
		return fmt.Sprintf("datapackage.json states %d bytes, the file has %d", *s.bytes, size)
	}
	return s.hashMismatch
}

// truncation describes the evidence that the end of a file is missing. It returns "" if there is
// none.
func truncation(e profile.Ending) string {
	switch {
	case !e.LineFeed:
		return fmt.Sprintf("the last row, on line %d, has no line feed at its end", e.Line)
	case e.Short:
		return fmt.Sprintf("the last row, on line %d, has %d cells where the header has %d", e.Line, e.Cells, e.Width)
	}
	return ""
}

// checkComplete refuses incomplete files. Such a file differs from its stated size or digest, or
// ends within a row.
func (c *Checker) checkComplete(all []*shape) error {
	var errs []error
	for _, s := range all {
		fatal := func(code finding.Code, line int, message, hint string) {
			f := finding.Finding{Severity: finding.Fatal, Code: code, Table: s.table, File: s.file, Line: line, Message: message, Hint: hint}
			c.log.Add(f)
			errs = append(errs, f)
		}
		if message := s.mismatch(); message != "" {
			fatal(finding.Digest, 0, message, "the file or datapackage.json is not the one that was exported; export the package again")
		}
		if s.profile == nil {
			continue
		}
		if s.ending.Zero {
			fatal(finding.Encoding, 0, "the file holds bytes that are 0, as text in UTF-16 does", "save the whole file as UTF-8")
		}
		if message := truncation(s.ending); message != "" {
			if allowUnfinished.allows(&c.limits, s.table, "") {
				c.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Unfinished, Table: s.table, File: s.file, Line: s.ending.Line,
					Message: message, Hint: "allowed by " + allowUnfinished.withTable(s.table)})
				continue
			}
			fatal(finding.Unfinished, s.ending.Line, message,
				"the file was cut off: fetch or export it again; if it is complete, say so with "+allowUnfinished.withTable(s.table))
		}
	}
	return errors.Join(errs...)
}
