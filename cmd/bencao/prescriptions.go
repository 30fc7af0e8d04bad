package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/internal/durable"
	"bencao/internal/messages"
	tables "bencao/internal/rows"
	"bencao/mappings/prescriptions"

	"github.com/spf13/cobra"
)

// unsureShown is the number of names that the summary lists.
const unsureShown = 10

func newPrescriptions() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "prescriptions FILE",
		GroupID: "ask",
		Short:   "Bring the drugs of a table of prescriptions to one standard, and count them",
		Long: `Read a table of prescriptions (CSV, TSV or an Excel workbook), find the drugs with their doses, bring their names to
one standard, and count drugs, pairs and sets, beside the classical formulas of the current snapshot. The form of the
table is found by its content: a prescription in each row as a text (麻黄9g 桂枝6g …), one drug in each row with the id of
its prescription, a drug in each column, or columns of drugs with 0 and 1.

The folder --out gets tables and a paragraph for a methods section: drugs.csv has every word of the input, names.csv each
name once. Only sure names count. A name that is perhaps miswritten, or has several meanings, is proposed: put the right
name into the column standardName of names.csv, leave it empty for no drug, and give the file back with --names.

A number without a unit is no weight in grams unless you say --unit g, and 钱 has grams only with --qian. A summary goes
to standard error. docs/prescriptions.md explains the files.`,
		Example: `  bencao prescriptions clinic.xlsx --data /var/lib/bencao --out result
  bencao prescriptions clinic.xlsx --data /var/lib/bencao --out result --names result/names.csv --against 'dynasty=清'
  bencao prescriptions clinic.csv --data /var/lib/bencao --text-column 处方 --unit g --out result
  bencao prescriptions clinic.csv --data /var/lib/bencao --package my-collection`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%s takes one file, but got %d", cmd.CommandPath(), len(args))
			}
			return nil
		},
	}
	s := use(cmd, "data")
	var opt prescriptions.Options
	var count prescriptions.Counting
	f := cmd.Flags()
	f.StringVar(&opt.IDColumn, "id-column", "", "header of the column of prescriptions' ids (default: found, or the number of the row)")
	f.StringVar(&opt.TextColumn, "text-column", "", "header of the column with whole prescriptions (default: found by its cells)")
	f.StringVar(&opt.HerbColumn, "herb-column", "", "header of the column with one drug in each row (default: found by its cells)")
	f.StringVar(&opt.DoseColumn, "dose-column", "", "header of the column of doses beside it (default: found by its cells)")
	f.StringVar(&opt.List.Encoding, "encoding", "", "encoding of the file, such as Shift_JIS (default: found out)")
	f.Float64Var(&opt.Qian, "qian", 0, "weight of a 钱 in `grams`, such as 3 (mainland) or 3.75 (Taiwan); without it old units have none")
	f.StringVar(&count.Query, "against", "", "compare with the formulas of this `query` only, such as 'dynasty=清'")
	unit := f.String("unit", "", "unit of numbers without one: g")
	forms := f.String("forms", "together", "together (a processed form counts as its drug) or apart")
	names := f.String("names", "", "the file names.csv of an earlier run, with your decisions")
	out := f.String("out", "", "`folder` for the results")
	pack := f.String("package", "", "`folder` for a data package of the prescriptions, for \"bencao index\"")
	group(cmd, "The table:", "id-column", "text-column", "herb-column", "dose-column", "encoding")
	group(cmd, "What to count:", "unit", "qian", "forms", "against", "names")
	group(cmd, "Output:", "out", "package")
	cmd.RunE = func(cmd *cobra.Command, args []string) (failed error) {
		switch {
		case (*out == "") == (*pack == ""):
			return usagef("give --out FOLDER for the results, or --package FOLDER for a data package")
		case *unit != "" && *unit != "g":
			return usagef("unit is %q; use g, or convert the doses first", *unit)
		case *forms != "together" && *forms != "apart":
			return usagef("forms is %q; use together or apart", *forms)
		case opt.Qian < 0 || opt.Qian > 50:
			return usagef("qian is %v; use a weight in grams, such as 3", opt.Qian)
		}
		opt.Grams, count.Apart = *unit == "g", *forms == "apart"
		var err error
		if opt.List.Encoding, err = encodingOf(opt.List.Encoding); err != nil {
			return err
		}
		if err := s.load(cmd, "data"); err != nil {
			return err
		}
		if err := mayWrite(*out, *names); err != nil {
			return err
		}
		backend, closer, err := prescriptionBackend(cmd, s, count.Query)
		if err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, closer()) }()
		base, err := backend.Prescriptions()
		if err != nil {
			return err
		}
		if *names != "" {
			if opt.Decisions, err = readDecisions(cmd.Context(), base, *names); err != nil {
				return err
			}
		}
		set, err := readPrescriptions(cmd, base, args[0], opt)
		if err != nil {
			return err
		}
		folder, files := *pack, []prescriptions.File(nil)
		if *pack != "" {
			files = set.Package()
		} else {
			if count.Against, count.Chosen, err = backend.Against(cmd.Context(), count.Query, access.All); err != nil {
				return asked(err) // it names the flag
			}
			if count.Query != "" && !slices.ContainsFunc(count.Against, func(word uint64) bool { return word != 0 }) {
				return usagef("against: the query %s finds no formula", count.Query)
			}
			count.Data, count.Program = backend.ID(), thisBuild().Version
			report, err := set.Count(cmd.Context(), count)
			if err != nil {
				return err
			}
			folder, files = *out, report.Files()
		}
		if err := writeFiles(folder, files); err != nil {
			return err
		}
		return summarise(cmd, set, folder, files)
	}
	return cmd
}

