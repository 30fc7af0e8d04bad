package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bencao/indexer"
	"bencao/indexer/archive"
	"bencao/indexer/export"
	"bencao/indexer/export/sqlite"
	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newExport() *cobra.Command {
	formats := append(export.Builtin(), sqlite.Format())
	cmd := &cobra.Command{
		Use:     "export [ID]",
		GroupID: "care",
		Short:   "Write the data of a snapshot as tables, as a database or as a checklist",
		Long: `Write the data package back that a snapshot, the current one if no ID is given, was built from: all tables, with the rows
that were kept, as they were read. If you index it, it gives the same answers; if you export that again, the same bytes.
With --computed it also has what was computed: accepted names, links of species with formulas, similar formulas and herbs.
The other formats always have that.

As dwca (Darwin Core Archive) or coldp (Catalogue of Life Data Package) it writes the species with their synonyms and
Chinese names, for programs that read checklists. As sqlite it writes all tables into one database, with their keys, views
for frequent questions and an index of all names by characters, pinyin and Latin words; Datasette opens it.

The output is complete or not there: it is written aside and then gets its name.`,
		Example: `  bencao export --data /var/lib/bencao --out package.zip
  bencao export --data /var/lib/bencao --out names --format dwca
  bencao export --data /var/lib/bencao --out plants.sqlite --format sqlite`,
		Args: atMostOneArg("a snapshot's id"),
	}
	s := use(cmd, "data")
	out := cmd.Flags().String("out", "", "`folder or file` to write; a name that ends in .zip becomes a zip, one in .sqlite or .db the database alone")
	format := cmd.Flags().String("format", formats[0].Name, "`form` of the output: "+strings.Join(formats.Names(), ", "))
	computed := cmd.Flags().Bool("computed", false, "add the computed tables to a data package")
	force := cmd.Flags().Bool("force", false, "replace a file, or the folder of an earlier export")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *out == "" {
			return usagef("out is not set; give --out FOLDER, --out FILE.zip or, as sqlite, --out FILE.sqlite")
		}
		if names := formats.Names(); !slices.Contains(names, *format) {
			return usagef("format is %q; %suse %s", *format, didYouMean(*format, names), strings.Join(names, ", "))
		}
		if *computed && *format != formats[0].Name {
			return usagef("computed is for the format %s; %s always has the computed tables", formats[0].Name, *format)
		}
		dir, id, err := s.snapshot(cmd, args)
		if err != nil {
			return err
		}
		files, err := exportTo(cmd.Context(), formats, dir, id, *format, *out, *computed || *format != formats[0].Name, *force)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"snapshot": id, "format": *format, "out": *out, "files": files})
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s holds snapshot %s as %s: %s\n", *out, id, *format, strings.Join(files, ", "))
		return err
	}
	return cmd
}

// exportTo verifies a snapshot, exports it to out, and returns the names of the files.
func exportTo(ctx context.Context, formats export.Formats, dir snapshot.Dir, id, format, out string, computed, force bool) (files []string, err error) {
	snap, err := openSnapshot(ctx, dir, id)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	// A high ratio of compression is no attack here: the indexer wrote the package, and its hash is
	// verified.
	src, err := archive.Open(snap.Path(indexer.PackageFile), archive.Limits{Ratio: 2000})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	from := export.Source{Package: src, DataVersion: snap.Manifest.ID}
	for _, s := range snap.Manifest.Sources[1:] { // the first source is the data package
		from.Checklists = append(from.Checklists, export.Checklist{Name: s.Name, Version: s.Version})
	}
	if computed {
		open, openErr := snapshotfiles.Open(snap.Path(), snapshotfiles.Store|snapshotfiles.Taxa)
		if openErr != nil {
			return nil, openErr
		}
		defer func() { err = errors.Join(err, open.Close()) }()
		if from.Store, err = open.Store.Begin(); err != nil {
			return nil, err
		}
		defer from.Store.Close()
		from.Taxa = open.Taxa
	}
	entries, err := formats.Entries(ctx, from, format)
	if err != nil {
		return nil, err
	}
	if err := formats.Save(ctx, out, entries, force); errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("interrupted, and nothing was written: %w", err)
	} else if err != nil {
		return nil, err
	}
	return formats.Written(out, entries), nil
}

// openSnapshot verifies the snapshot id and locks it against removal. The current snapshot must
// also match the pointer in the file CURRENT.
func openSnapshot(ctx context.Context, dir snapshot.Dir, id string) (*snapshot.Snapshot, error) {
	if current, err := dir.Current(); err == nil && current.ID == id {
		return dir.OpenCurrent(ctx)
	}
	return dir.Open(ctx, id)
}
