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

// file is a file of this build's sources.
type file struct {
	// table is the name of a table of the package, such as species, or a name for a file of a
	// checklist. The first file of the checklist wcvp has the name checklist:wcvp. A further file
	// has a name such as checklist:wcvp/File.
	table, name string
	src         *archive.Archive
	how         profile.Table
	bytes       *int64
	hash        string

	profile      *profile.Profile
	hashMismatch string // empty if the digest is right
	ending       profile.Ending
	// lines has the physical lines of the package's rows, by the hash of their key.
	lines map[uint64]int32
	// there has the keys at the ends of the previous version that this version has too.
	there map[uint64]bool
}

// list lists the files that the build reads as tables. The error is that of tables of the package
// whose file is missing.
func (c *Checker) list() (all []*file, err error) {
	for _, s := range c.sources {
		if s.Key == Package {
			var files []datapackage.File
			files, err = datapackage.Files(s.Archive, datapackage.Options{Columns: s.Columns, Exclude: s.Exclude})
			for _, f := range files {
				all = append(all, &file{table: f.Table, name: f.Name, src: s.Archive, how: f.Shape, bytes: f.Bytes, hash: f.Hash, lines: map[uint64]int32{}})
			}
		}
		for i, f := range s.Files {
			table := s.Key
			if i > 0 {
				table += "/" + strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
			}
			how := f.Table
			how.Counted = true
			all = append(all, &file{table: table, name: f.Name, src: s.Archive, how: how})
		}
	}
	return all, err
}

// Sources reads all files and runs the checks that need nothing else: whether they are whole, whether
// they are older or cut off, and whether the checklists have changed too much. So these sources are
// refused before anything is built.
func (c *Checker) Sources(ctx context.Context, sources []Source) error {
	c.sources = sources
	files, listErr := c.list()
	c.files = files
	g, scanning := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	unread := make([]error, len(c.files))
	for i, f := range c.files {
		g.Go(func() error {
			f.how.LatestDay = c.now.UTC().Format(time.DateOnly)
			unread[i] = f.scan(scanning, c.past.Files[f.table])
			return scanning.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := c.checkComplete(c.files); err != nil {
		return err
	}
	if err := errors.Join(append(unread, listErr, c.unfit())...); err != nil {
		// Only record the error: the reader of the rows reports the same problem with a hint.
		c.readErr = err
		return nil
	}
	c.compareSources()
	c.compareSets(c.files)
	for _, f := range c.files {
		c.compareFile(f)
	}
	return c.ledger.err()
}

// maxWords is the maximum number of cells of a column in which a word such as NA is a value. In more
// cells it stands for an empty cell.
const maxWords = 2

// EmptyWords returns the columns of the package, by table, in which words such as NULL stand for
// empty cells.
func (c *Checker) EmptyWords() map[string][]profile.Column {
	out := map[string][]profile.Column{}
	for _, f := range c.files {
		if f.profile == nil || isChecklist(f.table) {
			continue
		}
		for _, column := range f.profile.Columns {
			if column.Words > maxWords {
				out[f.table] = append(out[f.table], column)
			}
		}
	}
	return out
}

// unfit returns an error if the package lacks the table species, or if a table lacks a column that
// it must have.
func (c *Checker) unfit() error {
	for _, t := range datapackage.Schema() {
		i := slices.IndexFunc(c.files, func(f *file) bool { return f.table == t.Name })
		if i < 0 {
			if t.Name == "species" {
				return errors.New("the package has no species")
			}
			continue
		}
		for _, column := range t.Columns {
			if p := c.files[i].profile; (column.Required || column.Present) && p != nil && !p.Has(column.Name) {
				return fmt.Errorf("%s has no column %s", t.Name, column.Name)
			}
		}
	}
	return nil
}

// scan counts the rows of the file. was is the profile of its previous version, or nil. It also
// verifies the file's digest if the package states one.
func (f *file) scan(ctx context.Context, was *profile.Profile) (err error) {
	r, err := f.src.Open(f.name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var in io.Reader = r
	name, sum := digestOf(f.hash)
	if sum != nil {
		in = io.TeeReader(r, sum)
	}
	ends := map[uint64]bool{}
	if was != nil {
		for _, end := range slices.Concat(was.First, was.Last) {
			ends[end.Key] = true
		}
	}
	f.there = map[uint64]bool{}
	f.profile, f.ending, err = profile.Scan(ctx, in, f.how, func(key uint64, line int) {
		if ends[key] {
			f.there[key] = true
		}
		if f.lines != nil {
			f.lines[key] = int32(line)
		}
	})
	if sum == nil {
		return err
	}
	if _, rest := io.Copy(io.Discard, in); rest != nil {
		return errors.Join(err, rest)
	}
	if got := name + ":" + hex.EncodeToString(sum.Sum(nil)); !strings.EqualFold(got, f.hash) && !strings.EqualFold(got, name+":"+f.hash) {
		f.hashMismatch = fmt.Sprintf("datapackage.json states the digest %s, the file has %s", f.hash, got)
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
func (f *file) mismatch() string {
	if size := f.src.Size(f.name); f.bytes != nil && *f.bytes != size {
		return fmt.Sprintf("datapackage.json states %d bytes, the file has %d", *f.bytes, size)
	}
	return f.hashMismatch
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
func (c *Checker) checkComplete(all []*file) error {
	var errs []error
	for _, s := range all {
		fatal := func(code finding.Code, line int, message, hint string) {
			f := finding.Finding{Severity: finding.Fatal, Code: code, Table: s.table, File: s.name, Line: line, Message: message, Hint: hint}
			c.log.Add(f)
			errs = append(errs, f)
		}
		if message := s.mismatch(); message != "" {
			fatal(finding.Digest, 0, message, "the file or datapackage.json is not the one that was exported; export the package again")
		}
		if _, sum := digestOf(s.hash); s.hash != "" && sum == nil {
			c.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Digest, Table: s.table, File: s.name,
				Message: fmt.Sprintf("datapackage.json states the digest %s, whose kind is unknown, so it is not checked", s.hash), Hint: "state a digest with sha256:"})
		}
		if s.profile == nil {
			continue
		}
		if s.ending.Zero > 0 {
			fatal(finding.Encoding, s.ending.Zero, "the line holds a byte that is 0, as text in UTF-16 and damaged files do", "save the whole file as UTF-8, or export it again")
		}
		if s.ending.Returns {
			fatal(finding.Source, s.ending.Line, "the lines end with a carriage return alone", "save the file with line feeds")
			continue
		}
		if message := truncation(s.ending); message != "" {
			if allowUnfinished.allows(&c.limits, s.table, "") {
				c.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Unfinished, Table: s.table, File: s.name, Line: s.ending.Line,
					Message: message, Hint: "allowed by " + allowUnfinished.withTable(s.table)})
				continue
			}
			fatal(finding.Unfinished, s.ending.Line, message,
				"the file was cut off: fetch or export it again; if it is complete, say so with "+allowUnfinished.withTable(s.table))
		}
	}
	return errors.Join(errs...)
}