// prescriptionBackend opens the parts of the current snapshot that prescriptions are compared with.
func prescriptionBackend(cmd *cobra.Command, s *settings, against string) (_ *api.Backend, closer func() error, err error) {
	dir, err := s.dataFolder()
	if err != nil {
		return nil, nil, err
	}
	held, err := dir.OpenCurrent(cmd.Context())
	if err != nil {
		return nil, nil, err
	}
	query, err := url.ParseQuery(against)
	if err != nil {
		return nil, nil, errors.Join(usagef("against: %w", err), held.Close())
	}
	b, err := openBackend(s, held, api.Needs("/patterns", query), held)
	if err != nil {
		return nil, nil, errors.Join(err, held.Close())
	}
	return b, b.Close, nil
}

// readDecisions reads the names.csv of an earlier run.
func readDecisions(ctx context.Context, base *prescriptions.Base, path string) (all prescriptions.Decisions, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if all, err = base.ReadDecisions(ctx, file, tables.ListOptions{}); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return all, err
}

// leastBar is the number of rows from which there is a progress bar.
const leastBar = 2000

// readPrescriptions reads a table, with a progress bar if it is long.
func readPrescriptions(cmd *cobra.Command, base *prescriptions.Base, path string, opt prescriptions.Options) (set *prescriptions.Set, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if lines, err := rowsOf(cmd, file); err != nil {
		return nil, err
	} else if withBar(cmd) {
		bars := &bars{w: cmd.ErrOrStderr()}
		defer bars.end()
		opt.Progress = func(rows int64) {
			if max(rows, lines) >= leastBar {
				bars.show("reading", "rows", rows, max(rows, lines))
			}
		}
	}
	if set, err = base.Read(cmd.Context(), file, opt); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return set, err
}

// mayWrite returns an error if a folder has a names.csv whose decisions would be lost.
func mayWrite(out, names string) error {
	if out == "" {
		return nil
	}
	there := filepath.Join(out, "names.csv")
	info, err := os.Stat(there)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if names != "" {
		if given, err := os.Stat(names); err == nil && os.SameFile(info, given) {
			return nil
		}
	}
	return usagef("%s exists, and may have your decisions; use them with --names %s, or choose another folder", there, there)
}

// writeFiles writes files into a folder. Each is complete before it replaces one of its name.
func writeFiles(folder string, files []prescriptions.File) error {
	if err := durable.MkdirAll(folder); err != nil {
		return err
	}
	aside, err := os.MkdirTemp(folder, ".writing-")
	if err != nil {
		return durable.Explain(folder, err)
	}
	for _, f := range files {
		if err = durable.WriteNew(filepath.Join(aside, f.Name), 0, f.Write); err != nil {
			break
		}
	}
	for _, f := range files {
		if err == nil {
			err = os.Rename(filepath.Join(aside, f.Name), filepath.Join(folder, f.Name))
		}
	}
	return errors.Join(err, os.RemoveAll(aside))
}

// summarise prints what was read, and the first names that are not sure.
func summarise(cmd *cobra.Command, set *prescriptions.Set, folder string, files []prescriptions.File) error {
	out := bufio.NewWriter(onScreen(cmd.ErrOrStderr())) // Flush returns the first error of any write
	t := set.Tally()
	fmt.Fprintf(out, "%s, %s: %d sure, %d proposed, %d with several meanings, %d not understood\n",
		messages.Count(t.Prescriptions, "prescription"), messages.Count(t.Mentions, "drug"), t.Sure, t.Proposed, t.Several, t.NotUnderstood)
	fmt.Fprintf(out, "%s became %s, %d decided by hand\n", messages.Count(t.Names, "written name"), messages.Count(t.Drugs, "standard name"), t.Decided)
	how := map[prescriptions.Form]string{
		prescriptions.TextForm: "a prescription in each row", prescriptions.LongForm: "a drug in each row",
		prescriptions.WideForm: "a drug in each column", prescriptions.MatrixForm: "columns of drugs with 0 and 1",
	}[set.Form]
	if len(set.Labels) > 0 {
		how += ", columns " + strings.Join(set.Labels, ", ")
	}
	if set.Encoding != "UTF-8" {
		how += ", in " + set.Encoding
	}
	fmt.Fprintf(out, "read as %s\n", how)
	for _, note := range []struct {
		n    int
		text string
	}{
		{t.Changing, "no plain prescriptions, and not counted: %d (they change or repeat another one, as 加半夏 and 同上方 do)\n"},
		{int(set.Wrong), "rows that could not be split into cells, and were read as one text: %d\n"},
		{int(set.Undecoded), "rows with bytes that are not " + set.Encoding + ", read as �: %d; if the file is in another encoding, name it with --encoding\n"},
	} {
		if note.n > 0 {
			fmt.Fprintf(out, note.text, note.n)
		}
	}
	if len(set.LeftOut) > 0 {
		fmt.Fprintf(out, "not read: sheet %s\n", strings.Join(set.LeftOut, ", "))
	}
	shown := newTable("not sure", "times", "state", "proposed")
	for _, n := range set.Names() {
		if n.State != prescriptions.Sure && n.State != prescriptions.Instruction && len(shown.rows) < unsureShown {
			shown.row(n.Written, n.Count, n.State, set.Proposals(n))
		}
	}
	if len(shown.rows) > 0 {
		if _, err := io.WriteString(out, shown.text()); err != nil {
			return err
		}
	}
	var written []string
	for _, f := range files {
		written = append(written, f.Name)
	}
	fmt.Fprintf(out, "%s has %s\n", folder, strings.Join(written, ", "))
	return out.Flush()
}
