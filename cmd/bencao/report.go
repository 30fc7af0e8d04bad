package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bencao/indexer/curator"
	"bencao/internal/durable"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"

	"github.com/spf13/cobra"
)

// defaultRows is the default number of rows in each list of a report.
const defaultRows = 20

func newReport() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "report [ID]",
		GroupID: "care",
		Short:   "Write an HTML report of a nightly build for the curator of the sources",
		Long: `Write an HTML report of a nightly build for the curator of the sources: which records changed, by name; which rows were
rejected, and why; which herbs have no species; which species have no accepted name; and how old the sources are.

The report describes the last build, published or refused, or the build that published the snapshot ID. The page needs no
other files.`,
		Example: `  bencao report --data /var/lib/bencao --out report.html
  bencao report --data /var/lib/bencao --lang zh --rows 0 --out report.zh.html`,
		Args: atMostOneArg("a snapshot's id"),
	}
	s := use(cmd, "data", "lang")
	rows := cmd.Flags().Int("rows", defaultRows, "rows of each list; 0 is all")
	out := cmd.Flags().String("out", "", "`file` to write, in place of standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *rows < 0 {
			return usagef("rows is %d; use 0 or more", *rows)
		}
		report, err := s.report(cmd, args)
		if err != nil {
			return err
		}
		opt := curator.Options{Language: s.lang, Rows: *rows}
		if *out == "" {
			return report.Write(cmd.OutOrStdout(), opt)
		}
		var page bytes.Buffer
		if err := report.Write(&page, opt); err != nil {
			return err
		}
		return durable.WriteFile(*out, page.Bytes(), durable.Options{})
	}
	return cmd
}

// report returns the report of the build of a snapshot. The id of the snapshot is in args; if args
// is empty, it returns the report of the last build.
func (s *settings) report(cmd *cobra.Command, args []string) (*curator.Report, error) {
	dir, err := s.folder(cmd)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		report, err := curator.Last(cmd.Context(), dir)
		if errors.Is(err, fs.ErrNotExist) {
			err = cmp.Or(ofMirror(dir), err)
		}
		return report, err
	}
	if !snapshot.ValidID(args[0]) {
		return nil, usagef("%q is no snapshot id; \"bencao snapshots\" lists them", args[0])
	}
	return curator.Published(cmd.Context(), dir, args[0])
}

// ofMirror returns an error that tells how to see the publisher's report, if a data folder without
// a report of a build is a mirror. Otherwise it returns nil.
func ofMirror(dir snapshot.Dir) error {
	if _, err := os.Stat(filepath.Join(dir.Path(), mirror.LastReport)); err != nil {
		return nil // no pull has run here, or its report cannot be read
	}
	p, err := dir.Current()
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is a mirror and has no builds of its own; for the publisher's report on the current snapshot, run \"bencao report %s\"", dir.Path(), p.ID)
}
